"""Event streams (`text/event-stream`) saved to a file: one file is one record, `{"events": [...]}`.

An event is `{"event": name, "data": value}`; one whose data are no JSON keeps them as `{"event", "text"}`, since a
recording that was cut off mid-line still holds a run. `bad_lines` of the record names the lines of those.
Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation.
"""

import re
from collections.abc import Iterable, Iterator
from typing import IO, Any

from workbench.ingest.containers.container import Container
from workbench.ingest.json_values import BrokenJsonError, parse_json
from workbench.ingest.splitter import RECORD_LIMIT_BYTES, RawRecord

_BOM = b"\xef\xbb\xbf"
_FIELD = re.compile(rb"(?:event|data|id|retry):|:")
_DATA = re.compile(rb"^data:[ \t]?(?:[\[{]|$|\[DONE\])", re.MULTILINE)
_END_MARKS = ("[DONE]", "")


def events(file: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """(event name or `message`, data) of every event of the stream, in order.

    Lines of bytes in, in any of the three line ends; several `data:` lines of one event are joined by a line break.
    Comments, ids and retry times are left out. An event that the end of the file cut off is handed on as it stands.
    """
    return ((name, data) for _line, name, data in numbered_events(file))


def numbered_events(file: Iterable[bytes]) -> Iterator[tuple[int, str, str]]:
    """As `events`, with the line on which the event's first data stand, from 1."""
    name, data, began = "", list[str](), 0
    for number, line in enumerate(_lines(file), 1):
        if not line:
            if data:
                yield began, name or "message", "\n".join(data)
            name, data, began = "", [], 0
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            # Some recorders leave the blank line out: a new name ends the event before it.
            if data:
                yield began, name or "message", "\n".join(data)
                data, began = [], 0
            name = value
        elif field == "data":
            data.append(value)
            began = began or number
    if data:
        yield began, name or "message", "\n".join(data)


def _lines(file: Iterable[bytes]) -> Iterator[str]:
    for number, chunk in enumerate(file):
        line = chunk.removeprefix(_BOM) if number == 0 else chunk
        pieces = line.rstrip(b"\r\n").split(b"\r")
        for piece in pieces:
            yield piece.decode("utf-8", "replace")


def detect(head: bytes, _name: str) -> bool:
    """The first line is a field of an event stream, and the data that follow are JSON."""
    start = head.removeprefix(_BOM).lstrip()
    return _FIELD.match(start) is not None and _DATA.search(start.replace(b"\r", b"\n")) is not None


def records(file: IO[bytes]) -> Iterator[RawRecord]:
    """The one record of the file; with a problem where it is larger than a record may be or holds no event."""
    raw = file.read(RECORD_LIMIT_BYTES + 1)
    if len(raw) > RECORD_LIMIT_BYTES:
        yield RawRecord(b"", 1, problem=f"the event stream has more than {RECORD_LIMIT_BYTES:,} bytes")
        return
    found: list[Any] = []
    bad: list[int] = []
    for number, name, data in numbered_events(raw.splitlines(keepends=True)):
        if data.strip() in _END_MARKS:
            continue
        try:
            found.append({"event": name, "data": parse_json(data.encode())})
        except BrokenJsonError:
            bad.append(number)
            found.append({"event": name, "text": data})
    if not any("data" in event for event in found):
        yield RawRecord(raw, 1, problem=f"none of the {len(found)} events of the stream holds JSON")
        return
    value: dict[str, Any] = {"events": found}
    if bad:
        value["bad_lines"] = bad
    yield RawRecord(raw, 1, value=value)


CONTAINER = Container("sse", detect, records)
