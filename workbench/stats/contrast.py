"""The difference of means between two kinds of rows, where rows of one question are not independent."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from workbench.errors import BadInputError
from workbench.stats.bootstrap import (
    DEFAULT_RESAMPLES,
    Labels,
    cluster_codes,
    cluster_weights,
    finite_row,
    from_draws,
)
from workbench.stats.estimate import Estimate, FloatVector, Measured, NotMeasured


def mean_contrast(
    values: Sequence[float] | FloatVector,
    marked: Sequence[bool] | npt.NDArray[np.bool_],
    clusters: Labels | None = None,
    *,
    seed: int,
    level: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
) -> Measured:
    """Mean of the marked rows minus the mean of the others, whole clusters resampled.

    Not measured where one kind has no rows. Resamples that hold one kind alone are left out and counted in `method`; if
    more than one in ten does, there is a value without an interval. Raises BadInputError on values that are not finite.
    """
    array, chosen = finite_row(values), np.asarray(marked, dtype=bool)
    if chosen.shape != array.shape:
        raise BadInputError(f"{chosen.size} marks for {array.size} values; expected one a value")
    n_marked = int(chosen.sum())
    if n_marked in (0, array.size):
        return NotMeasured("no row is of this kind" if n_marked == 0 else "every row is of this kind", array.size)
    codes = cluster_codes(clusters, array.size)
    n_clusters = int(codes.max()) + 1
    table = np.stack(
        [
            np.bincount(codes, weights=array * chosen, minlength=n_clusters),
            np.bincount(codes, weights=chosen, minlength=n_clusters),
            np.bincount(codes, weights=array * ~chosen, minlength=n_clusters),
            np.bincount(codes, weights=~chosen, minlength=n_clusters),
        ],
        axis=1,
    )
    value = float(array[chosen].mean() - array[~chosen].mean())
    drawn: list[FloatVector] = []
    rng = np.random.default_rng(seed)
    for weights in cluster_weights(n_clusters, resamples, rng) if n_clusters > 1 else ():
        sums = weights @ table
        known = sums[(sums[:, 1] > 0) & (sums[:, 3] > 0)]
        drawn.append(known[:, 0] / known[:, 1] - known[:, 2] / known[:, 3])
    draws = np.concatenate(drawn) if drawn else np.empty(0)
    method = "bootstrap" if clusters is None else "clustered bootstrap"
    undefined = resamples - draws.size if n_clusters > 1 else 0
    if undefined:
        method += f", undefined on {undefined} of {resamples} resamples"
    if undefined > resamples // 10:
        return Estimate(value, None, None, array.size, method, seed, n_clusters, level)
    return from_draws(value, draws, n=array.size, n_clusters=n_clusters, method=method, seed=seed, level=level)


def within_clusters(
    values: Sequence[float] | FloatVector,
    marked: Sequence[bool] | npt.NDArray[np.bool_],
    clusters: Labels,
    *,
    seed: int,
    level: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
) -> Measured:
    """Marked rows minus the others of the same cluster, whole clusters resampled: what a hard question does to all its
    rows is no part of it.

    Clusters of one kind alone say nothing and count nothing; of the others each weighs n_marked * n_other / n (the
    least-squares estimate with an effect for each cluster). Not measured where no cluster has both kinds. `n` counts
    the rows of clusters with both. Raises BadInputError on values that are not finite.
    """
    array, chosen = finite_row(values), np.asarray(marked, dtype=bool)
    if chosen.shape != array.shape:
        raise BadInputError(f"{chosen.size} marks for {array.size} values; expected one a value")
    codes = cluster_codes(clusters, array.size)
    sizes = np.bincount(codes).astype(np.float64)
    n_marked = np.bincount(codes, weights=chosen)
    sums, marked_sums = np.bincount(codes, weights=array), np.bincount(codes, weights=array * chosen)
    above = marked_sums - n_marked * sums / sizes
    weight = n_marked * (sizes - n_marked) / sizes
    both = weight > 0
    n = int(sizes[both].sum())
    if not n:
        return NotMeasured("no question has rows of both kinds", array.size)
    value = float(above.sum() / weight.sum())
    table = np.stack([above[both], weight[both]], axis=1)
    n_clusters = int(both.sum())
    rng = np.random.default_rng(seed)
    blocks = [w @ table for w in cluster_weights(n_clusters, resamples, rng)] if n_clusters > 1 else []
    draws = np.concatenate([block[:, 0] / block[:, 1] for block in blocks]) if blocks else np.empty(0)
    method = "within clusters, bootstrap over them"
    return from_draws(value, draws, n=n, n_clusters=n_clusters, method=method, seed=seed, level=level)
