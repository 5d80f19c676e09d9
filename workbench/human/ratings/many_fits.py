"""Strengths of many tables of one shape at once: what a bootstrap draws, fitted side by side."""

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from workbench.human.ratings.paired_choice import LARGEST_STEP, LARGEST_STRENGTH, PairCounts, gauge_of
from workbench.stats.estimate import FloatMatrix, FloatVector

MAX_STEPS = 30
_CELLS_AT_ONCE = 8_000_000


def maximise_many(
    counts: PairCounts, tables_BPO: npt.NDArray[np.float64], start: FloatVector
) -> tuple[FloatMatrix, npt.NDArray[np.bool_]]:
    """The parameters of greatest likelihood of each of B tables (B x F), and which of them were reached.

    `counts` gives the pairs and the features, `start` parameters not far off. Newton's full steps: a table on which
    they do not settle is for `paired_choice.maximise`, which halves them.
    """
    n_tables = len(tables_BPO)
    parameters_BF = np.tile(start, (n_tables, 1))
    reached = np.zeros(n_tables, dtype=bool)
    width = counts.features.shape[1]
    rows = max(1, _CELLS_AT_ONCE // max(1, counts.first.size * width * width))
    for begin in range(0, n_tables, rows):
        part = slice(begin, begin + rows)
        parameters_BF[part], reached[part] = _newton(counts, tables_BPO[part], start)
    strengths = parameters_BF[:, : counts.n_models]
    strengths -= strengths.mean(axis=1, keepdims=True)
    return parameters_BF, reached


def _newton(
    counts: PairCounts, tables_BPO: npt.NDArray[np.float64], start: FloatVector
) -> tuple[FloatMatrix, npt.NDArray[np.bool_]]:
    features, columns_PF, size = counts.features, counts.columns(), counts.n_parameters
    squares_OG = (features[:, :, None] * features[:, None, :]).reshape(len(features), -1)
    to_gradient = _adder(columns_PF, size)
    to_hessian = _adder(columns_PF[:, :, None] * size + columns_PF[:, None, :], size * size)
    met_BP = tables_BPO.sum(axis=2)
    n_tables = len(tables_BPO)
    theta = np.tile(start, (n_tables, 1))
    reached = np.zeros(n_tables, dtype=bool)
    for _ in range(MAX_STEPS):
        weights_BPO = theta[:, columns_PF] @ features.T
        odds_BPO = np.exp(weights_BPO - weights_BPO.max(axis=2, keepdims=True))
        chances_BPO = odds_BPO / odds_BPO.sum(axis=2, keepdims=True)
        pulls_BPF = (tables_BPO - met_BP[:, :, None] * chances_BPO) @ features
        mean_BPF = chances_BPO @ features
        spread_BPG = chances_BPO @ squares_OG - (mean_BPF[..., :, None] * mean_BPF[..., None, :]).reshape(
            *mean_BPF.shape[:2], -1
        )
        spread_BPG *= met_BP[:, :, None]
        gradient_BF = (to_gradient @ pulls_BPF.reshape(n_tables, -1).T).T
        hessian_BFF = (to_hessian @ spread_BPG.reshape(n_tables, -1).T).T.reshape(n_tables, size, size)
        direction = np.linalg.solve(hessian_BFF + gauge_of(counts), gradient_BF[:, :, None])[:, :, 0]
        longest = np.abs(direction).max(axis=1, keepdims=True)
        theta = theta + direction * np.minimum(1.0, LARGEST_STEP / np.maximum(longest, 1e-300))
        reached = longest[:, 0] < 1e-8
        if reached.all():
            break
    return theta, reached & (np.abs(theta).max(axis=1) < LARGEST_STRENGTH)


def _adder(places: npt.NDArray[np.int64], size: int) -> csr_array:
    """Sums flat values into the places they belong to."""
    flat = places.ravel()
    return csr_array((np.ones(flat.size), (flat, np.arange(flat.size))), shape=(size, flat.size))
