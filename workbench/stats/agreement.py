"""Agreement beyond chance: Cohen's kappa (plain and weighted) and Krippendorff's alpha, with bootstrap intervals.

Both are functions of a table of counts, and a resample of rows is a re-weighting of those counts: intervals need one
matrix product, not a loop over resamples.
"""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from workbench.errors import BadInputError
from workbench.stats.bootstrap import DEFAULT_RESAMPLES, Labels, cluster_codes, cluster_weights, from_draws
from workbench.stats.estimate import FloatMatrix, FloatVector, Measured, NotMeasured

KappaWeights: TypeAlias = Literal["none", "linear", "quadratic"]
AlphaLevel: TypeAlias = Literal["nominal", "ordinal", "interval"]
Stack: TypeAlias = npt.NDArray[np.float64]  # resamples x categories x categories
TableStatistic: TypeAlias = Callable[[FloatMatrix], FloatVector]  # rows of flattened tables to one value a row


def cohen_kappa(
    first: Sequence[object],
    second: Sequence[object],
    clusters: Labels | None = None,
    *,
    categories: Sequence[object] | None = None,
    weights: KappaWeights = "none",
    seed: int = 0,
    level: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
) -> Measured:
    """Cohen's kappa of two raters over the same items (Cohen 1960, 1968), with an interval over items or clusters.

    Weighted kappa needs `categories` in their order. Not measured where both used a single category: agreement by
    chance is then certain.
    """
    if len(first) != len(second):
        raise BadInputError(f"{len(first)} ratings against {len(second)}; expected one of each rater an item")
    if weights != "none" and categories is None:
        raise BadInputError("weighted kappa needs the categories in their order")
    if not len(first):
        return NotMeasured("no item was rated by both")
    order = list(dict.fromkeys([*first, *second])) if categories is None else list(categories)
    index = {category: code for code, category in enumerate(order)}
    unknown = sorted({str(value) for value in [*first, *second] if value not in index})
    if unknown:
        raise BadInputError(f"ratings {', '.join(unknown)} are not among the categories {order}")
    size = len(order)
    cells = np.array([index[a] * size + index[b] for a, b in zip(first, second, strict=True)])
    codes = cluster_codes(clusters, cells.size)
    table_GC = np.zeros((int(codes.max()) + 1, size * size))
    np.add.at(table_GC, (codes, cells), 1.0)
    cost = _disagreement(size, weights)

    def kappas(tables: FloatMatrix) -> FloatVector:
        return _kappa(tables.reshape(-1, size, size), cost)

    return _weighted_interval(
        kappas, table_GC, cells.size, seed, level, resamples, clusters is not None, "both raters used one category only"
    )


def krippendorff_alpha(
    ratings_RU: FloatMatrix,
    clusters: Labels | None = None,
    *,
    scale: AlphaLevel = "nominal",
    seed: int = 0,
    level: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
) -> Measured:
    """Krippendorff's alpha of raters x units, NaN where a rater did not rate a unit; interval over units or,
    where `clusters` has a label for each unit, over those.

    Source: Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability". Units rated once carry no information and
    are left out of n. Not measured where no unit has two ratings, or all ratings are equal.
    """
    ratings = np.asarray(ratings_RU, dtype=np.float64)
    if ratings.ndim != 2:
        raise BadInputError(f"ratings of shape {ratings.shape}; expected raters x units")
    tables, values = coincidences(ratings)
    twice = np.flatnonzero((~np.isnan(ratings)).sum(axis=0) >= 2)
    kept = None if clusters is None else [clusters[int(unit)] for unit in twice]
    return alpha_of_coincidences(tables, values, kept, scale=scale, seed=seed, level=level, resamples=resamples)


def interval_alpha(
    first: Sequence[float] | FloatVector,
    second: Sequence[float] | FloatVector,
    clusters: Labels | None = None,
    *,
    seed: int = 0,
    level: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
) -> Measured:
    """`krippendorff_alpha` on the interval scale for two raters of the same items, however many values they use.

    From sums alone: no table of coincidences, whose size grows with the square of the number of values.
    """
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1 or not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise BadInputError("alpha of two raters needs one finite number of each for every item")
    if not x.size:
        return NotMeasured("no item was rated by both")
    codes = cluster_codes(clusters, x.size)
    # Alpha does not depend on where the scale begins: centred, so that equal ratings give a spread of exactly zero.
    x, y = x - x[0], y - x[0]
    sums_GC = np.zeros((int(codes.max()) + 1, 4))
    np.add.at(sums_GC, codes, np.stack([np.ones(x.size), (x - y) ** 2, x + y, x**2 + y**2], axis=1))

    def alphas(sums: FloatMatrix) -> FloatVector:
        values = 2 * sums[:, 0]
        observed = sums[:, 1] / sums[:, 0]
        expected = 2 * (values * sums[:, 3] - sums[:, 2] ** 2) / (values * (values - 1))
        return _one_minus_ratio(observed, np.where(expected > 1e-15, expected, 0.0))

    return _weighted_interval(
        alphas, sums_GC, x.size, seed, level, resamples, clusters is not None, "all ratings are the same"
    )


def coincidences(ratings_RU: FloatMatrix) -> tuple[FloatMatrix, FloatVector]:
    """Per-unit coincidence tables, flattened (units with two ratings or more x categories^2), and the sorted values."""
    values = np.unique(ratings_RU[~np.isnan(ratings_RU)])
    counts_VU = [(ratings_RU == value).sum(axis=0) for value in values]
    return tables_of_counts(np.array(counts_VU, dtype=np.float64).reshape(values.size, ratings_RU.shape[1]).T), values


def tables_of_counts(counts_UV: FloatMatrix) -> FloatMatrix:
    """Coincidence tables from how often each unit got each value; units rated less than twice are left out."""
    counts = counts_UV[counts_UV.sum(axis=1) >= 2]
    pairs_UVV = counts[:, :, None] * counts[:, None, :]
    diagonal = np.arange(counts.shape[1])
    pairs_UVV[:, diagonal, diagonal] -= counts
    pairs_UVV /= (counts.sum(axis=1) - 1)[:, None, None]
    return np.asarray(pairs_UVV, dtype=np.float64).reshape(len(counts), counts.shape[1] ** 2)


def alpha_of_coincidences(
    tables_UC: FloatMatrix,
    values: FloatVector,
    clusters: Labels | None = None,
    *,
    scale: AlphaLevel,
    seed: int,
    level: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
) -> Measured:
    """Alpha from per-unit coincidence tables (see `coincidences`), resampled by unit or by cluster of units."""
    if len(tables_UC) == 0:
        return NotMeasured("no unit was rated twice")
    size = values.size

    def alphas(tables: FloatMatrix) -> FloatVector:
        return _alpha(tables.reshape(-1, size, size), values, scale)

    codes = cluster_codes(clusters, len(tables_UC))
    table_GC = np.zeros((int(codes.max()) + 1, tables_UC.shape[1]))
    np.add.at(table_GC, codes, tables_UC)
    return _weighted_interval(
        alphas, table_GC, len(tables_UC), seed, level, resamples, clusters is not None, "all ratings are the same"
    )


def _weighted_interval(
    statistic: TableStatistic,
    rows_GC: FloatMatrix,
    n: int,
    seed: int,
    level: float,
    resamples: int,
    clustered: bool,
    undefined: str,
) -> Measured:
    value = float(statistic(rows_GC.sum(axis=0, keepdims=True))[0])
    if np.isnan(value):
        return NotMeasured(undefined, n)
    rng = np.random.default_rng(seed)
    blocks = [statistic(w @ rows_GC) for w in cluster_weights(len(rows_GC), resamples, rng)]
    draws = np.concatenate(blocks)
    kept = draws[~np.isnan(draws)]
    method = "clustered bootstrap" if clustered else "bootstrap"
    if kept.size < draws.size:
        method += f", undefined on {draws.size - kept.size} of {draws.size} resamples"
    if kept.size < 0.9 * draws.size:
        kept = np.empty(0)
    return from_draws(value, kept, n=n, n_clusters=len(rows_GC), method=method, seed=seed, level=level)


def _disagreement(size: int, weights: KappaWeights) -> FloatMatrix:
    gap = np.abs(np.subtract.outer(np.arange(size), np.arange(size))).astype(np.float64)
    if weights == "none":
        return (gap > 0).astype(np.float64)
    return gap if weights == "linear" else gap**2


def _kappa(tables: Stack, cost: FloatMatrix) -> FloatVector:
    """1 - observed / expected disagreement of each table; NaN where none is expected."""
    total = tables.sum(axis=(1, 2))
    expected_tables = tables.sum(axis=2)[:, :, None] * tables.sum(axis=1)[:, None, :] / total[:, None, None]
    return _one_minus_ratio((tables * cost).sum(axis=(1, 2)), (expected_tables * cost).sum(axis=(1, 2)))


def _alpha(tables: Stack, values: FloatVector, scale: AlphaLevel) -> FloatVector:
    margins_BV = tables.sum(axis=2)
    total = margins_BV.sum(axis=1)
    cost = _metric(margins_BV, values, scale)
    observed = (tables * cost).sum(axis=(1, 2)) / total
    expected = (margins_BV[:, :, None] * margins_BV[:, None, :] * cost).sum(axis=(1, 2)) / (total * (total - 1))
    return _one_minus_ratio(observed, expected)


def _metric(margins_BV: FloatMatrix, values: FloatVector, scale: AlphaLevel) -> Stack:
    """Squared distance between values, one table a resample: the ordinal one depends on how often each was used."""
    size = values.size
    if scale == "nominal":
        return np.broadcast_to(1.0 - np.eye(size), (len(margins_BV), size, size))
    if scale == "interval":
        return np.broadcast_to(np.subtract.outer(values, values) ** 2, (len(margins_BV), size, size))
    mid_ranks = np.cumsum(margins_BV, axis=1) - margins_BV / 2
    distance: Stack = (mid_ranks[:, :, None] - mid_ranks[:, None, :]) ** 2
    return distance


def _one_minus_ratio(observed: FloatVector, expected: FloatVector) -> FloatVector:
    defined = expected > 0
    return np.where(defined, 1.0 - observed / np.where(defined, expected, 1.0), np.nan)
