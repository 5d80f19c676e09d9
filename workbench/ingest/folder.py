"""The folder beside a record, for formats whose trajectory is spread over several files."""

from dataclasses import dataclass
from pathlib import Path

from workbench.ingest.json_values import BrokenJsonError, parse_json
from workbench.ingest.splitter import RECORD_LIMIT_BYTES
from workbench.schema.canonical import JsonValue


@dataclass(frozen=True, slots=True)
class LocalFolder:
    """A folder on disk. Links that lead out, names with `..` and files over the limit of a record do not exist."""

    path: Path
    file: str

    def names(self) -> tuple[str, ...]:
        try:
            return tuple(sorted(entry.name for entry in self.path.iterdir() if entry.is_file()))
        except OSError:
            return ()

    def text(self, name: str) -> str | None:
        data = self._bytes(name)
        try:
            return None if data is None else data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return None

    def json(self, name: str) -> JsonValue:
        data = self._bytes(name)
        try:
            return None if data is None else parse_json(data)
        except BrokenJsonError:
            return None

    def _bytes(self, name: str) -> bytes | None:
        try:
            inside, found = self.path.resolve(), (self.path / name).resolve()
            if not found.is_relative_to(inside) or not found.is_file() or found.stat().st_size > RECORD_LIMIT_BYTES:
                return None
            return found.read_bytes()
        except (OSError, ValueError):
            return None


@dataclass(frozen=True, slots=True)
class NoFolder:
    """For a file with nothing beside it that can be read, such as one behind an address."""

    file: str

    def names(self) -> tuple[str, ...]:
        return ()

    def text(self, name: str) -> str | None:  # noqa: ARG002 - the protocol's name
        return None

    def json(self, name: str) -> JsonValue:  # noqa: ARG002 - the protocol's name
        return None
