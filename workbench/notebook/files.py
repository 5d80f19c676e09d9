"""Tables as Parquet and as JSON lines, and trajectories as the native JSONL that imports back."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from workbench import __version__
from workbench.errors import BadInputError
from workbench.notebook.batches import read_batches
from workbench.notebook.columns import columns_of
from workbench.notebook.filters import filter_from
from workbench.notebook.output import packed_by_name, shown, written_whole
from workbench.notebook.tabular import arrow_schema, to_arrow
from workbench.schema.trajectory import Trajectory, trajectory_to_json
from workbench.store import Columns, Store

# A row group is written when it has this many rows or bytes: many small ones make a file slow to read.
GROUP_ROWS, GROUP_BYTES = 100_000, 32_000_000
# Trajectories open at a time.
TRAJECTORIES_ONCE = 8


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: `rows` of `table` (`native` for whole trajectories)."""

    path: str
    table: str
    rows: int


def write_parquet(
    store: Store, path: str | Path, table: str, given: Mapping[str, Any], *, bodies: bool, about: dict[str, str]
) -> Written:
    """Streams a table into one Parquet file, zstd-compressed. Raises BadInputError."""
    _check_name(path, (".parquet",))
    columns = columns_of(table, bodies=bodies)
    schema = arrow_schema(columns, {"made_by": f"reward-workbench {__version__}", "table": table, **about})
    import pyarrow as pa
    import pyarrow.parquet as pq

    batches = read_batches(store, table, given, bodies=bodies)
    rows = 0
    with written_whole(path) as file, pq.ParquetWriter(file, schema, compression="zstd") as writer:
        for group in _groups(to_arrow(columns, schema, batch) for batch in batches):
            whole = pa.concat_tables(group)
            writer.write_table(whole)
            rows += whole.num_rows
    return Written(shown(path), table, rows)


def _groups(tables: Iterable[Any]) -> Iterator[list[Any]]:
    waiting: list[Any] = []
    rows = size = 0
    for table in tables:
        waiting.append(table)
        rows, size = rows + table.num_rows, size + table.nbytes
        if rows >= GROUP_ROWS or size >= GROUP_BYTES:
            yield waiting
            waiting, rows, size = [], 0, 0
    if waiting:
        yield waiting


def write_native(store: Store, path: str | Path, given: Mapping[str, Any]) -> Written:
    """Trajectories, one a line: `workbench import` reads them back to the same ids. Raises BadInputError."""
    _check_name(path, (".jsonl", ".jsonl.gz", ".jsonl.zst"))
    opened = store.trajectories.iterate(filter_from(given), batch=TRAJECTORIES_ONCE)
    return Written(shown(path), "native", _write_lines(path, (_native(trajectory) for trajectory in opened)))


def _native(trajectory: Trajectory) -> Mapping[str, Any]:
    return trajectory_to_json(trajectory)


def write_lines(store: Store, path: str | Path, table: str, given: Mapping[str, Any], *, bodies: bool) -> Written:
    """A table, one JSON object a row; what is missing is null. Raises BadInputError."""
    _check_name(path, (".jsonl", ".jsonl.gz", ".jsonl.zst"))
    rows = (row for batch in read_batches(store, table, given, bodies=bodies) for row in _rows(batch))
    return Written(shown(path), table, _write_lines(path, rows))


def _rows(batch: Columns) -> Iterator[Mapping[str, Any]]:
    for values in zip(*batch.values(), strict=True):
        yield dict(zip(batch, values, strict=True))


def _write_lines(path: str | Path, rows: Iterable[Mapping[str, Any]]) -> int:
    n = 0
    with written_whole(path) as file, packed_by_name(file, path) as packed:
        for row in rows:
            packed.write(_line(row))
            n += 1
    return n


def _line(row: Mapping[str, Any]) -> bytes:
    try:
        return orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # half of a surrogate pair, deep nesting, whole numbers beyond 64 bits
        return json.dumps(row, default=str).encode() + b"\n"


def _check_name(path: str | Path, endings: tuple[str, ...]) -> None:
    if not str(path).lower().endswith(endings):
        raise BadInputError(f"{shown(path)!r} does not end in {' or '.join(endings)}; name the file so")
