"""Votes for tests: short to write, and the public ones read from their files."""

import csv
from collections.abc import Sequence
from pathlib import Path

from workbench.schema.ballot import Vote

LLMFAO_WINNER = {"left": "model_a", "right": "model_b", "tie": "tie"}


def vote(a: str, b: str, winner: str = "model_a", **more: object) -> Vote:
    return Vote(a, b, winner, **more)  # type: ignore[arg-type]


def results(*rows: tuple[str, str, int]) -> list[Vote]:
    """`(winner, loser, how often)`."""
    return [vote(winner, loser) for winner, loser, times in rows for _ in range(times)]


def llmfao_votes(path: Path) -> list[Vote]:
    with path.open(newline="") as file:
        return [
            vote(
                row["left"],
                row["right"],
                LLMFAO_WINNER[row["winner"]],
                rater=row["worker"],
                question_id=row["prompt"],
                source="llmfao",
                ordinal=ordinal,
            )
            for ordinal, row in enumerate(csv.DictReader(file))
        ]


def renamed(votes: Sequence[Vote], names: dict[str, str]) -> list[Vote]:
    return [
        vote(names[v.model_a], names[v.model_b], v.winner, rater=v.rater, question_id=v.question_id, scores=v.scores)
        for v in votes
    ]


def sides_swapped(votes: Sequence[Vote]) -> list[Vote]:
    other = {"model_a": "model_b", "model_b": "model_a"}
    return [
        vote(v.model_b, v.model_a, other.get(v.winner, v.winner), rater=v.rater, question_id=v.question_id)
        for v in votes
    ]
