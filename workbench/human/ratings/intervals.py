"""Standard errors of strengths that hold when votes cluster by rater, by question, or by both.

The sandwich H^-1 M H^-1 (Huber 1967; Liang and Zeger 1986) with M from the scores summed within clusters. Votes
clustered two ways get M_rater + M_question - M_both (Cameron, Gelbach and Miller 2011), and per model never less than
either alone.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student_t

from workbench.human.ratings.comparisons import Comparisons
from workbench.human.ratings.strengths import Strengths
from workbench.stats.estimate import FloatMatrix, FloatVector, IntMatrix, IntVector


@dataclass(frozen=True, slots=True)
class StrengthErrors:
    """Standard errors of the M log-strengths, each against the mean of all, and how far out an interval reaches."""

    errors: FloatVector
    quantile: float
    n_clusters: int
    method: str


def sandwich(
    comparisons: Comparisons, strengths: Strengths, groupings: tuple[tuple[str, IntVector], ...], *, level: float
) -> StrengthErrors | None:
    """Robust errors for `groupings` (none: every vote on its own). None with fewer than two clusters."""
    scores = vote_scores(comparisons, strengths)
    bread = _bread(strengths)
    variances, n_clusters, method = clustered_variances(bread, scores, groupings)
    if n_clusters < 2:
        return None
    quantile = float(student_t.ppf(0.5 + level / 2, n_clusters - 1))
    return StrengthErrors(np.sqrt(variances[: strengths.counts.n_models]), quantile, n_clusters, method)


def clustered_variances(
    bread: FloatMatrix, scores: "VoteScores", groupings: tuple[tuple[str, IntVector], ...]
) -> tuple[FloatVector, int, str]:
    """Variance of every parameter, the smaller number of clusters, and what was done. No grouping: votes alone."""
    n = len(scores.values)
    if not groupings:
        return _variances(bread, scores, np.arange(n, dtype=np.int64)), n, "sandwich"
    each = [_variances(bread, scores, codes) for _, codes in groupings]
    n_clusters = min(int(codes.max()) + 1 for _, codes in groupings)
    variances: FloatVector = np.max(each, axis=0)
    if len(groupings) == 2:
        joint = _pair_codes(groupings[0][1], groupings[1][1])
        variances = np.maximum(variances, each[0] + each[1] - _variances(bread, scores, joint))
    return variances, n_clusters, "sandwich, clustered by " + " and ".join(name for name, _ in groupings)


@dataclass(frozen=True, slots=True)
class VoteScores:
    """The gradient of each vote's log-likelihood: n x F values at n x F parameters."""

    values: FloatMatrix
    columns: IntMatrix
    n_parameters: int

    def summed(self, codes: IntVector) -> FloatMatrix:
        """Sums within clusters, clusters x parameters."""
        n_clusters = int(codes.max()) + 1
        cells = codes[:, None] * self.n_parameters + self.columns
        flat = np.bincount(cells.ravel(), weights=self.values.ravel(), minlength=n_clusters * self.n_parameters)
        return np.asarray(flat, dtype=np.float64).reshape(n_clusters, self.n_parameters)


def vote_scores(comparisons: Comparisons, strengths: Strengths) -> VoteScores:
    """What each vote pulls at: the features of what was seen less those expected."""
    counts = strengths.counts
    size = counts.n_models
    pair_of = np.full(size * size, -1, dtype=np.int64)
    pair_of[counts.first * size + counts.second] = np.arange(counts.first.size)
    swapped = comparisons.first > comparisons.second
    low, high = np.minimum(comparisons.first, comparisons.second), np.maximum(comparisons.first, comparisons.second)
    score = np.where(swapped, 1.0 - comparisons.score, comparisons.score)
    pairs = pair_of[low * size + high]
    features = counts.features
    tie = features[2] if len(features) == 3 else features.mean(axis=0)
    seen_NF = np.where((score == 1.0)[:, None], features[0], np.where((score == 0.0)[:, None], features[1], tie))
    expected_PF = strengths.fit.probabilities @ features
    return VoteScores(seen_NF - expected_PF[pairs], counts.columns()[pairs], counts.n_parameters)


def _bread(strengths: Strengths) -> FloatMatrix:
    """H^-1 for strengths measured against their mean (the gap between models is all that votes tell)."""
    size = strengths.counts.n_models
    centre = np.eye(strengths.counts.n_parameters)
    centre[:size, :size] -= 1.0 / size
    inverse: FloatMatrix = centre @ np.linalg.pinv(strengths.fit.hessian, hermitian=True)
    return inverse


def _variances(bread: FloatMatrix, scores: VoteScores, codes: IntVector) -> FloatVector:
    """Variance of every parameter, with the usual correction for few clusters."""
    summed = scores.summed(codes)
    reach = summed @ bread.T
    return np.asarray((reach**2).sum(axis=0) * (len(summed) / max(1, len(summed) - 1)))


def _pair_codes(first: IntVector, second: IntVector) -> IntVector:
    _, codes = np.unique(first * (int(second.max()) + 1) + second, return_inverse=True)
    return np.asarray(codes, dtype=np.int64)


def naive_errors(strengths: Strengths) -> FloatVector:
    """Errors if every vote were independent and the model exact: shown beside the others, never used for a claim."""
    bread = _bread(strengths)
    size = strengths.counts.n_models
    covariance = bread @ strengths.fit.hessian @ bread.T
    return np.array([math.sqrt(max(0.0, covariance[i, i])) for i in range(size)])
