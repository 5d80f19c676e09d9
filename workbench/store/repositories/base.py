"""What all repositories share: the database and the clock."""

from collections.abc import Sequence
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


def numbers_of(database: Database, connection: Connection, trajectory_ids: Sequence[str]) -> dict[str, int]:
    """As `number_of` for each, in one read."""
    wanted = select(TrajectoryTable.id, TrajectoryTable.seq).where(
        TrajectoryTable.id.in_(database.values(sorted(set(trajectory_ids))))
    )
    found: dict[str, int] = {row.id: row.seq for row in connection.execute(wanted)}
    return {name: found[name] if name in found else number_of(connection, name) for name in trajectory_ids}
