"""Votes on one dimension: the report with the higher score wins it."""

from collections.abc import Sequence
from dataclasses import replace

from workbench.schema.ballot import Vote


def dimensions_in(votes: Sequence[Vote]) -> tuple[str, ...]:
    """The dimensions that any vote has scores for, in alphabetical order."""
    return tuple(sorted({name for vote in votes for name in vote.scores}))


def votes_on(votes: Sequence[Vote], dimension: str) -> tuple[Vote, ...]:
    """Votes with scores on `dimension`, each won by the higher score; equal scores are a tie."""
    found = []
    for vote in votes:
        if dimension in vote.scores:
            left, right = vote.scores[dimension]
            found.append(replace(vote, winner="model_a" if left > right else "model_b" if right > left else "tie"))
    return tuple(found)
