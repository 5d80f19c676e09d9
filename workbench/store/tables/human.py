"""Blind evaluation: rounds, raters, what they were shown and what they said."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from workbench.store.tables.base import Base, Json, Seq

STANDING = text("undone_at IS NULL")


class RoundTable(Base):
    __tablename__ = "rounds"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    runs: Mapped[Json]
    dimensions: Mapped[Json]
    reason_required: Mapped[bool]
    state: Mapped[str]
    seed: Mapped[int]
    simulated: Mapped[bool]
    created_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]
    settings: Mapped[Json] = mapped_column(server_default="{}")


class RaterTable(Base):
    """A rater's invitation. Only the hash of its token is kept."""

    __tablename__ = "raters"

    round_id: Mapped[str] = mapped_column(ForeignKey("rounds.id"), primary_key=True)
    rater: Mapped[str] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(unique=True)
    expires_at: Mapped[datetime]
    revoked: Mapped[bool]


class AssignmentTable(Base):
    __tablename__ = "assignments"
    __table_args__ = (Index(None, "round_id", "rater"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    round_id: Mapped[str] = mapped_column(ForeignKey("rounds.id"))
    rater: Mapped[str]
    question_id: Mapped[str]
    left: Mapped[str] = mapped_column(ForeignKey("trajectories.id"))
    right: Mapped[str] = mapped_column(ForeignKey("trajectories.id"))
    position: Mapped[int]
    # rating, training, attention or repeat; for the first two of the others the verdict that is right, and why.
    purpose: Mapped[str] = mapped_column(server_default="rating")
    expected: Mapped[str | None]
    feedback: Mapped[str | None]


class BallotTable(Base):
    """Ballots that stand and (`undone_at` set) those taken back. At most one that stands for each assignment."""

    __tablename__ = "ballots"
    __table_args__ = (
        Index("uq_ballots_standing", "assignment_id", unique=True, sqlite_where=STANDING, postgresql_where=STANDING),
        {"sqlite_autoincrement": True},
    )

    seq: Mapped[Seq]
    assignment_id: Mapped[str] = mapped_column(ForeignKey("assignments.id"))
    round_id: Mapped[str] = mapped_column(ForeignKey("rounds.id"), index=True)
    rater: Mapped[str]
    verdict: Mapped[str]
    scores: Mapped[Json]
    reason: Mapped[str]
    seconds: Mapped[float | None]
    created_at: Mapped[datetime]
    set_aside: Mapped[str]
    idempotency_key: Mapped[str] = mapped_column(unique=True)
    undone_at: Mapped[datetime | None]


class BallotLogTable(Base):
    """What happened to the ballots of a round, each entry sealed with the hash of the one before."""

    __tablename__ = "ballot_log"
    __table_args__ = (UniqueConstraint("round_id", "previous"), {"sqlite_autoincrement": True})

    seq: Mapped[Seq]
    round_id: Mapped[str] = mapped_column(ForeignKey("rounds.id"))
    at: Mapped[datetime]
    event: Mapped[str]
    body: Mapped[Json]
    previous: Mapped[str]
    hash: Mapped[str]


class DraftTable(Base):
    """What a rater has begun to fill in."""

    __tablename__ = "drafts"

    assignment_id: Mapped[str] = mapped_column(ForeignKey("assignments.id"), primary_key=True)
    draft: Mapped[Json]


class VoteTable(Base):
    """An imported vote, known by its source and ordinal."""

    __tablename__ = "votes"

    source: Mapped[str] = mapped_column(primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    model_a: Mapped[str]
    model_b: Mapped[str]
    winner: Mapped[str]
    rater: Mapped[str]
    question_id: Mapped[str]
    reason: Mapped[str]
    scores: Mapped[Json]
