"""Medians and tails with bootstrap intervals over clusters.

A quantile is the smallest value with at least that share of the weight at or below it; where the share is met exactly,
the mean of that value and the next (type 2 of Hyndman and Fan 1996, "Sample Quantiles in Statistical Packages"), so
that a median of an even count is the usual one.
"""

import math
from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from workbench.stats.bootstrap import DEFAULT_RESAMPLES, Labels, cluster_codes, cluster_weights, finite_row, from_draws
from workbench.stats.estimate import Estimate, FloatMatrix, FloatVector, IntVector, Measured, NotMeasured

_ROUNDING = 1e-9
# Cells of the table of weights by value at a time.
_CELLS = 4_000_000


def fewest_clusters(quantile: float, level: float = 0.95) -> int:
    """How many independent clusters an interval of this quantile needs.

    With fewer, all of them lie on one side of it more often than the interval may miss on that side, and no resample
    can reach across: such an interval would be too narrow, however it was computed.
    """
    nearer = max(quantile, 1 - quantile)
    return math.ceil(math.log((1 - level) / 2) / math.log(nearer))


def quantile_intervals(
    values: Sequence[float] | FloatVector,
    quantiles: Sequence[float],
    clusters: Labels | None = None,
    *,
    seed: int,
    level: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
) -> tuple[Measured, ...]:
    """Each quantile (in (0, 1)) of `values`, resampled by cluster, in the order asked.

    Fewer than 1 / min(q, 1 - q) values: not measured, since no value could stand for that tail. Fewer clusters than
    `fewest_clusters`: a value without an interval. Raises BadInputError on no values or values that are not finite.
    """
    array = finite_row(values)
    codes = cluster_codes(clusters, array.size)
    n_clusters = int(codes.max()) + 1
    points, places = np.unique(array, return_inverse=True)
    asked = np.asarray(quantiles, dtype=np.float64)
    value = _weighted(np.bincount(places).astype(np.float64)[None, :], points, asked)[0]
    drawn = _draws(codes, n_clusters, points, places.astype(np.int64), asked, np.random.default_rng(seed), resamples)
    return tuple(
        _found(q, value[n], drawn[:, n], array.size, n_clusters, clusters is not None, seed, level)
        for n, q in enumerate(quantiles)
    )


def _found(
    q: float, value: float, draws: FloatVector, n: int, n_clusters: int, clustered: bool, seed: int, level: float
) -> Measured:
    # 1 / (1 - 0.9) is 10.000000000000002.
    needed = math.ceil(1 / min(q, 1 - q) - _ROUNDING)
    if n < needed:
        return NotMeasured(f"{n} values; this tail needs {needed}", n)
    method = "clustered bootstrap" if clustered else "bootstrap"
    if n_clusters < fewest_clusters(q, level):
        return Estimate(float(value), None, None, n, method, seed, n_clusters, level)
    return from_draws(float(value), draws, n=n, n_clusters=n_clusters, method=method, seed=seed, level=level)


def _draws(
    codes: IntVector,
    n_clusters: int,
    points: FloatVector,
    places: IntVector,
    asked: FloatVector,
    rng: np.random.Generator,
    resamples: int,
) -> FloatMatrix:
    """(resamples, quantiles). The weight of each distinct value in a resample is a product of two small tables."""
    by_cluster = csr_array((np.ones(codes.size), (codes, places)), shape=(n_clusters, points.size))
    chunk = max(1, _CELLS // max(points.size, n_clusters))
    blocks = cluster_weights(n_clusters, resamples, rng, chunk=chunk)
    return np.concatenate([_weighted(np.asarray(weights @ by_cluster), points, asked) for weights in blocks])


def _weighted(weights: FloatMatrix, points: FloatVector, asked: FloatVector) -> FloatMatrix:
    """(rows, quantiles) of rows of weights (rows, points), whole numbers; `points` rise."""
    sums = np.cumsum(weights, axis=1)
    found = np.empty((weights.shape[0], asked.size))
    for row, below in enumerate(sums):
        aims = asked * below[-1]
        at = np.searchsorted(below, aims - _ROUNDING * below[-1])
        after = np.searchsorted(below, aims + _ROUNDING * below[-1])
        found[row] = (points[np.minimum(at, points.size - 1)] + points[np.minimum(after, points.size - 1)]) / 2
    return found
