"""Intervals of rates: they must hold where every trial came out the same, and there resampling sees no spread."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri
from scipy.stats import t as student_t

from workbench.errors import BadInputError
from workbench.stats.bootstrap import Labels, cluster_codes
from workbench.stats.estimate import Estimate


def proportion_interval(
    successes: Sequence[bool] | Sequence[int] | npt.NDArray[np.generic],
    clusters: Labels | None = None,
    *,
    level: float = 0.95,
) -> Estimate:
    """Share of true entries with a Wilson score interval (Wilson 1927).

    With clusters n is divided by the design effect (the clustered variance of the mean over the binomial one, not
    below 1) and the normal quantile gives way to Student's t. A constant sample, of which no design effect can be
    estimated, counts each cluster once.
    """
    hits = np.asarray(successes)
    if hits.ndim != 1 or hits.size == 0 or not np.all((hits == 0) | (hits == 1)):
        raise BadInputError("a rate needs at least one entry, each true or false")
    values = hits.astype(np.float64)
    codes = cluster_codes(clusters, values.size)
    n_clusters, share = int(codes.max()) + 1, float(values.mean())
    effective = float(values.size)
    quantile = float(ndtri(0.5 + level / 2))
    if clusters is not None:
        if n_clusters < 2:
            return Estimate(share, None, None, values.size, "Wilson, clustered", None, n_clusters, level)
        quantile = float(student_t.ppf(0.5 + level / 2, n_clusters - 1))
        effective = values.size / _design_effect(values, codes, share)
    low, high = wilson(share, effective, quantile)
    return Estimate(
        share, low, high, values.size, "Wilson" if clusters is None else "Wilson, clustered", None, n_clusters, level
    )


def wilson(share: float, n: float, z: float) -> tuple[float, float]:
    """Score interval of a share in [0, 1] seen in `n` > 0 effective trials, `z` the quantile taken."""
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half))


def _design_effect(values: npt.NDArray[np.float64], codes: npt.NDArray[np.int64], share: float) -> float:
    sizes = np.bincount(codes).astype(np.float64)
    if share in (0.0, 1.0):
        return values.size / sizes.size
    residuals = np.bincount(codes, weights=values - share)
    clustered = sizes.size / (sizes.size - 1) * float(residuals @ residuals) / values.size**2
    return max(1.0, clustered / (share * (1 - share) / values.size))
