"""Ballots as they are cast, taken back and set aside, and the votes that ratings read."""

from collections.abc import Mapping, Sequence
from typing import Literal

from sqlalchemy import Connection, delete, func, select, update

from workbench.errors import BadInputError, NotFoundError
from workbench.schema.ballot import Ballot, Vote
from workbench.schema.canonical import JsonObject, content_hash
from workbench.store.engine import AnyRow, rowcount
from workbench.store.repositories.ballot_log import append, ballot_hash
from workbench.store.repositories.base import Repository
from workbench.store.repositories.rounds import get_assignment, get_round
from workbench.store.tables import AssignmentTable, BallotTable, DraftTable, TrajectoryTable, VoteTable

_B, _A, _V = BallotTable, AssignmentTable, VoteTable
_WINNERS: Mapping[str, str] = {"left": "model_a", "right": "model_b"}
# Training, attention checks and repeated pairs are about the rater: none of them counts for a model.
_COUNTED = (_B.undone_at.is_(None), _B.set_aside == "", _A.purpose == "rating")


class Ballots(Repository):
    """The half of `Human` that counts."""

    def cast(self, ballot: Ballot, *, idempotency_key: str) -> Literal["recorded", "already"]:
        """Records the ballot; `already` where one stands for this assignment or this key was used before.

        A key that was taken back stays used, so that a repeated request cannot bring a ballot back. Raises
        BadInputError on a closed round or a ballot for another rater's assignment.
        """
        with self._db.write() as connection:
            assignment = get_assignment(connection, ballot.assignment_id)
            if (assignment.rater, assignment.round_id) != (ballot.rater, ballot.round_id):
                raise BadInputError(f"assignment {ballot.assignment_id} is not one of {ballot.rater!r} in this round")
            row = {
                "assignment_id": ballot.assignment_id,
                "round_id": ballot.round_id,
                "rater": ballot.rater,
                "verdict": ballot.verdict,
                "scores": {name: list(pair) for name, pair in ballot.scores.items()},
                "reason": ballot.reason,
                "seconds": ballot.seconds,
                "created_at": ballot.created_at or self._now(),
                "set_aside": ballot.set_aside,
                "idempotency_key": idempotency_key,
                "undone_at": None,
            }
            if not self._db.insert_new(connection, BallotTable, [row], _B.seq):
                return "already"
            connection.execute(delete(DraftTable).where(DraftTable.assignment_id == ballot.assignment_id))
            # Held as late as can be: whoever holds the round lets all its other raters wait.
            if get_round(connection, ballot.round_id, hold=True).state == "closed":
                raise BadInputError(f"round {ballot.round_id} is closed; it takes no more ballots")
            sealed: JsonObject = {"assignment": ballot.assignment_id, "ballot": ballot_hash(ballot)}
            append(connection, ballot.round_id, "cast", sealed, at=self._now())
        return "recorded"

    def undo(self, assignment_id: str, rater: str) -> bool:
        """Takes the rater's ballot back: kept as history, the assignment is free again. False if there is none.

        Raises BadInputError on a closed round.
        """
        with self._db.write() as connection:
            assignment = get_assignment(connection, assignment_id)
            if get_round(connection, assignment.round_id, hold=True).state == "closed":
                raise BadInputError(f"round {assignment.round_id} is closed; its ballots stand as they are")
            standing = (_B.assignment_id == assignment_id, _B.rater == rater, _B.undone_at.is_(None))
            at = self._now()
            if not rowcount(connection, update(_B).where(*standing).values(undone_at=at)):
                return False
            append(connection, assignment.round_id, "undone", {"assignment": assignment_id}, at=at)
        return True

    def ballots(
        self, round_id: str | None = None, include_set_aside: bool = True, *, rater: str | None = None
    ) -> tuple[Ballot, ...]:
        """Those that stand, in the order in which they were cast."""
        statement = select(*_B.__table__.c).where(_B.undone_at.is_(None)).order_by(_B.seq)
        if rater is not None:
            statement = statement.where(_B.rater == rater)
        if round_id is not None:
            statement = statement.where(_B.round_id == round_id)
        if not include_set_aside:
            statement = statement.where(_B.set_aside == "")
        with self._db.read() as connection:
            return tuple(_ballot(row) for row in connection.execute(statement))

    def history(self, assignment_id: str) -> tuple[Ballot, ...]:
        """Every ballot ever cast for the assignment, those taken back too, in order."""
        with self._db.read() as connection:
            rows = connection.execute(select(*_B.__table__.c).where(_B.assignment_id == assignment_id).order_by(_B.seq))
            return tuple(_ballot(row) for row in rows)

    def set_aside(self, assignment_id: str, reason: str) -> None:
        """Does not count this ballot from now on, and why; an empty reason counts it again."""
        with self._db.write() as connection:
            standing = (_B.assignment_id == assignment_id, _B.undone_at.is_(None))
            round_id = connection.scalar(select(_B.round_id).where(*standing))
            if round_id is None:
                raise NotFoundError(f"no ballot stands for assignment {assignment_id!r}")
            get_round(connection, round_id, hold=True)
            connection.execute(update(_B).where(*standing).values(set_aside=reason))
            body = {"assignment": assignment_id, "reason": content_hash(reason)}
            append(connection, round_id, "set_aside" if reason else "counted_again", body, at=self._now())

    def save_draft(self, assignment_id: str, draft: JsonObject) -> None:
        """What a rater has filled in so far; casting the ballot removes it."""
        statement = self._db.insert(DraftTable).values(assignment_id=assignment_id, draft=draft)
        with self._db.write() as connection:
            get_assignment(connection, assignment_id)
            connection.execute(
                statement.on_conflict_do_update(
                    index_elements=["assignment_id"], set_={"draft": statement.excluded.draft}
                )
            )

    def draft(self, assignment_id: str) -> JsonObject | None:
        with self._db.read() as connection:
            found: JsonObject | None = connection.scalar(
                select(DraftTable.draft).where(DraftTable.assignment_id == assignment_id)
            )
            return found

    def votes(
        self, round_id: str | None = None, source: str | None = None, *, by: Literal["model", "run"] = "model"
    ) -> tuple[Vote, ...]:
        """Ballots that count with their sides' models (or runs) in place of the sides, then imported votes.

        `round_id` asks for that round's ballots alone, `source` for that source's imported votes alone.
        """
        with self._db.read() as connection:
            cast = () if source is not None else _cast_votes(connection, round_id, by)
            imported = () if round_id is not None else _imported_votes(connection, source)
        return (*cast, *imported)

    def shown(self, round_id: str) -> tuple[tuple[str, str], ...]:
        """The trajectories on the left and on the right of each of the round's `votes`, in their order."""
        statement = (
            select(_A.left, _A.right)
            .join(_B, _A.id == _B.assignment_id)
            .where(_B.round_id == round_id, *_COUNTED)
            .order_by(_B.seq)
        )
        with self._db.read() as connection:
            return tuple((row.left, row.right) for row in connection.execute(statement))

    def add_votes(self, votes: Sequence[Vote]) -> tuple[int, int]:
        """Imported votes, known by source and ordinal. Gives (imported, duplicates)."""
        rows = [
            {
                "source": vote.source,
                "ordinal": vote.ordinal,
                "model_a": vote.model_a,
                "model_b": vote.model_b,
                "winner": vote.winner,
                "rater": vote.rater,
                "question_id": vote.question_id,
                "reason": vote.reason,
                "scores": {name: list(pair) for name, pair in vote.scores.items()},
            }
            for vote in sorted(votes, key=lambda vote: (vote.source, vote.ordinal))
        ]
        with self._db.write() as connection:
            imported = len(self._db.insert_new(connection, VoteTable, rows, _V.ordinal))
        return imported, len(rows) - imported

    def vote_sources(self) -> dict[str, int]:
        """Each source of imported votes and how many it gave."""
        with self._db.read() as connection:
            rows = connection.execute(
                select(_V.source, func.count().label("n")).group_by(_V.source).order_by(_V.source)
            )
            return {row.source: row.n for row in rows}


def _cast_votes(connection: Connection, round_id: str | None, by: Literal["model", "run"]) -> tuple[Vote, ...]:
    left, right = TrajectoryTable.__table__.alias("left_side"), TrajectoryTable.__table__.alias("right_side")
    statement = (
        select(
            left.c[by].label("model_a"),
            right.c[by].label("model_b"),
            _B.verdict,
            _B.rater,
            _A.question_id,
            _B.reason,
            _B.scores,
        )
        .join(_A, _A.id == _B.assignment_id)
        .join(left, left.c.id == _A.left)
        .join(right, right.c.id == _A.right)
        .where(*_COUNTED)
        .order_by(_B.seq)
    )
    if round_id is not None:
        statement = statement.where(_B.round_id == round_id)
    return tuple(_vote(row, _WINNERS.get(row.verdict, row.verdict)) for row in connection.execute(statement))


def _imported_votes(connection: Connection, source: str | None) -> tuple[Vote, ...]:
    statement = select(*_V.__table__.c).order_by(_V.source, _V.ordinal)
    if source is not None:
        statement = statement.where(_V.source == source)
    return tuple(_vote(row, row.winner, row.source, row.ordinal) for row in connection.execute(statement))


def _vote(row: AnyRow, winner: str, source: str = "", ordinal: int = 0) -> Vote:
    return Vote(
        model_a=row.model_a,
        model_b=row.model_b,
        winner=winner,  # type: ignore[arg-type]  # a verdict other than left and right is a winner of the same name
        rater=row.rater,
        question_id=row.question_id,
        source=source,
        ordinal=ordinal,
        reason=row.reason,
        scores=_pairs(row.scores),
    )


def _ballot(row: AnyRow) -> Ballot:
    return Ballot(
        assignment_id=row.assignment_id,
        round_id=row.round_id,
        rater=row.rater,
        verdict=row.verdict,
        scores=_pairs(row.scores),
        reason=row.reason,
        seconds=row.seconds,
        created_at=row.created_at,
        set_aside=row.set_aside,
    )


def _pairs(scores: Mapping[str, Sequence[int]]) -> dict[str, tuple[int, int]]:
    return {name: (left, right) for name, (left, right) in scores.items()}
