"""Jobs in processes of their own: the real command line on a real file."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.workbench.store.examples import example_trajectory
from workbench.cli.main import main
from workbench.errors import BadInputError
from workbench.schema.job import JOB_ENDED, Job
from workbench.schema.trajectory import trajectory_to_json
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.jobs import process, repository

N = 700  # about a second of importing


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("traces") / "many.jsonl"
    with path.open("w") as file:
        for n in range(N):
            file.write(json.dumps(trajectory_to_json(example_trajectory(question=f"Question {n}?"))) + "\n")
    return path


@pytest.fixture(scope="module")
def undisturbed(traces: Path) -> str:
    """Content hash of a store into which the file went in one go."""
    url = f"sqlite:///{traces.parent / 'undisturbed.db'}"
    assert main(["--store", url, "import", str(traces)]) == 0
    with open_store(url) as store:
        return store.content_hash()


@pytest.fixture(autouse=True)
def no_leftovers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Ends what a failed test would leave running, and keeps the output files out of the machine's folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    started: list[int] = []

    def start_and_note(*arguments: Any, **options: Any) -> int:
        started.append(process.start_detached(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(repository, "start_detached", start_and_note)
    yield
    for pid in started:
        if process.is_alive(process.worker_of(pid)):
            os.kill(pid, signal.SIGKILL)


def wait_for(store: Store, job_id: str, seen: Callable[[Job], bool], within_s: float = 40.0) -> Job:
    until = time.monotonic() + within_s
    while True:
        job = store.jobs.get(job_id)
        if seen(job):
            return job
        log = [line.text for line in store.jobs.log(job_id)]
        assert time.monotonic() < until, f"still {job.state} after {within_s} s: {job} {log}"
        time.sleep(0.05)


def ended(job: Job) -> bool:
    return job.state in JOB_ENDED


def under_way(store: Store) -> Callable[[Job], bool]:
    """Some of the trajectories are in, and not all."""
    return lambda _: 0 < store.trajectories.page(TrajectoryFilter(), limit=1).total < N


def count(store: Store) -> int:
    return store.trajectories.page(TrajectoryFilter(), limit=1).total


def test_spawned_job_outlives_the_process_that_started_it(sqlite_store: Store, traces: Path) -> None:
    store = sqlite_store
    starter = f"""
import sys
from workbench.store import open_store
with open_store({store.url!r}) as store:
    print(store.jobs.spawn(store.jobs.create("import", ("import", {traces.name!r})), store.url).id)
"""
    done = subprocess.run(
        [sys.executable, "-c", starter], cwd=traces.parent, capture_output=True, text=True, check=True
    )
    job = wait_for(store, done.stdout.strip(), ended)
    assert (job.state, job.error) == ("done", "")
    assert job.result["imported"] == count(store) == N


def test_killed_job_is_shown_as_failed_and_resumes_to_the_same_store(
    store: Store, traces: Path, undisturbed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = store.jobs.spawn(store.jobs.create("import", ("import", str(traces))), store.url)
    killed = wait_for(store, job.id, under_way(store))
    assert killed.pid is not None
    os.kill(killed.pid, signal.SIGKILL)
    there = count(store)
    with monkeypatch.context() as patch:  # five seconds are for people to wait
        patch.setattr(process, "HEARTBEAT_LATE_AFTER", timedelta(seconds=0.1))
        failed = wait_for(store, job.id, ended)
        assert (failed.state, failed.error) == ("failed", "its process ended")
        assert there <= count(store) < N
        assert store.jobs.resume(job.id, store.url).id == job.id
    done = wait_for(store, job.id, lambda found: found.state == "done")
    assert done.arguments == job.arguments
    assert store.content_hash() == undisturbed


def test_job_is_paused_resumed_and_stopped_through_its_row(sqlite_store: Store, traces: Path) -> None:
    store = sqlite_store
    job = store.jobs.spawn(store.jobs.create("import", ("import", str(traces))), store.url)
    with pytest.raises(BadInputError, match="a process has it already"):
        store.jobs.spawn(job, store.url)
    wait_for(store, job.id, under_way(store))
    store.jobs.request(job.id, "pause")
    time.sleep(1.0)  # more than a batch and a look at the row
    paused_at = count(store)
    time.sleep(0.5)
    assert (store.jobs.get(job.id).state, count(store)) == ("paused", paused_at)
    assert store.jobs.resume(job.id, store.url).state == "running"
    wait_for(store, job.id, lambda _: count(store) > paused_at)
    store.jobs.request(job.id, "stop")
    assert wait_for(store, job.id, ended).state == "stopped"
    assert paused_at < count(store) < N
    store.jobs.resume(job.id, store.url)
    assert wait_for(store, job.id, lambda found: found.state == "done").result["read"] == N
    assert count(store) == N


def test_output_of_a_job_stands_in_its_log_even_if_it_never_began(sqlite_store: Store, tmp_path: Path) -> None:
    store = sqlite_store
    job = store.jobs.spawn(store.jobs.create("import", ("import", str(tmp_path / "none.jsonl"))), store.url)
    assert job.pid is not None
    until = time.monotonic() + 120
    while not any("none.jsonl" in line.text for line in store.jobs.log(job.id)):
        assert time.monotonic() < until, "its error did not reach the log"
        time.sleep(0.1)


def test_password_of_the_store_is_not_on_the_command_line(sqlite_store: Store) -> None:
    store = sqlite_store
    job = store.jobs.create("import", ("import", "x"))
    arguments, environment = repository._command(job, "postgresql://me:hush-hush@host/x")
    assert not any("hush-hush" in argument for argument in arguments)
    assert environment["WORKBENCH_STORE"] == "postgresql://me:hush-hush@host/x"
    arguments, environment = repository._command(job, store.url)
    assert arguments[3:] == ("--store", store.url, "--job", job.id, "import", "x")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_on_the_command_line_stops_the_job_cleanly(
    sqlite_store: Store, traces: Path, number: signal.Signals
) -> None:
    store = sqlite_store
    verb = subprocess.Popen(
        [sys.executable, "-m", "workbench", "--store", store.url, "import", str(traces)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        until = time.monotonic() + 120
        while count(store) == 0:
            assert time.monotonic() < until, "nothing imported within 30 s"
            time.sleep(0.02)
        verb.send_signal(number)
        out, err = verb.communicate(timeout=30)
    finally:
        verb.kill()
    assert verb.returncode == 3
    assert out == ""
    assert err.strip() == "stopped; run the same command again to go on from here"
    (job,) = store.jobs.list()
    assert (job.state, job.error) == ("stopped", "")
    assert 0 < count(store) < N
