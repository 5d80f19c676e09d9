"""Runs, trajectories and what hangs on them. Bodies are columns of their own that no list selects."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from workbench.store.tables.base import Base, Body, Json, Seq
from workbench.store.types import BIGINT


class RunTable(Base):
    """`model` is NULL where the run came into being by an import that said nothing of it."""

    __tablename__ = "runs"

    name: Mapped[str] = mapped_column(primary_key=True)
    model: Mapped[str | None]
    simulated: Mapped[bool]
    meta: Mapped[Json]
    created_at: Mapped[datetime]


class TrajectoryTable(Base):
    """The light half of a trajectory: what lists, filters and rewards read. `seq` is the order of import.

    The last five figures of activity are NULL where they are not known.
    """

    __tablename__ = "trajectories"
    __table_args__ = (
        Index(None, "run", "seq"),
        Index(None, "question_id"),
        Index(None, "model"),
        {"sqlite_autoincrement": True},
    )

    seq: Mapped[Seq]
    id: Mapped[str] = mapped_column(unique=True)
    content_hash: Mapped[str]
    question: Mapped[str]
    question_id: Mapped[str]
    run: Mapped[str] = mapped_column(ForeignKey("runs.name"))
    model: Mapped[str]
    attempt: Mapped[int]
    group: Mapped[str | None]
    policy_step: Mapped[int | None]
    outcome: Mapped[str]
    steps: Mapped[int]
    report_chars: Mapped[int]
    tool_errors: Mapped[int]
    imported_at: Mapped[datetime]

    queries: Mapped[int]
    distinct_queries: Mapped[int]
    sites_opened: Mapped[int]
    sites_cited: Mapped[int]
    sites_seen: Mapped[int]
    tool_calls: Mapped[int]
    failed_calls: Mapped[int]
    tokens: Mapped[int]
    tokens_exact: Mapped[bool]
    evidence_chars: Mapped[int]
    near_duplicate_queries: Mapped[int | None]
    repeated_opens: Mapped[int | None]
    redundancy: Mapped[float | None]
    duration_s: Mapped[float | None]
    cost_usd: Mapped[float | None]

    retrieval_opened: Mapped[int]
    retrieval_seen: Mapped[int]
    retrieval_not_retrieved: Mapped[int]
    retrieval_dangling: Mapped[int]
    retrieval_no_trace: Mapped[int]
    support_supported: Mapped[int]
    support_partly: Mapped[int]
    support_contradicted: Mapped[int]
    support_unrelated: Mapped[int]
    support_not_checked: Mapped[int]

    analysis_version: Mapped[str]
    totals: Mapped[Json]


def of_trajectory(*, primary_key: bool = True) -> Mapped[int]:
    return mapped_column(BIGINT, ForeignKey("trajectories.seq"), primary_key=primary_key, autoincrement=False)


class BodyTable(Base):
    """The heavy half. `source` is the record byte for byte, compressed."""

    __tablename__ = "bodies"

    trajectory: Mapped[int] = of_trajectory()
    source_name: Mapped[str]
    meta: Mapped[Json]
    report: Mapped[Body]
    source: Mapped[Body]


class StepTable(Base):
    """`outline` holds the calls with their arguments cut; `payload` the step with documents by key, compressed."""

    __tablename__ = "steps"

    trajectory: Mapped[int] = of_trajectory()
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    role: Mapped[str]
    phase: Mapped[str | None]
    confidence: Mapped[float | None]
    phase_source: Mapped[str | None]
    preview: Mapped[str]
    chars: Mapped[int]
    reasoning_chars: Mapped[int]
    result_chars: Mapped[int]
    n_errors: Mapped[int]
    outline: Mapped[Json]
    payload: Mapped[Body]


class DocumentTable(Base):
    """A page or tool-result text, once. The key is the SHA-256 of the text; `chars` its length."""

    __tablename__ = "documents"

    key: Mapped[str] = mapped_column(primary_key=True)
    chars: Mapped[int]
    body: Mapped[Body]


class PhaseCorrectionTable(Base):
    """A person's word on the phase of one step; it outlives every new segmentation."""

    __tablename__ = "phase_corrections"

    trajectory: Mapped[int] = of_trajectory()
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    phase: Mapped[str]
    by: Mapped[str]
    at: Mapped[datetime]


class CitationTable(Base):
    """One citation: its two classes as columns, its places and addresses as a payload."""

    __tablename__ = "citations"
    __table_args__ = (Index(None, "retrieval"),)

    trajectory: Mapped[int] = of_trajectory()
    ordinal: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    retrieval: Mapped[str]
    support: Mapped[str]
    body: Mapped[Json]


class SheetTable(Base):
    """What a deterministic grader needs to know of a question, by name."""

    __tablename__ = "sheets"

    name: Mapped[str] = mapped_column(primary_key=True)
    question_id: Mapped[str] = mapped_column(primary_key=True)
    sheet: Mapped[Json]
