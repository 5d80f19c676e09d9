"""What raters wrote, ready to be put into groups, and the groups with their ballots."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from workbench.human.votes import CountedVotes
from workbench.schema.ballot import Vote


class Mode(Protocol):
    """Texts that say the same: indices into `Told.texts`, and what sets them apart (`workbench.reading` finds them)."""

    @property
    def terms(self) -> tuple[str, ...]: ...
    @property
    def members(self) -> tuple[int, ...]: ...
    @property
    def typical(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Told:
    """The votes that gave a reason, by their row among those counted. `n_votes`: all of them."""

    rows: tuple[int, ...]
    texts: tuple[str, ...]
    questions: tuple[str, ...]
    n_votes: int


@dataclass(frozen=True, slots=True)
class ReasonGroup:
    """`rows` index the votes that were counted. `won`: how many of the group's ballots each model won."""

    terms: tuple[str, ...]
    rows: tuple[int, ...]
    typical: int
    won: Mapping[str, int]


def reasons_in(counted: CountedVotes) -> Told:
    """Reasons that are more than white space. A vote of no known question is about a question of its own."""
    told = [(row, vote) for row, vote in enumerate(counted.votes) if vote.reason.strip()]
    return Told(
        tuple(row for row, _ in told),
        tuple(vote.reason for _, vote in told),
        tuple(vote.question_id or str(row) for row, vote in told),
        len(counted.votes),
    )


def reason_groups(counted: CountedVotes, told: Told, modes: Sequence[Mode]) -> tuple[ReasonGroup, ...]:
    """The groups in the order of `modes`, each with its ballots and who won them."""
    found = []
    for mode in modes:
        rows = tuple(told.rows[n] for n in mode.members)
        won = _winners([counted.votes[row] for row in rows])
        found.append(ReasonGroup(mode.terms, rows, told.rows[mode.typical], won))
    return tuple(found)


def _winners(votes: Sequence[Vote]) -> dict[str, int]:
    won = [vote.model_a for vote in votes if vote.winner == "model_a"]
    won += [vote.model_b for vote in votes if vote.winner == "model_b"]
    return dict(Counter(won).most_common())
