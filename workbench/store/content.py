"""A hash of what the store says, not of how it says it: equal on both backends, in whatever order things came in."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection, select

from workbench.store.codec import text_bytes, unpack_bytes
from workbench.store.engine import Database
from workbench.store.tables import (
    Base,
    BodyTable,
    CitationTable,
    DocumentTable,
    GraderTable,
    GradeTable,
    PhaseCorrectionTable,
    RunTable,
    SheetTable,
    StepTable,
    TrajectoryTable,
)

# Left out: times and automatic numbers, what a grade cost (a second run takes other milliseconds), and the cache of
# replies, the jobs, drafts and tokens, which are machinery and not results.
_NOT_CONTENT = frozenset(
    {"seq", "imported_at", "created_at", "at", "input_tokens", "output_tokens", "cost_usd", "latency_s", "cached"}
)
TABLES: tuple[type[Base], ...] = (
    RunTable,
    TrajectoryTable,
    BodyTable,
    StepTable,
    DocumentTable,
    PhaseCorrectionTable,
    CitationTable,
    SheetTable,
    GraderTable,
    GradeTable,
)


def hash_content(database: Database) -> str:
    """SHA-256, 64 hexadecimal digits. Reads every body, uncompressed: minutes for a store of many gigabytes."""
    total = hashlib.sha256()
    with database.read() as connection:
        for table in TABLES:
            total.update(table.__tablename__.encode())
            for digest in sorted(_digests(connection, table)):
                total.update(digest)
    return total.hexdigest()


def _digests(connection: Connection, table: type[Base]) -> Iterator[bytes]:
    """One digest a row; rows that hang on a trajectory name it by its id."""
    columns = [column for column in table.__table__.c if column.name not in _NOT_CONTENT]
    statement = select(*columns)
    if "trajectory" in table.__table__.c:
        columns = [column for column in columns if column.name != "trajectory"]
        owner = table.__table__.c.trajectory == TrajectoryTable.seq
        statement = select(TrajectoryTable.id, *columns).join(TrajectoryTable, owner)
    names = [column.name for column in statement.selected_columns]
    for row in connection.execution_options(yield_per=200).execute(statement):
        yield _digest(zip(names, row, strict=True))


def _digest(values: Iterable[tuple[str, Any]]) -> bytes:
    digest = hashlib.sha256()
    for name, value in values:
        data = _bytes(value)
        digest.update(f"{name}:{len(data)}:".encode())
        digest.update(data)
    return digest.digest()


def _bytes(value: Any) -> bytes:
    if isinstance(value, bytes):
        return unpack_bytes(value)
    if isinstance(value, str):
        return b"text" + text_bytes(value)
    return (
        text_bytes(json.dumps(value, sort_keys=True, ensure_ascii=False))
        if isinstance(value, (list, dict))
        else repr(value).encode()
    )
