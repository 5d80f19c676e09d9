"""The handle of the process that works on a job: progress and heartbeat out, pause and stop in."""

import asyncio
import contextlib
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from types import FrameType, TracebackType
from typing import Any, Self

from sqlalchemy import select, update

from workbench.errors import WorkbenchError
from workbench.schema.canonical import JsonValue
from workbench.schema.job import JobState
from workbench.store.engine import Database, rowcount
from workbench.store.jobs.handle import Cost, JobHandle, JobStopped, LogLevel, known_cost
from workbench.store.jobs.rate import Rate
from workbench.store.jobs.redact import without_secrets
from workbench.store.jobs.spool import append_log, drain
from workbench.store.tables import JobTable

POLL_S = 0.3
HEARTBEAT_S = 2.0
_J = JobTable
_RUNNING: tuple[JobState, ...] = ("running", "paused", "stopping")


class AttachedJob(JobHandle):
    """Made by `Jobs.attach`; used as a context manager, which runs the heartbeat and minds SIGTERM and Ctrl-C."""

    def __init__(self, database: Database, job_id: str) -> None:
        self.id = job_id
        self._db = database
        self._done = 0
        self._total: int | None = None
        self._failed = 0
        self._cost_usd: float | None = None
        self._rate = Rate()
        self._state: JobState = "running"
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._wake = threading.Event()
        self._beat = threading.Thread(target=self._keep_beating, name=f"heartbeat-{job_id}", daemon=True)
        self._old_handlers: dict[int, Any] = {}
        self._leaving = False
        self._waits_for_item = self._told_to_stop = False

    def progress(
        self, done: int, total: int | None = None, *, failed: int | None = None, cost_usd: Cost = None
    ) -> None:
        with self._lock:
            self._done = done
            self._total = self._total if total is None else total
            self._failed = self._failed if failed is None else failed
            self._cost_usd = known_cost(cost_usd, self._cost_usd)
            self._rate.note(time.monotonic(), done)
        if self.on_progress is not None:
            self.on_progress(done, self._total)

    def log(self, text: str, level: LogLevel = "info") -> None:
        with self._db.write() as connection:
            append_log(connection, self.id, [(level, text)], _now())

    def checkpoint(self) -> None:
        while self._must_wait():
            self._wake.wait(POLL_S)

    async def async_checkpoint(self) -> None:
        while self._must_wait():
            await asyncio.sleep(POLL_S)

    def _must_wait(self) -> bool:
        if self._told_to_stop or self._state == "stopping":
            raise JobStopped
        if self._state == "paused":
            with self._lock:
                self._rate.restart()
            return True
        return False

    def finish(self, result: Mapping[str, JsonValue]) -> None:
        self._end("done", result=dict(result))

    def fail(self, error: str) -> None:
        self._end("failed", error=without_secrets(error))

    def _end(self, state: JobState, **values: Any) -> None:
        """The job's last word; what is said after it changes nothing."""
        if self._ended.is_set():
            return
        self._ended.set()
        self._wake.set()
        if self._beat.is_alive():
            self._beat.join()
        drain(self._db, self.id, _now(), ended=False)
        figures = self.figures() | {"left_s": None}
        with self._db.write() as connection:
            mine = update(_J).where(_J.id == self.id)
            connection.execute(mine.values(state=state, ended_at=_now(), **figures, **values))

    def __enter__(self) -> Self:
        self._read_state()
        self._beat.start()
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                self._old_handlers[number] = signal.signal(number, self._on_signal)
        if self._state == "stopping":
            self._end("stopped")
            self._restore_handlers()
            raise JobStopped
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leaving = True  # a second signal must not break off the last word
        try:
            if error is None:
                self._end("done")
            elif isinstance(error, (JobStopped, KeyboardInterrupt)):
                self._end("stopped")
            elif isinstance(error, WorkbenchError):
                self.fail(str(error))
            else:
                self.fail(f"{type(error).__name__}: {error}")
        finally:
            self._restore_handlers()

    @contextlib.contextmanager
    def between_items(self) -> Iterator[None]:
        self._waits_for_item = True
        try:
            yield
        finally:
            self._waits_for_item = False

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if self._waits_for_item and not self._told_to_stop:
            self._told_to_stop = True
        elif not self._leaving:
            self._leaving = True
            raise JobStopped

    def _restore_handlers(self) -> None:
        for number, handler in self._old_handlers.items():
            signal.signal(number, handler)
        self._old_handlers.clear()

    def _keep_beating(self) -> None:
        """Reads what is asked of the job, and says that it lives. The store may be busy or away: it tries again."""
        next_beat_s = time.monotonic() + HEARTBEAT_S
        while not self._ended.wait(POLL_S):
            _quietly(self._read_state)
            if time.monotonic() >= next_beat_s:
                _quietly(self._write_heartbeat)
                next_beat_s = time.monotonic() + HEARTBEAT_S

    def _read_state(self) -> None:
        with self._db.read() as connection:
            found = connection.execute(select(_J.state).where(_J.id == self.id)).scalar_one()
        # Ended under our feet (asked to stop before we began): there is nothing left to do.
        self._state = found if found in _RUNNING else "stopping"
        if self._state != "paused":
            self._wake.set()
        else:
            self._wake.clear()

    def _write_heartbeat(self) -> None:
        with self._db.write() as connection:
            rowcount(connection, update(_J).where(_J.id == self.id).values(**self.figures()))
        drain(self._db, self.id, _now(), ended=False)

    def figures(self) -> dict[str, Any]:
        """How far it is, as the row says it: `done total failed_items cost_usd rate_per_s left_s heartbeat_at`."""
        now_s = time.monotonic()
        with self._lock:
            paused = self._state == "paused"
            return {
                "done": self._done,
                "total": self._total,
                "failed_items": self._failed,
                "cost_usd": self._cost_usd,
                "rate_per_s": None if paused else self._rate.per_s(now_s),
                "left_s": None if paused else self._rate.left_s(now_s, self._total),
                "heartbeat_at": _now(),
            }


def _quietly(work: Callable[[], None]) -> None:
    with contextlib.suppress(Exception):  # a heartbeat that cannot be written is a late heartbeat
        work()


def _now() -> datetime:
    return datetime.now(UTC)
