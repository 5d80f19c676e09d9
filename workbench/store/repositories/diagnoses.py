"""Diagnoses as they were reported."""

from sqlalchemy import select

from workbench.errors import NotFoundError
from workbench.schema.canonical import JsonObject
from workbench.store.engine import AnyRow
from workbench.store.repositories.base import Repository
from workbench.store.rows import DiagnosisRow
from workbench.store.tables import DiagnosisTable

_D = DiagnosisTable


class Diagnoses(Repository):
    """One a question asked: the newest answer replaces the older."""

    def save(self, id_: str, kind: str, grader_version: str, report: JsonObject) -> None:
        """`id_` is a hash of what was asked (runs, writer, grader, limits)."""
        row = {"kind": kind, "grader_version": grader_version, "report": report, "created_at": self._now()}
        statement = self._db.insert(_D).values(id=id_, **row)
        with self._db.write() as connection:
            connection.execute(statement.on_conflict_do_update(index_elements=["id"], set_=row))

    def get(self, id_: str) -> DiagnosisRow:
        """Raises NotFoundError."""
        with self._db.read() as connection:
            row = connection.execute(select(*_D.__table__.c).where(_D.id == id_)).first()
        if row is None:
            raise NotFoundError(f"no diagnosis {id_!r} in the store; `workbench diagnose` makes one")
        return _row(row)

    def list(self) -> tuple[DiagnosisRow, ...]:
        """All of them, the newest first."""
        with self._db.read() as connection:
            rows = connection.execute(select(*_D.__table__.c).order_by(_D.created_at.desc(), _D.id)).all()
        return tuple(_row(row) for row in rows)


def _row(row: AnyRow) -> DiagnosisRow:
    return DiagnosisRow(row.id, row.kind, row.grader_version, row.report, row.created_at)
