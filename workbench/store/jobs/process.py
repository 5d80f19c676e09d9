"""Which process works on a job, and whether it still lives."""

import os
import socket
import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

# The heart beats every two seconds. A process that is gone is gone; the grace is for its last word to be read.
HEARTBEAT_LATE_AFTER = timedelta(seconds=5)
# Of a process on another machine only the heartbeat can be seen, and clocks differ.
ELSEWHERE_LATE_AFTER = timedelta(seconds=90)


@dataclass(frozen=True, slots=True)
class Worker:
    """A process: its number alone may come again, so its start is part of it where the system tells (Linux)."""

    pid: int
    host: str
    start: str


def this_worker() -> Worker:
    return worker_of(os.getpid())


def worker_of(pid: int) -> Worker:
    """A process of this machine."""
    return Worker(pid=pid, host=socket.gethostname(), start=_start_of(pid) or "")


def is_gone(worker: Worker, heartbeat_at: datetime | None, now: datetime) -> bool:
    """The heartbeat is late and no such process lives. A late heartbeat alone may be a machine under load."""
    late_after = HEARTBEAT_LATE_AFTER if worker.host == socket.gethostname() else ELSEWHERE_LATE_AFTER
    if heartbeat_at is not None and now - heartbeat_at < late_after:
        return False
    return worker.host != socket.gethostname() or not is_alive(worker)


def is_alive(worker: Worker) -> bool:
    """True where this very process of this machine lives; one that ended but was not yet collected does not."""
    try:
        os.kill(worker.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    start = _start_of(worker.pid)
    return start is None or start == worker.start or not worker.start


def _start_of(pid: int) -> str | None:
    """When the process began, in ticks since the machine's start; None where that cannot be read.

    An ended, uncollected process (state Z) has the start `ended`, which no living one has.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return None
    fields = stat[stat.rindex(")") + 2 :].split()
    return "ended" if fields[0] in "ZX" else fields[19]


def start_detached(arguments: Sequence[str], *, output: Path, folder: str, environment: Mapping[str, str]) -> int:
    """Starts a process that outlives this one, both its outputs appended to `output`; gives its number."""
    # A file and not a pipe: a pipe would break, and the process with it, when the one that reads it ends.
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        process = subprocess.Popen(
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=descriptor,
            stderr=descriptor,
            cwd=folder,
            env=dict(environment),
            start_new_session=True,
        )
    finally:
        os.close(descriptor)
    # Whoever starts a process must collect it, or it stays in the table as if it lived.
    threading.Thread(target=process.wait, name=f"collect-{process.pid}", daemon=True).start()
    return process.pid
