"""Runs: a name, a model, and how much there is of it."""

from sqlalchemy import Connection, func, select, update

from workbench.errors import NotFoundError
from workbench.schema.canonical import JsonObject
from workbench.store.engine import AnyRow, rowcount
from workbench.store.repositories.base import Repository
from workbench.store.rows import RunSummary
from workbench.store.tables import RunTable, TrajectoryTable


class Runs(Repository):
    """Runs are named by whoever imports or trains."""

    def ensure(self, name: str, *, model: str, simulated: bool = False, meta: JsonObject | None = None) -> None:
        """Makes the run or leaves it as it is; one that an import made without a word is filled in."""
        said = {"model": model, "simulated": simulated, "meta": meta or {}}
        with self._db.write() as connection:
            self._db.insert_new(connection, RunTable, [{"name": name, "created_at": self._now()} | said])
            unsaid = (RunTable.name == name, RunTable.model.is_(None))
            connection.execute(update(RunTable).where(*unsaid).values(**said))

    def list(self) -> tuple[RunSummary, ...]:
        """All of them, by name."""
        with self._db.read() as connection:
            return _summaries(connection)

    def names(self) -> tuple[str, ...]:
        """By name; no trajectory is counted."""
        with self._db.read() as connection:
            return tuple(connection.scalars(select(RunTable.name).order_by(RunTable.name)))

    def models(self) -> tuple[str, ...]:
        """The models of all trajectories, by name."""
        with self._db.read() as connection:
            return tuple(connection.scalars(select(TrajectoryTable.model).distinct().order_by(TrajectoryTable.model)))

    def get(self, name: str) -> RunSummary:
        with self._db.read() as connection:
            found = _summaries(connection, name)
            if not found:
                known = ", ".join(connection.scalars(select(RunTable.name).order_by(RunTable.name).limit(10)))
                raise NotFoundError(f"no run {name!r} in the store; it has: {known or 'none'}")
        return found[0]

    def set_meta(self, name: str, meta: JsonObject) -> None:
        with self._db.write() as connection:
            if not rowcount(connection, update(RunTable).where(RunTable.name == name).values(meta=meta)):
                raise NotFoundError(f"no run {name!r} in the store")


def _summaries(connection: Connection, name: str | None = None) -> tuple[RunSummary, ...]:
    runs = select(*RunTable.__table__.c).order_by(RunTable.name)
    counted = select(
        TrajectoryTable.run,
        TrajectoryTable.model,
        func.count().label("n"),
    ).group_by(TrajectoryTable.run, TrajectoryTable.model)
    asked = select(TrajectoryTable.run, func.count(TrajectoryTable.question_id.distinct()).label("n"))
    asked = asked.group_by(TrajectoryTable.run)
    if name is not None:
        runs, counted = runs.where(RunTable.name == name), counted.where(TrajectoryTable.run == name)
        asked = asked.where(TrajectoryTable.run == name)
    by_run: dict[str, dict[str, int]] = {}
    for row in connection.execute(counted):
        by_run.setdefault(row.run, {})[row.model] = row.n
    questions: dict[str, int] = {row.run: row.n for row in connection.execute(asked)}
    return tuple(
        _summary(row, by_run.get(row.name, {}), questions.get(row.name, 0)) for row in connection.execute(runs)
    )


def _summary(row: AnyRow, n_by_model: dict[str, int], n_questions: int) -> RunSummary:
    return RunSummary(
        name=row.name,
        model=row.model if row.model is not None else ", ".join(sorted(n_by_model)),
        simulated=row.simulated,
        n=sum(n_by_model.values()),
        n_questions=n_questions,
        created_at=row.created_at,
        meta=row.meta,
    )
