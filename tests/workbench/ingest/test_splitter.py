"""Files to records: nothing is lost, one broken record takes no other along, and memory stays bounded."""

import io
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.shared_data import shared
from workbench.ingest.splitter import RawRecord, split_lines, split_values
from workbench.ingest.window import BrokenStreamError

Split = Callable[..., Iterator[RawRecord]]


class Dribble:
    """Gives a few bytes at a time, so that every record is cut at every place; may break at the end."""

    def __init__(self, data: bytes, size: int, breaks: str = "") -> None:
        self.file, self.size, self.breaks = io.BytesIO(data), size, breaks

    def read(self, size: int, /) -> bytes:
        part = self.file.read(min(size, self.size))
        if not part and self.breaks:
            raise BrokenStreamError(self.breaks)
        return part


def values(split: Split, data: bytes, **options: Any) -> list[object]:
    return [record.value if not record.problem else record.problem for record in split(io.BytesIO(data), **options)]


RECORDS: list[object] = [
    {"id": 1, "text": 'quotes " and \\ and ] } [ {'},
    {"id": 2, "deep": [[{"a": [1, {"b": []}]}]], "text": "\u2028 中文 \\\\"},
    {"id": 3},
]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("indent", [None, 2])
def test_arrays_and_documents_are_cut_alike_wherever_the_reads_end(size: int, indent: int | None) -> None:
    array = json.dumps([*RECORDS, "text", 17, None], indent=indent, ensure_ascii=False).encode()
    documents = "\n".join(json.dumps(r, indent=indent, ensure_ascii=False) for r in RECORDS).encode()
    assert [r.value for r in split_values(Dribble(array, size))] == [*RECORDS, "text", 17, None]
    assert [r.value for r in split_values(Dribble(documents, size))] == RECORDS


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_lines_are_cut_at_line_feeds_only_and_numbered(size: int) -> None:
    data = "\n".join(["", *(json.dumps(r, ensure_ascii=False) for r in RECORDS), "   ", '"last"']).encode()
    found = list(split_lines(Dribble(data, size)))
    assert [r.value for r in found] == [*RECORDS, "last"]
    assert [r.line for r in found] == [2, 3, 4, 6]
    assert b"\n".join(r.raw for r in found[:3]) == data.splitlines(keepends=False)[1] + b"\n" + b"\n".join(
        data.split(b"\n")[2:4]
    )


def test_lines_of_array_elements_are_numbered() -> None:
    assert [r.line for r in split_values(io.BytesIO(b'[\n{"a":\n1},\n\n{"a": 2}]'))] == [2, 5]


def test_empty_files_have_no_records() -> None:
    for data in (b"", b" \n\t\n"):
        assert values(split_lines, data) == values(split_values, data) == []
    assert values(split_values, b"[]") == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"a": ', "not JSON"),
        (b'{"a": "\xff"}', "not UTF-8: byte 0xff at 7"),
        (b"[" * 10_000 + b"]" * 10_000, "nested too deeply"),
        (b"nonsense", "not JSON"),
    ],
)
def test_broken_line_keeps_its_bytes_and_its_neighbours(line: bytes, reason: str) -> None:
    found = list(split_lines(io.BytesIO(b'{"a": 1}\n' + line + b'\n{"a": 2}\n')))
    assert [r.value for r in found if not r.problem] == [{"a": 1}, {"a": 2}]
    (bad,) = (r for r in found if r.problem)
    assert (bad.raw, bad.line) == (line, 2)
    assert reason in bad.problem


def test_what_pythons_writer_adds_to_json_is_taken_in() -> None:
    line = b'{"a": NaN, "b": [-Infinity, 1e400, 1], "c": "x\\ud83d", "n": [18446744073709551615, 18446744073709551616]}'
    found = values(split_lines, line)
    assert found == [{"a": None, "b": [None, None, 1], "c": "x\ufffd", "n": [2**64 - 1, 2.0**64]}]
    assert [type(n) for n in found[0]["n"]] == [int, float]  # type: ignore[index]


def test_record_after_one_that_a_killed_writer_left_open_is_found() -> None:
    good = b'{"messages": [{"role": "user", "content": "q"}], "n": 1}'
    found = list(split_lines(io.BytesIO(good + b"\n" + good[:30] + good + b"\n" + good)))
    assert [(r.raw, bool(r.problem)) for r in found] == [(good, False), (good[:30], True), (good, False), (good, False)]


def test_two_lines_whose_line_feed_was_lost_are_both_found() -> None:
    assert values(split_lines, b'{"id": 1}\n{"id": 2}X{"id": 3}{"id": 4}\n') == [{"id": n} for n in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    "broken",
    [
        b'{"id": 2, "t": "no end}',
        b'{"id": 2, "t": [[["a"]}',
        b'{"id": 2, "t": ]}',
        b'{"id": 2, "t": {"a": 1}',
        b'{"id": 2 "t": 1}}}]',
    ],
)
def test_array_element_with_a_broken_bracket_or_quote_takes_no_other_along(broken: bytes) -> None:
    data = b'[{"id": 1},' + broken + b', {"id": 3, "t": "x"},\n {"id": 4}]'
    good = [r.value for r in split_values(io.BytesIO(data)) if not r.problem]
    assert {"id": 1} in good
    assert good[-2:] == [{"id": 3, "t": "x"}, {"id": 4}]


def test_cut_array_is_noticed() -> None:
    assert values(split_values, b'[{"a": 1}, {"a": 2}') == [
        {"a": 1},
        {"a": 2},
        "the file ends before its array does: it has been cut",
    ]


@pytest.mark.parametrize("split", [split_lines, split_values])
def test_stream_that_breaks_gives_what_it_gave_and_a_reason(split: Split) -> None:
    found = list(split(Dribble(b'{"a": 1}\n{"a": ', 4, breaks="cut short")))
    assert found[0].value == {"a": 1}
    assert [r.raw for r in found if r.problem] == [b'{"a": ', b""]
    assert found[-1].problem == "cut short"


@pytest.mark.parametrize("split", [split_lines, split_values])
def test_record_over_the_limit_is_spilled_whole_and_the_next_is_read(split: Split) -> None:
    long = b'{"t": "' + b'x\\"' * 1000 + b'"}'
    records = iter(split(Dribble(b'{"t": 1}\n' + long + b'\n{"t": 2}\n', 100), limit=500))
    assert next(records).value == {"t": 1}
    spilled = next(records)
    assert spilled.spilled is not None
    assert spilled.spilled.read_bytes() == long
    assert "3,009 bytes; expected at most 500" in spilled.problem
    assert next(records).value == {"t": 2}
    assert not spilled.spilled.exists()


def test_open_quote_that_swallows_all_the_rest_beyond_the_limit_is_resolved_too() -> None:
    good = b",".join(b'{"id": %d, "t": "xxxxxxxxxx"}' % n for n in range(100))
    found = list(split_values(Dribble(b'[{"id": 0},{"id": "no end, "t": 1},' + good + b"]", 64), limit=200))
    assert [r.value["id"] for r in found if isinstance(r.value, dict)] == [0, *range(100)]
    assert sum(bool(r.problem) for r in found) == 1


def test_one_flipped_byte_in_a_real_array_costs_at_most_two_records() -> None:
    data = shared("tau-bench-airline-gpt-4o/gpt-4o-airline.json").read_bytes()
    all_records = json.loads(data)[:6]
    whole = json.dumps(all_records).encode()
    rng = random.Random(5)
    for _ in range(60):
        at = rng.randrange(1, len(whole) - 1)
        flipped = whole[:at] + bytes([whole[at] ^ (1 << rng.randrange(8))]) + whole[at + 1 :]
        found = [r.value for r in split_values(io.BytesIO(flipped)) if not r.problem]
        assert sum(record in found for record in all_records) >= len(all_records) - 2
