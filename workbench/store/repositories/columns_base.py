"""Reading a table by columns, some trajectories at a time: no statement a trajectory, and bounded memory."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import literal

from workbench.store.engine import AnyRow
from workbench.store.repositories.base import Repository
from workbench.store.repositories.filters import TrajectoryQuery, deciding
from workbench.store.rows import Columns, TrajectoryFilter
from workbench.store.tables import TrajectoryTable

# Trajectories read at a time: a statement takes a limited number of parameters.
LIGHT_BATCH = 500
# With bodies: what is unpacked at a time has this many characters, or is a single row.
BODY_CHARS = 8_000_000
BODY_BATCH = 50


class ColumnReader(Repository):
    """Which trajectories pass is decided once, when reading begins; every batch is a transaction of its own.

    So whoever stops in the middle of an iteration holds no transaction open.
    """

    def _passing(self, filter_: TrajectoryFilter) -> dict[int, float | None]:
        """Number of each trajectory that passes, in the order of import, with the score by the filter's grader."""
        query = TrajectoryQuery(self._db, filter_)
        score = literal(None) if query.score is None else query.score
        with self._db.read() as connection:
            rows = connection.execute(query.ordered(query.select(TrajectoryTable.seq, score), "imported", False))
            return {row[0]: row[1] for row in rows}

    def _batches(self, filter_: TrajectoryFilter, size: int) -> Iterator[list[int]]:
        query = TrajectoryQuery(self._db, deciding(filter_))
        with self._db.read() as connection:
            found = connection.scalars(query.ordered(query.select(TrajectoryTable.seq), "imported", False)).all()
        numbers = iter(found)
        while batch := list(islice(numbers, size)):
            yield batch


def to_columns(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Columns:
    """Rows turned by a quarter: one list a name."""
    if not rows:
        return {name: [] for name in names}
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def by_weight(rows: Sequence[AnyRow], weights: Sequence[int]) -> Iterator[Sequence[AnyRow]]:
    """Neighbouring rows together as long as their weights stay under `BODY_CHARS`; a heavier row comes alone."""
    start = total = 0
    for place, weight in enumerate(weights):
        if total and total + weight > BODY_CHARS:
            yield rows[start:place]
            start, total = place, 0
        total += weight
    if start < len(rows):
        yield rows[start:]
