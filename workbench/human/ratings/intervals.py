"""Standard errors of strengths that hold when votes cluster by rater, by question, or by both.

The sandwich H^-1 M H^-1 (Huber 1967; Liang and Zeger 1986) with M from the scores summed within clusters. Votes
clustered two ways add up as in M_rater + M_question - M_both (Cameron, Gelbach and Miller 2011), kept as components: the
variance of votes alone, and by how many times each grouping multiplies it. From 20 raters a multiplier is known to a
third of its size, so that the greater of two is too great: intervals held 97% (docs/evidence/ratings-coverage.json).
Models of one round share most of what multiplies, so each model's own is drawn toward their mean, the less the more the
models differ beyond chance (empirical Bayes). The reach is Student's t with the freedom that the components have
together (Satterthwaite 1946).
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.stats import t as student_t

from workbench.human.ratings.comparisons import Comparisons
from workbench.human.ratings.strengths import Strengths
from workbench.stats.estimate import FloatMatrix, FloatVector, IntMatrix, IntVector


@dataclass(frozen=True, slots=True)
class StrengthErrors:
    """Standard errors of the M log-strengths, each against the mean of all, and how many of them an interval reaches."""

    errors: FloatVector
    quantile: FloatVector
    n_clusters: int
    method: str


@dataclass(frozen=True, slots=True)
class ClusteredVariances:
    """Of every parameter its variance and the degrees of freedom behind it. `n_clusters`: of the coarser grouping."""

    variances: FloatVector
    freedom: FloatVector
    n_clusters: int
    method: str

    def quantile(self, level: float) -> FloatVector:
        return np.asarray(student_t.ppf(0.5 + level / 2, np.maximum(self.freedom, 1.0)), dtype=np.float64)


def sandwich(
    comparisons: Comparisons, strengths: Strengths, groupings: tuple[tuple[str, IntVector], ...], *, level: float
) -> StrengthErrors | None:
    """Robust errors for `groupings` (none: every vote on its own). None with fewer than two clusters."""
    size = strengths.counts.n_models
    found = clustered_variances(_bread(strengths), vote_scores(comparisons, strengths), groupings, n_models=size)
    if found.n_clusters < 2:
        return None
    return StrengthErrors(
        np.sqrt(found.variances[:size]), found.quantile(level)[:size], found.n_clusters, found.method
    )


def clustered_variances(
    bread: FloatMatrix, scores: "VoteScores", groupings: tuple[tuple[str, IntVector], ...], *, n_models: int
) -> ClusteredVariances:
    """By components for the first `n_models` parameters, the strengths; for the rest, which differ in kind and are
    not drawn together, never less than any one grouping alone says. No grouping: votes alone.
    """
    n = len(scores.values)
    if not groupings:
        alone = _variances(bread, scores, np.arange(n, dtype=np.int64))
        return ClusteredVariances(alone, np.full(alone.size, n - 1.0), n, "sandwich")
    both = len(groupings) == 2
    base = _pair_codes(groupings[0][1], groupings[1][1]) if both else np.arange(n, dtype=np.int64)
    unit = _variances(bread, scores, base)
    each = [_variances(bread, scores, codes) for _, codes in groupings]
    counts = [int(codes.max()) + 1 for _, codes in groupings]
    variances: FloatVector = np.maximum(np.max(each, axis=0), sum(each) - (len(each) - 1) * unit)
    freedom = np.full(variances.size, min(counts) - 1.0)
    own = slice(0, n_models)
    extra = np.array([_multiplier(v[own], unit[own], k) - 1.0 for v, k in zip(each, counts, strict=True)])
    variances[own] = unit[own] * (1.0 + extra.sum(axis=0))
    parts = (extra**2 / (np.array(counts)[:, None] - 1.0)).sum(axis=0) + 1.0 / max(1, int(base.max()))
    freedom[own] = (1.0 + extra.sum(axis=0)) ** 2 / parts
    method = "sandwich, clustered by " + " and ".join(name for name, _ in groupings)
    return ClusteredVariances(variances, freedom, min(counts), method)


def _multiplier(clustered_M: FloatVector, unit_M: FloatVector, n_clusters: int) -> FloatVector:
    """How many times the variance of single votes each model's is, at least 1, drawn toward the mean of the models."""
    ratio_M = np.divide(clustered_M, unit_M, out=np.ones_like(unit_M), where=unit_M > 0)
    mean = float(ratio_M.mean())
    # Two models have one gap, and one variance: nothing to tell apart.
    between = float(ratio_M.var(ddof=1)) if ratio_M.size > 2 else 0.0
    by_chance = 2.0 / max(1, n_clusters - 1) * mean**2
    own_share = max(0.0, 1.0 - by_chance / between) if between > 0 else 0.0
    return np.maximum(1.0, mean + own_share * (ratio_M - mean))


@dataclass(frozen=True, slots=True)
class VoteScores:
    """The gradient of each vote's log-likelihood: n x F values at n x F parameters."""

    values: FloatMatrix
    columns: IntMatrix
    n_parameters: int

    def meat(self, codes: IntVector) -> FloatMatrix:
        """The sum over clusters of the outer product of their summed gradients, F x F."""
        n, width = self.values.shape
        # Sparse: half a million raters of two votes each touch four parameters each.
        starts = np.arange(0, n * width + 1, width)
        votes = csr_array((self.values.ravel(), self.columns.ravel(), starts), shape=(n, self.n_parameters))
        size = int(codes.max()) + 1
        if size == n:
            return np.asarray((votes.T @ votes).toarray(), dtype=np.float64)
        member = csr_array((np.ones(n), (codes, np.arange(n))), shape=(size, n))
        summed = member @ votes
        return np.asarray((summed.T @ summed).toarray(), dtype=np.float64)


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
    n_clusters = int(codes.max()) + 1
    spread = np.einsum("if,fg,ig->i", bread, scores.meat(codes), bread, optimize=True)
    return np.asarray(np.maximum(spread, 0.0) * (n_clusters / max(1, n_clusters - 1)), dtype=np.float64)


def _pair_codes(first: IntVector, second: IntVector) -> IntVector:
    _, codes = np.unique(first * (int(second.max()) + 1) + second, return_inverse=True)
    return np.asarray(codes, dtype=np.int64)


def naive_errors(strengths: Strengths) -> FloatVector:
    """Errors if every vote were independent and the model exact: shown beside the others, never used for a claim."""
    bread = _bread(strengths)
    size = strengths.counts.n_models
    covariance = bread @ strengths.fit.hessian @ bread.T
    return np.array([math.sqrt(max(0.0, covariance[i, i])) for i in range(size)])
