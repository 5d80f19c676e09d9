"""What a user names, folders and patterns included, to the files that are looked at."""

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from workbench.errors import BadInputError
from workbench.ingest.folder import LocalFolder, NoFolder
from workbench.ingest.format import Folder

_PACKED = {".gz", ".zst", ".zstd"}
_KINDS = {".jsonl", ".json", ".ndjson", ".txt", ".parquet", ".eval", ".traj", ".yaml", ".yml", ".md", ".log"}


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that was named, or lies in a folder that was, and that nothing was taken from."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class TraceFile:
    """A file to read: on disk, or behind an address (`s3://`, `memory://`, ...). `shown` names it to the user."""

    shown: str
    size: int
    local: Path | None

    @property
    def name(self) -> str:
        return self.local.name if self.local else PurePosixPath(self.shown).name

    def open(self) -> IO[bytes]:
        """Seekable. Raises BadInputError with the reason where it cannot be opened."""
        if self.local is None:
            from workbench.ingest.remote import open_remote

            return open_remote(self.shown)
        try:
            return self.local.open("rb")
        except OSError as error:
            raise BadInputError(f"it cannot be opened: {error.strerror}") from None

    def folder(self) -> Folder:
        return LocalFolder(self.local.parent, self.name) if self.local else NoFolder(self.name)


def local_file(path: Path) -> TraceFile:
    return TraceFile(str(path), path.stat().st_size, path)


@dataclass(frozen=True, slots=True)
class Found:
    """The files to read, in a fixed order, each once; and what is not one."""

    files: tuple[TraceFile, ...]
    skipped: tuple[SkippedFile, ...]


def find_files(paths: Sequence[str | Path]) -> Found:
    """Files as named, folders with all below them in order of name, patterns (`**` too) as the shell would; addresses.

    Raises BadInputError that names every path that is not there: then nothing is to be read at all.
    """
    named: list[Path] = []
    far: dict[str, TraceFile] = {}
    missing: list[str] = []
    if any(not str(path).strip() for path in paths):
        # Path("") is the current folder, and an empty path is most often a shell variable that is not set.
        raise BadInputError("an empty path was given; expected files, folders or patterns (`.` is the current folder)")
    for path in paths:
        if "://" in str(path):
            from workbench.ingest.remote import expand

            found = expand(str(path))
            far.update((url, TraceFile(url, size, None)) for url, size in found)
            missing.extend([] if found else [str(path)])
        elif Path(path).exists():
            named.append(Path(path))
        else:
            matches = _matches(str(path))
            named.extend(Path(match) for match in matches)
            missing.extend([] if matches else [str(path)])
    if missing or not (named or far):
        raise BadInputError(
            f"not found: {', '.join(missing) or '(no path was given)'}; "
            "expected files, folders or patterns that exist. Nothing was imported"
        )
    near = _sorted_out(entry for path in named for entry in (_below(path) if path.is_dir() else (path,)))
    return Found(near.files + tuple(far.values()), near.skipped)


def _matches(pattern: str) -> list[str]:
    if not glob.has_magic(pattern):
        return []
    return sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - Path.glob takes no absolute pattern


def stem(file: str) -> str:
    """A file's name without what says how it is written: `a.raw.jsonl.gz` is `a.raw`."""
    name = PurePosixPath(file)
    if name.suffix.lower() in _PACKED:
        name = name.with_suffix("")
    if name.suffix.lower() in _KINDS:
        name = name.with_suffix("")
    return name.name


def _sorted_out(entries: Iterator[Path]) -> Found:
    files: dict[Path, Path] = {}
    skipped: list[SkippedFile] = []
    for entry in entries:
        if entry.is_dir():
            kind = "a link to a folder" if entry.is_symlink() else "a hidden folder"
            skipped.append(SkippedFile(str(entry), f"it is {kind}; name it to have it read"))
        elif not entry.is_file():
            skipped.append(SkippedFile(str(entry), "it is no regular file"))
        else:
            files.setdefault(entry.resolve(), entry)
    return Found(tuple(local_file(path) for path in files.values()), tuple(skipped))


def _below(folder: Path) -> Iterator[Path]:
    """Files below a folder, and the folders that are not entered: hidden ones, and links, which may go in circles."""
    for entry in sorted(os.scandir(folder), key=lambda found: found.name):
        path = Path(entry.path)
        if entry.is_dir() and (entry.is_symlink() or entry.name.startswith(".")):
            yield path
        elif entry.is_dir():
            yield from _below(path)
        else:
            yield path
