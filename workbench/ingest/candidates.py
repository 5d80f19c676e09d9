"""From the records of a file to candidate trajectories: spans are gathered, records that hold several expanded."""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any

from workbench.errors import BadInputError
from workbench.ingest.format import Folder, Format, PartOfError
from workbench.ingest.json_values import parse_json, to_json
from workbench.ingest.registry import detect_format
from workbench.ingest.splitter import RECORD_LIMIT_BYTES, RawRecord
from workbench.schema.canonical import JsonValue

_MEMORY_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may become one trajectory. `format` is None where none was recognised or the record has a problem.

    `part`: which of several in one record, from 1; 0 for the only one.
    """

    record: RawRecord
    format: Format | None = None
    part: int = 0


@dataclass(slots=True)
class Candidates:
    """The candidates of one file, in the order of their first records; gathered ones come last.

    `forced` is the format that the user named. `parts` says, after iteration, what records belong to other
    trajectories and were not counted. `beside` counts records of a gathering format that belong to none.
    """

    records: Iterator[RawRecord]
    folder: Folder
    forced: Format | None = None
    parts: list[str] = field(default_factory=list)
    beside: int = 0

    def __iter__(self) -> Iterator[Candidate]:
        last = self.forced
        gathered = _Gathered()
        with gathered:
            for record in map(_chat_of_list, self.records):
                if record.problem or not isinstance(record.value, Mapping):
                    yield Candidate(record, self.forced)
                    continue
                found = self.forced or detect_format(record.value, first=last)
                last = found or last
                if found is None:
                    yield Candidate(record)
                elif found.gather is not None:
                    yield from self._gather(gathered, found, record, record.value)
                else:
                    yield from self._expanded(Candidate(record, found), record.value)
            for candidate in gathered.candidates():
                if isinstance(candidate.record.value, Mapping):
                    yield from self._expanded(candidate, candidate.record.value)
                else:
                    yield candidate  # with its problem

    def _gather(
        self, gathered: "_Gathered", format_: Format, record: RawRecord, value: Mapping[str, Any]
    ) -> Iterator[Candidate]:
        """Puts the record, or its pieces, to the others of its key; hands it on where that is not possible."""
        assert format_.gather is not None
        try:
            keys = format_.gather(value)
            if isinstance(keys, str) and keys:
                pieces = [(keys, record.raw or to_json(value))]
            else:
                pieces = [(key, to_json(piece)) for key, piece in keys or ()]
        except Exception as error:
            yield Candidate(_with_problem(record, error), format_)
            return
        self.beside += not pieces
        for key, raw in pieces:
            gathered.add(format_, key, record.line, raw)

    def _expanded(self, candidate: Candidate, value: Mapping[str, Any]) -> Iterator[Candidate]:
        expand = candidate.format.expand if candidate.format else None
        if expand is None:
            yield candidate
            return
        record, part = candidate.record, 0
        try:
            for part, found in enumerate(expand(value, self.folder), 1):
                if found is value:
                    yield candidate
                    continue
                # Its own bytes do not exist: other files, or its siblings in the record, are mixed with them.
                yield Candidate(RawRecord(to_json(found), record.line, value=dict(found)), candidate.format, part)
        except PartOfError as error:
            self.parts.append(str(error))
        except Exception as error:
            yield Candidate(_with_problem(record, error), candidate.format)


def _chat_of_list(record: RawRecord) -> RawRecord:
    """A line that is a bare list of messages is a chat of its own: the list is put under `messages`."""
    value = record.value
    if record.problem or not isinstance(value, list) or not value:
        return record
    if not all(isinstance(item, Mapping) and ("role" in item or "content" in item) for item in value):
        return record
    chat: dict[str, JsonValue] = {"messages": value}
    return RawRecord(to_json(chat), record.line, value=chat)


def _with_problem(record: RawRecord, error: Exception) -> RawRecord:
    """The record with what hindered taking it apart. A defect in one format costs this record only."""
    if isinstance(error, RecursionError):
        problem = "it is nested too deeply"
    elif isinstance(error, BadInputError | ValueError):
        problem = str(error)
    else:
        problem = f"it cannot be taken apart: {type(error).__name__}: {error}"
    return RawRecord(record.raw, record.line, problem=problem)


class _Gathered:
    """Records of one key, collected over a whole file: their bytes lie on disk, where they stand in memory."""

    def __init__(self) -> None:
        self._spool: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=_MEMORY_BYTES)  # noqa: SIM115 - `with` below
        self._end = 0
        self._places: dict[tuple[str, str], list[tuple[int, int]]] = {}
        self._formats: dict[str, Format] = {}
        self._lines: dict[tuple[str, str], int] = {}

    def __enter__(self) -> "_Gathered":
        return self

    def __exit__(self, *_: object) -> None:
        self._spool.close()

    def add(self, format_: Format, key: str, line: int, raw: bytes) -> None:
        self._formats[format_.name] = format_
        place = (format_.name, key)
        self._lines.setdefault(place, line)
        self._spool.seek(self._end)
        self._spool.write(raw)
        self._places.setdefault(place, []).append((self._end, len(raw)))
        self._end += len(raw)

    def candidates(self) -> Iterator[Candidate]:
        for place, places in self._places.items():
            format_, line = self._formats[place[0]], self._lines[place]
            size = sum(length for _, length in places)
            if size > RECORD_LIMIT_BYTES:
                problem = (
                    f"the {len(places)} records of trace {place[1][:60]!r} have {size:,} bytes; "
                    f"expected at most {RECORD_LIMIT_BYTES:,}"
                )
                yield Candidate(RawRecord(b"", line, problem=problem), format_)
                continue
            pieces = []
            for start, length in places:
                self._spool.seek(start)
                pieces.append(self._spool.read(length))
            raw = b'{"records":[' + b",\n".join(pieces) + b"]}"
            yield Candidate(RawRecord(raw, line, value={"records": [parse_json(piece) for piece in pieces]}), format_)
