"""Servers of ours in processes of their own, on free ports of this machine, ended by their process id."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def running(
    arguments: Sequence[str],
    *,
    url: str,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    python: Path | str = sys.executable,
) -> Iterator[str]:
    """Starts `python ARGUMENTS` in `folder` and waits until `url` answers; its output is in `folder/server.log`."""
    log = folder / f"server-{len(list(folder.glob('server-*.log')))}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(python), *arguments],
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            _wait(url, process, log)
            yield url
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(10)


def _wait(url: str, process: "subprocess.Popen[bytes]", log: Path, limit_s: float = 60) -> None:
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"{url} does not answer; log:\n{log.read_text(errors='replace')[-3000:]}")


@contextmanager
def app(store_url: str, folder: Path, *options: str, password: str = "") -> Iterator[str]:
    """The app on `store_url`; what it writes (uploads, exports) lands in `folder`. `options` of `streamlit run`."""
    port = free_port()
    arguments = ["-m", "streamlit", "run", str(CHECKOUT / "app.py"), "--server.port", str(port), *options]
    url = f"http://127.0.0.1:{port}"
    environment = {"WORKBENCH_STORE": store_url, "WORKBENCH_PASSWORD": password}
    with running(arguments, url=url, folder=folder, environment=environment):
        yield url
