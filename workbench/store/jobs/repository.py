"""The jobs table: made, listed, asked to pause or stop, started in a process of their own."""

import os
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeAlias

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy.engine import make_url

from workbench.errors import BadInputError, NotFoundError
from workbench.schema.job import JOB_ENDED, Job, JobState
from workbench.store.engine import AnyRow, rowcount
from workbench.store.jobs.attached import AttachedJob
from workbench.store.jobs.process import (
    HEARTBEAT_LATE_AFTER,
    Worker,
    is_alive,
    is_gone,
    start_detached,
    this_worker,
    worker_of,
)
from workbench.store.jobs.redact import refuse_secrets, without_secrets
from workbench.store.jobs.spool import drain, new_spool
from workbench.store.repositories.base import Repository
from workbench.store.tables import JobLogTable, JobTable

_J, _L = JobTable, JobLogTable
Request: TypeAlias = Literal["pause", "resume", "stop"]
PROCESS_ENDED = "its process ended"


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a job's log; ordinals rise by one from 0."""

    ordinal: int
    at: datetime
    level: str
    text: str


class Jobs(Repository):
    """A job whose process is gone is shown as failed with `its process ended`, and may be resumed."""

    def create(self, kind: str, arguments: Sequence[str], *, folder: str | None = None) -> Job:
        """A queued job for these arguments of the command line, with relative paths counted from `folder` (default:
        the current one). Raises BadInputError where an argument holds a secret."""
        refuse_secrets(arguments)
        job_id = f"j-{secrets.token_hex(5)}"
        row = {
            "id": job_id,
            "kind": kind,
            "arguments": list(arguments),
            "folder": folder or str(Path.cwd()),
            "state": "queued",
            "done": 0,
            "failed_items": 0,
            "error": "",
            "result": {},
            "host": "",
            "process": "",
            "spool": "",
            "spooled": 0,
            "created_at": self._now(),
        }
        with self._db.write() as connection:
            connection.execute(insert(JobTable).values(**row))
        return self.get(job_id)

    def get(self, job_id: str) -> Job:
        with self._db.read() as connection:
            return _job(_row(connection, job_id), self._now())

    def list(self, limit: int = 100) -> tuple[Job, ...]:
        """The newest first."""
        statement = select(*_J.__table__.c).order_by(_J.created_at.desc(), _J.id).limit(limit)
        with self._db.read() as connection:
            return tuple(_job(row, self._now()) for row in connection.execute(statement))

    def count(self) -> int:
        """How many there are in all."""
        with self._db.read() as connection:
            return connection.execute(select(func.count()).select_from(_J)).scalar_one()

    def request(self, job_id: str, action: Request) -> Job:
        """Asks the job's process; it answers at its next checkpoint. Raises BadInputError where it cannot be asked."""
        with self._db.write() as connection:
            row = connection.execute(select(*_J.__table__.c).where(_J.id == job_id).with_for_update()).first()
            if row is None:
                raise _unknown(job_id)
            job = _job(row, self._now())
            values: dict[str, object] = {"state": _after(job, action)}
            if values["state"] == "stopped":
                values["ended_at"] = self._now()
            connection.execute(update(_J).where(_J.id == job_id).values(**values))
        return self.get(job_id)

    def log(self, job_id: str, since: int = 0) -> "tuple[LogLine, ...]":
        """Lines from ordinal `since` on, with all that its process has printed so far."""
        with self._db.read() as connection:
            row = _row(connection, job_id)
        # A process that has said its last word to the store may still print.
        ended = _job(row, self._now()).state in JOB_ENDED and (row.pid is None or not is_alive(_worker(row)))
        drain(self._db, job_id, self._now(), ended=ended)
        statement = select(*_L.__table__.c).where(_L.job == job_id, _L.ordinal >= since).order_by(_L.ordinal)
        with self._db.read() as connection:
            return tuple(LogLine(row.ordinal, row.at, row.level, row.text) for row in connection.execute(statement))

    def spawn(self, job: Job, store_url: str) -> Job:
        """Starts (or starts again) the job in a process of its own that outlives this one.

        Raises BadInputError where a process is working on it already.
        """
        refuse_secrets(job.arguments)
        drain(self._db, job.id, self._now(), ended=True)
        spool = new_spool(job.id)
        folder = self._queue(job.id, spool)
        arguments, environment = _command(job, store_url)
        try:
            pid = start_detached(arguments, output=spool, folder=folder, environment=environment)
        except OSError as error:
            self._record(job.id, state="failed", error=f"could not be started: {error}", ended_at=self._now())
            raise BadInputError(f"job {job.id} could not be started in {folder}: {error.strerror}") from error
        worker = worker_of(pid)
        # The process may have taken the row by now; then it has written the same, or has even ended.
        with self._db.write() as connection:
            unclaimed = update(_J).where(_J.id == job.id, _J.state == "queued", _J.pid.is_(None))
            connection.execute(unclaimed.values(pid=pid, host=worker.host, process=worker.start))
        return self.get(job.id)

    def resume(self, job_id: str, store_url: str) -> Job:
        """Goes on: a paused job is told so; one that stopped, failed or lost its process starts again with the same
        arguments under the same id (verbs are idempotent, so it goes on where it was)."""
        job = self.get(job_id)
        if job.state in ("stopped", "failed") or (job.state == "queued" and job.pid is None):
            return self.spawn(job, store_url)
        return self.request(job_id, "resume")

    def attach(self, job_id: str) -> AttachedJob:
        """Makes this process the one that works on the job. Raises BadInputError where another one does."""
        me, now = this_worker(), self._now()
        with self._db.write() as connection:
            row = connection.execute(select(*_J.__table__.c).where(_J.id == job_id).with_for_update()).first()
            if row is None:
                raise _unknown(job_id)
            job = _job(row, now)
            if job.state not in JOB_ENDED and job.pid not in (None, me.pid):
                raise BadInputError(f"process {job.pid} is working on job {job_id}; stop it first")
            # Asked to stop before it began: the handle finds that out when it is entered.
            state = job.state if job.state in ("stopping", "stopped") else "running"
            connection.execute(
                update(_J)
                .where(_J.id == job_id)
                .values(
                    state=state, pid=me.pid, host=me.host, process=me.start, error="", result={}, done=0, total=None,
                    failed_items=0, cost_usd=None, rate_per_s=None, left_s=None, heartbeat_at=now,
                    started_at=row.started_at or now, ended_at=None,
                )
            )  # fmt: skip
        return AttachedJob(self._db, job_id)

    def conclude(self, job_id: str, *, error: str = "") -> None:
        """The last word of this process on a job that its verb left open, most often by ending before it attached:
        failed with `error`, or done where there is none. A job that has ended, or is another process's, stays as it is.
        """
        me, now = this_worker(), self._now()
        with self._db.write() as connection:
            row = connection.execute(select(*_J.__table__.c).where(_J.id == job_id).with_for_update()).first()
            if row is None:
                raise _unknown(job_id)
            if row.state in JOB_ENDED or (row.pid is not None and (row.pid, row.host) != (me.pid, me.host)):
                return
            values = {
                "state": "failed" if error else "done",
                "error": without_secrets(error),
                "started_at": row.started_at or now,
                "ended_at": now,
                "left_s": None,
            }
            connection.execute(update(_J).where(_J.id == job_id).values(**values))

    def _queue(self, job_id: str, spool: Path) -> str:
        """Takes the job for a new process, or finds that one has it; gives the folder to start it in."""
        with self._db.write() as connection:
            row = connection.execute(select(*_J.__table__.c).where(_J.id == job_id).with_for_update()).first()
            if row is None:
                raise _unknown(job_id)
            job = _job(row, self._now())
            if job.state == "done":
                raise BadInputError(f"job {job_id} is done; start it anew with the same arguments instead")
            begun = row.pid is not None or row.spool
            if job.state not in JOB_ENDED and begun:
                raise BadInputError(f"job {job_id} is {job.state}; a process has it already")
            connection.execute(
                update(_J)
                .where(_J.id == job_id)
                .values(
                    state="queued", pid=None, host="", process="", error="", spool=str(spool), spooled=0,
                    heartbeat_at=self._now(), ended_at=None, rate_per_s=None, left_s=None,
                )
            )  # fmt: skip
            folder: str = row.folder
        return folder

    def _record(self, job_id: str, **values: object) -> None:
        with self._db.write() as connection:
            rowcount(connection, update(_J).where(_J.id == job_id).values(**values))


def _command(job: Job, store_url: str) -> "tuple[tuple[str, ...], dict[str, str]]":
    """The command line of a job's process and its environment. A password goes by the environment: command lines are
    open to everyone on the machine."""
    checkout = str(Path(__file__).resolve().parents[3])
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join(p for p in (checkout, environment.get("PYTHONPATH")) if p)
    environment["PYTHONUNBUFFERED"] = "1"
    store: tuple[str, ...] = ("--store", store_url)
    if make_url(store_url).password:
        environment["WORKBENCH_STORE"], store = store_url, ()
    return (sys.executable, "-m", "workbench", *store, "--job", job.id, *job.arguments), environment


def _after(job: Job, action: Request) -> JobState:
    """The state that a request leads to; the job's process does the rest."""
    if job.state in JOB_ENDED:
        how = f"; `jobs resume {job.id}` starts it again" if job.state != "done" else ""
        raise BadInputError(f"job {job.id} is {job.state}, so there is nothing to {action}{how}")
    if action == "stop":
        return "stopping" if job.pid is not None else "stopped"
    if job.state == "stopping":
        raise BadInputError(f"job {job.id} is stopping; resume it once it has stopped")
    if job.state == "queued":
        raise BadInputError(f"job {job.id} has not begun, so there is nothing to {action}")
    return "paused" if action == "pause" else "running"


def _row(connection: Connection, job_id: str) -> AnyRow:
    row = connection.execute(select(*_J.__table__.c).where(_J.id == job_id)).first()
    if row is None:
        raise _unknown(job_id)
    return row


def _unknown(job_id: str) -> NotFoundError:
    return NotFoundError(f"no job {job_id!r} in the store; `jobs list` shows those there are")


def _job(row: AnyRow, now: datetime) -> Job:
    job = Job(
        id=row.id,
        kind=row.kind,
        arguments=tuple(row.arguments),
        state=row.state,
        done=row.done,
        total=row.total,
        failed_items=row.failed_items,
        rate_per_s=row.rate_per_s,
        left_s=row.left_s,
        cost_usd=row.cost_usd,
        error=row.error,
        pid=row.pid,
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        heartbeat_at=row.heartbeat_at,
        result=row.result,
    )
    if job.state in JOB_ENDED:
        return job
    if row.pid is None:  # waiting; or (a spool is there) whoever was starting it died on the way
        gone = bool(row.spool) and now - row.heartbeat_at > HEARTBEAT_LATE_AFTER
    else:
        gone = is_gone(_worker(row), row.heartbeat_at, now)
    return replace(job, state="failed", error=PROCESS_ENDED, rate_per_s=None, left_s=None) if gone else job


def _worker(row: AnyRow) -> Worker:
    return Worker(row.pid, row.host, row.process)
