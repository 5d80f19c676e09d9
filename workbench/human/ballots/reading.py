"""Rows of a CSV or JSONL file of votes, one at a time, with what it takes to find and mend a bad one."""

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from workbench.errors import BadInputError
from workbench.ingest.json_values import BrokenJsonError, parse_json

# A cell that a spreadsheet would run as a formula; ours are written behind an apostrophe, which reading takes off.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")


@dataclass(frozen=True, slots=True)
class FileRow:
    """`fields` is None where the row cannot be read at all; `problem` says why. `line` counts from 1."""

    line: int
    raw: bytes
    fields: Mapping[str, Any] | None
    problem: str = ""


def read_rows(path: Path) -> Iterator[FileRow]:
    """By the file's ending: `.csv`, `.jsonl` and `.ndjson`, or `.json` (an array). BadInputError else."""
    if not path.is_file():
        raise BadInputError(f"{path}: no such file")
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return _csv_rows(path)
    if suffix in (".jsonl", ".ndjson"):
        return _jsonl_rows(path)
    if suffix == ".json":
        return _json_rows(path)
    raise BadInputError(f"{path}: votes are read from .csv, .jsonl or .json, not {suffix or 'a file without ending'}")


def _jsonl_rows(path: Path) -> Iterator[FileRow]:
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            line = raw.removeprefix(b"\xef\xbb\xbf").strip() if number == 1 else raw.strip()
            if not line:
                continue
            try:
                value = parse_json(line)
            except BrokenJsonError as error:
                yield FileRow(number, line, None, str(error))
                continue
            if isinstance(value, dict):
                yield FileRow(number, line, value)
            else:
                yield FileRow(number, line, None, f"a JSON {type(value).__name__}; expected an object a line")


def _json_rows(path: Path) -> Iterator[FileRow]:
    """The objects of one array, each kept as it would stand on a line. `line` is the place in the array."""
    try:
        value = parse_json(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    except BrokenJsonError as error:
        raise BadInputError(f"{path}: {error}; expected a JSON array of votes") from None
    if not isinstance(value, list):
        raise BadInputError(f"{path}: a JSON {type(value).__name__}; expected an array of votes")
    for number, row in enumerate(value, 1):
        raw = orjson.dumps(row)
        if isinstance(row, dict):
            yield FileRow(number, raw, row)
        else:
            yield FileRow(number, raw, None, f"a JSON {type(row).__name__}; expected an object")


def _csv_rows(path: Path) -> Iterator[FileRow]:
    csv.field_size_limit(2**31 - 1)
    # Bytes that are not UTF-8 come through as lone surrogates and are set aside with their row, not with the file.
    with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        reader = csv.reader(file)
        header = next(reader, None)
        if not header:
            raise BadInputError(f"{path}: empty; expected a header with model_a, model_b and winner")
        while True:
            line = reader.line_num + 1
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield FileRow(line, b"", None, f"not CSV: {error}")
                continue
            if not cells:
                continue
            if len(cells) != len(header):
                problem = f"{len(cells)} cells under {len(header)} columns"
                yield FileRow(line, csv_line(cells), None, problem)
                continue
            fields = {name: unescape_cell(cell) for name, cell in zip(header, cells, strict=True)}
            yield FileRow(line, csv_line(cells), fields)


def csv_line(cells: list[str]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(cells)
    return text.getvalue().encode("utf-8", errors="surrogateescape")


def escape_cell(text: str) -> str:
    """Made harmless to a spreadsheet; `unescape_cell` is its inverse."""
    return "'" + text if _FORMULA.match(text) else text


def unescape_cell(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
