"""Votes as arrays: who met whom, who won, and which votes belong together."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from workbench.schema.ballot import Vote
from workbench.stats.bootstrap import codes_of
from workbench.stats.estimate import FloatMatrix, FloatVector, IntVector

Clustering: TypeAlias = Literal["auto", "none", "rater", "question", "both"]
_SCORE: Mapping[str, float] = {"model_a": 1.0, "model_b": 0.0}


@dataclass(frozen=True, slots=True)
class Comparisons:
    """n votes over M models. `first` and `second` index `names`; `score` is 1, 0.5 or 0 for the first.

    `raters` and `questions` are codes 0..k-1, or None where the votes do not say. A vote of an unknown rater (or
    question) among known ones is a cluster of its own.
    """

    names: tuple[str, ...]
    first: IntVector
    second: IntVector
    score: FloatVector
    raters: IntVector | None
    questions: IntVector | None
    verdicts: Mapping[str, int]
    n_self: int

    @property
    def n(self) -> int:
        return int(self.score.size)

    def wins(self) -> FloatMatrix:
        """`[i, j]`: how often i beat j, ties not counted."""
        return self._count(self.first, self.second, self.score == 1.0) + self._count(
            self.second, self.first, self.score == 0.0
        )

    def ties(self) -> FloatMatrix:
        """`[i, j]`: how often i and j tied (symmetric)."""
        one_way = self._count(self.first, self.second, self.score == 0.5)
        return one_way + one_way.T

    def _count(self, rows: IntVector, columns: IntVector, chosen: npt.NDArray[np.bool_]) -> FloatMatrix:
        size = len(self.names)
        cells = rows[chosen] * size + columns[chosen]
        return np.bincount(cells, minlength=size * size).astype(np.float64).reshape(size, size)


def compare(votes: Sequence[Vote]) -> Comparisons:
    """Arrays of `votes` in their order. Votes of a model against itself say nothing and are counted in `n_self`.

    All kinds of tie (tie, both good, both fair, both bad) count half a win for each side; `verdicts` keeps them apart.
    """
    between = [vote for vote in votes if vote.model_a != vote.model_b]
    names = tuple(sorted({vote.model_a for vote in between} | {vote.model_b for vote in between}))
    index = {name: position for position, name in enumerate(names)}
    return Comparisons(
        names=names,
        first=np.array([index[vote.model_a] for vote in between], dtype=np.int64),
        second=np.array([index[vote.model_b] for vote in between], dtype=np.int64),
        score=np.array([_SCORE.get(vote.winner, 0.5) for vote in between], dtype=np.float64),
        raters=_codes([vote.rater for vote in between]),
        questions=_codes([vote.question_id for vote in between]),
        verdicts=dict(Counter(vote.winner for vote in between)),
        n_self=len(votes) - len(between),
    )


def _codes(labels: Sequence[str]) -> IntVector | None:
    if not any(labels):
        return None
    return codes_of([label or row for row, label in enumerate(labels)])


def clusterings(comparisons: Comparisons, wanted: Clustering) -> tuple[tuple[str, IntVector], ...]:
    """The groupings that intervals must respect, by name. `auto` takes every one the votes tell of."""
    known: dict[str, IntVector | None] = {"rater": comparisons.raters, "question": comparisons.questions}
    chosen = {"none": (), "rater": ("rater",), "question": ("question",)}.get(wanted, ("rater", "question"))
    found = [(name, codes) for name in chosen if (codes := known[name]) is not None]
    # A label that every vote shares tells nothing apart, and one that each vote has alone is no grouping.
    return tuple((name, codes) for name, codes in found if 1 < int(codes.max()) + 1 < codes.size)
