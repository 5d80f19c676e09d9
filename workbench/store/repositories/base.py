"""What all repositories share: the database and the clock."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, select

from workbench.errors import NotFoundError
from workbench.store.engine import Database
from workbench.store.tables import TrajectoryTable


class Repository:
    """Holds the database; subclasses hold the statements."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def _now(self) -> datetime:
        return datetime.now(UTC)


def number_of(connection: Connection, trajectory_id: str) -> int:
    """The trajectory's number in the tables. Raises NotFoundError."""
    found: Any = connection.scalar(select(TrajectoryTable.seq).where(TrajectoryTable.id == trajectory_id))
    if found is None:
        raise NotFoundError(f"no trajectory {trajectory_id!r} in the store; `ls` lists what there is")
    return int(found)
