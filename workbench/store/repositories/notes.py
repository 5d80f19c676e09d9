"""Notes and tags on trajectories, and filters kept under a name."""

from collections.abc import Mapping

from sqlalchemy import ColumnElement, delete, func, select, update

from workbench.errors import BadInputError, NotFoundError
from workbench.schema.note import Note
from workbench.store.engine import AnyRow, rowcount
from workbench.store.repositories.base import Repository, number_of
from workbench.store.tables import NoteTable, SavedFilterTable, StepTable, TrajectoryTable

_N, _F, _T = NoteTable, SavedFilterTable, TrajectoryTable
STANDS: ColumnElement[bool] = _N.removed_at.is_(None)


class Notes(Repository):
    """Notes are taken back, never deleted: what a filter of last week found can be found again."""

    def add(self, note: Note) -> str:
        """Its id. The same note again changes nothing; one that was taken back stands again.

        Raises NotFoundError for an unknown trajectory, BadInputError for a step that it does not have.
        """
        with self._db.write() as connection:
            seq = number_of(connection, note.trajectory_id)
            if note.position is not None:
                here = select(func.count()).where(StepTable.trajectory == seq, StepTable.position == note.position)
                if not connection.scalar(here):
                    raise BadInputError(f"trajectory {note.trajectory_id} has no step {note.position}")
            row = {
                "id": note.id,
                "trajectory": seq,
                "anchor": note.anchor,
                "position": note.position,
                "start": note.start,
                "end": note.end,
                "kind": note.kind,
                "text": note.text,
                "by": note.by,
                "at": note.at,
                "removed_at": None,
            }
            statement = self._db.insert(_N).values(**row)
            again = {"at": statement.excluded["at"], "removed_at": None}
            connection.execute(
                statement.on_conflict_do_update(
                    index_elements=["id"], set_=again, where=_N.__table__.c.removed_at.is_not(None)
                )
            )
        return note.id

    def of_trajectory(self, trajectory_id: str) -> tuple[Note, ...]:
        """Those that stand: on the whole first, then by step, then by place in the report, the older first."""
        order = (_N.anchor.desc(), _N.position, _N.start, _N.at, _N.id)
        statement = select(_T.id.label("owner"), *_N.__table__.c).join(_T, _T.seq == _N.trajectory)
        with self._db.read() as connection:
            number_of(connection, trajectory_id)
            rows = connection.execute(statement.where(_T.id == trajectory_id, STANDS).order_by(*order))
            return tuple(_note(row) for row in rows)

    def remove(self, note_id: str) -> None:
        """Takes a note back. Raises NotFoundError where none of this id stands."""
        with self._db.write() as connection:
            taken = update(_N).where(_N.id == note_id, STANDS).values(removed_at=self._now())
            if not rowcount(connection, taken):
                raise NotFoundError(f"no note {note_id!r} stands in the store")

    def kinds(self) -> Mapping[str, int]:
        """How many trajectories have a note of each kind; tags under `tag:` and their text."""
        n = func.count(_N.trajectory.distinct()).label("n")
        tags = select(_N.text, n).where(STANDS, _N.kind == "tag").group_by(_N.text)
        others = select(_N.kind, n).where(STANDS, _N.kind != "tag").group_by(_N.kind)
        with self._db.read() as connection:
            found = {row.kind: row.n for row in connection.execute(others)}
            found |= {f"tag:{row.text}": row.n for row in connection.execute(tags)}
        return dict(sorted(found.items()))

    def save_filter(self, name: str, query: str) -> None:
        """Keeps a filter under a name; an older one of that name gives way. Raises BadInputError without a name."""
        if not name.strip():
            raise BadInputError("a saved filter needs a name")
        statement = self._db.insert(_F).values(name=name.strip(), query=query, at=self._now())
        newer = {"query": statement.excluded["query"], "at": statement.excluded["at"]}
        with self._db.write() as connection:
            connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=newer))

    def saved_filters(self) -> Mapping[str, str]:
        """Name -> query parameters, by name."""
        with self._db.read() as connection:
            rows = connection.execute(select(_F.name, _F.query).order_by(_F.name))
            return {row.name: row.query for row in rows}

    def drop_filter(self, name: str) -> None:
        """Raises NotFoundError where no filter has this name."""
        with self._db.write() as connection:
            if not rowcount(connection, delete(_F).where(_F.name == name)):
                raise NotFoundError(f"no saved filter {name!r}")


def _note(row: AnyRow) -> Note:
    return Note(
        trajectory_id=row.owner,
        kind=row.kind,
        text=row.text,
        by=row.by,
        at=row.at,
        anchor=row.anchor,
        position=row.position,
        start=row.start,
        end=row.end,
    )
