"""A stream of bytes seen through a window: finds where a record ends, in bounded memory however long the record is."""

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

BLANK = b" \t\r\n"
_CHUNK_BYTES = 1024 * 1024
_LARGEST_READ_BYTES = 16 * _CHUNK_BYTES

# Everything that leaves the depth as it is, whole strings included. Possessive: a long text must need no stack.
_FLAT = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)
_IN_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_BARE = re.compile(rb'[^,\[\]{}"\s]*+')


class BrokenStreamError(Exception):
    """The file ends or fails in the middle; the message says how."""


class ByteStream(Protocol):
    """Reads up to `size` bytes; empty at the end; raises BrokenStreamError where the file cannot be read on."""

    def read(self, size: int, /) -> bytes: ...


class Scan(Protocol):
    """Looks for the end of one record. Called with ever more bytes; keeps what it learnt."""

    def feed(self, data: bytes, at: int) -> tuple[int, int]:
        """(index after the record, or -1 where more bytes are needed; index up to which all is looked at)."""
        ...


class LineScan:
    """A record ends before the next line feed."""

    def feed(self, data: bytes, at: int) -> tuple[int, int]:
        end = data.find(b"\n", at)
        return end, (len(data) if end < 0 else end)


class ValueScan:
    """A record ends where its brackets are closed, or its string, or its bare word."""

    def __init__(self) -> None:
        self.depth = 0
        self.in_string = False
        self.bare: bool | None = None

    def feed(self, data: bytes, at: int) -> tuple[int, int]:
        if self.bare is None:
            first = data[at : at + 1]
            self.bare = first not in (b"{", b"[", b'"')
            if first == b'"':
                self.in_string = True
                at += 1
        if self.bare:
            at = _match_end(_BARE, data, at)
            return (-1 if at == len(data) else at), at
        while True:
            if self.in_string:
                at = _match_end(_IN_STRING, data, at)
                if data[at : at + 1] != b'"':  # the data ends here, perhaps within an escape
                    return -1, at
                at += 1
                self.in_string = False
                if self.depth == 0:
                    return at, at
            at = _match_end(_FLAT, data, at)
            if at == len(data):
                return -1, at
            mark = data[at : at + 1]
            at += 1
            if mark == b'"':
                self.in_string = True
            else:
                self.depth += 1 if mark in b"[{" else -1
                if self.depth <= 0:
                    return at, at


@dataclass(frozen=True, slots=True)
class Piece:
    """The bytes of one record. `complete` is False where the stream ended before the record did.

    A record over the limit lies in the file `spilled` instead of in `raw`.
    """

    raw: bytes
    line: int
    size: int
    complete: bool
    spilled: Path | None = None


class Window:
    """What was read of a stream and not yet given away. `line` is the line of the next byte, from 1."""

    def __init__(self, stream: ByteStream, limit: int) -> None:
        self.stream = stream
        self.limit = limit
        self.line = 1
        self.broken = ""
        self._data = b""
        self._at = 0
        self._ended = False

    def first(self) -> bytes:
        return self._data[self._at : self._at + 1]

    def advance(self, size: int) -> None:
        self.line += self._data.count(b"\n", self._at, self._at + size)
        self._at += size

    def skip(self, characters: bytes) -> bool:
        """Goes over any of these characters. False where nothing else is left."""
        while True:
            rest = self._data[self._at : self._at + 64].lstrip(characters)
            if rest:
                self.advance(min(64, len(self._data) - self._at) - len(rest))
                return True
            if self._at < len(self._data):
                self.advance(min(64, len(self._data) - self._at))
            elif not self._more():
                return False

    @contextmanager
    def cut(self, scan: Scan) -> Iterator[Piece]:
        """The record that begins here, whose end `scan` finds. A spilled record's file is gone after the block."""
        line, at, spill = self.line, self._at, None
        while True:
            end, at = scan.feed(self._data, at)
            if end >= 0:
                break
            if spill is not None or at - self._at > self.limit:
                spill = spill or _new_spill()
                spill.write(self._data[self._at : at])
                self.advance(at - self._at)
            before = self._at
            if not self._more():
                break
            at -= before
        complete = end >= 0
        raw = self._data[self._at : end if complete else len(self._data)]
        self.advance(len(raw))
        if spill is None and len(raw) <= self.limit:
            yield Piece(raw, line, len(raw), complete)
            return
        spill = spill or _new_spill()
        with spill:
            spill.write(raw)
            spill.flush()
            try:
                yield Piece(b"", line, spill.tell(), complete, Path(spill.name))
            finally:
                Path(spill.name).unlink(missing_ok=True)

    def give_back(self, piece: Piece, size: int) -> Piece:
        """Keeps the first `size` bytes of the piece just cut and puts the rest before what comes next."""
        if piece.spilled is None:
            kept, rest = piece.raw[:size], piece.raw[size:]
            self._at -= len(rest)
            self.line -= rest.count(b"\n")
            return Piece(kept, piece.line, size, complete=False)
        # An incomplete piece was spilled to the end of the stream, so that the rest of it is all that is left.
        with piece.spilled.open("r+b") as whole, _new_spill() as rest_file:
            whole.seek(size)
            shutil.copyfileobj(whole, rest_file)
            whole.truncate(size)
            whole.seek(0)
            self.line = piece.line + sum(part.count(b"\n") for part in iter(lambda: whole.read(_CHUNK_BYTES), b""))
        self.stream, self._data, self._at, self._ended = _SpilledRest(Path(rest_file.name)), b"", 0, False
        if size > self.limit:
            return Piece(b"", piece.line, size, complete=False, spilled=piece.spilled)
        return Piece(piece.spilled.read_bytes(), piece.line, size, complete=False)

    def _more(self) -> bool:
        """Reads on and drops what was given away. False at the end."""
        if self._ended:
            return False
        try:
            # Twice as much each time, so that a long record is not copied over and over.
            part = self.stream.read(min(max(_CHUNK_BYTES, len(self._data) - self._at), _LARGEST_READ_BYTES))
        except BrokenStreamError as error:
            self.broken, part = str(error), b""
        self._ended = not part
        self._data = self._data[self._at :] + part
        self._at = 0
        return bool(part)


class _SpilledRest:
    """Reads a temporary file once and removes it."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        path.unlink()

    def read(self, size: int, /) -> bytes:
        part = self._file.read(size)
        if not part:
            self._file.close()
        return part


def _match_end(pattern: re.Pattern[bytes], data: bytes, at: int) -> int:
    found = pattern.match(data, at)
    return at if found is None else found.end()


def _new_spill() -> IO[bytes]:
    return tempfile.NamedTemporaryFile(prefix="workbench-record-", delete=False)
