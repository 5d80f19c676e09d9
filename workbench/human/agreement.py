"""Do raters agree? Krippendorff's alpha over pairs that two or more raters judged: the verdict, each dimension."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from workbench.schema.ballot import Vote
from workbench.schema.canonical import JsonValue
from workbench.stats.agreement import AlphaLevel, alpha_of_coincidences, tables_of_counts
from workbench.stats.bootstrap import codes_of
from workbench.stats.estimate import Estimate, FloatMatrix, FloatVector, IntVector, Measured, NotMeasured

_OUTCOMES = (1.0, 0.0, -1.0)
_SCORES = (1.0, 2.0, 3.0, 4.0, 5.0)
_SWAP = np.array([2, 1, 0])
_SAID: Mapping[str, int] = {"model_a": 0, "model_b": 2}


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """Agreement beyond chance. `same_share` is the plain share of rater pairs that gave one verdict, None if none met.

    `dimensions` holds the ordinal alpha of each dimension's 1..5 scores.
    """

    verdict: Measured
    same_share: float | None
    n_raters: int
    n_pairs_rated_twice: int
    dimensions: Mapping[str, Measured]

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "measure": "Krippendorff alpha",
            **_json_of(self.verdict),
            "same_share": self.same_share,
            "n_raters": self.n_raters,
            "n_pairs_rated_twice": self.n_pairs_rated_twice,
            "dimensions": {name: _json_of(found) for name, found in self.dimensions.items()},
        }


def rater_agreement(votes: Sequence[Vote], *, seed: int, level: float = 0.95) -> RaterAgreement:
    """Over votes of known raters on known questions; of one rater on one pair the last vote counts.

    The verdict is nominal (one side, a tie, the other side). Which side is called first is a matter of names, so each
    pair enters half in either direction: the figure does not depend on naming. Intervals are drawn over questions,
    since pairs of one question are judged alike or not together; over pairs where all are of one question.
    """
    known = [vote for vote in votes if vote.rater and vote.question_id and vote.model_a != vote.model_b]
    if not known:
        nobody = NotMeasured("no pair was judged by two raters")
        return RaterAgreement(nobody, None, 0, 0, {})
    last, units, questions, outcome = _last_votes(known)
    counts_UV = _counted(units, outcome, len(_OUTCOMES))
    forward, backward = tables_of_counts(counts_UV), tables_of_counts(counts_UV[:, _SWAP])
    twice = counts_UV.sum(axis=1) >= 2
    names = sorted({name for row in last.tolist() for name in known[row].scores})
    about = _of_units(units, questions)
    return RaterAgreement(
        verdict=_alpha((forward + backward) / 2, np.array([1.0, 0.0, -1.0]), about[twice], seed=seed, level=level),
        same_share=float(forward[:, [0, 4, 8]].sum() / forward.sum()) if len(forward) else None,
        n_raters=len({vote.rater for vote in known}),
        n_pairs_rated_twice=len(forward),
        dimensions={
            name: _dimension([known[row] for row in last.tolist()], units, about, name, seed=seed, level=level)
            for name in names
        },
    )


def _last_votes(votes: Sequence[Vote]) -> tuple[IntVector, IntVector, IntVector, IntVector]:
    """Rows of the last vote of each rater on each pair of one question; of each the pair (0..U-1), the question, and
    0 if the model of the lower name won, 1 for any tie, 2 if the other did."""
    sides = [vote.model_a for vote in votes], [vote.model_b for vote in votes]
    place = {name: position for position, name in enumerate(sorted({*sides[0], *sides[1]}))}
    first, second = (np.fromiter(map(place.__getitem__, side), np.int64, len(votes)) for side in sides)
    raters, questions = codes_of([vote.rater for vote in votes]), codes_of([vote.question_id for vote in votes])
    low, high = np.minimum(first, second), np.maximum(first, second)
    pairs = (questions * len(place) + low) * len(place) + high
    _, back = np.unique((pairs * (int(raters.max()) + 1) + raters)[::-1], return_index=True)
    last = len(votes) - 1 - back
    _, units = np.unique(pairs[last], return_inverse=True)
    said = np.array([_SAID.get(vote.winner, 1) for vote in votes], dtype=np.int64)
    outcome = np.where(first < second, said, 2 - said)
    return last, units.astype(np.int64), questions[last], outcome[last]


def _counted(units: IntVector, values: IntVector, size: int) -> FloatMatrix:
    """How often each unit got each value, units x values."""
    flat = np.bincount(units * size + values, minlength=(int(units.max()) + 1) * size)
    return flat.astype(np.float64).reshape(-1, size)


def _of_units(units: IntVector, questions: IntVector) -> IntVector:
    found = np.zeros(int(units.max()) + 1, dtype=np.int64)
    found[units] = questions
    return found


def _dimension(
    last: Sequence[Vote], units: IntVector, about: IntVector, name: str, *, seed: int, level: float
) -> Measured:
    """Of the 1..5 scores that both reports of a pair got."""
    cells, values = [], []
    for vote, unit in zip(last, units.tolist(), strict=True):
        if name in vote.scores:
            swapped = vote.model_a > vote.model_b
            for side, score in enumerate(vote.scores[name]):
                cells.append(2 * unit + (side != swapped))
                values.append(score - 1)
    counts_UV = _counted(np.array(cells, dtype=np.int64), np.array(values, dtype=np.int64), len(_SCORES))
    twice = counts_UV.sum(axis=1) >= 2
    questions = np.repeat(about, 2)[: len(twice)][twice]
    return _alpha(tables_of_counts(counts_UV), np.array(_SCORES), questions, seed=seed, level=level, ordinal=True)


def _alpha(
    tables: FloatMatrix, values: FloatVector, about: IntVector, *, seed: int, level: float, ordinal: bool = False
) -> Measured:
    if len(tables) == 0:
        return NotMeasured("no pair was judged by two raters")
    scale: AlphaLevel = "ordinal" if ordinal else "nominal"
    questions = np.unique(about)
    if questions.size > 1:
        where = np.searchsorted(questions, about)
        summed = np.zeros((questions.size, tables.shape[1]))
        np.add.at(summed, where, tables)
        rows = summed
    else:
        rows = tables
    # In an order of their own: what is drawn must not depend on names or on the order of votes.
    rows = rows[np.lexsort(rows.T[::-1])]
    found = alpha_of_coincidences(rows, values, scale=scale, seed=seed, level=level)
    how = "bootstrap over questions" if questions.size > 1 else "bootstrap over pairs"
    if isinstance(found, NotMeasured):
        return NotMeasured(found.reason, len(tables))
    return replace(found, n=len(tables), method=found.method.replace("bootstrap", how))


def _json_of(found: Measured) -> dict[str, JsonValue]:
    if isinstance(found, Estimate):
        return {"alpha": found.value, "ci_low": found.low, "ci_high": found.high, "n": found.n}
    return {"alpha": None, "ci_low": None, "ci_high": None, "n": found.n, "reason": found.reason}
