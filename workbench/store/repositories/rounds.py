"""Rounds of human evaluation, who rates in them, and what each is shown."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, func, select, update

from workbench.errors import BadInputError, NotFoundError
from workbench.schema.ballot import Assignment, Round
from workbench.schema.canonical import JsonObject, content_hash
from workbench.store.engine import AnyRow, rowcount
from workbench.store.repositories.ballot_log import append
from workbench.store.repositories.base import Repository
from workbench.store.repositories.filters import known_ids
from workbench.store.rows import RaterRow
from workbench.store.tables import AssignmentTable, BallotTable, RaterTable, RoundTable

_R, _A, _B = RoundTable, AssignmentTable, BallotTable


class Rounds(Repository):
    """The half of `Human` that sets up."""

    def create_round(self, round_: Round, assignments: Sequence[Assignment]) -> None:
        """The round with all its assignments. Doing it again changes nothing; raises BadInputError where another
        round has this id already."""
        with self._db.write() as connection:
            fresh = self._db.insert_new(connection, RoundTable, [_round_row(round_)], _R.id)
            there = get_round(connection, round_.id)
            if (there.name, there.runs, there.seed) != (round_.name, round_.runs, round_.seed):
                raise BadInputError(f"round {round_.id} exists already as {there.name!r}; choose another id")
            self._insert_assignments(connection, assignments)
            if fresh:
                body: JsonObject = {
                    "runs": list(round_.runs),
                    "seed": round_.seed,
                    "assignments": _hash_of(assignments),
                }
                append(connection, round_.id, "opened", body, at=self._now())

    def add_assignments(self, round_id: str, assignments: Sequence[Assignment]) -> None:
        """More pairs for an open round, say for a rater who joins. Those that are there already stay as they are."""
        with self._db.write() as connection:
            if get_round(connection, round_id, hold=True).state == "closed":
                raise BadInputError(f"round {round_id} is closed; open another one")
            self._insert_assignments(connection, assignments)
            append(connection, round_id, "extended", {"assignments": _hash_of(assignments)}, at=self._now())

    def _insert_assignments(self, connection: Connection, assignments: Sequence[Assignment]) -> None:
        wanted = sorted({id_ for one in assignments for id_ in (one.left, one.right)})
        known = {row.id for row in connection.execute(known_ids(self._db, wanted))}
        if missing := [id_ for id_ in wanted if id_ not in known]:
            raise BadInputError(f"assignments name {len(missing)} trajectories not in the store, such as {missing[0]}")
        rows = [
            {
                "id": one.id,
                "round_id": one.round_id,
                "rater": one.rater,
                "question_id": one.question_id,
                "left": one.left,
                "right": one.right,
                "position": one.position,
                "purpose": one.purpose,
                "expected": one.expected,
                "feedback": one.feedback,
            }
            for one in sorted(assignments, key=lambda one: one.id)
        ]
        self._db.insert_new(connection, AssignmentTable, rows)

    def round(self, round_id: str) -> Round:
        with self._db.read() as connection:
            return get_round(connection, round_id)

    def rounds(self) -> tuple[Round, ...]:
        """All of them, the newest first."""
        with self._db.read() as connection:
            rows = connection.execute(select(*_R.__table__.c).order_by(_R.created_at.desc(), _R.id))
            return tuple(_round(row) for row in rows)

    def close_round(self, round_id: str, at: datetime) -> None:
        """No ballot is taken from now on. A round that is closed keeps its time."""
        with self._db.write() as connection:
            get_round(connection, round_id, hold=True)
            closing = update(_R).where(_R.id == round_id, _R.state != "closed")
            if rowcount(connection, closing.values(state="closed", closed_at=at)):
                append(connection, round_id, "closed", {}, at=at)

    def add_rater(self, round_id: str, rater: str, token_hash: str, expires_at: datetime) -> None:
        """Invites a rater; a second invitation replaces the first, whose link is dead from then on."""
        row = {
            "round_id": round_id,
            "rater": rater,
            "token_hash": token_hash,
            "expires_at": expires_at,
            "revoked": False,
        }
        statement = self._db.insert(RaterTable).values(**row)
        replaced = {name: statement.excluded[name] for name in ("token_hash", "expires_at", "revoked")}
        with self._db.write() as connection:
            get_round(connection, round_id)
            connection.execute(statement.on_conflict_do_update(index_elements=["round_id", "rater"], set_=replaced))

    def rater_for_token(self, token_hash: str, now: datetime) -> tuple[str, str] | None:
        """(round id, rater) of a valid invitation; None where it is unknown, revoked or expired."""
        with self._db.read() as connection:
            row = connection.execute(
                select(RaterTable.round_id, RaterTable.rater).where(
                    RaterTable.token_hash == token_hash, RaterTable.revoked.is_(False), RaterTable.expires_at > now
                )
            ).first()
        return None if row is None else (row.round_id, row.rater)

    def revoke_rater(self, round_id: str, rater: str) -> None:
        """The rater's link is dead; the ballots stay."""
        with self._db.write() as connection:
            mine = update(RaterTable).where(RaterTable.round_id == round_id, RaterTable.rater == rater)
            if not rowcount(connection, mine.values(revoked=True)):
                raise NotFoundError(f"round {round_id} has no rater {rater!r}")

    def raters(self, round_id: str) -> tuple[RaterRow, ...]:
        """Those invited, by name, with how far each is."""
        with self._db.read() as connection:
            get_round(connection, round_id)
            assigned = _count_by_rater(connection, round_id, None)
            cast = _count_by_rater(connection, round_id, _B)
            rows = connection.execute(
                select(*RaterTable.__table__.c).where(RaterTable.round_id == round_id).order_by(RaterTable.rater)
            )
            return tuple(
                RaterRow(
                    round_id=row.round_id,
                    rater=row.rater,
                    expires_at=row.expires_at,
                    revoked=row.revoked,
                    n_assigned=assigned.get(row.rater, 0),
                    n_cast=cast.get(row.rater, 0),
                )
                for row in rows
            )

    def assignments(self, round_id: str, rater: str | None = None) -> tuple[Assignment, ...]:
        """By rater and position."""
        statement = select(*_A.__table__.c).where(_A.round_id == round_id).order_by(_A.rater, _A.position, _A.id)
        if rater is not None:
            statement = statement.where(_A.rater == rater)
        with self._db.read() as connection:
            return tuple(assignment_from(row) for row in connection.execute(statement))


def get_round(connection: Connection, round_id: str, *, hold: bool = False) -> Round:
    """Raises NotFoundError. With `hold` nobody else changes the round or its log before this transaction ends."""
    statement = select(*_R.__table__.c).where(_R.id == round_id)
    row = connection.execute(statement.with_for_update(key_share=True) if hold else statement).first()
    if row is None:
        raise NotFoundError(f"no round {round_id!r} in the store")
    return _round(row)


def _hash_of(assignments: Sequence[Assignment]) -> str:
    """Of who is shown what on which side, whatever the order."""
    return content_hash(
        [[one.id, one.rater, one.question_id, one.left, one.right] for one in sorted(assignments, key=lambda o: o.id)]
    )


def get_assignment(connection: Connection, assignment_id: str) -> Assignment:
    row = connection.execute(select(*_A.__table__.c).where(_A.id == assignment_id)).first()
    if row is None:
        raise NotFoundError(f"no assignment {assignment_id!r} in the store")
    return assignment_from(row)


def _count_by_rater(connection: Connection, round_id: str, ballots: type[BallotTable] | None) -> dict[str, int]:
    statement = select(_A.rater, func.count().label("n")).where(_A.round_id == round_id).group_by(_A.rater)
    if ballots is not None:
        statement = statement.join(ballots, ballots.assignment_id == _A.id).where(ballots.undone_at.is_(None))
    return {row.rater: row.n for row in connection.execute(statement)}


def _round_row(round_: Round) -> dict[str, object]:
    return {
        "id": round_.id,
        "name": round_.name,
        "runs": list(round_.runs),
        "dimensions": dict(round_.dimensions),
        "reason_required": round_.reason_required,
        "state": round_.state,
        "seed": round_.seed,
        "simulated": round_.simulated,
        "created_at": round_.created_at,
        "closed_at": round_.closed_at,
        "settings": dict(round_.settings),
    }


def _round(row: AnyRow) -> Round:
    return Round(
        id=row.id,
        name=row.name,
        runs=tuple(row.runs),
        dimensions=row.dimensions,
        reason_required=row.reason_required,
        state=row.state,
        seed=row.seed,
        simulated=row.simulated,
        created_at=row.created_at,
        closed_at=row.closed_at,
        settings=row.settings,
    )


def assignment_from(row: AnyRow) -> Assignment:
    return Assignment(
        row.id,
        row.round_id,
        row.rater,
        row.question_id,
        row.left,
        row.right,
        row.position,
        row.purpose,
        row.expected,
        row.feedback,
    )
