"""The classic running Elo: what its users know, and a number that depends on the order of play."""

import numpy as np

from workbench.human.ratings.comparisons import Comparisons
from workbench.stats.estimate import FloatVector


def running_elo(
    comparisons: Comparisons, *, initial: float = 1000.0, base: float = 10.0, scale: float = 400.0, k: float = 4.0
) -> FloatVector:
    """Ratings after one pass in the order of the votes, ties counting half (Elo 1978).

    The same votes in another order give other numbers, and there is no true value for an interval to hold.
    """
    ratings = [initial] * len(comparisons.names)
    for first, second, score in zip(
        comparisons.first.tolist(), comparisons.second.tolist(), comparisons.score.tolist(), strict=True
    ):
        expected = 1.0 / (1.0 + base ** ((ratings[second] - ratings[first]) / scale))
        change = k * (score - expected)
        ratings[first] += change
        ratings[second] -= change
    return np.array(ratings)
