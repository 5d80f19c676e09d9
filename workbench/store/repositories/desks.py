"""One rater's place in a round: what the rating page asks for at every ballot, without reading anybody else's."""

from dataclasses import dataclass

from sqlalchemy import select

from workbench.errors import NotFoundError
from workbench.schema.ballot import Assignment, Round
from workbench.store.repositories.base import Repository
from workbench.store.repositories.rounds import assignment_from, get_round
from workbench.store.tables import AssignmentTable, BallotTable

_A, _B = AssignmentTable, BallotTable
# The pair before the rater, and the one after, which is made ready meanwhile.
LOOK_AHEAD = 2


@dataclass(frozen=True, slots=True)
class Place:
    """`cast`: (assignment id, seconds) of the ballots that stand, in the order in which they were cast.

    `waiting`: the next assignments without one, at most two.
    """

    round: Round
    n_assigned: int
    cast: tuple[tuple[str, float | None], ...]
    waiting: tuple[Assignment, ...]


class Desks(Repository):
    """The third of `Human` that a rater waits for."""

    def place(self, round_id: str, rater: str) -> Place:
        """Where the rater is. Raises NotFoundError for an unknown round."""
        mine = (_A.round_id == round_id, _A.rater == rater)
        standing = (_B.assignment_id == _A.id) & _B.undone_at.is_(None)
        said = select(_B.seq, _A.id, _B.seconds).select_from(_A).outerjoin(_B, standing).where(*mine)
        with self._db.read() as connection:
            round_ = get_round(connection, round_id)
            rows = connection.execute(said.order_by(_A.position, _A.id)).all()
            next_ids = [row.id for row in rows if row.seq is None][:LOOK_AHEAD]
            coming = select(*_A.__table__.c).where(_A.id.in_(next_ids)).order_by(_A.position, _A.id)
            waiting = tuple(assignment_from(row) for row in connection.execute(coming)) if next_ids else ()
        cast = sorted((row.seq, row.id, row.seconds) for row in rows if row.seq is not None)
        return Place(round_, len(rows), tuple((id_, seconds) for _, id_, seconds in cast), waiting)

    def assignment(self, round_id: str, rater: str, assignment_id: str) -> Assignment:
        """Raises NotFoundError where it is not there or not this rater's, which it does not tell apart."""
        wanted = (_A.id == assignment_id, _A.round_id == round_id, _A.rater == rater)
        with self._db.read() as connection:
            row = connection.execute(select(*_A.__table__.c).where(*wanted)).first()
        if row is None:
            raise NotFoundError(f"no assignment {assignment_id!r} of {rater!r} in the round")
        return assignment_from(row)
