"""Which runs to compare next, so that the ratings learn most: pure, and the same for the same seed.

After each batch strengths are fitted again. A vote on two models narrows every gap that the fit ties to theirs; what
counts is how far it narrows the gaps whose order is still open. This is sequential A-optimal design for
Bradley-Terry (Glickman and Jensen 2005) with gaps weighted by how uncertain their order is, and a share of votes kept
for the pairs of which least is known, so that a wrong start does not decide what is asked.
"""

from dataclasses import dataclass

import numpy as np

from workbench.human.ratings.strengths import fit_bradley_terry
from workbench.stats.estimate import FloatMatrix, FloatVector, IntMatrix

# Virtual ties of each model with an average one: there is a fit before any vote and with one-way results.
PRIOR = 1.0
EXPLORE = 0.1


@dataclass(frozen=True, slots=True)
class Known:
    """What the votes say so far: log-strengths of M models and their covariance under the prior."""

    logits: FloatVector
    covariance: FloatMatrix

    @property
    def gaps(self) -> FloatMatrix:
        return self.logits[:, None] - self.logits[None, :]

    @property
    def gap_variances(self) -> FloatMatrix:
        own = np.diag(self.covariance)
        return np.maximum(own[:, None] + own[None, :] - 2 * self.covariance, 1e-12)


def known_from(wins_MM: FloatMatrix, ties_MM: FloatMatrix) -> Known:
    """`wins_MM[i, j]` counts wins of i over j, `ties_MM` is symmetric; both may be all zero."""
    strengths = fit_bradley_terry(wins_MM, ties_MM, prior=PRIOR)
    covariance: FloatMatrix = np.linalg.inv(strengths.fit.hessian).astype(np.float64)
    return Known(strengths.logits, covariance)


def choose_pairs(
    known: Known,
    asked_MM: FloatMatrix,
    free_MM: IntMatrix,
    n: int,
    *,
    rng: np.random.Generator,
    explore: float = EXPLORE,
) -> tuple[tuple[int, int], ...]:
    """Up to `n` pairs of models (i < j) for the next batch, one after another, each allowing for those before it.

    `asked_MM` counts votes between i and j (symmetric), `free_MM[i, j]` (i < j) how many can still be put between them.
    Fewer than `n` pairs come back only where nothing is left.
    """
    first, second = np.triu_indices(len(asked_MM), 1)
    free = free_MM[first, second].astype(np.int64)
    asked = asked_MM[first, second].astype(np.float64)
    covariance, chances = known.covariance.copy(), 1.0 / (1.0 + np.exp(-known.gaps[first, second]))
    weights_P = chances * (1.0 - chances)
    chosen: list[tuple[int, int]] = []
    for _ in range(min(n, int(free.sum()))):
        # Ties between equally good pairs are broken by lot: none is favoured for its place in the list.
        if rng.random() < explore:
            worth = -asked + 0.5 * rng.random(asked.size)
        else:
            gains = _gains(Known(known.logits, covariance), first, second, weights_P)
            worth = gains * (1.0 + 1e-6 * rng.random(gains.size))
        best = int(np.argmax(np.where(free > 0, worth, -np.inf)))
        i, j = int(first[best]), int(second[best])
        chosen.append((i, j))
        free[best] -= 1
        asked[best] += 1
        reach = covariance[:, i] - covariance[:, j]
        covariance -= np.outer(reach, reach) * (weights_P[best] / (1.0 + weights_P[best] * (reach[i] - reach[j])))
    return tuple(chosen)


def _gains(known: Known, first: IntMatrix, second: IntMatrix, weights_P: FloatVector) -> FloatVector:
    """By how much one vote on each pair narrows the gaps, each gap weighted by how open its order is."""
    open_MM = _openness(known)
    laplacian = np.diag(open_MM.sum(axis=1)) - open_MM
    reach_MP = known.covariance[:, first] - known.covariance[:, second]
    own_P = reach_MP[first, np.arange(first.size)] - reach_MP[second, np.arange(first.size)]
    narrowed: FloatVector = (reach_MP * (laplacian @ reach_MP)).sum(axis=0) * weights_P / (1.0 + weights_P * own_P)
    return narrowed


def _openness(known: Known) -> FloatMatrix:
    """How fast the chance of a wrong order falls as a gap's variance does, for a gap that is itself uncertain."""
    variances = known.gap_variances
    open_MM: FloatMatrix = np.exp(-(known.gaps**2) / (2 * variances)) / variances
    np.fill_diagonal(open_MM, 0.0)
    return open_MM
