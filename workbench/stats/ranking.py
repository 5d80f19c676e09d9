"""How well one score orders items as another does: tau-b, pairwise accuracy with ties, AUC."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import kendalltau, rankdata

from workbench.errors import BadInputError
from workbench.stats.bootstrap import DEFAULT_RESAMPLES, Labels, bootstrap, cluster_codes
from workbench.stats.estimate import FloatVector, IntVector, Measured, NotMeasured


def kendall_tau_b(first: Sequence[float] | FloatVector, second: Sequence[float] | FloatVector) -> float | None:
    """Kendall's tau-b in [-1, 1]; None where one side is constant (no order to compare)."""
    x, y = _two(first, second)
    if x.size < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    return float(kendalltau(x, y, variant="b").statistic)


def kendall_interval(
    first: Sequence[float] | FloatVector,
    second: Sequence[float] | FloatVector,
    clusters: Labels | None = None,
    *,
    seed: int,
    level: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
) -> Measured:
    """`kendall_tau_b` with a bootstrap interval over rows or clusters."""
    x, y = _two(first, second)
    return bootstrap(
        lambda rows: kendall_tau_b(x[rows], y[rows]), x.size, clusters, seed=seed, level=level, resamples=resamples
    )


@dataclass(frozen=True, slots=True)
class PairwiseAccuracy:
    """Share of pairs that a metric orders as people do; `epsilon` is the gap below which the metric calls a tie."""

    accuracy: float
    epsilon: float
    n_pairs: int
    n_human_ties: int


def pairwise_accuracy(
    human: Sequence[float] | FloatVector,
    metric: Sequence[float] | FloatVector,
    groups: Labels | None = None,
    *,
    epsilon: float = 0.0,
) -> PairwiseAccuracy | NotMeasured:
    """Accuracy over all pairs of items (of one group, where `groups` is given), ties being a third answer.

    A pair is right when both call it a tie or both order it alike; the metric calls a tie where its values differ by
    at most `epsilon`. Source: Deutsch, Foster and Freitag 2023 (arXiv 2305.14324), acc_eq.
    """
    signs, gaps, _ = pair_signs_and_gaps(human, metric, groups)
    if signs.size == 0:
        return NotMeasured("no two items to compare")
    return _accuracy(signs, gaps, epsilon)


def tie_calibrated_accuracy(
    human: Sequence[float] | FloatVector, metric: Sequence[float] | FloatVector, groups: Labels | None = None
) -> PairwiseAccuracy | NotMeasured:
    """`pairwise_accuracy` at the epsilon that makes it largest (the smallest such), as Deutsch et al. calibrate ties.

    The epsilon is fitted on the same pairs, so the accuracy is an upper one: hold out groups to compare metrics fairly.
    """
    signs, gaps, _ = pair_signs_and_gaps(human, metric, groups)
    if signs.size == 0:
        return NotMeasured("no two items to compare")
    return _accuracy(signs, gaps, best_epsilon(signs, gaps))


def best_epsilon(signs: FloatVector, gaps: FloatVector) -> float:
    """The smallest epsilon at which calling gaps up to it ties is right most often; 0 where nothing is gained."""
    if signs.size == 0:
        return 0.0
    order, sizes, last = order_of_gaps(gaps)
    gained = np.cumsum(gain_of_ties(signs, gaps)[order])
    best = int(np.argmax(np.where(last, gained, -np.inf)))
    return float(sizes[best]) if gained[best] > 0 else 0.0


def gain_of_ties(signs: FloatVector, gaps: FloatVector) -> FloatVector:
    """What calling a pair a tie gains (people tied it) or loses (it was right); nothing where it is a tie already."""
    change = (signs == 0).astype(np.float64) - (np.sign(gaps) == signs).astype(np.float64)
    return np.where(gaps != 0, change, 0.0)


def order_of_gaps(gaps: FloatVector) -> tuple[IntVector, FloatVector, npt.NDArray[np.bool_]]:
    """Pairs by size of gap, those sizes, and which of them are the last of their size: where an epsilon may lie."""
    order = np.argsort(np.abs(gaps), kind="stable").astype(np.int64)
    sizes = np.abs(gaps)[order]
    return order, sizes, np.append(sizes[1:] != sizes[:-1], True)


def auc(positive: Sequence[bool] | npt.NDArray[np.generic], score: Sequence[float] | FloatVector) -> float | None:
    """Probability that a positive item scores above a negative one, ties counting half; None with one class only."""
    labels, scores = np.asarray(positive).astype(bool), np.asarray(score, dtype=np.float64)
    n_positive = int(labels.sum())
    n_negative = labels.size - n_positive
    if not n_positive or not n_negative:
        return None
    ranks = rankdata(scores)
    return float((ranks[labels].sum() - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative))


def auc_interval(
    positive: Sequence[bool] | npt.NDArray[np.generic],
    score: Sequence[float] | FloatVector,
    clusters: Labels | None = None,
    *,
    seed: int,
    level: float = 0.95,
    resamples: int = DEFAULT_RESAMPLES,
) -> Measured:
    """`auc` with a bootstrap interval over rows or clusters."""
    labels, scores = _two(np.asarray(positive, dtype=np.float64), score)
    found = bootstrap(
        lambda rows: auc(labels[rows] > 0, scores[rows]),
        labels.size,
        clusters,
        seed=seed,
        level=level,
        resamples=resamples,
    )
    return NotMeasured("only one class is present", found.n) if isinstance(found, NotMeasured) else found


def _accuracy(signs: FloatVector, gaps: FloatVector, epsilon: float) -> PairwiseAccuracy:
    called = np.where(np.abs(gaps) <= epsilon, 0.0, np.sign(gaps))
    return PairwiseAccuracy(
        float(np.mean(called == signs)), epsilon, int(signs.size), int(np.count_nonzero(signs == 0))
    )


def pair_signs_and_gaps(
    human: Sequence[float] | FloatVector, metric: Sequence[float] | FloatVector, groups: Labels | None
) -> tuple[FloatVector, FloatVector, IntVector]:
    """The human sign, the metric's gap and the group's number for every pair within a group."""
    x, y = _two(human, metric)
    codes = np.zeros(x.size, dtype=np.int64) if groups is None else cluster_codes(groups, x.size)
    signs: list[FloatVector] = [np.empty(0)]
    gaps: list[FloatVector] = [np.empty(0)]
    of_group: list[IntVector] = [np.empty(0, dtype=np.int64)]
    for group in range(int(codes.max(initial=-1)) + 1):
        rows = np.flatnonzero(codes == group)
        first, second = np.triu_indices(rows.size, 1)
        signs.append(np.sign(x[rows[first]] - x[rows[second]]))
        gaps.append(y[rows[first]] - y[rows[second]])
        of_group.append(np.full(first.size, group, dtype=np.int64))
    return np.concatenate(signs), np.concatenate(gaps), np.concatenate(of_group)


def _two(
    first: Sequence[float] | FloatVector, second: Sequence[float] | FloatVector
) -> tuple[FloatVector, FloatVector]:
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise BadInputError(f"arrays of shapes {x.shape} and {y.shape}; expected one value a row on both sides")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise BadInputError("values that are not finite; leave items without a score out first")
    return x, y
