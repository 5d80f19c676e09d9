"""Cuts a stream of bytes into records without holding more than one: lines, or JSON values one after another.

Nothing here decides what a record means. A record that does not parse is handed on with the reason, and a search for
the beginning of the next one keeps it from taking its neighbours along.
"""

import mmap
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from workbench.ingest.json_values import BrokenJsonError, parse_json
from workbench.ingest.window import BLANK, ByteStream, LineScan, Piece, ValueScan, Window
from workbench.schema.canonical import JsonValue

RECORD_LIMIT_BYTES = 64 * 1024 * 1024
_SALVAGE_TRIES = 64
_FIRST_KEY = re.compile(rb'\s*\{\s*("(?:[^"\\]|\\.){1,64}")\s*:')


@dataclass(frozen=True, slots=True)
class RawRecord:
    """One record as it stands in the file, with its value or the problem that kept it from having one.

    `line` is the line on which it begins, from 1. A record over the limit lies in the file `spilled`, which is gone
    once the next record is asked for; `raw` is empty then.
    """

    raw: bytes
    line: int
    value: JsonValue = None
    problem: str = ""
    spilled: Path | None = None


def split_lines(stream: ByteStream, *, limit: int = RECORD_LIMIT_BYTES) -> Iterator[RawRecord]:
    """One record a line; blank lines are none. Two records run together on one line are told apart."""
    window = Window(stream, limit)
    beginning: re.Pattern[bytes] | None = None
    while window.skip(BLANK):
        with window.cut(LineScan()) as piece:
            record = _read(piece, limit)
            beginning = beginning or _beginning_of(record)
            yield from _told_apart(record, beginning) if record.problem and beginning else (record,)
    yield from _broken_end(window)


def split_values(stream: ByteStream, *, limit: int = RECORD_LIMIT_BYTES) -> Iterator[RawRecord]:
    """The elements of a JSON array, or JSON values one after another, on any number of lines.

    An array that is never closed gives one record more, empty, that says so: the file has been cut.
    """
    window = Window(stream, limit)
    beginning: re.Pattern[bytes] | None = None
    in_array = window.skip(BLANK) and window.first() == b"["
    if in_array:
        window.advance(1)
    while window.skip(BLANK + b","):
        if window.first() in (b"]", b"}"):
            in_array = False
            window.advance(1)
            continue
        with window.cut(ValueScan()) as piece:
            record = _read(piece, limit)
            beginning = beginning or _beginning_of(record)
            at = _next_beginning(record, piece, beginning)
            if at is not None:
                # What was taken for one record holds the beginning of another: give that back and read on from there.
                record = _read(window.give_back(piece, at), limit)
            yield record
    if in_array and not window.broken:
        yield RawRecord(b"", window.line, problem="the file ends before its array does: it has been cut")
    yield from _broken_end(window)


def _read(piece: Piece, limit: int) -> RawRecord:
    if piece.spilled is not None:
        problem = f"the record has {piece.size:,} bytes; expected at most {limit:,}"
        return RawRecord(b"", piece.line, problem=problem, spilled=piece.spilled)
    return _parsed(piece.raw, piece.line)


def _parsed(raw: bytes, line: int) -> RawRecord:
    try:
        return RawRecord(raw, line, value=parse_json(raw))
    except BrokenJsonError as error:
        return RawRecord(raw, line, problem=str(error))


def _broken_end(window: Window) -> Iterator[RawRecord]:
    if window.broken:
        yield RawRecord(b"", window.line, problem=window.broken)


def _beginning_of(record: RawRecord) -> re.Pattern[bytes] | None:
    """How records of this file begin: an object with the first key of this one."""
    found = _FIRST_KEY.match(record.raw)
    return re.compile(rb"\{\s*" + re.escape(found[1]) + rb"\s*:") if found else None


def _next_beginning(record: RawRecord, piece: Piece, beginning: re.Pattern[bytes] | None) -> int | None:
    """Where in a broken record another one begins."""
    if beginning is None or not record.problem or (piece.spilled is not None and piece.complete):
        return None
    # A comma after whatever stands there, or the closing brace of the record before and any one byte for the comma.
    parted = re.compile(rb"(?:[}\]\s]\s*,|\}.?)\s*(" + beginning.pattern + rb")", re.DOTALL)
    if piece.spilled is None:
        found = parted.search(record.raw, 1)
        return found.start(1) if found else None
    with piece.spilled.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
        found = parted.search(view, 1)
        return found.start(1) if found else None


def _told_apart(record: RawRecord, beginning: re.Pattern[bytes]) -> Iterator[RawRecord]:
    """Two records on one line: a writer was killed within one and went on with the next, or a line feed was lost."""
    for tries, found in enumerate(beginning.finditer(record.raw, 1)):
        if tries == _SALVAGE_TRIES:
            break
        second = _parsed(record.raw[found.start() :], record.line)
        if second.problem:
            continue
        head = record.raw[: found.start()]
        first = _parsed(head[: head.rfind(b"}") + 1], record.line)
        yield from _told_apart(_parsed(head, record.line), beginning) if first.problem else (first,)
        yield second
        return
    yield record
