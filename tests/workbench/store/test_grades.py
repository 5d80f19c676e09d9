"""Grades: what stays, what gives way, what is summed up."""

import pytest

from tests.workbench.store.examples import example_trajectory, many, new
from workbench.errors import NotFoundError
from workbench.schema.grade import CriterionVerdict, Grade, Usage
from workbench.store import Store


def scored(score: float | None, **changes: object) -> Grade:
    values: dict[str, object] = {
        "grader": "judge",
        "grader_version": "v1",
        "case_hash": "c1",
        "outcome": "scored",
        "score": score,
        "raw": None if score is None else score * 10,
        "scheme": "mean",
    }
    return Grade(**(values | changes))  # type: ignore[arg-type]


def failed(**changes: object) -> Grade:
    return scored(None, **({"outcome": "judge_failed", "reason": "no verdict"} | changes))


@pytest.fixture
def id_(store: Store) -> str:
    return store.trajectories.add_batch([new(example_trajectory())]).ids[0]


def test_grade_comes_back_equal(store: Store, id_: str) -> None:
    grade = scored(
        0.7,
        reason="well sourced",
        verdicts=(CriterionVerdict("c", "yes", 1.0, "because", "quoted"), CriterionVerdict("d", None, None)),
        usage=Usage(100, 20, 0.001, 1.5, cached=True),
        repeat=2,
        detail={"note": [1, 2.5, None]},
    )
    assert store.grades.add(id_, grade)
    assert store.grades.for_trajectory(id_) == (grade,)


def test_scored_grade_is_not_replaced(store: Store, id_: str) -> None:
    assert store.grades.add(id_, scored(0.7))
    assert not store.grades.add(id_, scored(0.1))
    assert not store.grades.add(id_, failed())
    assert [grade.score for grade in store.grades.for_trajectory(id_)] == [0.7]


def test_abstained_grade_is_not_replaced(store: Store, id_: str) -> None:
    assert store.grades.add(id_, failed(outcome="abstained"))
    assert not store.grades.add(id_, scored(0.7))


@pytest.mark.parametrize("outcome", ["judge_failed", "infra_failed"])
def test_failed_grade_gives_way_to_a_later_try(store: Store, id_: str, outcome: str) -> None:
    assert store.grades.add(id_, failed(outcome=outcome))
    assert store.grades.add(id_, failed(outcome=outcome, reason="again"))
    assert store.grades.add(id_, scored(0.7))
    assert [grade.score for grade in store.grades.for_trajectory(id_)] == [0.7]


@pytest.mark.parametrize("other", [{"grader_version": "v2"}, {"case_hash": "c2"}, {"repeat": 1}], ids=str)
def test_another_version_case_or_repeat_is_another_grade(store: Store, id_: str, other: dict[str, object]) -> None:
    assert store.grades.add(id_, scored(0.7))
    assert store.grades.add(id_, scored(0.1, **other))
    assert len(store.grades.for_trajectory(id_)) == 2


def test_existing_counts_no_failures(store: Store) -> None:
    ids = store.trajectories.add_batch(many(3)).ids
    store.grades.add(ids[0], scored(0.5))
    store.grades.add(ids[1], failed(outcome="abstained"))
    store.grades.add(ids[2], failed())
    assert store.grades.existing("v1") == {(ids[0], "c1", 0), (ids[1], "c1", 0)}
    assert store.grades.existing("v1", ids[1:]) == {(ids[1], "c1", 0)}
    assert store.grades.existing("v2") == frozenset()


def test_scores_hold_failures_too(store: Store) -> None:
    ids = store.trajectories.add_batch(many(2)).ids
    store.grades.add(ids[1], scored(0.5, repeat=1))
    store.grades.add(ids[0], failed())
    columns = store.grades.scores("judge", "run-a")
    assert columns["trajectory_id"] == list(ids)
    assert columns["outcome"] == ["judge_failed", "scored"]
    assert columns["score"] == [None, 0.5]
    assert columns["repeat"] == [0, 1]
    assert store.grades.scores("judge", "run-b")["score"] == []
    assert store.grades.scores("judge@v1")["raw"] == [None, 5.0]


def test_summary_counts_by_outcome_and_tells_unknown_prices_from_zero(store: Store) -> None:
    ids = store.trajectories.add_batch(many(3)).ids
    store.grades.register("judge", "v1", "llm", {"model": "m"})
    store.grades.register("idle", "v0", "deterministic", {})
    store.grades.add(ids[0], scored(0.25, usage=Usage(cost_usd=0.5)))
    store.grades.add(ids[1], scored(0.75, usage=Usage(cost_usd=None)))
    store.grades.add(ids[2], failed())
    store.grades.add(ids[0], scored(1.0, grader="free", grader_version="v9"))
    by_name = {summary.name: summary for summary in store.grades.graders()}
    judge, free, idle = by_name["judge"], by_name["free"], by_name["idle"]
    assert (judge.kind, judge.n_scored, judge.n_abstained, judge.n_failed) == ("llm", 2, 0, 1)
    assert (judge.mean_score, judge.cost_usd, judge.n_unpriced) == (0.5, 0.5, 2)
    assert (free.kind, free.cost_usd, free.n_unpriced) == (None, None, 1)
    assert (idle.n_scored, idle.mean_score) == (0, None)
    assert store.grades.definition("v1") == {"model": "m"}


def test_many_grades_are_one_transaction(store: Store, id_: str) -> None:
    with pytest.raises(NotFoundError):
        store.grades.add_many([(id_, scored(0.5)), ("t-unknown", scored(0.5))])
    assert store.grades.for_trajectory(id_) == ()
    assert store.grades.add_many([(id_, scored(0.5, repeat=n)) for n in range(3)]) == 3


def test_raw_that_is_no_number_is_kept_as_none(store: Store, id_: str) -> None:
    store.grades.add(id_, scored(0.5, raw=float("nan")))
    assert store.grades.for_trajectory(id_)[0].raw is None


def test_graders_with_a_score_are_named_most_first(store: Store) -> None:
    ids = store.trajectories.add_batch(many(3)).ids
    store.grades.add(ids[0], failed())
    store.grades.add(ids[0], scored(1.0, grader="free", grader_version="v9"))
    assert store.grades.scored_by() == {"free": 1}
    store.grades.add_many([(id_, scored(0.5)) for id_ in ids[1:]])
    assert list(store.grades.scored_by().items()) == [("judge", 3), ("free", 1)]
