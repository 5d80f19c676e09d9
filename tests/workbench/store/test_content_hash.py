"""One hash for one content, whatever the backend, the order and the hour; another for another."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.workbench.store.examples import example_analysis, example_trajectory, many, new
from workbench.schema.ballot import Assignment, Ballot, Round, Vote
from workbench.schema.grade import Grade, Usage
from workbench.schema.note import Note
from workbench.schema.reward import QuestionTarget
from workbench.store import Store, StressTrial, open_store

NOW = datetime.now(UTC)
SCORED = Grade("judge", "v1", "case", "scored", score=0.5, usage=Usage(latency_s=0.1))


def fill(store: Store, *, backwards: bool = False) -> list[str]:
    items = [*many(3), new(example_trajectory(question="Another?", run="run-b", page="\x00\ud800"))]
    if backwards:
        items.reverse()
    for item in items:
        store.trajectories.add_batch([item])
    ids = [item.trajectory.id for item in items]
    for place, id_ in enumerate(sorted(ids)):
        # What it cost differs from run to run and is no content.
        usage = Usage(latency_s=0.9 if backwards else 0.1, cached=backwards)
        store.grades.add(id_, replace(SCORED, score=place / 10, usage=usage))
    store.human.create_round(Round("r1", "one", ("run-a",), {"d": "?"}, False, "open", 1, False, NOW), ())
    store.rewards.save_targets("v1", [QuestionTarget("q1", 1, 2, 3)], meta={"b": 1, "a": 2})
    store.training.create("t1", spec_version="v1", export_folder="/a" if backwards else "/b", config={})
    store.training.log("t1", 1, {"reward": 0.5, "step_s": 1.0 if backwards else 2.0})
    return sorted(ids)


def test_order_hour_and_cost_do_not_show(sqlite_store: Store, pg_url: str) -> None:
    fill(sqlite_store)
    with open_store(pg_url) as other:
        fill(other, backwards=True)
        assert other.content_hash() == sqlite_store.content_hash()


CHANGES: dict[str, Callable[[Store, str], object]] = {
    "trajectory": lambda s, _: s.trajectories.add_batch([new(example_trajectory(attempt=9))]),
    "analysis": lambda s, id_: s.trajectories.replace_analysis(id_, example_analysis(queries=9)),
    "correction": lambda s, id_: s.trajectories.correct_phase(id_, 0, "synthesis", by="rater-1"),
    "support": lambda s, id_: s.trajectories.set_supports(id_, {0: "partly"}),
    "run": lambda s, _: s.runs.set_meta("run-a", {"seed": 1}),
    "grade": lambda s, id_: s.grades.add(id_, replace(SCORED, repeat=1)),
    "grader": lambda s, _: s.grades.register("judge", "v1", "llm", {}),
    "sheet": lambda s, _: s.sheets.put("facts", {"q1": {}}),
    "round": lambda s, _: s.human.close_round("r1", NOW),
    "ballot": lambda s, id_: _cast(s, id_),
    "vote": lambda s, _: s.human.add_votes([Vote("a", "b", "tie", source="x")]),
    "note": lambda s, id_: s.notes.add(Note(id_, "hack", "counts pages, reads none", "a reviewer", NOW)),
    "filter": lambda s, _: s.notes.save_filter("never opened", "retrieval=not_retrieved"),
    "spec": lambda s, _: s.rewards.save_spec({}, "v1", name="n"),
    "targets": lambda s, _: s.rewards.save_targets("v2", (), meta={}),
    "export": lambda s, _: s.rewards.record_export("/x", "v1", "trl", {}),
    "trial": lambda s, id_: s.stress.add_trial(StressTrial("j", "v1", "a", "f", id_, 0, "scored", 0.1, 0.2)),
    "report": lambda s, _: s.stress.save_report("v1", "run-a", {}),
    "metric": lambda s, _: s.training.log("t1", 2, {"reward": 0.5}),
}


def _cast(store: Store, trajectory_id: str) -> None:
    store.human.add_assignments("r1", [Assignment("a1", "r1", "rater-1", "q", trajectory_id, trajectory_id, 0)])
    store.human.cast(Ballot("a1", "r1", "rater-1", "left"), idempotency_key="k")


@pytest.mark.parametrize("name", CHANGES)
def test_every_kind_of_content_shows(sqlite_store: Store, name: str) -> None:
    ids = fill(sqlite_store)
    before = sqlite_store.content_hash()
    CHANGES[name](sqlite_store, ids[0])
    assert sqlite_store.content_hash() != before


def test_machinery_does_not_show(sqlite_store: Store) -> None:
    ids = fill(sqlite_store)
    before = sqlite_store.content_hash()
    sqlite_store.jobs.create("import", ["import", "x"])
    sqlite_store.replies.put("k", 0, {"text": "yes"})
    sqlite_store.training.log("t1", 1, {"step_s": 99.0})
    sqlite_store.trajectories.correct_phase(ids[0], 0, "research", by="rater-1")
    sqlite_store.trajectories.correct_phase(ids[0], 0, None, by="rater-1")
    assert sqlite_store.content_hash() == before


def test_a_lost_step_shows(sqlite_store: Store) -> None:
    fill(sqlite_store)
    before = sqlite_store.content_hash()
    with sqlite_store._database.write() as connection:
        connection.exec_driver_sql("DELETE FROM steps WHERE trajectory = 1 AND position = 5")
    assert sqlite_store.content_hash() != before
