"""A hash of what the store says, not of how it says it: equal on both backends, in whatever order things came in."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import ColumnElement, Connection, select

from workbench.store.codec import text_bytes, unpack_bytes
from workbench.store.engine import AnySelect, Database
from workbench.store.tables import (
    AssignmentTable,
    BallotTable,
    Base,
    BodyTable,
    CitationTable,
    DiagnosisTable,
    DocumentTable,
    ExportTable,
    GraderRoleTable,
    GraderTable,
    GradeTable,
    MetricTable,
    NoteTable,
    PairGradeTable,
    PhaseCorrectionTable,
    RewriteGradeTable,
    RewriteTable,
    RoundTable,
    RunTable,
    SavedFilterTable,
    SheetTable,
    SpecTable,
    StepTable,
    StressReportTable,
    TargetRowTable,
    TargetsTable,
    TrainingTable,
    TrajectoryTable,
    TrialTable,
    VoteTable,
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
    NoteTable,
    SavedFilterTable,
    GraderTable,
    GradeTable,
    GraderRoleTable,
    PairGradeTable,
    RewriteTable,
    RewriteGradeTable,
    DiagnosisTable,
    RoundTable,
    AssignmentTable,
    BallotTable,
    VoteTable,
    SpecTable,
    TargetsTable,
    TargetRowTable,
    ExportTable,
    TrialTable,
    StressReportTable,
    TrainingTable,
    MetricTable,
)
# No content: jobs, drafts, invitations, the log of ballots and the cache of replies, which are machinery; and of the
# tables above, times and automatic numbers, places on a disk, and what a grade cost (a second run takes other
# milliseconds).
_NOT_CONTENT = frozenset(
    {
        "seq", "imported_at", "created_at", "at", "closed_at", "undone_at", "removed_at", "idempotency_key", "folder",
        "export_folder", "input_tokens", "output_tokens", "cost_usd", "latency_s", "cached",
    }
)  # fmt: skip
_SECONDS = "_s"  # metrics of this ending are times


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
    columns: list[ColumnElement[Any]] = [c for c in table.__table__.c if c.name not in _NOT_CONTENT]
    if table is BallotTable:
        columns.append(BallotTable.undone_at.is_not(None).label("undone"))
    if table is NoteTable:
        columns.append(NoteTable.removed_at.is_not(None).label("removed"))
    statement: AnySelect = select(*columns)
    if "trajectory" in table.__table__.c:
        columns = [column for column in columns if column.name != "trajectory"]
        owner = table.__table__.c.trajectory == TrajectoryTable.seq
        statement = select(TrajectoryTable.id, *columns).join(TrajectoryTable, owner)
    if table is MetricTable:
        statement = statement.where(MetricTable.name.not_like(f"%/{_SECONDS}", escape="/"))
    names = [column.name for column in statement.selected_columns]
    for row in connection.execute(statement, execution_options={"yield_per": 200}):
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
    if isinstance(value, (list, dict)):
        return b"json" + text_bytes(json.dumps(value, sort_keys=True, ensure_ascii=False))
    return repr(value).encode()
