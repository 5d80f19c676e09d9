"""Verdicts explained by gaps between two reports, with errors clustered by rater and question."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from workbench.human.ratings.comparisons import Clustering, Comparisons, clusterings
from workbench.human.ratings.intervals import ClusteredVariances, VoteScores, clustered_variances
from workbench.stats.estimate import Estimate, FloatMatrix, FloatVector

# Beyond this a gap tells every verdict, and has no greatest likelihood.
_LARGEST = 15.0


@dataclass(frozen=True, slots=True)
class PreferenceFit:
    """Slopes of the side, then of each gap a standard deviation, in log-odds."""

    slopes: FloatVector
    variances: ClusteredVariances
    n: int

    def effect(self, column: int, level: float) -> Estimate:
        """Of one standard deviation, as what it adds to an even chance."""
        slope, error = float(self.slopes[column]), float(np.sqrt(self.variances.variances[column]))
        reach = float(self.variances.quantile(level)[column]) * error
        value, low, high = (expit(x) - 0.5 for x in (slope, slope - reach, slope + reach))
        method = f"logistic regression, {self.variances.method}"
        clusters = self.variances.n_clusters
        return Estimate(float(value), float(low), float(high), self.n, method, n_clusters=clusters, level=level)


def fit_preferences(data: Comparisons, gaps: Sequence[FloatVector], cluster: Clustering) -> PreferenceFit | None:
    """logit P(the first preferred) = side + gaps in standard deviations x slopes; ties are half a win.

    None where a gap cannot be told from the others or tells every verdict: no clear, finite maximum then.
    """
    scaled = [gap / (float(gap.std()) or 1.0) for gap in gaps]
    design: FloatMatrix = np.column_stack([np.ones(data.n), *scaled])
    told = design[:, [True, *(float(gap.std()) > 1e-12 for gap in gaps)]]
    if np.linalg.matrix_rank(told, tol=1e-6 * np.sqrt(data.n)) < told.shape[1]:
        return None
    slopes: FloatVector = np.zeros(design.shape[1])
    for _ in range(60):
        chance = expit(design @ slopes)
        curvature = design.T @ (design * (chance * (1 - chance))[:, None]) + 1e-9 * np.eye(len(slopes))
        step = np.asarray(np.linalg.solve(curvature, design.T @ (data.score - chance)), dtype=np.float64)
        slopes += step * min(1.0, 2.0 / max(1e-12, float(np.abs(step).max())))
        if float(np.abs(slopes).max()) > _LARGEST:
            return None
        if float(np.abs(step).max()) < 1e-9:
            break
    chance = expit(design @ slopes)
    curvature = design.T @ (design * (chance * (1 - chance))[:, None])
    pulls = design * (data.score - chance)[:, None]
    columns = np.broadcast_to(np.arange(len(slopes)), pulls.shape)
    scores = VoteScores(np.arange(data.n), pulls, columns, len(slopes))
    bread: FloatMatrix = np.asarray(np.linalg.pinv(curvature, hermitian=True), dtype=np.float64)
    return PreferenceFit(slopes, clustered_variances(bread, scores, clusterings(data, cluster), n_models=0), data.n)
