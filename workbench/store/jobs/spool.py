"""The output of a spawned process: a private file that whoever looks moves, line by line, into the store's log."""

import os
import tempfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, func, insert, select, update

from workbench.store.engine import Database, rowcount
from workbench.store.jobs.redact import without_secrets
from workbench.store.tables import JobLogTable, JobTable

_AT_ONCE = 1_000_000


def new_spool(job_id: str) -> Path:
    """A file that only this user may read."""
    folder = Path(tempfile.gettempdir()) / f"workbench-jobs-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        folder = Path(tempfile.mkdtemp(prefix="workbench-jobs-"))
    descriptor, path = tempfile.mkstemp(prefix=f"{job_id}-", suffix=".log", dir=folder)
    os.close(descriptor)
    return Path(path)


def drain(database: Database, job_id: str, now: datetime, *, ended: bool) -> None:
    """Moves what the file holds into the log. Only whole lines, unless the process has `ended`; then the file goes.

    Safe to do by several processes at once: where two read the same lines, one of them writes.
    """
    while _drain_some(database, job_id, now, ended=ended):
        pass


def _drain_some(database: Database, job_id: str, now: datetime, *, ended: bool) -> bool:
    with database.read() as connection:
        row = connection.execute(select(JobTable.spool, JobTable.spooled).where(JobTable.id == job_id)).first()
    if row is None or not row.spool:
        return False
    path = Path(row.spool)
    try:
        with path.open("rb") as file:
            file.seek(row.spooled)
            data = file.read(_AT_ONCE)
    except OSError:  # on another machine, or moved already
        return False
    whole = data if (ended and len(data) < _AT_ONCE) or len(data) == _AT_ONCE else data[: data.rfind(b"\n") + 1]
    if not whole:
        if ended:
            path.unlink(missing_ok=True)
        return False
    lines = [line for line in whole.decode("utf-8", "replace").splitlines() if line.strip()]
    with database.write() as connection:
        mine = update(JobTable).where(JobTable.id == job_id, JobTable.spooled == row.spooled)
        if rowcount(connection, mine.values(spooled=row.spooled + len(whole))):
            append_log(connection, job_id, [("info", line) for line in lines], now)
    return True


def append_log(connection: Connection, job_id: str, lines: Sequence[tuple[str, str]], now: datetime) -> None:
    """(level, text) pairs after what the log holds. The job's row is locked, so that ordinals stay in order."""
    if not lines:
        return
    connection.execute(select(JobTable.id).where(JobTable.id == job_id).with_for_update())
    last = connection.scalar(select(func.max(JobLogTable.ordinal)).where(JobLogTable.job == job_id))
    first = 0 if last is None else last + 1
    connection.execute(
        insert(JobLogTable),
        [
            {"job": job_id, "ordinal": first + place, "at": now, "level": level, "text": without_secrets(text)}
            for place, (level, text) in enumerate(lines)
        ],
    )
