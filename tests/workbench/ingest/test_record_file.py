"""A file is opened for what its bytes are: packed or not, lines or array, whole or cut."""

import gzip
import json
from pathlib import Path

import pytest
import zstandard

from workbench.errors import BadInputError
from workbench.ingest.paths import local_file
from workbench.ingest.record_file import open_records

RECORDS = [{"id": n, "text": "words " * 50} for n in range(40)]
LINES = b"".join(json.dumps(record).encode() + b"\n" for record in RECORDS)


def read(path: Path, data: bytes) -> tuple[list[object], list[str]]:
    path.write_bytes(data)
    with open_records(local_file(path)) as file:
        records = list(file.records())
        again = list(file.records())
    assert [r.raw for r in records] == [r.raw for r in again], "a file can be read twice"
    return [r.value for r in records if not r.problem], [r.problem for r in records if r.problem]


@pytest.mark.parametrize(
    "data",
    [
        LINES,
        b"\xef\xbb\xbf" + LINES,
        LINES.replace(b"\n", b"\r\n\r\n"),
        json.dumps(RECORDS).encode(),
        json.dumps(RECORDS, indent=2).encode(),
        b"[\n" + b",\n".join(LINES.splitlines()) + b"\n]\n",
        b"[" + b"\n,".join(LINES.splitlines()) + b"]",
        b"\n".join(json.dumps(record, indent=1).encode() for record in RECORDS),
        LINES.replace(b"\n", b" "),
        gzip.compress(LINES),
        gzip.compress(LINES[:1000]) + gzip.compress(LINES[1000:]) + b"\x00" * 100,
        zstandard.compress(LINES),
        zstandard.compress(LINES[:1000]) + zstandard.compress(LINES[1000:]),
        zstandard.ZstdCompressor(write_content_size=False).compress(json.dumps(RECORDS, indent=2).encode()),
    ],
)
@pytest.mark.parametrize("name", ["a.jsonl", "a.gz", "a"])
def test_same_records_however_they_are_written_and_named(tmp_path: Path, data: bytes, name: str) -> None:
    assert read(tmp_path / name, data) == (RECORDS, [])


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_packed_file_that_was_cut_gives_its_whole_records_and_says_so(tmp_path: Path, pack: "object") -> None:
    assert callable(pack)
    random_lines = b"".join(b'{"id": %d, "t": "%x"}\n' % (n, hash(str(n)) ** 50) for n in range(2000))
    packed: bytes = pack(random_lines)
    good, problems = read(tmp_path / "a", packed[: len(packed) // 2])
    assert 0 < len(good) < 2000
    assert good == [json.loads(line) for line in random_lines.splitlines()[: len(good)]]
    assert problems[-1].endswith("stream ends in the middle: the file has been cut")


def test_damaged_gzip_gives_what_came_before_the_damage(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(b"".join(b'{"t": "%x"}\n' % (hash(str(n)) ** 50) for n in range(2000))))
    packed[len(packed) // 2 : len(packed) // 2 + 40] = bytes(40)
    _, problems = read(tmp_path / "a", bytes(packed))
    assert "gzip stream is damaged" in problems[-1] or "not" in problems[-1]


@pytest.mark.parametrize("broken_first", [b"x" + LINES, b"[" + LINES[1:], LINES[5:], b"{" + LINES])
def test_broken_first_line_does_not_turn_lines_into_something_else(tmp_path: Path, broken_first: bytes) -> None:
    good, problems = read(tmp_path / "a", broken_first)
    assert good == RECORDS[1:]
    assert len(problems) == 1


def test_lines_longer_than_the_head_are_told_apart(tmp_path: Path) -> None:
    lines = b'{"id": 1, "t": "' + b"x" * 1_500_000 + b'"}\n'
    good, problems = read(tmp_path / "a", lines * 3)
    assert (len(good), problems) == (3, [])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"SQLite format 3\x00...", "a SQLite database"),
        (b"PK\x03\x04...", "a ZIP archive"),
        ('[{"a": 1}]'.encode("utf-16"), "UTF-16 text; expected UTF-8"),
        (b"# Notes\n\n- one\n", "not JSON or JSONL; it begins with '# Notes"),
        (bytes(range(1, 9)) * 400_000, "not JSON or JSONL"),
    ],
)
def test_other_kinds_of_files_are_named(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(BadInputError, match=reason):
        read(tmp_path / "a", data)


def test_zeros_packed_a_thousandfold_are_not_unpacked_at_once(tmp_path: Path) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(zstandard.compress(b'{"t": "' + b"0" * 80_000_000 + b'"}\n{"t": "after"}\n'))
    assert path.stat().st_size < 50_000
    with open_records(local_file(path)) as file:
        first, second = [(record.problem, record.spilled is not None, record.value) for record in file.records()]
    assert first == ("the record has 80,000,009 bytes; expected at most 67,108,864", True, None)
    assert second == ("", False, {"t": "after"})
