"""Several processes on one store, and processes that are killed: nothing lost, nothing twice, no error."""

import os
import random
import signal
import time

import pytest

from tests.support.processes import start_process
from tests.workbench.store.examples import example_trajectory, new
from workbench.schema.grade import Grade
from workbench.store import NewTrajectory, TrajectoryFilter, open_store

N = 60


def items() -> list[NewTrajectory]:
    """Two runs whose trajectories share pages in many orders."""
    return [
        new(
            example_trajectory(question=f"Question {n % 7}?", run=f"run-{n % 2}", attempt=n, page=f"page {n % 5} " * 50)
        )
        for n in range(N)
    ]


def _import_in_batches(url: str, seed: int) -> None:
    rng = random.Random(seed)
    mine = items()
    if seed:
        rng.shuffle(mine)
    with open_store(url) as store:
        while mine:
            size = rng.randint(1, 5)
            ids = store.trajectories.add_batch(mine[:size]).ids
            store.grades.add_many([(id_, Grade("g", "v", "c", "scored", score=0.5)) for id_ in ids])
            del mine[:size]
            time.sleep(0.01)  # so that there is a moment in between to be killed in


@pytest.fixture(scope="module")
def expected_hash(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Of a store that one process filled undisturbed."""
    url = f"sqlite:///{tmp_path_factory.mktemp('undisturbed') / 'x.db'}"
    _import_in_batches(url, 0)
    with open_store(url) as store:
        return store.content_hash()


def test_importers_of_the_same_files_at_once_make_one_store(store_url: str, expected_hash: str) -> None:
    processes = [start_process(_import_in_batches, store_url, seed) for seed in (1, 2, 3)]
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0, 0, 0]
    with open_store(store_url) as store:
        assert store.trajectories.page(TrajectoryFilter()).total == N
        assert store.content_hash() == expected_hash


def test_importer_killed_again_and_again_makes_the_same_store(store_url: str, expected_hash: str) -> None:
    rng = random.Random(5)
    killed_in_between = 0
    for seed in range(1, 6):
        process = start_process(_import_in_batches, store_url, seed)
        with open_store(store_url) as store:
            before = wait_for_more_than(store.trajectories.ids(TrajectoryFilter()), store_url)
        time.sleep(rng.uniform(0, 0.02))
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join(10)
        with open_store(store_url) as store:
            seen = set(store.trajectories.ids(TrajectoryFilter()))
            assert before <= seen  # what was there before is there still
            killed_in_between += 0 < len(seen) < N
            for id_ in seen:
                assert len(store.trajectories.get(id_).steps) == 6
    assert killed_in_between >= 2
    _import_in_batches(store_url, 0)
    with open_store(store_url) as store:
        assert store.content_hash() == expected_hash


def wait_for_more_than(known: tuple[str, ...], url: str) -> set[str]:
    """Waits until there is something new in the store (or all of it is there)."""
    until = time.monotonic() + 60
    with open_store(url) as store:
        while time.monotonic() < until:
            seen = store.trajectories.ids(TrajectoryFilter())
            if len(seen) > len(known) or len(seen) == N:
                return set(seen)
            time.sleep(0.002)
    raise AssertionError("the importer wrote nothing within 20 s")
