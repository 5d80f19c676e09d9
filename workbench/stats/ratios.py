"""Many ratios of sums over clusters with one drawing of weights: the figures of a page in the time of one of them.

Each part equals the estimate of the function that it is named after (same seed, same resamples): a mean is (sum, count)
by cluster, a difference within clusters (marked above expectation, weight). What costs is to draw how often each
cluster is taken; it depends on the number of clusters alone, so parts with the same number share it.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.errors import BadInputError
from workbench.stats.bootstrap import DEFAULT_RESAMPLES, cluster_weights, from_draws
from workbench.stats.estimate import Estimate, FloatMatrix, FloatVector, IntVector, Measured, NotMeasured


@dataclass(frozen=True, slots=True)
class Part:
    """One ratio: `top` and `bottom` by cluster, bottoms above zero. `n` rows; `method` as the estimate has it."""

    top: FloatVector
    bottom: FloatVector
    n: int
    method: str


def mean_part(values: FloatVector, clusters: IntVector) -> Part | NotMeasured:
    """As `mean_interval` of the values that are no NaN. `clusters`: whole numbers >= 0, one a value."""
    known = ~np.isnan(values)
    if not known.any():
        return NotMeasured("no value is known", int(values.size))
    codes = _in_order(clusters[known])
    top: FloatVector = np.bincount(codes, weights=values[known]).astype(np.float64)
    return Part(top, np.bincount(codes).astype(np.float64), int(known.sum()), "clustered bootstrap")


def within_part(values: FloatVector, marked: npt.NDArray[np.bool_], clusters: IntVector) -> Part | NotMeasured:
    """As `within_clusters` of the rows whose value is no NaN."""
    if not values.shape == marked.shape == clusters.shape:
        raise BadInputError(
            f"{values.size} values, {marked.size} marks, {clusters.size} clusters; expected one of each"
        )
    known = ~np.isnan(values)
    array, chosen, codes = values[known], marked[known], _in_order(clusters[known])
    sizes = np.bincount(codes).astype(np.float64)
    n_marked = np.bincount(codes, weights=chosen, minlength=sizes.size)
    sums, marked_sums = np.bincount(codes, weights=array), np.bincount(codes, weights=array * chosen)
    weight = n_marked * (sizes - n_marked) / np.maximum(sizes, 1)
    both = weight > 0
    if not both.any():
        return NotMeasured("no question has rows of both kinds", int(array.size))
    above = marked_sums - n_marked * sums / sizes
    return Part(above[both], weight[both], int(sizes[both].sum()), "within clusters, bootstrap over them")


def ratio_intervals(
    parts: Sequence[Part | NotMeasured], *, seed: int, level: float = 0.95, resamples: int = DEFAULT_RESAMPLES
) -> tuple[Measured, ...]:
    """An estimate for each part, in their order; what is not measured stays so. One cluster has no interval."""
    by_clusters: dict[int, list[int]] = defaultdict(list)
    for place, part in enumerate(parts):
        if isinstance(part, Part):
            by_clusters[part.top.size].append(place)
    found: list[Measured] = [part if isinstance(part, NotMeasured) else _NOT_YET for part in parts]
    for n_clusters, places in by_clusters.items():
        own = [part for place in places if isinstance(part := parts[place], Part)]
        draws = _draws(own, n_clusters, seed, resamples)
        for place, part, drawn in zip(places, own, draws, strict=True):
            found[place] = _estimate(part, drawn, n_clusters, seed, level)
    return tuple(found)


_NOT_YET = NotMeasured("not computed", 0)


def _draws(parts: Sequence[Part], n_clusters: int, seed: int, resamples: int) -> list[FloatVector]:
    if n_clusters < 2:
        return [np.empty(0) for _ in parts]
    table = np.stack([column for part in parts for column in (part.top, part.bottom)], axis=1)
    weights = cluster_weights(n_clusters, resamples, np.random.default_rng(seed))
    sums: FloatMatrix = np.concatenate([block @ table for block in weights])
    return [sums[:, 2 * n] / sums[:, 2 * n + 1] for n in range(len(parts))]


def _estimate(part: Part, drawn: FloatVector, n_clusters: int, seed: int, level: float) -> Estimate:
    value = float(part.top.sum() / part.bottom.sum())
    return from_draws(value, drawn, n=part.n, n_clusters=n_clusters, method=part.method, seed=seed, level=level)


def _in_order(codes: IntVector) -> IntVector:
    """0..k-1 in order of first appearance, as `codes_of` numbers labels."""
    _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.empty(first.size, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    ordered: IntVector = rank[inverse]
    return ordered
