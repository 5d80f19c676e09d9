"""Standard errors of strengths that hold when votes cluster by rater, by question, or by both.

The sandwich H^-1 M H^-1 (Huber 1967; Liang and Zeger 1986) with M from the scores summed within clusters. Votes
clustered two ways add up as in M_rater + M_question - M_both (Cameron, Gelbach and Miller 2011), kept as components:
the variance of votes alone, and by how many times each grouping multiplies it. From 20 raters a multiplier is known to
a third of its size, so that the greater of two is too great: such intervals held 97%. Models of one round share most of
what multiplies, so each model's own is drawn toward their mean, the less the more the models differ beyond chance
(empirical Bayes). The reach is Student's t with the freedom that the components have together (Satterthwaite 1946).
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.special import stdtrit

from workbench.human.ratings.comparisons import Comparisons
from workbench.human.ratings.paired_choice import PairCounts
from workbench.human.ratings.strengths import Strengths
from workbench.stats.estimate import FloatMatrix, FloatVector, IntMatrix, IntVector

_DENSE_CELLS = 20_000_000


@dataclass(frozen=True, slots=True)
class StrengthErrors:
    """Standard errors of the M log-strengths, each against the mean of all; an interval reaches `quantile` of them."""

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
        return np.asarray(stdtrit(np.maximum(self.freedom, 1.0), 0.5 + level / 2), dtype=np.float64)


def sandwich(
    comparisons: Comparisons, strengths: Strengths, groupings: tuple[tuple[str, IntVector], ...], *, level: float
) -> StrengthErrors | None:
    """Robust errors for `groupings` (none: every vote on its own). None with fewer than two clusters."""
    size = strengths.counts.n_models
    found = clustered_variances(_bread(strengths), vote_scores(comparisons, strengths), groupings, n_models=size)
    if found.n_clusters < 2:
        return None
    return StrengthErrors(np.sqrt(found.variances[:size]), found.quantile(level)[:size], found.n_clusters, found.method)


def clustered_variances(
    bread: FloatMatrix, scores: "VoteScores", groupings: tuple[tuple[str, IntVector], ...], *, n_models: int
) -> ClusteredVariances:
    """By components for the first `n_models` parameters, the strengths; for the rest, which differ in kind and are
    not drawn together, never less than any one grouping alone says. No grouping: votes alone.
    """
    n = scores.n
    if not groupings:
        alone, _ = _variances(bread, scores, np.arange(n, dtype=np.int64))
        return ClusteredVariances(alone, np.full(alone.size, n - 1.0), n, "sandwich")
    both = len(groupings) == 2
    base = _cells(groupings[0][1], groupings[1][1]) if both else np.arange(n, dtype=np.int64)
    unit, n_base = _variances(bread, scores, base)
    found = [_variances(bread, scores, codes) for _, codes in groupings]
    each, counts = [variances for variances, _ in found], [k for _, k in found]
    variances: FloatVector = np.maximum(np.max(each, axis=0), sum(each) - (len(each) - 1) * unit)
    freedom = np.full(variances.size, min(counts) - 1.0)
    own = slice(0, n_models)
    extra = np.array([_multiplier(v[own], unit[own], k) - 1.0 for v, k in zip(each, counts, strict=True)])
    variances[own] = unit[own] * (1.0 + extra.sum(axis=0))
    parts = (extra**2 / (np.array(counts)[:, None] - 1.0)).sum(axis=0) + 1.0 / max(1, n_base - 1)
    freedom[own] = (1.0 + extra.sum(axis=0)) ** 2 / parts
    method = "sandwich, clustered by " + " and ".join(name for name, _ in groupings)
    return ClusteredVariances(variances, freedom, min(counts), method)


def _multiplier(clustered_M: FloatVector, unit_M: FloatVector, n_clusters: int) -> FloatVector:
    """How many times the variance of single votes each model's is, at least 1, drawn toward the mean of the models."""
    found = np.ones_like(unit_M)
    # A model whose votes are all ties shows no spread: the quotient of two rounding errors is no multiplier.
    spread = unit_M > 1e-9 * unit_M.max(initial=0.0)
    if not spread.any():
        return found
    ratios = clustered_M[spread] / unit_M[spread]
    mean = float(ratios.mean())
    # Two models have one gap, and one variance: nothing to tell apart.
    between = float(ratios.var(ddof=1)) if ratios.size > 2 else 0.0
    by_chance = 2.0 / max(1, n_clusters - 1) * mean**2
    own_share = max(0.0, 1.0 - by_chance / between) if between > 0 else 0.0
    found[spread] = np.maximum(1.0, mean + own_share * (ratios - mean))
    return found


@dataclass(frozen=True, slots=True)
class VoteScores:
    """The gradient of each vote's log-likelihood. Votes that pull alike share a row: `rows` (n) says which of the K,
    `values` (K x F) what it pulls with, `columns` (K x F) at which parameters.
    """

    rows: IntVector
    values: FloatMatrix
    columns: IntMatrix
    n_parameters: int

    @property
    def n(self) -> int:
        return int(self.rows.size)

    def meat(self, codes: IntVector, sizes: IntVector) -> FloatMatrix:
        """The sum over clusters of the outer product of their summed gradients, F x F. `sizes`: votes by code."""
        single = sizes == 1
        if not single.any():
            return self._summed(codes, self.rows, sizes.size)
        alone = single[codes]
        counts = np.bincount(self.rows[alone], minlength=len(self.values))
        # Weighted by the root, so that one product gives the weighted square.
        pull_KF = self._table(np.sqrt(counts))
        found: FloatMatrix = np.asarray((pull_KF.T @ pull_KF).toarray(), dtype=np.float64)
        several = np.flatnonzero(sizes > 1)
        if several.size:
            place = np.zeros(sizes.size, dtype=np.int64)
            place[several] = np.arange(several.size)
            rest = np.flatnonzero(~alone)
            found += self._summed(place[codes[rest]], self.rows[rest], several.size)
        return found

    def _table(self, weights: FloatVector | None = None) -> csr_array:
        k, width = self.values.shape
        ends = np.arange(0, k * width + 1, width)
        values = self.values if weights is None else self.values * weights[:, None]
        return csr_array((values.ravel(), self.columns.ravel(), ends), shape=(k, self.n_parameters))

    def _summed(self, codes: IntVector, rows: IntVector, n_clusters: int) -> FloatMatrix:
        if n_clusters * self.n_parameters <= _DENSE_CELLS:
            cells = np.take(self.columns, rows, axis=0)
            cells += (codes * self.n_parameters)[:, None]
            pulls = np.take(self.values, rows, axis=0)
            flat = np.bincount(cells.ravel(), weights=pulls.ravel(), minlength=n_clusters * self.n_parameters)
            dense = flat.reshape(n_clusters, self.n_parameters)
            return np.asarray(dense.T @ dense, dtype=np.float64)
        # Half a million raters of two votes each touch four parameters each.
        member = csr_array((np.ones(rows.size), (codes, rows)), shape=(n_clusters, len(self.values)))
        summed = member @ self._table()
        return np.asarray((summed.T @ summed).toarray(), dtype=np.float64)


def vote_scores(comparisons: Comparisons, strengths: Strengths) -> VoteScores:
    """What each vote pulls at: the features of what was seen less those expected."""
    counts = strengths.counts
    features = counts.features
    tie = features[2] if len(features) == 3 else features.mean(axis=0)
    # One row for each pair and outcome, in the order of `rows_of_votes`.
    pull_POF = np.stack([features[1], tie, features[0]])[None] - (strengths.fit.probabilities @ features)[:, None]
    values = pull_POF.reshape(-1, features.shape[1])
    columns = np.repeat(counts.columns(), 3, axis=0)
    return VoteScores(rows_of_votes(comparisons, counts), values, columns, counts.n_parameters)


def rows_of_votes(comparisons: Comparisons, counts: PairCounts) -> IntVector:
    """Each vote as (pair of the counts) * 3 + 0 where the pair's first model lost, 1 for a tie, 2 where it won."""
    size = counts.n_models
    row_of = np.full((size, size, 3), -1, dtype=np.int64)
    outcomes = np.arange(3)
    rows = np.arange(counts.first.size)[:, None] * 3
    row_of[counts.first, counts.second] = rows + outcomes
    row_of[counts.second, counts.first] = rows + outcomes[::-1]
    return np.take(row_of.ravel(), comparisons.cells())


def _bread(strengths: Strengths) -> FloatMatrix:
    """H^-1 for strengths measured against their mean (the gap between models is all that votes tell)."""
    size = strengths.counts.n_models
    centre = np.eye(strengths.counts.n_parameters)
    centre[:size, :size] -= 1.0 / size
    inverse: FloatMatrix = centre @ np.linalg.pinv(strengths.fit.hessian, hermitian=True)
    return inverse


def _variances(bread: FloatMatrix, scores: VoteScores, codes: IntVector) -> tuple[FloatVector, int]:
    """Variance of every parameter, with the usual correction for few clusters; and how many clusters there are."""
    sizes = np.bincount(codes)
    n_clusters = int(np.count_nonzero(sizes))
    spread = ((bread @ scores.meat(codes, sizes)) * bread).sum(axis=1)
    scale = n_clusters / max(1, n_clusters - 1)
    return np.asarray(np.maximum(spread, 0.0) * scale, dtype=np.float64), n_clusters


def _cells(first: IntVector, second: IntVector) -> IntVector:
    """One code for each pair of codes, with gaps where a pair does not occur."""
    cells = first * (int(second.max()) + 1) + second
    if int(cells.max()) <= _DENSE_CELLS:
        return cells
    _, codes = np.unique(cells, return_inverse=True)
    return np.asarray(codes, dtype=np.int64)


def naive_errors(strengths: Strengths) -> FloatVector:
    """Errors if every vote were independent and the model exact: shown beside the others, never used for a claim."""
    bread = _bread(strengths)
    size = strengths.counts.n_models
    covariance = bread @ strengths.fit.hessian @ bread.T
    return np.array([math.sqrt(max(0.0, covariance[i, i])) for i in range(size)])
