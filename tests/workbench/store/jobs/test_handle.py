"""A job from the inside: progress, pause, stop and the ways to end."""

import asyncio
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from workbench.errors import BadInputError
from workbench.schema.job import Job
from workbench.store import Store
from workbench.store.jobs import AttachedJob, JobHandle, JobStopped, NullJob
from workbench.store.jobs.process import worker_of
from workbench.store.tables import JobTable


def wait_until(seen: Callable[[], bool], what: str, within_s: float = 10.0) -> None:
    until = time.monotonic() + within_s
    while not seen():
        assert time.monotonic() < until, f"not within {within_s} s: {what}"
        time.sleep(0.02)


@pytest.fixture
def handle(store: Store) -> AttachedJob:
    return store.jobs.attach(store.jobs.create("import", ("import", "x")).id)


def row(store: Store) -> Job:
    return store.jobs.list()[0]


def test_progress_reaches_the_row_and_the_bar(store: Store, handle: AttachedJob) -> None:
    seen: list[tuple[int, int | None]] = []
    handle.on_progress = lambda done, total: seen.append((done, total))
    with handle:
        assert row(store).state == "running"
        handle.progress(1, 4)
        handle.progress(3, failed=1, cost_usd=0.25)
        handle.finish({"imported": 2})
    job = row(store)
    assert (job.state, job.done, job.total, job.failed_items, job.cost_usd) == ("done", 3, 4, 1, 0.25)
    assert job.result == {"imported": 2}
    assert job.started_at is not None and job.ended_at is not None
    assert seen == [(1, 4), (3, 4)]


def test_a_cost_that_becomes_unknown_is_no_longer_a_number(store: Store, handle: AttachedJob) -> None:
    with handle:
        handle.progress(1, 4, cost_usd=0.25)
        handle.progress(2)
        assert handle.figures()["cost_usd"] == 0.25
        handle.progress(3, cost_usd="unknown")
        handle.finish({})
    assert row(store).cost_usd is None


def test_between_items_a_signal_waits_for_the_checkpoint_and_a_second_does_not(
    store: Store, handle: AttachedJob
) -> None:
    with pytest.raises(JobStopped), handle, handle.between_items():
        os.kill(os.getpid(), signal.SIGTERM)
        handle.progress(1, 4)
        with pytest.raises(JobStopped):
            handle.checkpoint()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(1)
        handle.progress(4, 4)
    assert (row(store).state, row(store).done) == ("stopped", 1)


def test_heartbeat_carries_progress_while_the_work_goes_on(store: Store, handle: AttachedJob) -> None:
    with handle:
        first = row(store).heartbeat_at
        handle.progress(5, 10)
        wait_until(lambda: row(store).done == 5, "progress in the row")
        assert row(store).heartbeat_at != first
        assert row(store).state == "running"


def test_paused_job_waits_at_its_checkpoint_and_goes_on_when_resumed(store: Store, handle: AttachedJob) -> None:
    passed = threading.Event()

    def work() -> None:
        wait_until(lambda: handle._state == "paused", "the request was read")
        handle.checkpoint()
        passed.set()

    with handle:
        store.jobs.request(handle.id, "pause")
        thread = threading.Thread(target=work)
        thread.start()
        assert not passed.wait(0.8)
        assert row(store).state == "paused"
        store.jobs.request(handle.id, "resume")
        assert passed.wait(5)
        thread.join()
        assert row(store).state == "running"


def test_paused_job_can_be_stopped(store: Store, handle: AttachedJob) -> None:
    with pytest.raises(JobStopped), handle:
        store.jobs.request(handle.id, "pause")
        wait_until(lambda: handle._state == "paused", "the request was read")
        threading.Timer(0.2, lambda: store.jobs.request(handle.id, "stop")).start()
        handle.checkpoint()
    assert row(store).state == "stopped"


def test_stop_is_raised_at_the_next_checkpoint_through_handlers_of_item_errors(
    store: Store, handle: AttachedJob
) -> None:
    items_done = 0
    with pytest.raises(JobStopped), handle:
        store.jobs.request(handle.id, "stop")
        assert row(store).state == "stopping"
        for _ in range(1000):
            try:
                handle.checkpoint()
                items_done += 1
                time.sleep(0.02)
            except Exception:
                pytest.fail("a handler of one item's errors swallowed the stop")
    assert row(store).state == "stopped"
    assert items_done < 1000


def test_waiting_asynchronously_leaves_the_loop_free(store: Store, handle: AttachedJob) -> None:
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.05)

    async def work() -> None:
        other = asyncio.create_task(tick())
        await handle.async_checkpoint()
        other.cancel()

    with handle:
        store.jobs.request(handle.id, "pause")
        wait_until(lambda: handle._state == "paused", "the request was read")
        threading.Timer(0.6, lambda: store.jobs.request(handle.id, "resume")).start()
        asyncio.run(work())
    assert ticks > 5


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_stops_the_job_and_handlers_are_put_back(
    store: Store, handle: AttachedJob, number: signal.Signals
) -> None:
    before = signal.getsignal(number)
    with pytest.raises(JobStopped), handle:
        os.kill(os.getpid(), number)
        time.sleep(5)
    assert row(store).state == "stopped"
    assert signal.getsignal(number) is before


def test_error_fails_the_job_with_its_words(store: Store, handle: AttachedJob) -> None:
    with pytest.raises(BadInputError), handle:
        raise BadInputError("found a cat, expected a file")
    assert (row(store).state, row(store).error) == ("failed", "found a cat, expected a file")


def test_defect_fails_the_job_with_its_type(store: Store, handle: AttachedJob) -> None:
    with pytest.raises(ZeroDivisionError), handle:
        print(1 / 0)
    assert row(store).error == "ZeroDivisionError: division by zero"


def test_last_word_stands(store: Store, handle: AttachedJob) -> None:
    with pytest.raises(RuntimeError), handle:
        handle.finish({"n": 1})
        raise RuntimeError("after the end")
    assert (row(store).state, row(store).result) == ("done", {"n": 1})


def test_job_asked_to_stop_before_it_began_does_nothing(store: Store) -> None:
    job = store.jobs.create("import", ())
    store.jobs.request(job.id, "stop")
    with pytest.raises(JobStopped), store.jobs.attach(job.id):
        pytest.fail("it began")
    assert row(store).state == "stopped"


def test_second_worker_is_refused(store: Store, handle: AttachedJob) -> None:
    with subprocess.Popen(["sleep", "30"]) as other:
        _hand_over(store, handle.id, other.pid)
        with pytest.raises(BadInputError, match=f"process {other.pid} is working on job"):
            store.jobs.attach(handle.id)
        other.kill()


def test_job_of_a_vanished_process_is_shown_as_failed_and_can_be_taken_over(store: Store, handle: AttachedJob) -> None:
    with subprocess.Popen(["true"]) as gone:
        _hand_over(store, handle.id, gone.pid)
    assert row(store).state == "running"  # the heartbeat is young
    _let_heartbeat_age(store, handle.id)
    assert (row(store).state, row(store).error) == ("failed", "its process ended")
    with store.jobs.attach(handle.id) as again:
        again.finish({})
    assert row(store).state == "done"


def test_late_heartbeat_of_a_living_process_is_no_failure(store: Store, handle: AttachedJob) -> None:
    _let_heartbeat_age(store, handle.id)
    assert row(store).state == "running"


def test_number_of_a_dead_process_that_came_again_is_told_apart(store: Store, handle: AttachedJob) -> None:
    with store._database.write() as connection:
        connection.exec_driver_sql("UPDATE jobs SET process = '1'")  # began at another tick than this process
    _let_heartbeat_age(store, handle.id)
    assert row(store).state == "failed"


def test_null_job_remembers_what_it_was_told() -> None:
    job: JobHandle = NullJob()
    with job:
        job.progress(1, 2)
        job.log("hello")
        job.checkpoint()
        job.finish({"n": 1})
    assert isinstance(job, NullJob)
    assert (job.done, job.total, job.lines, job.result) == (1, 2, [("info", "hello")], {"n": 1})


def _hand_over(store: Store, job_id: str, pid: int) -> None:
    """Writes another process's number into the row."""
    with store._database.write() as connection:
        connection.execute(update(JobTable).where(JobTable.id == job_id).values(pid=pid, process=worker_of(pid).start))


def _let_heartbeat_age(store: Store, job_id: str) -> None:
    with store._database.write() as connection:
        old = datetime.now(UTC) - timedelta(seconds=6)
        connection.execute(update(JobTable).where(JobTable.id == job_id).values(heartbeat_at=old))
