"""What people write down while they read: notes and tags on trajectories, filters worth keeping."""

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from workbench.store.tables.base import Base
from workbench.store.types import BIGINT


class NoteTable(Base):
    """A note on a whole trajectory, on a step (`position`) or on a stretch of the report (`start`, `end`).

    Notes are taken back (`removed_at`), never deleted.
    """

    __tablename__ = "notes"

    id: Mapped[str] = mapped_column(primary_key=True)
    trajectory: Mapped[int] = mapped_column(BIGINT, ForeignKey("trajectories.seq"), index=True)
    anchor: Mapped[str]
    position: Mapped[int | None]
    start: Mapped[int | None]
    end: Mapped[int | None]
    kind: Mapped[str] = mapped_column(index=True)
    text: Mapped[str]
    by: Mapped[str]
    at: Mapped[datetime]
    removed_at: Mapped[datetime | None]


class SavedFilterTable(Base):
    """A filter of the table of trajectories by name: the part of its address behind the question mark."""

    __tablename__ = "saved_filters"

    name: Mapped[str] = mapped_column(primary_key=True)
    query: Mapped[str]
    at: Mapped[datetime]
