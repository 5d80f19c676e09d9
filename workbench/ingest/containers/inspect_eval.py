"""Inspect's `.eval`: a ZIP archive with a file a sample. One sample is in memory at a time."""

import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import IO, Any

from workbench.errors import BadInputError
from workbench.ingest.containers.container import Container
from workbench.ingest.formats.inspect_log import header
from workbench.ingest.json_values import BrokenJsonError, parse_json, to_json
from workbench.ingest.splitter import RECORD_LIMIT_BYTES, RawRecord

_UNREADABLE = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError)
_MOST_FILES = 1_000_000


def detect(head: bytes, name: str) -> bool:
    """A ZIP archive whose first file is one of Inspect's; the name decides where the first file says nothing."""
    if not head.startswith(b"PK\x03\x04"):
        return False
    first = head[30 : 30 + int.from_bytes(head[26:28], "little")]
    known = first.startswith((b"_journal/", b"samples/")) or first in (b"header.json", b"summaries.json")
    return known or name.endswith(".eval")


def records(file: IO[bytes]) -> Iterator[RawRecord]:
    """`{"eval": header, "sample": sample}` for each sample; `line` is its number from 1."""
    try:
        archive = zipfile.ZipFile(file)
        entries = archive.infolist()
    except _UNREADABLE as error:
        raise BadInputError(f"it is a ZIP archive that cannot be read: {error}") from None
    samples = [entry for entry in entries if entry.filename.startswith("samples/") and entry.filename.endswith(".json")]
    if len(entries) > _MOST_FILES:
        raise BadInputError(f"the archive has {len(entries):,} files; expected at most {_MOST_FILES:,}")
    if not samples:
        raise BadInputError("it is an archive without samples; expected an Inspect log with samples/*.json")
    said = to_json(_header(archive))
    for number, entry in enumerate(samples, 1):
        try:
            raw = b'{"eval":' + said + b',"sample":' + _bounded(archive, entry) + b"}"
            yield RawRecord(raw, number, value=parse_json(raw))
        except BrokenJsonError as error:
            yield RawRecord(b"", number, problem=f"sample {number} is no JSON: {error}")
        except _UNREADABLE as error:
            yield RawRecord(b"", number, problem=f"sample {number} of the archive cannot be read: {error}")


def _header(archive: zipfile.ZipFile) -> Mapping[str, Any]:
    """From `header.json`, which is written at the end, or of a log that was cut off from `_journal/start.json`."""
    for name in ("header.json", "_journal/start.json"):
        try:
            found = parse_json(_bounded(archive, archive.getinfo(name)))
        except (KeyError, *_UNREADABLE):
            continue
        if isinstance(found, Mapping):
            return header(found)
    return {}


def _bounded(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The file's bytes. Never unpacks more than the limit of a record, whatever the archive says of its size."""
    with archive.open(entry) as stream:
        data = stream.read(RECORD_LIMIT_BYTES + 1)
    if len(data) > RECORD_LIMIT_BYTES:
        raise ValueError(f"it has over {RECORD_LIMIT_BYTES:,} bytes unpacked")
    return data


CONTAINER = Container("inspect-eval", detect, records)
