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
