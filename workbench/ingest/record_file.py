"""A file of records: opened, unpacked if it is compressed, and cut the way its content asks for.

What a file is follows from its bytes, never from its name.
"""

import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from workbench.errors import BadInputError
from workbench.ingest.containers import container_of
from workbench.ingest.containers.container import Container
from workbench.ingest.json_values import BrokenJsonError, parse_json
from workbench.ingest.paths import TraceFile
from workbench.ingest.splitter import RawRecord, split_lines, split_values
from workbench.ingest.window import BrokenStreamError

_HEAD_BYTES = 1024 * 1024
_GZIP, _ZSTD, _BOM = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xef\xbb\xbf"
# Small reads of the compressed side bound what one of them can grow to: 2 KiB of zeros in zstd become up to 64 MiB.
_GZIP_READ_BYTES, _ZSTD_READ_BYTES = 65536, 2048
_NOT_RECORDS = {
    b"SQLite format 3\x00": "a SQLite database",
    b"PK\x03\x04": "a ZIP archive; unpack it first",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"%PDF": "a PDF",
    b"\x7fELF": "a program",
    b"\xff\xfe": "UTF-16 text; expected UTF-8",
    b"\xfe\xff": "UTF-16 text; expected UTF-8",
}


class RecordFile:
    """One file, read as a stream. `position` is how many bytes of the file as it lies on disk have been read.

    `contained`, once records are asked for: it is no JSON text, and a container cuts it.
    """

    def __init__(self, file: IO[bytes], name: str) -> None:
        self._file = file
        self._name = name
        self.contained = False

    @property
    def position(self) -> int:
        return self._file.tell()

    def records(self) -> Iterator[RawRecord]:
        """All records from the beginning, broken ones with their problem.

        Raises BadInputError, before the first record, for a file that is plainly something else.
        """
        self._file.seek(0)
        stream = _Unpacked(self._file)
        head = stream.peek(_HEAD_BYTES)
        if (container := container_of(head, self._name)) is not None:
            self.contained = True
            yield from self._contained(container, stream)
            return
        for magic, kind in _NOT_RECORDS.items():
            if head.startswith(magic):
                raise BadInputError(f"it is {kind}")
        if head.strip() and not any(line.lstrip()[:1] in (b"{", b"[") for line in head.split(b"\n")):
            # Found out here, and not by reading on, since it may be a model's weights of many gigabytes.
            raise BadInputError(f"it is not JSON or JSONL; it begins with {head[:40].decode('utf-8', 'replace')!r}")
        if head.startswith(_BOM):
            stream.read(len(_BOM))
            head = head[len(_BOM) :]
        yield from (split_values if holds_values(head) else split_lines)(stream)

    def _contained(self, container: Container, stream: "_Unpacked") -> Iterator[RawRecord]:
        if not stream.packed:
            self._file.seek(0)
            yield from _guarded(container, self._file)
            return
        with tempfile.TemporaryFile() as unpacked:  # containers seek, which a packed stream cannot
            broken = ""
            try:
                while part := stream.read(_HEAD_BYTES):
                    unpacked.write(part)
            except BrokenStreamError as error:
                broken = str(error)
            unpacked.seek(0)
            yield from _guarded(container, unpacked)
            if broken:
                yield RawRecord(b"", 1, problem=broken)


def _guarded(container: Container, file: IO[bytes]) -> Iterator[RawRecord]:
    """The container's records. A defect in it, or what its library did not expect, costs the rest of this file only."""
    seen = 0
    try:
        for record in container.records(file):
            seen += 1
            yield record
    except BadInputError:
        raise
    except Exception as error:
        problem = f"the {container.name} file cannot be read on: {type(error).__name__}: {error}"
        if not seen:
            raise BadInputError(problem) from error
        yield RawRecord(b"", seen + 1, problem=problem)


@contextmanager
def open_records(file: TraceFile) -> Iterator[RecordFile]:
    """Raises BadInputError where the file cannot be opened."""
    with file.open() as opened:
        yield RecordFile(opened, file.name)


def holds_values(head: bytes) -> bool:
    """Whether a file with this beginning holds an array or spread-out documents, rather than a record a line.

    It holds lines if any early line is a JSON object by itself: so a first line that is broken changes nothing.
    """
    start = head.lstrip()
    if not start.startswith(b"{") and not (start.startswith(b"[") and start[1:].lstrip()[:1] in (b"{", b"", b"]")):
        return False
    lines = start.split(b"\n")
    if lines[0].strip() == b"[":
        return True
    # The last line may be cut where the head ends.
    complete = [line for line in (lines[:-1] if len(head) >= _HEAD_BYTES else lines)[:50] if line.strip()]
    if len(complete) > 1 and all(line.startswith(b"{") for line in complete):
        return False
    # With no whole line in the head, lines of records are as likely as one array, and brackets tell either apart.
    return not any(_is_object(line) for line in complete)


def _is_object(line: bytes) -> bool:
    # Not indented: within a spread-out document a line can hold a small object by itself.
    if not line.startswith(b"{"):
        return False
    try:
        return isinstance(parse_json(line), dict)
    except BrokenJsonError:
        return False


class _Unpacked:
    """The bytes of a file, unpacked where its first bytes say gzip or zstd."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        magic = file.read(4)
        file.seek(0)
        self._unpack: Callable[[], Any] | None = None
        if magic.startswith(_GZIP):
            self._unpack, self._size, self._kind = _gunzip, _GZIP_READ_BYTES, "gzip"
        elif magic == _ZSTD:
            self._unpack, self._size, self._kind = _unzstd, _ZSTD_READ_BYTES, "zstd"
        self._decoder: Any = self._unpack() if self._unpack else None
        self._fed = False
        self._ready = b""
        self._broken = ""

    @property
    def packed(self) -> bool:
        return self._unpack is not None

    def peek(self, size: int) -> bytes:
        """The next bytes, up to `size`, without taking them; fewer where the file ends or breaks."""
        while len(self._ready) < size:
            try:
                part = self._next(size)
            except BrokenStreamError:
                break  # it will break again, in its place
            if not part:
                break
            self._ready += part
        return self._ready[:size]

    def read(self, size: int, /) -> bytes:
        if not self._ready:
            self._ready = self._next(size)
        part, self._ready = self._ready[:size], self._ready[size:]
        return part

    def _next(self, size: int) -> bytes:
        if self._broken:
            raise BrokenStreamError(self._broken)
        try:
            return self._next_part(size)
        except BrokenStreamError as error:
            self._broken = str(error)
            raise

    def _next_part(self, size: int) -> bytes:
        try:
            if self._unpack is None:
                return self._file.read(size)
            while True:
                packed = self._file.read(self._size)
                if not packed:
                    if self._fed and not self._decoder.eof:
                        raise BrokenStreamError(f"the {self._kind} stream ends in the middle: the file has been cut")
                    return b""
                if part := self._decode(packed):
                    return part
        except OSError as error:
            raise BrokenStreamError(f"the file cannot be read on: {error}") from None

    def _decode(self, packed: bytes) -> bytes:
        """Goes over to the next member or frame where one ends."""
        assert self._unpack is not None
        parts = []
        while packed:
            if self._decoder.eof:
                packed = packed.lstrip(b"\x00")  # some writers of gzip pad with zeros
                if not packed:
                    break
                self._decoder = self._unpack()
            self._fed = True
            try:
                parts.append(self._decoder.decompress(packed))
            except Exception as error:
                # zlib.error or zstandard.ZstdError; naming the second here would load the library for every file.
                raise BrokenStreamError(f"the {self._kind} stream is damaged: {error}") from None
            packed = self._decoder.unused_data if self._decoder.eof else b""
        return b"".join(parts)


def _gunzip() -> Any:
    return zlib.decompressobj(wbits=31)


def _unzstd() -> Any:
    import zstandard

    return zstandard.ZstdDecompressor().decompressobj()
