"""The store's tables by columns: the same facts as one by one, in few statements, with the filters of lists."""

import pytest
from sqlalchemy import event

from tests.workbench.store.examples import PAGE, example_trajectory, many, new
from workbench.schema.grade import CriterionVerdict, Grade
from workbench.store import Store, TrajectoryFilter
from workbench.store.repositories import columns_base, columns_steps

ALL = TrajectoryFilter()


@pytest.fixture
def filled(store: Store) -> Store:
    store.trajectories.add_batch(
        [*many(3), new(example_trajectory(run="run-b", report="Vell\x00 has \ud800 two [1]."))]
    )
    return store


def test_light_columns_are_those_of_the_list(filled: Store) -> None:
    (found,) = filled.columns.trajectories(ALL)
    listed = filled.trajectories.columns(ALL)
    assert {name: found[name] for name in listed} == listed
    assert "report" not in found


def test_bodies_are_whole_whatever_they_hold(filled: Store) -> None:
    (found,) = filled.columns.trajectories(TrajectoryFilter(run="run-b"), bodies=True)
    assert found["report"] == ["Vell\x00 has \ud800 two [1]."]


def test_steps_with_bodies_are_those_of_the_trajectories(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns_base, "BODY_CHARS", 100)  # so that every step is a batch
    monkeypatch.setattr(columns_steps, "BODY_BATCH", 2)
    found = [(id_, step) for id_, _, step, _ in filled.columns.step_records(ALL)]
    opened = filled.trajectories.iterate_with_ids(ALL)
    assert found == [(id_, step) for id_, trajectory in opened for step in trajectory.steps]


def test_a_person_s_phase_is_the_step_s(filled: Store) -> None:
    first = filled.trajectories.ids(ALL)[0]
    filled.trajectories.correct_phase(first, 1, "plan", by="someone")
    (steps,) = filled.columns.steps(TrajectoryFilter(ids=(first,)))
    assert (steps["phase"][1], steps["confidence"][1], steps["phase_source"][1]) == ("plan", 1.0, "person")
    assert (steps["tools"][1], steps["searches"][1], steps["visits"][3]) == ("search", 1, 1)
    (totals,) = filled.columns.phase_totals(ALL)
    assert totals["corrected"] == [1, 0, 0, 0]


def test_a_citation_comes_with_its_claim_and_its_passage(filled: Store) -> None:
    (found,) = filled.columns.citations(TrajectoryFilter(run="run-a"), bodies=True)
    assert found["claim"][:2] == ["Vell has two lighthouses [1]."] * 2
    assert found["passage"][:2] == [PAGE[0:40], None]
    assert found["retrieval"][:2] == ["opened", "dangling"]
    first = filled.trajectories.ids(ALL)[0]
    records = [citation for id_, citation in filled.columns.citation_records(ALL) if id_ == first]
    assert tuple(records) == filled.trajectories.analysis(first).citations


def test_grades_are_those_of_the_grader_asked_for_and_failures_have_no_score(filled: Store) -> None:
    first = filled.trajectories.ids(ALL)[0]
    good = Grade("g", "v1", "c", "scored", score=0.5, raw=3.0, verdicts=(CriterionVerdict("a", "yes", 1.0),))
    failed = Grade("h", "v2", "c", "judge_failed", reason="no verdict")
    filled.grades.add_many([(first, good), (first, failed)])
    (found,) = filled.columns.grades(TrajectoryFilter(ids=(first,)), bodies=True)
    assert (found["outcome"], found["score"]) == (["scored", "judge_failed"], [0.5, None])
    assert found["reason"] == ["", "no verdict"]
    assert [grade for _, grade in filled.columns.grade_records(TrajectoryFilter(grader="h"))] == [failed]
    (scored,) = filled.columns.trajectories(TrajectoryFilter(grader="g", min_score=0.1))
    assert (scored["id"], scored["score"]) == ([first], [0.5])


def test_the_number_of_statements_does_not_grow_with_the_trajectories(sqlite_store: Store) -> None:
    counted: list[str] = []
    engine = sqlite_store.trajectories._db.engine
    event.listen(engine, "before_cursor_execute", lambda *arguments: counted.append(arguments[2]))

    def statements() -> int:
        counted.clear()
        reads = sqlite_store.columns
        for bodies in (False, True):
            for read in (reads.trajectories, reads.steps, reads.citations, reads.grades):
                list(read(ALL, bodies=bodies))
        list(reads.phase_totals(ALL))
        return len(counted)

    sqlite_store.trajectories.add_batch(many(2))
    few = statements()
    sqlite_store.trajectories.add_batch(many(40))
    assert statements() == few
