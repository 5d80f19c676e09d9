"""Graders, their grades, and the durable cache of model replies."""

from datetime import datetime

from sqlalchemy import Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from workbench.store.tables.base import Base, Body, Json, Seq
from workbench.store.tables.trajectories import of_trajectory


class GraderTable(Base):
    """What made a version of a grader."""

    __tablename__ = "graders"

    version: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    definition: Mapped[Json]
    created_at: Mapped[datetime]


class GradeTable(Base):
    """One grade. What figures are made of stands in columns; reason, verdicts and detail in `body`, compressed."""

    __tablename__ = "grades"
    __table_args__ = (
        UniqueConstraint("trajectory", "grader_version", "case_hash", "repeat"),
        Index(None, "grader", "grader_version"),
        Index(None, "grader_version"),
    )

    seq: Mapped[Seq]
    trajectory: Mapped[int] = of_trajectory(primary_key=False)
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


class ReplyTable(Base):
    """A model's reply by key and repeat, or (reply NULL) the lease of whoever is asking for it."""

    __tablename__ = "replies"

    key: Mapped[str] = mapped_column(primary_key=True)
    repeat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    owner: Mapped[str]
    leased_until: Mapped[datetime]
    at: Mapped[datetime | None]
    reply: Mapped[Body | None]
