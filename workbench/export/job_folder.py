"""The files of a job folder, its manifest, and writing it so that it is there whole or not at all."""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from workbench.errors import BadInputError
from workbench.schema.canonical import JsonObject, canonical_json

MANIFEST = "manifest.json"
CHECK_LIMIT_S = 600


def json_file(value: JsonObject) -> bytes:
    """Readable JSON, equal bytes for equal values."""
    text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False)
    return text.encode("utf-8", errors="backslashreplace") + b"\n"


def lines_file(rows: Iterable[JsonObject]) -> bytes:
    """JSON Lines, equal bytes for equal rows."""
    return b"".join(canonical_json(row) + b"\n" for row in rows)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def signed(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest with a digest over all the rest of it."""
    body = {key: value for key, value in manifest.items() if key != "digest"}
    return {**body, "digest": sha256(canonical_json(body))}


class Draft:
    """A job folder in the making, beside the place where it will stand. Removed again unless it is put in place."""

    def __init__(self, destination: Path) -> None:
        """Raises BadInputError where something is there already, or nothing can be written."""
        self.destination = destination.resolve()
        if self.destination.exists() and (not self.destination.is_dir() or any(self.destination.iterdir())):
            raise BadInputError(f"{destination} is there already; name a folder that is not there, or an empty one")
        try:
            self.destination.parent.mkdir(parents=True, exist_ok=True)
            self.folder = Path(
                tempfile.mkdtemp(prefix=f".{self.destination.name}.exporting-", dir=self.destination.parent)
            )
        except OSError as error:
            raise BadInputError(f"{destination} cannot be written: {error.strerror}") from None
        self.folder.chmod(0o755)

    def __enter__(self) -> "Draft":
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def write(self, files: Mapping[str, bytes], manifest: Mapping[str, Any]) -> dict[str, Any]:
        """Writes the files and the manifest with their hashes; gives the manifest as written."""
        for name, data in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return self.sign({**manifest, "files": {name: sha256(files[name]) for name in sorted(files)}})

    def sign(self, manifest: Mapping[str, Any]) -> dict[str, Any]:
        """Writes the manifest with its digest, in place of an earlier one."""
        whole = signed(manifest)
        (self.folder / MANIFEST).write_bytes(json_file(whole))
        return whole

    def check(self) -> list[str]:
        """Runs the folder's own check on a bare interpreter; a sentence for each difference, empty if all is exact."""
        command = [sys.executable, "-I", "-S", str(self.folder / "check.py")]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=CHECK_LIMIT_S, cwd="/", check=False)
        except subprocess.TimeoutExpired:
            return [f"check.py did not end within {CHECK_LIMIT_S} s"]
        if done.returncode == 0:
            return []
        lines = [line.removeprefix("MISMATCH ") for line in done.stderr.splitlines() if line.strip()]
        return lines or [f"check.py ended with exit code {done.returncode}"]

    def put_in_place(self) -> Path:
        """Moves the folder to its destination in one step."""
        try:
            self.folder.rename(self.destination)
        except OSError as error:
            raise BadInputError(f"{self.destination} was taken while exporting: {error.strerror}") from None
        return self.destination
