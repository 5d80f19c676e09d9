"""Jobs and their log lines."""

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from workbench.store.tables.base import Base, Json


class JobTable(Base):
    """`pid`, `host` and `process` say whose job it is now: a process is known by its number and its start.

    `folder` is where relative paths of the arguments count from. `spool` is the file that a spawned process writes
    its output to, `spooled` how much of it stands in the log.
    """

    __tablename__ = "jobs"

    id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    arguments: Mapped[Json]
    folder: Mapped[str]
    state: Mapped[str]
    done: Mapped[int]
    total: Mapped[int | None]
    failed_items: Mapped[int]
    rate_per_s: Mapped[float | None]
    left_s: Mapped[float | None]
    cost_usd: Mapped[float | None]
    error: Mapped[str]
    result: Mapped[Json]
    pid: Mapped[int | None]
    host: Mapped[str]
    process: Mapped[str]
    spool: Mapped[str]
    spooled: Mapped[int]
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    heartbeat_at: Mapped[datetime | None]


class JobLogTable(Base):
    __tablename__ = "job_log"

    job: Mapped[str] = mapped_column(ForeignKey("jobs.id"), primary_key=True)
    ordinal: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime]
    level: Mapped[str]
    text: Mapped[str]
