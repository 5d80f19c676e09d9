"""Training runs: what they train on, and their curves."""

import math
from collections.abc import Mapping

from sqlalchemy import func, select

from workbench.errors import BadInputError, NotFoundError
from workbench.schema.canonical import JsonObject
from workbench.store.repositories.base import Repository
from workbench.store.rows import Columns, TrainingRow
from workbench.store.tables import MetricTable, TrainingTable

_R, _M = TrainingTable, MetricTable


class Training(Repository):
    """A run is known by its name, its figures by step and name."""

    def create(self, run: str, *, spec_version: str, export_folder: str, config: JsonObject) -> None:
        """Makes the run or leaves it as it is (a run that is resumed). Raises BadInputError for another spec."""
        row = {
            "run": run,
            "spec_version": spec_version,
            "export_folder": export_folder,
            "config": config,
            "created_at": self._now(),
        }
        with self._db.write() as connection:
            self._db.insert_new(connection, TrainingTable, [row])
            there = connection.scalar(select(_R.spec_version).where(_R.run == run))
            if there != spec_version:
                raise BadInputError(
                    f"training run {run!r} exists and trains on spec {there}; expected {spec_version}. "
                    "Give the new run another name"
                )

    def log(self, run: str, step: int, metrics: Mapping[str, float]) -> None:
        """Figures of one step; a step that is done again after a resume replaces them. NaN is kept as no value."""
        rows = [
            {"run": run, "step": step, "name": name, "value": None if math.isnan(value) else float(value)}
            for name, value in sorted(metrics.items())
        ]
        if not rows:
            return
        statement = self._db.insert(MetricTable)
        statement = statement.on_conflict_do_update(
            index_elements=["run", "step", "name"], set_={"value": statement.excluded.value}
        )
        with self._db.write() as connection:
            if connection.scalar(select(_R.run).where(_R.run == run)) is None:
                raise NotFoundError(f"no training run {run!r} in the store")
            connection.execute(statement, rows)

    def metrics(self, run: str) -> Columns:
        """Column `step`, rising, and one a metric: None where a step has no value of it."""
        with self._db.read() as connection:
            rows = connection.execute(
                select(_M.step, _M.name, _M.value).where(_M.run == run).order_by(_M.step, _M.name)
            ).all()
        steps = sorted({row.step for row in rows})
        place = {step: index for index, step in enumerate(steps)}
        columns: Columns = {"step": list(steps)}
        for row in rows:
            columns.setdefault(row.name, [None] * len(steps))[place[row.step]] = row.value
        return columns

    def runs(self) -> tuple[TrainingRow, ...]:
        """All of them, the newest first."""
        last = select(_M.run, func.max(_M.step).label("step")).group_by(_M.run).subquery()
        statement = (
            select(*_R.__table__.c, last.c.step.label("last_step"))
            .outerjoin(last, last.c.run == _R.run)
            .order_by(_R.created_at.desc(), _R.run)
        )
        with self._db.read() as connection:
            return tuple(
                TrainingRow(row.run, row.spec_version, row.export_folder, row.config, row.last_step, row.created_at)
                for row in connection.execute(statement)
            )
