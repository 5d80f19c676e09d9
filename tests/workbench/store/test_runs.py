"""Runs and their summaries."""

import pytest

from tests.workbench.store.examples import example_trajectory, many, new
from workbench.errors import NotFoundError
from workbench.store import Store


def test_run_is_summed_up(store: Store) -> None:
    store.runs.ensure("run-a", model="model-a", simulated=True, meta={"seed": 7})
    store.trajectories.add_batch([*many(3), new(example_trajectory(question="Another?"))])
    run = store.runs.get("run-a")
    assert (run.model, run.simulated, run.n, run.n_questions, run.meta) == ("model-a", True, 4, 2, {"seed": 7})
    assert store.runs.list() == (run,)


def test_announced_run_without_trajectories_is_listed(store: Store) -> None:
    store.runs.ensure("empty", model="m")
    assert (store.runs.get("empty").n, store.runs.get("empty").n_questions) == (0, 0)


def test_run_is_left_as_it_is(store: Store) -> None:
    store.runs.ensure("run-a", model="first", meta={"seed": 1})
    store.runs.ensure("run-a", model="second", simulated=True, meta={})
    run = store.runs.get("run-a")
    assert (run.model, run.simulated, run.meta) == ("first", False, {"seed": 1})
    store.runs.set_meta("run-a", {"seed": 2})
    assert store.runs.get("run-a").meta == {"seed": 2}


def test_unannounced_run_has_the_models_of_its_trajectories_until_someone_speaks(store: Store) -> None:
    store.trajectories.add_batch([*many(2, model="m2"), new(example_trajectory(question="Another?", model="m1"))])
    assert store.runs.get("run-a").model == "m1, m2"
    store.runs.ensure("run-a", model="said", simulated=True)
    assert (store.runs.get("run-a").model, store.runs.get("run-a").simulated) == ("said", True)


def test_unknown_run_is_said_so_with_those_there_are(store: Store) -> None:
    store.runs.ensure("run-a", model="m")
    with pytest.raises(NotFoundError, match="no run 'x' in the store; it has: run-a"):
        store.runs.get("x")
    with pytest.raises(NotFoundError):
        store.runs.set_meta("x", {})


def test_names_are_those_of_the_list(store: Store) -> None:
    store.runs.ensure("b", model="m")
    store.runs.ensure("a", model="m")
    assert store.runs.names() == ("a", "b") == tuple(run.name for run in store.runs.list())


def test_models_are_those_of_the_trajectories(store: Store) -> None:
    store.runs.ensure("idle", model="never ran")
    store.trajectories.add_batch([new(example_trajectory(model=name, attempt=n)) for n, name in enumerate("bab")])
    assert store.runs.models() == ("a", "b")
