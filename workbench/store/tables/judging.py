"""What compares reports: pairs that a grader judged, reports rewritten from the same evidence, and who never trains."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from workbench.store.tables.base import Base, Body, Json, Seq
from workbench.store.tables.trajectories import of_trajectory


class GraderRoleTable(Base):
    """The role of a version of a grader (`independent`: no training may see it)."""

    __tablename__ = "grader_roles"

    version: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    role: Mapped[str]
    at: Mapped[datetime]


class PairGradeTable(Base):
    """One judgment of two reports on one question. `preference` in [0, 1] is the left one's share, NULL unless scored.

    `consistent`: whether both orders said the same, NULL where only one was asked.
    """

    __tablename__ = "pair_grades"
    __table_args__ = (
        UniqueConstraint("left", "right", "grader_version", "repeat"),
        Index(None, "grader_version"),
    )

    seq: Mapped[Seq]
    left: Mapped[str] = mapped_column(ForeignKey("trajectories.id"))
    right: Mapped[str] = mapped_column(ForeignKey("trajectories.id"))
    grader: Mapped[str]
    grader_version: Mapped[str]
    repeat: Mapped[int]
    outcome: Mapped[str]
    preference: Mapped[float | None]
    consistent: Mapped[bool | None]
    input_tokens: Mapped[int]
    output_tokens: Mapped[int]
    cost_usd: Mapped[float | None]
    latency_s: Mapped[float]
    cached: Mapped[bool]
    created_at: Mapped[datetime]
    body: Mapped[Body]


class RewriteTable(Base):
    """A report that a writer wrote from the evidence of a trajectory. `case_hash` covers everything that it was given.

    `key` is a hash of trajectory, writer version, case and repeat. `report_chars` is NULL where none was written.
    `body` holds the report, the reason and the account of documents.
    """

    __tablename__ = "rewrites"
    __table_args__ = (
        Index(None, "trajectory"),
        Index(None, "writer_version"),
    )

    key: Mapped[str] = mapped_column(primary_key=True)
    trajectory: Mapped[int] = of_trajectory(primary_key=False)
    writer: Mapped[str]
    writer_version: Mapped[str]
    case_hash: Mapped[str]
    repeat: Mapped[int]
    outcome: Mapped[str]
    report_chars: Mapped[int | None]
    input_tokens: Mapped[int]
    output_tokens: Mapped[int]
    cost_usd: Mapped[float | None]
    latency_s: Mapped[float]
    cached: Mapped[bool]
    created_at: Mapped[datetime]
    body: Mapped[Body]


class RewriteGradeTable(Base):
    """A grade of a rewritten report: apart from the grades of what agents wrote, so that no mean mixes them."""

    __tablename__ = "rewrite_grades"
    __table_args__ = (
        UniqueConstraint("rewrite", "grader_version", "repeat"),
        Index(None, "grader_version"),
    )

    seq: Mapped[Seq]
    rewrite: Mapped[str] = mapped_column(ForeignKey("rewrites.key"))
    grader: Mapped[str]
    grader_version: Mapped[str]
    case_hash: Mapped[str]
    repeat: Mapped[int]
    outcome: Mapped[str]
    score: Mapped[float | None]
    raw: Mapped[float | None]
    scheme: Mapped[str]
    input_tokens: Mapped[int]
    output_tokens: Mapped[int]
    cost_usd: Mapped[float | None]
    latency_s: Mapped[float]
    cached: Mapped[bool]
    created_at: Mapped[datetime]
    body: Mapped[Body]


class DiagnosisTable(Base):
    """A diagnosis as it was reported: which phase holds these runs back. The newest of a key replaces the older."""

    __tablename__ = "diagnoses"

    id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    grader_version: Mapped[str]
    report: Mapped[Json]
    created_at: Mapped[datetime]
