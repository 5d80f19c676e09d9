"""A small store behind `workbench.open`."""

from collections.abc import Iterator

import pytest

import workbench
from tests.workbench.store.examples import example_trajectory, many, new
from workbench.notebook import Workbench
from workbench.schema.grade import CriterionVerdict, Grade
from workbench.store import Store, TrajectoryFilter


@pytest.fixture
def filled(store: Store) -> Store:
    """Three attempts of run-a, one of run-b, whose first is graded by `g` and failed on by `h`."""
    store.trajectories.add_batch([*many(3), new(example_trajectory(run="run-b", model="model-b"))])
    first = store.trajectories.ids(TrajectoryFilter())[0]
    verdicts = (CriterionVerdict("a", "yes", 1.0),)
    scored = Grade("g", "v1", "c", "scored", score=0.5, raw=3.0, reason="ok", verdicts=verdicts)
    store.grades.add_many([(first, scored), (first, Grade("h", "v2", "c", "judge_failed", reason="no verdict"))])
    return store


@pytest.fixture
def opened(filled: Store) -> Iterator[Workbench]:
    with workbench.open(filled.url) as found:
        yield found


@pytest.fixture
def sqlite_opened(sqlite_store: Store) -> Iterator[Workbench]:
    """Two attempts of run-a, on SQLite alone: for what has nothing to do with the backend."""
    sqlite_store.trajectories.add_batch(many(2))
    with workbench.open(sqlite_store.url) as found:
        yield found
