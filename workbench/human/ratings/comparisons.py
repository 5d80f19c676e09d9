"""Votes as arrays: who met whom, who won, and which votes belong together."""

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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
        seen = self._seen()
        return seen[:, :, 2] + seen[:, :, 0].T

    def ties(self) -> FloatMatrix:
        """`[i, j]`: how often i and j tied (symmetric)."""
        seen = self._seen()
        return seen[:, :, 1] + seen[:, :, 1].T

    def cells(self) -> IntVector:
        """(first * M + second) * 3 + twice the score: what each vote was, as one number."""
        return (self.first * len(self.names) + self.second) * 3 + (2 * self.score).astype(np.int64)

    def only(self, chosen: npt.NDArray[np.bool_]) -> "Comparisons":
        """Those votes alone, with the names as before."""

        def codes(labels: IntVector | None) -> IntVector | None:
            return None if labels is None else np.unique(labels[chosen], return_inverse=True)[1].astype(np.int64)

        return replace(
            self,
            first=self.first[chosen],
            second=self.second[chosen],
            score=self.score[chosen],
            raters=codes(self.raters),
            questions=codes(self.questions),
            verdicts={},
        )

    def _seen(self) -> npt.NDArray[np.float64]:
        size = len(self.names)
        return np.bincount(self.cells(), minlength=size * size * 3).astype(np.float64).reshape(size, size, 3)


def compare(votes: Sequence[Vote]) -> Comparisons:
    """Arrays of `votes` in their order. Votes of a model against itself say nothing and are counted in `n_self`.

    All kinds of tie (tie, both good, both fair, both bad) count half a win for each side; `verdicts` keeps them apart.
    """
    return compare_columns(
        [vote.model_a for vote in votes],
        [vote.model_b for vote in votes],
        [vote.winner for vote in votes],
        [vote.rater for vote in votes],
        [vote.question_id for vote in votes],
    )


def compare_columns(
    model_a: Sequence[str],
    model_b: Sequence[str],
    winners: Sequence[str],
    raters: Sequence[str],
    questions: Sequence[str],
) -> Comparisons:
    """As `compare`, from one column a field; an unknown rater or question is an empty string."""
    place = _places()
    count = len(model_a)
    left, right = (np.fromiter(map(place.__getitem__, side), np.int64, count) for side in (model_a, model_b))
    names = tuple(sorted(place))
    # By name, not by appearance: nothing may depend on the order of votes.
    order = np.empty(len(names), dtype=np.int64)
    order[[place[name] for name in names]] = np.arange(len(names))
    first, second = order[left], order[right]
    between = first != second
    if not between.all():
        rows = np.flatnonzero(between).tolist()
        columns = (model_a, model_b, winners, raters, questions)
        a, b, said, who, about = ([column[i] for i in rows] for column in columns)
        return replace(compare_columns(a, b, said, who, about), n_self=count - len(rows))
    kinds, kind_of = _factors(winners)
    worth = np.array([_SCORE.get(kind, 0.5) for kind in kinds])
    verdicts = dict(zip(kinds, np.bincount(kind_of, minlength=len(kinds)).tolist(), strict=True))
    return Comparisons(names, first, second, worth[kind_of], _codes(raters), _codes(questions), verdicts, n_self=0)


def _places() -> defaultdict[str, int]:
    """A number for each label as it first comes: one pass over a million where two would take as long as the fit."""
    return defaultdict(itertools.count().__next__)


def _factors(labels: Sequence[str]) -> tuple[tuple[str, ...], IntVector]:
    """The distinct labels in order of first appearance, and which of them each is."""
    place = _places()
    codes = np.fromiter(map(place.__getitem__, labels), np.int64, len(labels))
    return tuple(place), codes


def _codes(labels: Sequence[str]) -> IntVector | None:
    known, codes = _factors(labels)
    if not any(known):
        return None
    return codes_of([label or row for row, label in enumerate(labels)]) if "" in known else codes


def clusterings(comparisons: Comparisons, wanted: Clustering) -> tuple[tuple[str, IntVector], ...]:
    """The groupings that intervals must respect, by name. `auto` takes every one the votes tell of."""
    known: dict[str, IntVector | None] = {"rater": comparisons.raters, "question": comparisons.questions}
    chosen = {"none": (), "rater": ("rater",), "question": ("question",)}.get(wanted, ("rater", "question"))
    found = [(name, codes) for name in chosen if (codes := known[name]) is not None]
    # A label that every vote shares tells nothing apart, and one that each vote has alone is no grouping.
    return tuple((name, codes) for name, codes in found if 1 < int(codes.max()) + 1 < codes.size)
