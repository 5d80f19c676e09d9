"""Figures as columns and as bounds of a filter; steps that a person moved; the mark of a change."""

from math import isnan

import pytest

from tests.workbench.store.examples import example_analysis, example_trajectory, many, new
from tests.workbench.store.test_lists import grade
from workbench.errors import BadInputError
from workbench.store import FIGURES, Store, TrajectoryFilter, Within, open_store


def filled(store: Store) -> tuple[str, ...]:
    """Three trajectories with 1, 5 and 9 queries; the second is graded."""
    items = [
        new(example_trajectory(attempt=n, run="a, b" if n else "a"), example_analysis(queries=1 + 4 * n))
        for n in range(3)
    ]
    ids = store.trajectories.add_batch(items).ids
    store.grades.add(ids[1], grade(0.25))
    return ids


def test_every_figure_is_a_column(store: Store) -> None:
    ids = filled(store)
    found = store.columns.figures(TrajectoryFilter(grader="judge"), FIGURES)
    assert (tuple(found.ids), found.runs) == (ids, ["a", "a, b", "a, b"])
    assert isnan(found.scores[0]) and found.scores[1] == 0.25
    assert list(found.figures["queries"]) == [1, 5, 9]
    assert list(found.figures["research_tokens"]) == [400, 400, 400]
    assert list(found.figures["citations"]) == [2, 2, 2]
    assert all(isnan(value) for value in found.figures["research_duration_s"])
    assert len(found.question_ids) == 3 and set(found.figures) == set(FIGURES)


def test_figures_of_an_empty_store_are_empty(store: Store) -> None:
    found = store.columns.figures(TrajectoryFilter(), ("steps",))
    assert (found.ids, list(found.scores), list(found.figures["steps"])) == ([], [], [])


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ((Within("queries", low=5),), [1, 2]),
        ((Within("queries", high=5),), [0, 1]),
        ((Within("queries", 2, 8),), [1]),
        ((Within("queries", low=5), Within("research_tokens", high=399)), []),
        ((Within("research_tokens", 400, 400),), [0, 1, 2]),
        ((Within("duration_s", low=0),), []),  # unknown is not within
    ],
)
def test_bounds_of_figures_all_hold(store: Store, bounds: tuple[Within, ...], expected: list[int]) -> None:
    ids = filled(store)
    assert store.trajectories.ids(TrajectoryFilter(figures=bounds)) == tuple(ids[n] for n in expected)


def test_class_of_support_is_a_filter(store: Store) -> None:
    ids = filled(store)
    store.trajectories.set_supports(ids[1], {0: "contradicted"})
    assert store.trajectories.ids(TrajectoryFilter(support="contradicted")) == (ids[1],)


def test_figure_that_there_is_not_is_a_sentence(store: Store) -> None:
    with pytest.raises(BadInputError, match="no figure 'cleverness'"):
        store.trajectories.ids(TrajectoryFilter(figures=(Within("cleverness"),)))


def test_steps_that_a_person_moved_come_with_both_phases(store: Store) -> None:
    ids = filled(store)
    store.trajectories.correct_phase(ids[2], 4, "synthesis", by="a rater")
    ((id_, was, now, step),) = store.columns.corrected_steps(TrajectoryFilter())
    assert (id_, was, now) == (ids[2], "research", "synthesis")
    assert step == store.trajectories.steps(ids[2])[4]
    assert list(store.columns.corrected_steps(TrajectoryFilter(run="a"))) == []


def test_mark_differs_once_another_has_written_and_stays_otherwise(store: Store) -> None:
    before = store.mark()
    store.trajectories.page(TrajectoryFilter())
    assert store.mark() == before
    with open_store(store.url) as other:
        other.trajectories.add_batch(many(1))
    after = store.mark()
    assert after != before
    store.runs.ensure("new", model="m")
    assert store.mark() != after


@pytest.mark.parametrize("written", ["tool_calls:5..9", "tool_calls:..9", "redundancy:0.25..", "queries:-1..1e+12"])
def test_bounds_are_read_as_they_are_written(written: str) -> None:
    assert str(Within.read(written)) == written


@pytest.mark.parametrize("written", ["", "tool_calls", "tool_calls:5", ":5..9", "tool_calls:..", "tool_calls:a..b"])
def test_bounds_that_cannot_be_read_are_a_sentence(written: str) -> None:
    with pytest.raises(BadInputError, match="expected such as tool_calls:5"):
        Within.read(written)
