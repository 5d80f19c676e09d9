"""Parquet: a row is a record. Read by batches, so that memory is that of a batch, whatever the file's size."""

from collections.abc import Iterator
from typing import IO, Any

import orjson

from workbench.errors import BadInputError
from workbench.ingest.containers.container import Container
from workbench.ingest.json_values import BrokenJsonError, parse_json
from workbench.ingest.splitter import RawRecord

_MAGIC = b"PAR1"
_BATCH_ROWS = 16


def records(file: IO[bytes]) -> Iterator[RawRecord]:
    """Rows as objects by column name; `line` is the row's number from 1. Bytes and times become text."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise BadInputError("it is a Parquet file, and pyarrow is not installed: pip install pyarrow") from None
    try:
        table = pyarrow.parquet.ParquetFile(file)
    except Exception as error:
        # Damaged names raise UnicodeDecodeError, damaged sizes OverflowError, and what else the library has.
        raise BadInputError(f"it is a Parquet file that cannot be read: {_reason(error)}") from None
    before = 0
    for group in range(table.num_row_groups):
        number = before
        rows = max(0, table.metadata.row_group(group).num_rows)
        try:
            for batch in table.iter_batches(batch_size=_BATCH_ROWS, row_groups=[group]):
                for row in batch.to_pylist():
                    number += 1
                    yield _record(row, number)
        except Exception:
            problem = f"rows {number + 1:,} to {before + rows:,} of the Parquet file are damaged and cannot be read"
            yield RawRecord(b"", number + 1, problem=problem)
        before += rows


def _reason(error: Exception) -> str:
    """The first line of what the library says, which is a sentence unless it quotes what is inside it."""
    said = str(error).splitlines()[0] if str(error) else ""
    return "its footer is damaged" if not said or "Exception" in said or "codec" in said else said


def _record(row: dict[str, Any], number: int) -> RawRecord:
    raw = b""
    try:
        raw = orjson.dumps(row, default=_as_text, option=orjson.OPT_NON_STR_KEYS)
        return RawRecord(raw, number, value=parse_json(raw))
    except (TypeError, ValueError, BrokenJsonError) as error:
        return RawRecord(raw, number, problem=f"row {number} is no JSON: {error}")


def _as_text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return str(value)


CONTAINER = Container("parquet", lambda head, _name: head.startswith(_MAGIC), records)
