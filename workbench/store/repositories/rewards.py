"""Reward specs, target tables, and the job folders that they went into."""

from collections.abc import Sequence

from sqlalchemy import func, insert, select

from workbench.errors import NotFoundError
from workbench.schema.canonical import JsonObject
from workbench.schema.reward import QuestionTarget
from workbench.store.repositories.base import Repository
from workbench.store.rows import ExportRow, SpecRow, TargetsRow
from workbench.store.tables import ExportTable, SpecTable, TargetRowTable, TargetsTable

_S, _T, _Q, _E = SpecTable, TargetsTable, TargetRowTable, ExportTable


class Rewards(Repository):
    """Specs and targets are known by their content hash: what is saved under one never changes."""

    def save_spec(self, spec: JsonObject, version: str, *, name: str, round_id: str | None = None) -> bool:
        """False where this version is there already."""
        row = {"version": version, "name": name, "round_id": round_id, "spec": spec, "created_at": self._now()}
        with self._db.write() as connection:
            return bool(self._db.insert_new(connection, SpecTable, [row], _S.version))

    def specs(self) -> tuple[SpecRow, ...]:
        """All of them, the newest first."""
        columns = (_S.version, _S.name, _S.round_id, _S.created_at)
        with self._db.read() as connection:
            rows = connection.execute(select(*columns).order_by(_S.created_at.desc(), _S.version))
            return tuple(SpecRow(row.version, row.name, row.round_id, row.created_at) for row in rows)

    def spec(self, version: str) -> JsonObject:
        with self._db.read() as connection:
            found: JsonObject | None = connection.scalar(select(_S.spec).where(_S.version == version))
        if found is None:
            raise NotFoundError(f"no reward spec of version {version!r} in the store")
        return found

    def save_targets(self, version: str, targets: Sequence[QuestionTarget], *, meta: JsonObject) -> bool:
        """False where this version is there already."""
        rows = [
            {
                "version": version,
                "question_id": target.question_id,
                "queries": target.queries,
                "sites": target.sites,
                "n_references": target.n_references,
            }
            for target in targets
        ]
        head = {"version": version, "meta": meta, "created_at": self._now()}
        with self._db.write() as connection:
            if not self._db.insert_new(connection, TargetsTable, [head], _T.version):
                return False
            if rows:
                connection.execute(insert(TargetRowTable), rows)
        return True

    def targets(self, version: str) -> tuple[QuestionTarget, ...]:
        """By question id."""
        with self._db.read() as connection:
            if connection.scalar(select(_T.version).where(_T.version == version)) is None:
                raise NotFoundError(f"no targets of version {version!r} in the store")
            rows = connection.execute(select(*_Q.__table__.c).where(_Q.version == version).order_by(_Q.question_id))
            return tuple(QuestionTarget(row.question_id, row.queries, row.sites, row.n_references) for row in rows)

    def targets_list(self) -> tuple[TargetsRow, ...]:
        """All of them, the newest first."""
        counted = select(_Q.version, func.count().label("n")).group_by(_Q.version).subquery()
        statement = (
            select(_T.version, func.coalesce(counted.c.n, 0).label("n"), _T.meta, _T.created_at)
            .outerjoin(counted, counted.c.version == _T.version)
            .order_by(_T.created_at.desc(), _T.version)
        )
        with self._db.read() as connection:
            rows = connection.execute(statement)
            return tuple(TargetsRow(row.version, row.n, row.meta, row.created_at) for row in rows)

    def record_export(self, folder: str, spec_version: str, trainer: str, manifest: JsonObject) -> None:
        """A job folder that was written."""
        with self._db.write() as connection:
            connection.execute(
                insert(ExportTable).values(
                    folder=folder,
                    spec_version=spec_version,
                    trainer=trainer,
                    manifest=manifest,
                    created_at=self._now(),
                )
            )

    def exports(self) -> tuple[ExportRow, ...]:
        """All of them, the newest first."""
        with self._db.read() as connection:
            rows = connection.execute(select(*_E.__table__.c).order_by(_E.seq.desc()))
            return tuple(
                ExportRow(row.folder, row.spec_version, row.trainer, row.manifest, row.created_at) for row in rows
            )
