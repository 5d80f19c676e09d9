"""A user's own program, run for one episode: with a time limit, its whole family ended, its output never trusted."""

import json
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

# Of what it prints the end is kept, for the log; the rest is read and thrown away, so that no pipe fills up.
KEPT_BYTES = 2000
_READ_BYTES = 65536
_GRACE_S = 2.0
# Where the store lies is nothing that an agent needs, and its address may hold a password.
_KEPT_FROM_IT = "WORKBENCH_STORE"


@dataclass(frozen=True, slots=True)
class Ended:
    """`code` is that of the program (negative for a signal), None where it ran out of time or was stopped. `said` is
    the end of what it printed."""

    code: int | None
    said: str


def run_process(
    arguments: Sequence[str],
    *,
    told: Mapping[str, object],
    environment: Mapping[str, str],
    limit_s: float,
    stop: threading.Event,
) -> Ended:
    """Runs it with `told` as one line of JSON on its standard input. Raises OSError where it cannot be started."""
    inherited = {name: value for name, value in os.environ.items() if name != _KEPT_FROM_IT}
    process = subprocess.Popen(
        list(arguments),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**inherited, **environment},
        start_new_session=True,
    )
    assert process.stdin is not None and process.stdout is not None
    tail = _Tail(process.stdout)
    try:
        # A program that reads nothing may have gone already.
        with suppress(OSError):
            process.stdin.write(json.dumps(dict(told), ensure_ascii=False).encode() + b"\n")
            process.stdin.close()
        code = _wait(process, limit_s, stop)
    finally:
        _end_family(process)
        tail.join()
    return Ended(code, tail.text)


def _wait(process: "subprocess.Popen[bytes]", limit_s: float, stop: threading.Event) -> int | None:
    waited = 0.0
    while waited < limit_s and not stop.is_set():
        try:
            return process.wait(min(0.2, limit_s - waited))
        except subprocess.TimeoutExpired:
            waited += 0.2
    return None


def _end_family(process: "subprocess.Popen[bytes]") -> None:
    """Everything in its session, also what it left behind."""
    with suppress(ProcessLookupError, PermissionError):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE_S)
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class _Tail:
    """Reads a stream to its end in a thread of its own and keeps the last bytes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._kept = stream, b""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with suppress(OSError, ValueError):
            while chunk := os.read(self._stream.fileno(), _READ_BYTES):
                self._kept = (self._kept + chunk)[-KEPT_BYTES:]

    def join(self) -> None:
        # A grandchild in a session of its own may hold the pipe open for ever; what was read by now will do.
        self._thread.join(_GRACE_S)

    @property
    def text(self) -> str:
        return self._kept.decode(errors="replace").strip()
