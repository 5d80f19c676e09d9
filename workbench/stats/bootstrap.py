"""Bootstrap intervals over independent observations or over clusters (questions, raters, runs).

Resampling draws whole clusters, since rows of one question or one rater are not independent. The percentiles are
widened for few clusters (the expanded percentile interval of Hesterberg 2015, "What Teachers Should Know About the
Bootstrap", arXiv 1411.5279, section 5.3): plain percentiles of n clusters are as narrow as a normal interval with the
variance divided by n instead of n - 1.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr
from scipy.stats import t as student_t

from workbench.errors import BadInputError
from workbench.stats.estimate import Estimate, FloatMatrix, FloatVector, IntVector, Measured, NotMeasured

Labels: TypeAlias = Sequence[object] | npt.NDArray[np.generic]
Statistic: TypeAlias = Callable[[IntVector], float | None]

DEFAULT_RESAMPLES = 2000
_CHUNK_CELLS = 4_000_000


def codes_of(labels: Labels) -> IntVector:
    """Labels as 0..k-1 in order of first appearance. Any hashable labels; equal labels get equal codes."""
    place = {label: code for code, label in enumerate(dict.fromkeys(labels))}
    return np.fromiter(map(place.__getitem__, labels), dtype=np.int64, count=len(labels))


def cluster_codes(clusters: Labels | None, n: int) -> IntVector:
    """The cluster of each of `n` rows; without labels each row is its own. BadInputError on a length mismatch."""
    if clusters is None:
        return np.arange(n, dtype=np.int64)
    if len(clusters) != n:
        raise BadInputError(f"{len(clusters)} cluster labels for {n} values; expected one label a value")
    return codes_of(clusters)


def expanded_tails(n_clusters: int, level: float) -> tuple[float, float]:
    """The two quantile levels to read off the bootstrap distribution of `n_clusters` >= 2 resampled clusters."""
    quantile = float(student_t.ppf(0.5 + level / 2, n_clusters - 1))
    tail = float(ndtr(-math.sqrt(n_clusters / (n_clusters - 1)) * quantile))
    return tail, 1.0 - tail


def cluster_weights(
    n_clusters: int, resamples: int, rng: np.random.Generator, *, chunk: int | None = None
) -> Iterator[FloatMatrix]:
    """How often each cluster is drawn, as blocks of shape (resamples in block, clusters); bounded memory."""
    rows = chunk or max(1, _CHUNK_CELLS // max(1, n_clusters))
    shares = np.full(n_clusters, 1.0 / n_clusters)
    for start in range(0, resamples, rows):
        yield rng.multinomial(n_clusters, shares, size=min(rows, resamples - start)).astype(np.float64)


def from_draws(
    value: float, draws: FloatVector, *, n: int, n_clusters: int, method: str, seed: int, level: float
) -> Estimate:
    """The interval read off bootstrap draws; none where there were fewer than two clusters or draws."""
    low: float | None = None
    high: float | None = None
    if n_clusters >= 2 and draws.size >= 2:
        lower, upper = np.quantile(draws, expanded_tails(n_clusters, level))
        low, high = float(lower), float(upper)
    return Estimate(value, low, high, n, method, seed, n_clusters, level)


def mean_interval(
    values: Sequence[float] | FloatVector,
    clusters: Labels | None = None,
    *,
    seed: int,
    level: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
) -> Estimate:
    """Mean of `values` with a bootstrap interval over `clusters` (over the values themselves where None).

    One cluster gives a value without an interval. A rate of 0 or 1 has no spread to resample: use
    `proportion_interval` for rates. Raises BadInputError on no values or on values that are not finite (leave failed
    or abstained items out before; they are not numbers).
    """
    array = finite_row(values)
    codes = cluster_codes(clusters, array.size)
    sums, sizes = np.bincount(codes, weights=array), np.bincount(codes).astype(np.float64)
    rng = np.random.default_rng(seed)
    blocks = [(w @ sums) / (w @ sizes) for w in cluster_weights(sums.size, resamples, rng)] if sums.size > 1 else []
    return from_draws(
        # math.fsum: the mean must not depend on the order of rows.
        math.fsum(array) / array.size,
        np.concatenate(blocks) if blocks else np.empty(0),
        n=array.size,
        n_clusters=sums.size,
        method="bootstrap" if clusters is None else "clustered bootstrap",
        seed=seed,
        level=level,
    )


def paired_difference(
    after: Sequence[float] | FloatVector,
    before: Sequence[float] | FloatVector,
    clusters: Labels | None = None,
    *,
    seed: int,
    level: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
) -> Estimate:
    """Mean of `after - before` over pairs (one entry a pair, same order), resampled by pair or by cluster of pairs."""
    first, second = finite_row(after), finite_row(before)
    if first.size != second.size:
        raise BadInputError(f"{first.size} values against {second.size}; a paired comparison needs both of each pair")
    found = mean_interval(first - second, clusters, seed=seed, level=level, resamples=resamples)
    return Estimate(
        found.value, found.low, found.high, found.n, f"paired {found.method}", seed, found.n_clusters, level
    )


def bootstrap(
    statistic: Statistic,
    n: int,
    clusters: Labels | None = None,
    *,
    seed: int,
    level: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
) -> Measured:
    """Any statistic of rows: `statistic(rows)` gets the indices of a resample (with repeats), or all rows once.

    It returns None where it is undefined. Resamples on which it is undefined are left out and counted in `method`;
    if more than one in ten is, there is a value but no interval.
    """
    value = statistic(np.arange(n, dtype=np.int64)) if n else None
    if value is None:
        return NotMeasured("the statistic is undefined on these rows", n)
    codes = cluster_codes(clusters, n)
    order = np.argsort(codes, kind="stable").astype(np.int64)
    members = np.split(order, np.cumsum(np.bincount(codes))[:-1])
    rng = np.random.default_rng(seed)
    found: list[float] = []
    for _ in range(resamples if len(members) > 1 else 0):
        drawn = statistic(np.concatenate([members[i] for i in rng.integers(0, len(members), len(members))]))
        if drawn is not None:
            found.append(drawn)
    undefined = resamples - len(found) if len(members) > 1 else 0
    method = "bootstrap" if clusters is None else "clustered bootstrap"
    if undefined:
        method += f", undefined on {undefined} of {resamples} resamples"
    kept = found if undefined <= resamples // 10 else []
    return from_draws(value, np.asarray(kept), n=n, n_clusters=len(members), method=method, seed=seed, level=level)


def finite_row(values: Sequence[float] | FloatVector) -> FloatVector:
    """One row of numbers. Raises BadInputError where there are none or some are not finite."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or array.size == 0:
        raise BadInputError(f"an array of shape {array.shape}; expected one row of at least one value")
    bad = int(np.count_nonzero(~np.isfinite(array)))
    if bad:
        raise BadInputError(f"{bad} of {array.size} values are not finite; leave items without a score out first")
    return array
