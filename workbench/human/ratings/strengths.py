"""Bradley-Terry and Davidson strengths from win and tie counts."""

import math
from dataclasses import dataclass

import numpy as np

from workbench.errors import BadInputError
from workbench.human.ratings.paired_choice import BRADLEY_TERRY, DAVIDSON, Fit, PairCounts, from_matrices, maximise
from workbench.stats.estimate import FloatMatrix, FloatVector

ELO_PER_LOGIT = 400.0 / math.log(10.0)
ELO_MEAN = 1000.0


@dataclass(frozen=True, slots=True)
class Strengths:
    """Log-strengths with mean 0. `nu` is Davidson's tie parameter (0 where ties were not modelled)."""

    logits: FloatVector
    nu: float
    fit: Fit
    counts: PairCounts

    @property
    def elo(self) -> FloatVector:
        """On the Elo scale: the average model at 1000, 400 points a factor of 10 in odds."""
        return ELO_MEAN + ELO_PER_LOGIT * self.logits


def fit_bradley_terry(wins_MM: FloatMatrix, ties_MM: FloatMatrix, *, prior: float = 0.0) -> Strengths:
    """P(i beats j) = 1 / (1 + exp(b_j - b_i)), a tie being half a win for each side (Bradley and Terry 1952).

    `wins_MM[i, j]` counts wins of i over j, `ties_MM` is symmetric. Raises BadInputError where no finite maximum
    exists (see `graph.unbeaten_groups`) and `prior` is 0.
    """
    counts = from_matrices(wins_MM, ties_MM, BRADLEY_TERRY)
    fit = _converged(maximise(counts, prior=prior))
    return Strengths(fit.parameters, 0.0, fit, counts)


def fit_davidson(wins_MM: FloatMatrix, ties_MM: FloatMatrix, *, prior: float = 0.0) -> Strengths:
    """P(tie) = nu sqrt(p_i p_j) / (p_i + p_j + nu sqrt(p_i p_j)), P(i wins) = p_i / same (Davidson 1970).

    Without any tie nu is 0 and the model is Bradley-Terry's.
    """
    if not ties_MM.any():
        return fit_bradley_terry(wins_MM, ties_MM, prior=prior)
    counts = from_matrices(wins_MM, ties_MM, DAVIDSON)
    fit = _converged(maximise(counts, prior=prior))
    return Strengths(fit.parameters[:-1], math.exp(float(fit.parameters[-1])), fit, counts)


def davidson_has_maximum(wins_MM: FloatMatrix, ties_MM: FloatMatrix) -> bool:
    """Whether Davidson's likelihood has a finite maximum: no direction in which every outcome seen only gains.

    A linear programme over directions: an outcome that was seen must gain at least as much as its rivals.
    """
    from scipy.optimize import linprog

    counts = from_matrices(wins_MM, ties_MM, DAVIDSON)
    columns_PF = counts.columns()
    rows: list[FloatVector] = []
    for pair, seen in enumerate(counts.counts > 0):
        for outcome in np.flatnonzero(seen):
            for rival in range(len(DAVIDSON)):
                if rival != outcome:
                    row = np.zeros(counts.n_parameters)
                    row[columns_PF[pair]] = DAVIDSON[outcome] - DAVIDSON[rival]
                    rows.append(row)
    gains = np.array(rows)
    best = linprog(-gains.sum(axis=0), A_ub=-gains, b_ub=np.zeros(len(gains)), bounds=(-1, 1), method="highs")
    return best.fun is not None and -float(best.fun) < 1e-7


def _converged(fit: Fit) -> Fit:
    if not fit.converged:
        raise BadInputError(
            "strengths have no finite maximum on these votes: some models won (or lost) everything against the rest. "
            "Ask for a prior, or for more votes between the two groups"
        )
    return fit
