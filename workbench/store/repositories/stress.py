"""What attacks did to a grader: trials, one a row, and the verdicts drawn from them."""

from sqlalchemy import select

from workbench.errors import NotFoundError
from workbench.schema.canonical import JsonObject
from workbench.store.repositories.base import Repository, number_of
from workbench.store.repositories.grades import upsert_unless_final
from workbench.store.rows import Columns, StressReport, StressTrial
from workbench.store.tables import StressReportTable, TrajectoryTable, TrialTable

_S, _T, _R = TrialTable, TrajectoryTable, StressReportTable


class Stress(Repository):
    """A trial is unique by grader version, attack, trajectory and seed; a failed one gives way to a later try."""

    def add_trial(self, trial: StressTrial) -> bool:
        """False where this trial is there already with an outcome that is no failure."""
        key = ("grader_version", "attack", "trajectory", "seed")
        with self._db.write() as connection:
            row = {
                "grader": trial.grader,
                "grader_version": trial.grader_version,
                "attack": trial.attack,
                "family": trial.family,
                "trajectory": number_of(connection, trial.trajectory_id),
                "seed": trial.seed,
                "outcome": trial.outcome,
                "base_score": trial.base_score,
                "attacked_score": trial.attacked_score,
                "terms": trial.terms,
            }
            return upsert_unless_final(self._db, connection, TrialTable, key, row)

    def trials(self, grader_version: str | None = None, run: str | None = None) -> Columns:
        """One list for each field of a StressTrial, and question_id and run, by trajectory, attack and seed."""
        columns = {
            "grader": _S.grader,
            "grader_version": _S.grader_version,
            "attack": _S.attack,
            "family": _S.family,
            "trajectory_id": _T.id,
            "question_id": _T.question_id,
            "run": _T.run,
            "seed": _S.seed,
            "outcome": _S.outcome,
            "base_score": _S.base_score,
            "attacked_score": _S.attacked_score,
            "terms": _S.terms,
        }
        statement = select(*columns.values()).select_from(_S).join(_T, _T.seq == _S.trajectory)
        if grader_version is not None:
            statement = statement.where(_S.grader_version == grader_version)
        if run is not None:
            statement = statement.where(_T.run == run)
        with self._db.read() as connection:
            rows = connection.execute(statement.order_by(_T.seq, _S.grader_version, _S.attack, _S.seed)).all()
        return {name: [row[place] for row in rows] for place, name in enumerate(columns)}

    def save_report(self, grader_version: str, run: str, report: JsonObject) -> None:
        """The verdict on this version over this run, in place of an older one."""
        statement = self._db.insert(StressReportTable).values(
            grader_version=grader_version, run=run, report=report, created_at=self._now()
        )
        replaced = {"report": statement.excluded.report, "created_at": statement.excluded.created_at}
        with self._db.write() as connection:
            connection.execute(statement.on_conflict_do_update(index_elements=["grader_version", "run"], set_=replaced))

    def report(self, grader_version: str, run: str) -> JsonObject:
        """Raises NotFoundError where none was saved."""
        with self._db.read() as connection:
            found: JsonObject | None = connection.scalar(
                select(_R.report).where(_R.grader_version == grader_version, _R.run == run)
            )
        if found is None:
            raise NotFoundError(f"no stress report on grader version {grader_version!r} over run {run!r} in the store")
        return found

    def reports(self) -> tuple[StressReport, ...]:
        """All of them, the newest first."""
        with self._db.read() as connection:
            rows = connection.execute(select(*_R.__table__.c).order_by(_R.created_at.desc(), _R.grader_version, _R.run))
            return tuple(StressReport(row.grader_version, row.run, row.report, row.created_at) for row in rows)
