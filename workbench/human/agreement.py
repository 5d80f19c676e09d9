"""Do raters agree? Krippendorff's alpha over pairs that two or more raters judged: the verdict, each dimension."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.schema.ballot import Vote
from workbench.schema.canonical import JsonValue
from workbench.stats.agreement import alpha_of_coincidences, tables_of_counts
from workbench.stats.estimate import Estimate, FloatMatrix, FloatVector, Measured, NotMeasured

_OUTCOMES = (1.0, 0.0, -1.0)
_SCORES = (1.0, 2.0, 3.0, 4.0, 5.0)
_SWAP = np.array([2, 1, 0])


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
    pair enters half in either direction: the figure does not depend on naming.
    """
    last: dict[tuple[str, str, str, str], Vote] = {}
    for vote in votes:
        if vote.rater and vote.question_id and vote.model_a != vote.model_b:
            low, high = sorted((vote.model_a, vote.model_b))
            last[(vote.question_id, low, high, vote.rater)] = vote
    counts_UV = _counts((key[:3], _outcome(vote)) for key, vote in last.items())
    forward, backward = tables_of_counts(counts_UV), tables_of_counts(counts_UV[:, _SWAP])
    raters = {rater for *_, rater in last}
    names = sorted({name for vote in last.values() for name in vote.scores})
    return RaterAgreement(
        verdict=_alpha((forward + backward) / 2, np.array([1.0, 0.0, -1.0]), seed=seed, level=level),
        same_share=float(forward[:, [0, 4, 8]].sum() / forward.sum()) if len(forward) else None,
        n_raters=len(raters),
        n_pairs_rated_twice=len(forward),
        dimensions={name: _dimension(last, name, seed=seed, level=level) for name in names},
    )


def _dimension(last: Mapping[tuple[str, str, str, str], Vote], name: str, *, seed: int, level: float) -> Measured:
    cells: list[tuple[tuple[str, ...], int]] = []
    for (question, low, high, _), vote in last.items():
        if name in vote.scores:
            for model, score in zip((vote.model_a, vote.model_b), vote.scores[name], strict=True):
                cells.append(((question, low, high, model), score - 1))
    counts_UV = _counts(cells, size=len(_SCORES))
    return _alpha(tables_of_counts(counts_UV), np.array(_SCORES), seed=seed, level=level, ordinal=True)


def _alpha(tables: FloatMatrix, values: FloatVector, *, seed: int, level: float, ordinal: bool = False) -> Measured:
    if len(tables) == 0:
        return NotMeasured("no pair was judged by two raters")
    return alpha_of_coincidences(tables, values, scale="ordinal" if ordinal else "nominal", seed=seed, level=level)


def _outcome(vote: Vote) -> int:
    """0 if the model of the lower name won, 1 for any tie, 2 if the other did."""
    if vote.winner not in ("model_a", "model_b"):
        return 1
    winner, loser = (vote.model_a, vote.model_b) if vote.winner == "model_a" else (vote.model_b, vote.model_a)
    return 0 if winner < loser else 2


def _counts(cells: Iterable[tuple[tuple[str, ...], int]], size: int = len(_OUTCOMES)) -> FloatMatrix:
    """How often each unit got each value, units x values, units in a fixed order."""
    rows: dict[tuple[str, ...], list[int]] = {}
    for unit, value in cells:
        rows.setdefault(unit, [0] * size)[value] += 1
    return np.array([rows[unit] for unit in sorted(rows)], dtype=np.float64).reshape(len(rows), size)


def _json_of(found: Measured) -> dict[str, JsonValue]:
    if isinstance(found, Estimate):
        return {"alpha": found.value, "ci_low": found.low, "ci_high": found.high, "n": found.n}
    return {"alpha": None, "ci_low": None, "ci_high": None, "n": found.n, "reason": found.reason}
