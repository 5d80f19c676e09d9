"""Lists and outlines never read a body, whatever it weighs: seen in the statements that reach the database."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from tests.workbench.store.examples import many
from workbench.store import Store, TrajectoryFilter

HEAVY = re.compile(r"\b(steps\.payload|documents|bodies|grades\.body)\b")


@contextmanager
def statements(store: Store) -> Iterator[list[str]]:
    seen: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        seen.append(statement)

    engine = store._database.engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(engine, "before_cursor_execute", note)


LIGHT: dict[str, Callable[[Store, str], object]] = {
    "page": lambda store, _: store.trajectories.page(TrajectoryFilter(run="run-a", grader="g"), sort="score"),
    "ids": lambda store, _: store.trajectories.ids(TrajectoryFilter()),
    "columns": lambda store, _: store.trajectories.columns(TrajectoryFilter()),
    "facts": lambda store, _: store.trajectories.facts(TrajectoryFilter()),
    "row": lambda store, id_: store.trajectories.row(id_),
    "outline": lambda store, id_: store.trajectories.outline(id_),
    "step columns": lambda store, id_: store.trajectories.step_columns(id_),
    "citations": lambda store, id_: store.trajectories.citations(id_),
    "analysis": lambda store, id_: store.trajectories.analysis(id_),
    "resolve": lambda store, id_: store.trajectories.resolve(id_),
    "runs": lambda store, _: store.runs.list(),
    "graders": lambda store, _: store.grades.graders(),
    "scores": lambda store, _: store.grades.scores("g"),
}


@pytest.mark.parametrize("name", LIGHT)
def test_light_reading_touches_no_body(sqlite_store: Store, name: str) -> None:
    items = many(3)
    sqlite_store.trajectories.add_batch(items)
    with statements(sqlite_store) as seen:
        LIGHT[name](sqlite_store, items[0].trajectory.id)
    assert seen
    assert not [statement for statement in seen if HEAVY.search(statement)]


def test_reading_a_whole_trajectory_is_seen_by_the_same_check(sqlite_store: Store) -> None:
    items = many(1)
    sqlite_store.trajectories.add_batch(items)
    with statements(sqlite_store) as seen:
        sqlite_store.trajectories.get(items[0].trajectory.id)
    assert {word for statement in seen for word in HEAVY.findall(statement)} == {"steps.payload", "documents", "bodies"}


def test_number_of_statements_does_not_grow_with_the_list(sqlite_store: Store) -> None:
    sqlite_store.trajectories.add_batch(many(2))
    with statements(sqlite_store) as few:
        sqlite_store.trajectories.page(TrajectoryFilter())
        list(sqlite_store.trajectories.iterate(TrajectoryFilter()))
    sqlite_store.trajectories.add_batch(many(40))
    with statements(sqlite_store) as more:
        sqlite_store.trajectories.page(TrajectoryFilter())
        list(sqlite_store.trajectories.iterate(TrajectoryFilter()))
    assert len(few) == len(more)
