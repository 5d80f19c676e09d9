"""The one likelihood behind Bradley-Terry and Davidson, and its maximum by Newton's method.

A comparison of i and j has a few outcomes; outcome o has the log-weight F[o] . (b_i, b_j, extras). Bradley-Terry has
two outcomes (i wins, j wins) and no extra; Davidson has a third (tie) and the extra log(nu). The log-likelihood is
concave.
"""

from dataclasses import dataclass

import numpy as np

from workbench.stats.estimate import FloatMatrix, FloatVector, IntMatrix, IntVector

BRADLEY_TERRY: FloatMatrix = np.array([[1.0, 0.0], [0.0, 1.0]])
DAVIDSON: FloatMatrix = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.5, 1.0]])

MAX_STEPS = 200
HOLDS_THE_MEAN = 0.01
LARGEST_STEP = 4.0
# A gap of 50 is odds of 5e21: no votes that have a maximum get there.
LARGEST_STRENGTH = 50.0


@dataclass(frozen=True, slots=True)
class PairCounts:
    """P pairs of M models. `counts` (pairs x outcomes): how often each outcome was seen, a tie being half of each win
    where there is no outcome for it. `features`: the table F above, outcomes x (two strengths, then the extras).
    """

    n_models: int
    first: IntVector
    second: IntVector
    counts: FloatMatrix
    features: FloatMatrix

    @property
    def n_extras(self) -> int:
        return int(self.features.shape[1]) - 2

    @property
    def n_parameters(self) -> int:
        return self.n_models + self.n_extras

    def columns(self) -> IntMatrix:
        """Which parameters each pair's features speak of."""
        extras = np.broadcast_to(np.arange(self.n_models, self.n_parameters), (self.first.size, self.n_extras))
        return np.column_stack([self.first, self.second, extras])


@dataclass(frozen=True, slots=True)
class Fit:
    """Parameters at the maximum (strengths with mean 0, then the extras), and the curvature there."""

    parameters: FloatVector
    hessian: FloatMatrix
    probabilities: FloatMatrix
    steps: int
    converged: bool


def from_matrices(wins_MM: FloatMatrix, ties_MM: FloatMatrix, features_OF: FloatMatrix) -> PairCounts:
    """Counts by pair; where the features have no outcome for a tie, it counts half a win for each side."""
    size = len(wins_MM)
    first, second = (axis.astype(np.int64) for axis in np.triu_indices(size, 1))
    forward, backward, ties = wins_MM[first, second], wins_MM[second, first], ties_MM[first, second]
    met = forward + backward + ties > 0
    outcomes = [forward, backward, ties] if len(features_OF) == 3 else [forward + ties / 2, backward + ties / 2]
    return PairCounts(size, first[met], second[met], np.column_stack(outcomes)[met], features_OF)


def maximise(counts: PairCounts, *, prior: float = 0.0, start: FloatVector | None = None) -> Fit:
    """The parameters of greatest likelihood. `prior`: that many virtual ties of each model with an average one.

    Without a prior the caller must know that a maximum exists (see `graph`); `converged` is False where none is found.
    """
    parameters = np.zeros(counts.n_parameters) if start is None else start.copy()
    value, gradient, hessian, chances = _evaluate(counts, parameters, prior)
    # A prior holds the mean by itself, and a second hold would only slow the steps down; a faint one does not.
    gauge = 1e-12 * np.eye(counts.n_parameters) if prior >= HOLDS_THE_MEAN else gauge_of(counts)
    converged, step = False, 0
    for step in range(1, MAX_STEPS + 1):  # noqa: B007 - reported
        direction = np.linalg.solve(hessian + gauge, gradient)
        direction *= min(1.0, LARGEST_STEP / max(float(np.abs(direction).max()), 1e-300))
        size = 1.0
        while True:
            trial = _evaluate(counts, parameters + size * direction, prior)
            if trial[0] >= value - 1e-12 * abs(value) or size < 1e-10:
                break
            size /= 2
        parameters = parameters + size * direction
        value, gradient, hessian, chances = trial
        # By the step, not by the gradient: on the way to infinity the gradient vanishes and the step does not.
        if float(np.abs(direction).max()) < 1e-9:
            converged = True
            break
        if float(np.abs(parameters).max()) > LARGEST_STRENGTH:
            break
    strengths = parameters[: counts.n_models]
    parameters[: counts.n_models] = strengths - strengths.mean()
    return Fit(parameters, hessian, chances, step, converged)


def gauge_of(counts: PairCounts) -> FloatMatrix:
    """Only gaps between strengths matter; this fixes their mean at 0 without favouring any model."""
    ones = np.zeros(counts.n_parameters)
    ones[: counts.n_models] = 1.0
    # A touch of ridge keeps the solve defined where curvature has vanished on the way to infinity.
    return np.outer(ones, ones) / counts.n_models + 1e-12 * np.eye(counts.n_parameters)


def _evaluate(
    counts: PairCounts, parameters: FloatVector, prior: float
) -> tuple[float, FloatVector, FloatMatrix, FloatMatrix]:
    columns_PF = counts.columns()
    weights_PO = parameters[columns_PF] @ counts.features.T
    # By hand: scipy's softmax takes longer on small tables than all the rest.
    weights_PO = weights_PO - weights_PO.max(axis=1, keepdims=True)
    odds_PO = np.exp(weights_PO)
    totals_P = odds_PO.sum(axis=1, keepdims=True)
    chances_PO = odds_PO / totals_P
    value = float((counts.counts * (weights_PO - np.log(totals_P))).sum())
    met_P = counts.counts.sum(axis=1)
    size = counts.n_parameters
    pulls_PF = (counts.counts - met_P[:, None] * chances_PO) @ counts.features
    gradient: FloatVector = np.bincount(columns_PF.ravel(), weights=pulls_PF.ravel(), minlength=size).astype(np.float64)
    mean_PF = chances_PO @ counts.features
    squares_OG = (counts.features[:, :, None] * counts.features[:, None, :]).reshape(len(counts.features), -1)
    second_PFF = (chances_PO @ squares_OG).reshape(*mean_PF.shape, mean_PF.shape[1])
    spread_PFF = met_P[:, None, None] * (second_PFF - mean_PF[:, :, None] * mean_PF[:, None, :])
    cells_PFF = columns_PF[:, :, None] * size + columns_PF[:, None, :]
    summed = np.bincount(cells_PFF.ravel(), weights=spread_PFF.ravel(), minlength=size * size).astype(np.float64)
    hessian: FloatMatrix = summed.reshape(size, size)
    if prior:
        own = np.arange(counts.n_models)
        chance = 1.0 / (1.0 + np.exp(-parameters[own]))
        value += float(prior / 2 * (np.log(chance) + np.log1p(-chance)).sum())
        gradient[own] += prior * (0.5 - chance)
        hessian[own, own] += prior * chance * (1 - chance)
    return value, gradient, hessian, chances_PO
