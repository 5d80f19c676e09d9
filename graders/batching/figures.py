"""What asking several criteria in one call does to their verdicts: arithmetic on arrays, no store and no model."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from graders.batching.records import LEVEL, Asked, CriterionFigures, Figures, Kappas, ScoreFigures, Verdicts
from workbench.stats.agreement import cohen_kappa
from workbench.stats.bootstrap import cluster_codes, cluster_weights, from_draws, mean_interval, paired_difference
from workbench.stats.estimate import FloatMatrix, FloatVector, IntVector, Measured, NotMeasured
from workbench.stats.verdicts import rerun_spread

Mask: TypeAlias = npt.NDArray[np.bool_]
Bounded: TypeAlias = tuple[Measured, float | None]  # with an interval, and its one-sided bound
RESAMPLES = 2000
_KAPPA_RESAMPLES = 500  # three a criterion, for reading and not for choosing


def compare(verdicts: Verdicts, *, seed: int = 0, kappas: bool = True) -> Figures:
    """All figures; needs at least two repeats an arm, since a rerun is the yardstick.

    `kappas` are for reading and decide nothing: whoever simulates thousands of studies leaves them out.
    """
    criteria = tuple(_criterion(verdicts, place, seed, kappas) for place in range(len(verdicts.criteria)))
    return Figures(
        criteria, *_overall(verdicts, seed), _score(verdicts, seed), _order(verdicts, seed), _halo(verdicts, seed)
    )


def _excess(excess_N: FloatVector, questions: Sequence[str], n_criteria: int, seed: int) -> Bounded:
    """The mean with an interval that holds for all criteria and their mean together, and its one-sided bound.

    Where every report shows the same there is no spread to resample. The bounds are then what so few questions could
    miss: had more than a share 1 - a^(1/n) of them moved, one of n would have been seen to with probability 1 - a. Few
    reports can therefore neither show a move nor its absence. To call all alike each may be tested at the full level.
    """
    level = 1 - (1 - LEVEL) / (n_criteria + 1)
    found = mean_interval(excess_N, questions, seed=seed, level=level)
    if found.low is None or found.n_clusters is None:
        return found, None
    seen = (1 - LEVEL) ** (1 / found.n_clusters)
    if np.ptp(excess_N) < 1e-12:
        chance = ((1 - level) / 2) ** (1 / found.n_clusters)
        low, high = min(found.value, found.value * chance), max(found.value, 1 - chance)
        method = "one value throughout: what so few could miss"
        return replace(found, low=low, high=high, method=method), max(found.value, 1 - seen)
    upper = mean_interval(excess_N, questions, seed=seed, level=2 * LEVEL - 1).high
    return found, None if upper is None else max(upper, 1 - seen)


def _criterion(verdicts: Verdicts, place: int, seed: int, kappas: bool) -> CriterionFigures:
    asked = verdicts.criteria[place]
    atomic_NK, batched_NK = (verdicts.values[arm][:, :, place] for arm in ("atomic", "batched"))
    whole = _finite(atomic_NK) & _finite(batched_NK)
    questions = _kept(verdicts.questions, whole)
    atomic_NK, batched_NK = atomic_NK[whole], batched_NK[whole]
    none = NotMeasured("left out")
    found = Kappas(none, none, none)
    if kappas:
        found = Kappas(
            between=_kappa(atomic_NK, batched_NK, questions, asked, seed),
            atomic=_kappa(atomic_NK[:, :-1], atomic_NK[:, 1:], questions, asked, seed),
            batched=_kappa(batched_NK[:, :-1], batched_NK[:, 1:], questions, asked, seed),
        )
    missing = int(whole.size - whole.sum())
    if not questions:
        return CriterionFigures(asked.id, 0, missing, found)
    moved_N, rerun_N = _between(atomic_NK, batched_NK), _within(atomic_NK)
    excess, most = _excess(moved_N - rerun_N, questions, len(verdicts.criteria), seed)
    return CriterionFigures(
        asked.id,
        len(questions),
        missing,
        found,
        moved=float(moved_N.mean()),
        atomic_rerun=float(rerun_N.mean()),
        batched_rerun=float(_within(batched_NK).mean()),
        excess=excess,
        most=most,
        shift=paired_difference(batched_NK.mean(axis=1), atomic_NK.mean(axis=1), questions, seed=seed),
    )


def _kappa(
    first_NK: FloatMatrix, second_NK: FloatMatrix, questions: Sequence[str], asked: Asked, seed: int
) -> Measured:
    """Repeat against repeat of the same index; quadratic weights where there are more than two labels."""
    repeated = [question for question in questions for _ in range(first_NK.shape[1])]
    return cohen_kappa(
        [_nearest(value, asked.values) for value in first_NK.ravel()],
        [_nearest(value, asked.values) for value in second_NK.ravel()],
        repeated,
        categories=asked.values,
        weights="quadratic" if len(asked.values) > 2 else "none",
        seed=seed,
        resamples=_KAPPA_RESAMPLES,
    )


def _nearest(value: float, values: Sequence[float]) -> float:
    return min(values, key=lambda known: abs(known - value))


def _overall(verdicts: Verdicts, seed: int) -> Bounded:
    """The excess of the mean over all criteria, of the reports that have every verdict in both arms."""
    atomic, batched = verdicts.values["atomic"], verdicts.values["batched"]
    whole = _finite(atomic) & _finite(batched)
    if not whole.any():
        return NotMeasured("no report has every verdict in both arms"), None
    excess_NC = np.stack(
        [
            _between(atomic[whole][:, :, c], batched[whole][:, :, c]) - _within(atomic[whole][:, :, c])
            for c in range(atomic.shape[2])
        ],
        axis=1,
    )
    questions = _kept(verdicts.questions, whole)
    return _excess(excess_NC.mean(axis=1), questions, len(verdicts.criteria), seed)


def _score(verdicts: Verdicts, seed: int) -> ScoreFigures:
    atomic, batched = verdicts.scores["atomic"], verdicts.scores["batched"]
    whole: Mask = _finite(atomic) & _finite(batched)
    difference: Measured = NotMeasured("no report has every score in both arms")
    if whole.any():
        questions = _kept(verdicts.questions, whole)
        difference = paired_difference(batched[whole].mean(axis=1), atomic[whole].mean(axis=1), questions, seed=seed)
    arms = {arm: scores[whole] if whole.any() else None for arm, scores in (("atomic", atomic), ("batched", batched))}
    return ScoreFigures(
        difference,
        {arm: None if scores is None else float(scores.mean()) for arm, scores in arms.items()},
        {arm: None if scores is None else rerun_spread(scores.T).sd_within for arm, scores in arms.items()},
    )


def _order(verdicts: Verdicts, seed: int) -> Measured:
    """Least squares over the criteria of a report: value in one order less value in the other, on places moved.

    Given as the fall from the first to the last place of the longest call; what a criterion is worth falls out, since
    it is compared with itself.
    """
    ahead_C = np.array([float(asked.reversed_place - asked.place) for asked in verdicts.criteria])
    span = max((max(asked.place, asked.reversed_place) for asked in verdicts.criteria), default=0)
    if not ahead_C.any():
        return NotMeasured("no call holds more than one criterion")
    first, last = verdicts.values["batched"], verdicts.values["reversed"]
    whole = _finite(first) & _finite(last)
    if not whole.any():
        return NotMeasured("no report has every verdict in both orders")
    gain_NC = first[whole].mean(axis=1) - last[whole].mean(axis=1)
    fall_N = span * (gain_NC @ ahead_C) / float(ahead_C @ ahead_C)
    return mean_interval(fall_N, _kept(verdicts.questions, whole), seed=seed)


def _halo(verdicts: Verdicts, seed: int) -> Measured:
    """Mean correlation of two criteria over reports, in batched calls less in atomic ones; faults turned about."""
    signs_C = np.array([-1.0 if asked.fault else 1.0 for asked in verdicts.criteria])
    atomic, batched = (verdicts.values[arm] * signs_C for arm in ("atomic", "batched"))
    whole = _finite(atomic) & _finite(batched)
    codes = cluster_codes(_kept(verdicts.questions, whole), int(whole.sum()))
    if codes.size < 3 or len(verdicts.criteria) < 2:
        return NotMeasured("fewer than two criteria, or than three reports with every verdict", codes.size)
    n_clusters = int(codes.max()) + 1
    moments = [
        [_moments(arm[whole][:, k], codes, n_clusters) for k in range(arm.shape[1])] for arm in (atomic, batched)
    ]

    def difference(weights_BG: FloatMatrix) -> FloatVector:
        # Repeat by repeat: verdicts of one call are read together.
        apart, together = (np.mean([_correlation(weights_BG @ one) for one in arm], axis=0) for arm in moments)
        return np.asarray(together - apart, dtype=np.float64)

    value = float(difference(np.ones((1, n_clusters)))[0])
    if not np.isfinite(value):
        return NotMeasured("no two criteria vary over the reports", codes.size)
    rng = np.random.default_rng(seed)
    draws = np.concatenate([difference(weights) for weights in cluster_weights(n_clusters, RESAMPLES, rng)])
    method = "clustered bootstrap of a difference of mean correlations"
    return from_draws(
        value, draws[np.isfinite(draws)], n=codes.size, n_clusters=n_clusters, method=method, seed=seed, level=LEVEL
    )


def _moments(merits_NC: FloatMatrix, codes: IntVector, n_clusters: int) -> FloatMatrix:
    """By cluster: how many rows, the sum of each criterion, and the sum of each product of two, flattened."""
    products = (merits_NC[:, :, None] * merits_NC[:, None, :]).reshape(len(merits_NC), -1)
    rows = np.concatenate([np.ones((len(merits_NC), 1)), merits_NC, products], axis=1)
    sums: FloatMatrix = np.zeros((n_clusters, rows.shape[1]))
    np.add.at(sums, codes, rows)
    return sums


def _correlation(sums_BM: FloatMatrix) -> FloatVector:
    """Mean correlation of two criteria from weighted sums, over the pairs that vary; NaN where none does."""
    size = round((sums_BM.shape[1] - 1 + 0.25) ** 0.5 - 0.5)
    n_B = sums_BM[:, 0]
    means_BC = sums_BM[:, 1 : size + 1] / n_B[:, None]
    products_BCC = sums_BM[:, size + 1 :].reshape(-1, size, size) / n_B[:, None, None]
    covariance = products_BCC - means_BC[:, :, None] * means_BC[:, None, :]
    spread_BC = np.sqrt(np.clip(np.einsum("bcc->bc", covariance), 0.0, None))
    scale = spread_BC[:, :, None] * spread_BC[:, None, :]
    rows, columns = np.triu_indices(size, k=1)
    pairs, scales = covariance[:, rows, columns], scale[:, rows, columns]
    varied = scales > 1e-9
    counted = varied.sum(axis=1)
    total = np.where(varied, pairs / np.where(varied, scales, 1.0), 0.0).sum(axis=1)
    return np.where(counted > 0, total / np.maximum(counted, 1), np.nan)


def _between(first_NK: FloatMatrix, second_NK: FloatMatrix) -> FloatVector:
    distances: FloatVector = np.abs(first_NK[:, :, None] - second_NK[:, None, :]).mean(axis=(1, 2))
    return distances


def _within(values_NK: FloatMatrix) -> FloatVector:
    pairs = list(combinations(range(values_NK.shape[1]), 2))
    distances: FloatVector = np.mean([np.abs(values_NK[:, j] - values_NK[:, k]) for j, k in pairs], axis=0)
    return distances


def _finite(values: FloatMatrix) -> Mask:
    return np.asarray(np.isfinite(values).reshape(values.shape[0], -1).all(axis=1), dtype=np.bool_)


def _kept(questions: Sequence[str], mask: Mask) -> list[str]:
    return [question for question, keep in zip(questions, mask, strict=True) if keep]
