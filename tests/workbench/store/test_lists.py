"""Filters, sorting, pages, columns and reward facts."""

import time
from dataclasses import replace

import pytest

from tests.workbench.store.examples import example_analysis, example_trajectory, new
from workbench.errors import BadInputError
from workbench.schema.grade import Grade
from workbench.schema.reward import RolloutFacts
from workbench.schema.trajectory import Trajectory
from workbench.store import SORT_KEYS, NewTrajectory, Store, TrajectoryFilter

VERSION = "b" * 64


def grade(score: float | None, *, version: str = VERSION, repeat: int = 0, name: str = "judge") -> Grade:
    if score is None:
        return Grade(name, version, "case", "judge_failed", reason="no verdict in reply", repeat=repeat)
    return Grade(name, version, "case", "scored", score=score, raw=score * 10, repeat=repeat)


def some(store: Store) -> list[Trajectory]:
    """Four trajectories: two runs, three questions; the last has no report and no grade."""
    trajectories = [
        example_trajectory(question="Which harbour?", run="a"),
        example_trajectory(question="Welcher STRASSE?", run="a", model="model-b", report="Die Straße 50%."),
        example_trajectory(question="Which tower?", run="b"),
        replace(example_trajectory(question="Which harbour?", run="b"), report="", outcome="truncated"),
    ]
    items = [
        new(trajectory, example_analysis(queries=10 - place, sites_opened=place))
        for place, trajectory in enumerate(trajectories)
    ]
    store.trajectories.add_batch(items)
    store.grades.add(trajectories[0].id, grade(0.2))
    store.grades.add(trajectories[0].id, grade(0.4, repeat=1))
    store.grades.add(trajectories[1].id, grade(0.9))
    store.grades.add(trajectories[2].id, grade(None))
    return trajectories


def places(store: Store, trajectories: list[Trajectory], filter_: TrajectoryFilter) -> list[int]:
    ids = [trajectory.id for trajectory in trajectories]
    return [ids.index(found) for found in store.trajectories.ids(filter_)]


@pytest.mark.parametrize(
    ("filter_", "expected"),
    [
        (TrajectoryFilter(), [0, 1, 2, 3]),
        (TrajectoryFilter(run="a"), [0, 1]),
        (TrajectoryFilter(run=("a", "b"), model="model-b"), [1]),
        (TrajectoryFilter(outcome="truncated"), [3]),
        (TrajectoryFilter(text="question:HARBOUR"), [0, 3]),
        (TrajectoryFilter(text="strasse"), [1]),
        (TrajectoryFilter(text="50%"), [1]),
        (TrajectoryFilter(text='report:"vell has"'), [0, 2]),
        (TrajectoryFilter(group="g1", policy_step=7), [0, 1, 2, 3]),
        (TrajectoryFilter(policy_step=8), []),
        (TrajectoryFilter(has_report=False), [3]),
        (TrajectoryFilter(has_tool_error=True), [0, 1, 2, 3]),
        (TrajectoryFilter(retrieval="dangling"), [0, 1, 2, 3]),
        (TrajectoryFilter(retrieval="seen"), []),
        (TrajectoryFilter(grader="judge", min_score=0.25), [0, 1]),
        (TrajectoryFilter(grader="judge", max_score=0.5), [0]),
        (TrajectoryFilter(grader=f"judge@{VERSION[:8]}", min_score=0.0), [0, 1]),
        (TrajectoryFilter(grader="judge@ffff", min_score=0.0), []),
        (TrajectoryFilter(ids=()), []),
    ],
    ids=str,
)
def test_filter_lets_through(store: Store, filter_: TrajectoryFilter, expected: list[int]) -> None:
    assert places(store, some(store), filter_) == expected


def test_score_is_the_mean_of_scored_grades_and_none_without(store: Store) -> None:
    some(store)
    page = store.trajectories.page(TrajectoryFilter(grader="judge"))
    assert [row.score for row in page.items] == [pytest.approx(0.3), 0.9, None, None]
    assert [row.score for row in store.trajectories.page(TrajectoryFilter()).items] == [None] * 4


def test_score_bound_without_a_grader_is_refused(store: Store) -> None:
    with pytest.raises(BadInputError, match="name one with it"):
        store.trajectories.page(TrajectoryFilter(min_score=0.5))


@pytest.mark.parametrize(("descending", "expected"), [(False, [0, 1, 2, 3]), (True, [1, 0, 2, 3])])
def test_rows_without_a_score_come_last_both_ways(store: Store, descending: bool, expected: list[int]) -> None:
    ids = [trajectory.id for trajectory in some(store)]
    page = store.trajectories.page(TrajectoryFilter(grader="judge"), sort="score", descending=descending)
    assert [ids.index(row.id) for row in page.items] == expected


@pytest.mark.parametrize("sort", SORT_KEYS)
@pytest.mark.parametrize("descending", [False, True])
def test_pages_of_every_order_hold_each_row_once(store: Store, sort: str, descending: bool) -> None:
    some(store)
    filter_ = TrajectoryFilter(grader="judge")
    seen: list[str] = []
    for offset in range(4):
        page = store.trajectories.page(filter_, sort=sort, descending=descending, offset=offset, limit=1)  # type: ignore[arg-type]
        assert (page.total, page.offset, len(page.items)) == (4, offset, 1)
        seen += [row.id for row in page.items]
    assert seen == list(store.trajectories.ids(filter_, sort=sort, descending=descending))  # type: ignore[arg-type]
    assert len(set(seen)) == 4


def test_questions_sort_alike_on_both_backends(store: Store) -> None:
    questions = ["b", "A", "a", "Ä", "Z", "é", " x"]
    store.trajectories.add_batch([new(example_trajectory(question=question)) for question in questions])
    page = store.trajectories.page(TrajectoryFilter(), sort="question")
    assert [row.question for row in page.items] == sorted(questions)


def test_unknown_sort_key_is_refused(store: Store) -> None:
    with pytest.raises(BadInputError, match="cannot sort by 'colour'; expected one of imported"):
        store.trajectories.page(TrajectoryFilter(), sort="colour")  # type: ignore[arg-type]


def test_row_says_what_the_list_says(store: Store) -> None:
    first = some(store)[0]
    row = store.trajectories.row(first.id, grader="judge")
    assert row == store.trajectories.page(TrajectoryFilter(grader="judge")).items[0]
    assert (row.steps, row.report_chars, row.activity.queries) == (6, len(first.report), 10)
    assert row.citations_by_retrieval == {"opened": 1, "seen": 0, "not_retrieved": 0, "dangling": 1, "no_trace": 0}


def test_columns_hold_what_rows_hold(store: Store) -> None:
    some(store)
    columns = store.trajectories.columns(TrajectoryFilter(grader="judge"))
    rows = store.trajectories.page(TrajectoryFilter(grader="judge")).items
    assert columns["id"] == [row.id for row in rows]
    assert columns["distinct_queries"] == [row.activity.distinct_queries for row in rows] == [10, 9, 8, 7]
    assert columns["score"] == [row.score for row in rows]
    assert columns["retrieval_opened"] == [1, 1, 1, 1]
    assert columns["citations"] == [2, 2, 2, 2]
    assert {len(column) for column in columns.values()} == {4}


def test_columns_of_nothing_are_empty_and_all_there(store: Store) -> None:
    columns = store.trajectories.columns(TrajectoryFilter(run="none"))
    assert {"id", "queries", "score", "citations"} <= columns.keys()
    assert not any(columns.values())


def test_facts_are_what_the_reward_reads(store: Store) -> None:
    first = some(store)[0]
    facts = dict(store.trajectories.facts(TrajectoryFilter()))
    assert facts[first.id] == RolloutFacts(
        question_id=first.question_id,
        distinct_queries=10,
        sites_opened=0,
        sites_cited=1,
        sites_seen=2,
        tool_calls=2,
        failed_calls=1,
        report_chars=len(first.report),
        citations=2,
        citations_not_retrieved=0,
    )


def test_thousands_of_rows_come_as_columns_and_facts_in_no_time(store: Store) -> None:
    light = replace(example_trajectory(), steps=(), report="short")
    analysis = replace(example_analysis(), phases=())
    items: list[NewTrajectory] = [new(replace(light, attempt=n), analysis) for n in range(3000)]
    store.trajectories.add_batch(items)
    begun_s = time.perf_counter()
    columns = store.trajectories.columns(TrajectoryFilter())
    facts = store.trajectories.facts(TrajectoryFilter())
    elapsed_s = time.perf_counter() - begun_s
    assert len(columns["id"]) == len(facts) == 3000
    assert columns["id"] == [id_ for id_, _ in facts]
    assert elapsed_s < 1.5  # measured: 0.1 s; the rest is for a loaded machine


def test_filter_takes_more_ids_than_a_statement_has_parameters(store: Store) -> None:
    trajectories = some(store)
    ids = (*(f"t-{n:020x}" for n in range(70_000)), trajectories[2].id)
    assert store.trajectories.ids(TrajectoryFilter(ids=ids)) == (trajectories[2].id,)
