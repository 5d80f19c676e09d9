"""The rater server as its owner starts it: a process of its own, which can be killed and started again on its port."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.support.servers import free_port


class ServerProcess:
    """`workbench rate serve` over one store."""

    def __init__(self, store_url: str, folder: Path) -> None:
        self._store_url = store_url
        self._log = folder / "server.log"
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Waits until it answers."""
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "workbench", "rate", "serve", "--port", str(self.port)],
                env={**os.environ, "WORKBENCH_STORE": self._store_url},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        until = time.monotonic() + 60
        while time.monotonic() < until and self._process.poll() is None:
            try:
                urllib.request.urlopen(self.url, timeout=5).close()
            except urllib.error.HTTPError:
                return  # 403: there, and asking for an invitation
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"the rater server does not answer: {self._log.read_text(errors='replace')[-2000:]}")

    def kill(self) -> None:
        """As a power cut would: no handler runs, nothing is flushed."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait(10)

    def stop(self) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()

    def cpu_s(self) -> float:
        """Processor seconds it has used so far."""
        assert self._process is not None
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
