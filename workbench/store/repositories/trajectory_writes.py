"""How trajectories come in, and how what is computed of them is replaced or corrected."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from workbench.errors import BadInputError, NotFoundError
from workbench.schema.analysis import PHASES, SUPPORTS, Analysis, Phase, Support
from workbench.store.codec import pack_text
from workbench.store.engine import IMPORTING
from workbench.store.repositories.base import Repository, number_of
from workbench.store.repositories.filters import known_ids
from workbench.store.repositories.new_rows import (
    RowsOfOne,
    analysis_columns,
    citation_row,
    phase_columns,
    phases_by_position,
    rows_of,
)
from workbench.store.rows import BatchResult, NewTrajectory
from workbench.store.tables import (
    BodyTable,
    CitationTable,
    DocumentTable,
    PhaseCorrectionTable,
    RunTable,
    StepTable,
    TrajectoryTable,
)
from workbench.store.text.index import add_texts


class TrajectoryWrites(Repository):
    """The writing half of `Trajectories`."""

    def add_batch(self, items: Sequence[NewTrajectory]) -> BatchResult:
        """All of them or none, in one transaction; those that are there already are duplicates and change nothing.

        Safe against other importers of the same files. A run that nobody announced comes into being with its name only.
        """
        ids = tuple(item.trajectory.id for item in items)
        with self._db.read() as connection:
            present = {row.id for row in connection.execute(known_ids(self._db, ids))}
        now = self._now()
        fresh: dict[str, RowsOfOne] = {}
        for id_, item in zip(ids, items, strict=True):
            if id_ not in present and id_ not in fresh:
                fresh[id_] = rows_of(item, now)
        if not fresh:
            return BatchResult(imported=0, duplicates=len(ids), ids=ids)
        with self._db.write() as connection:
            self._db.take_turn(connection, IMPORTING)
            imported = self._insert(connection, list(fresh.values()))
        return BatchResult(imported=imported, duplicates=len(ids) - imported, ids=ids)

    def _insert(self, connection: Connection, rows: list[RowsOfOne]) -> int:
        named_only: dict[str, Any] = {"model": None, "simulated": False, "meta": {}, "created_at": self._now()}
        runs = dict.fromkeys(one.run for one in rows)
        self._db.insert_new(connection, RunTable, [{"name": run} | named_only for run in runs])
        inserted = self._db.insert_new(
            connection, TrajectoryTable, [one.trajectory for one in rows], TrajectoryTable.id, TrajectoryTable.seq
        )
        numbers: dict[str, int] = {row.id: row.seq for row in inserted}
        new = [one for one in rows if one.id in numbers]
        self._insert_documents(connection, new)
        _insert_all(connection, BodyTable, [one.body | {"trajectory": numbers[one.id]} for one in new])
        for table, name in ((StepTable, "steps"), (CitationTable, "citations")):
            many = [row | {"trajectory": numbers[one.id]} for one in new for row in getattr(one, name)]
            _insert_all(connection, table, many)
        add_texts(connection, self._db.backend, ((numbers[one.id], one.texts) for one in new))
        return len(new)

    def _insert_documents(self, connection: Connection, rows: list[RowsOfOne]) -> None:
        texts = {key: text for one in rows for key, text in one.documents.items()}
        known = set(
            connection.scalars(select(DocumentTable.key).where(DocumentTable.key.in_(self._db.values(list(texts)))))
        )
        self._db.insert_new(
            connection,
            DocumentTable,
            [
                {"key": key, "chars": len(text), "body": pack_text(text)}
                for key, text in sorted(texts.items())
                if key not in known
            ],
        )

    def replace_analysis(self, trajectory_id: str, analysis: Analysis) -> None:
        """The new analysis in place of the old one; a person's corrections stay. Supports come from the new one."""
        with self._db.write() as connection:
            seq = number_of(connection, trajectory_id)
            n_steps = connection.scalar(select(TrajectoryTable.steps).where(TrajectoryTable.seq == seq)) or 0
            phases = phases_by_position(analysis, n_steps, trajectory_id)
            connection.execute(
                update(TrajectoryTable).where(TrajectoryTable.seq == seq).values(**analysis_columns(analysis))
            )
            if n_steps:
                here = (StepTable.trajectory == seq, StepTable.position == bindparam("at_position"))
                rows = [{"at_position": at} | phase_columns(phases.get(at)) for at in range(n_steps)]
                connection.execute(update(StepTable).where(*here), rows)
            connection.execute(delete(CitationTable).where(CitationTable.trajectory == seq))
            citations = [citation_row(citation) | {"trajectory": seq} for citation in analysis.citations]
            _insert_all(connection, CitationTable, citations)

    def correct_phase(self, trajectory_id: str, position: int, phase: Phase | None, *, by: str) -> None:
        """A person's word on one step, which stands over every computed phase; None takes it back."""
        if phase is not None and phase not in PHASES:
            raise BadInputError(f"phase is {phase!r}; expected one of {', '.join(PHASES)}")
        with self._db.write() as connection:
            seq = number_of(connection, trajectory_id)
            here = (StepTable.trajectory == seq, StepTable.position == position)
            if connection.scalar(select(StepTable.position).where(*here)) is None:
                raise NotFoundError(f"trajectory {trajectory_id} has no step {position}")
            connection.execute(
                delete(PhaseCorrectionTable).where(
                    PhaseCorrectionTable.trajectory == seq, PhaseCorrectionTable.position == position
                )
            )
            if phase is not None:
                connection.execute(
                    insert(PhaseCorrectionTable).values(
                        trajectory=seq, position=position, phase=phase, by=by, at=self._now()
                    )
                )

    def set_supports(self, trajectory_id: str, supports: Mapping[int, Support]) -> None:
        """What was found of these citations (by ordinal); the others keep what they have."""
        with self._db.write() as connection:
            seq = number_of(connection, trajectory_id)
            ordinals = set(connection.scalars(select(CitationTable.ordinal).where(CitationTable.trajectory == seq)))
            for ordinal, support in supports.items():
                if ordinal not in ordinals:
                    raise NotFoundError(f"trajectory {trajectory_id} has no citation {ordinal}")
                if support not in SUPPORTS:
                    raise BadInputError(f"support is {support!r}; expected one of {', '.join(SUPPORTS)}")
            here = (CitationTable.trajectory == seq, CitationTable.ordinal == bindparam("at"))
            if supports:
                rows = [{"at": ordinal, "support": support} for ordinal, support in supports.items()]
                connection.execute(update(CitationTable).where(*here), rows)
            found = list(connection.scalars(select(CitationTable.support).where(CitationTable.trajectory == seq)))
            counts = {f"support_{name}": found.count(name) for name in SUPPORTS}
            connection.execute(update(TrajectoryTable).where(TrajectoryTable.seq == seq).values(**counts))


def _insert_all(connection: Connection, table: Any, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(insert(table), rows)
