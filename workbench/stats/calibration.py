"""From a grader's score to the label it stands for: fitted on some questions, judged on others.

Isotonic regression (Zadrozny and Elkan 2002) and Platt's sigmoid (Platt 1999), both by scikit-learn.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from workbench.errors import BadInputError, MissingExtraError
from workbench.stats.bootstrap import (
    DEFAULT_RESAMPLES,
    Labels,
    cluster_codes,
    cluster_weights,
    from_draws,
    mean_interval,
)
from workbench.stats.estimate import Estimate, FloatVector, IntVector, Measured, NotMeasured

CalibrationMethod: TypeAlias = Literal["isotonic", "platt"]
CALIBRATION_METHODS: tuple[CalibrationMethod, ...] = ("isotonic", "platt")
Predictor: TypeAlias = Callable[[FloatVector], FloatVector]

FOLDS = 5
BINS = 10
_FLOOR_DRAWS = 500


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Items whose prediction lies in [low, high]: their mean prediction, and the mean label with its interval."""

    low: float
    high: float
    predicted: float
    observed: Measured


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far predictions can be taken at their word.

    `brier`: mean squared difference of prediction and label. `ece`: mean distance of a bin's prediction and label,
    over bins of equal count. It is biased upward, since noise alone makes bins differ: `ece_floor` is what a perfectly
    calibrated grader is expected to show on as many items of the same noise; only an excess over it means anything. The
    interval of `ece` resamples questions at these bins and is moved to the value, for a resample adds noise once more.
    """

    brier: Measured
    ece: Measured
    ece_floor: float
    bins: tuple[ReliabilityBin, ...]


@dataclass(frozen=True, slots=True)
class Calibrated:
    """`before`: the score itself. `after`: predictions for each item by a map fitted on other questions only.
    `predict` is the map fitted on all labelled items, for items without a label."""

    method: CalibrationMethod
    folds: int
    before: Reliability
    after: Reliability
    brier_gain: Measured
    predictions: FloatVector
    predict: Predictor


def calibrate(
    scores: Sequence[float] | FloatVector,
    labels: Sequence[float] | FloatVector,
    questions: Labels,
    *,
    method: CalibrationMethod,
    seed: int,
    folds: int = FOLDS,
    bins: int = BINS,
) -> Calibrated | NotMeasured:
    """Cross-fitted by question. Scores and labels in [0, 1]; labels may be shares (Platt weighs both outcomes by them).

    `brier_gain` is the Brier score before less after, by item: above zero where calibration helps on unseen questions.
    Not measured with fewer than two questions or where all labels are the same.
    """
    x, y = _unit(scores, "scores"), _unit(labels, "labels")
    if x.size != y.size:
        raise BadInputError(f"{x.size} scores against {y.size} labels; expected one of each an item")
    codes = cluster_codes(questions, x.size)
    n_questions = int(codes.max(initial=-1)) + 1
    if n_questions < 2:
        return NotMeasured("fewer than two questions with labels: none is left to judge the fit on", int(x.size))
    if np.ptp(y) == 0:
        return NotMeasured("all labels are the same: there is nothing to calibrate to", int(x.size))
    folds = min(folds, n_questions)
    fold = np.random.default_rng(seed).permutation(n_questions)[codes] % folds
    predictions = np.empty(x.size)
    for this in range(folds):
        held = fold == this
        predictions[held] = fit(x[~held], y[~held], method)(x[held])
    gain = mean_interval((x - y) ** 2 - (predictions - y) ** 2, codes.tolist(), seed=seed)
    return Calibrated(
        method,
        folds,
        reliability(x, y, codes.tolist(), seed=seed, bins=bins),
        reliability(predictions, y, codes.tolist(), seed=seed, bins=bins),
        gain,
        predictions,
        fit(x, y, method),
    )


def fit(scores: FloatVector, labels: FloatVector, method: CalibrationMethod) -> Predictor:
    """The map from score to expected label. Labels that are all the same give that constant."""
    if np.ptp(labels) == 0:
        constant = float(labels[0])
        return lambda given: np.full(np.shape(given), constant)
    if method == "isotonic":
        isotonic: Any = _sklearn("isotonic").IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
        isotonic.fit(scores, labels)
        return lambda given: np.asarray(isotonic.predict(given), dtype=np.float64)
    # Each item enters as a success and as a failure, weighted by its label; Platt's targets keep the fit off 0 and 1.
    positive, negative = float(labels.sum()), float((1 - labels).sum())
    high, low = (positive + 1) / (positive + 2), 1 / (negative + 2)
    targets = labels * high + (1 - labels) * low
    sigmoid: Any = _sklearn("linear_model").LogisticRegression(C=np.inf, max_iter=1000)
    sigmoid.fit(
        np.concatenate([scores, scores])[:, None],
        np.repeat([1, 0], scores.size),
        sample_weight=np.concatenate([targets, 1 - targets]),
    )
    return lambda given: np.asarray(sigmoid.predict_proba(np.asarray(given)[:, None])[:, 1], dtype=np.float64)


def reliability(
    predictions: Sequence[float] | FloatVector,
    labels: Sequence[float] | FloatVector,
    questions: Labels | None = None,
    *,
    seed: int,
    bins: int = BINS,
    resamples: int = DEFAULT_RESAMPLES,
) -> Reliability:
    """Brier score, ECE and the table behind it; intervals and the floor of ECE respect questions."""
    p, y = _unit(predictions, "predictions"), _unit(labels, "labels")
    if p.size != y.size or not p.size:
        raise BadInputError(f"{p.size} predictions against {y.size} labels; expected one of each an item, at least one")
    codes = cluster_codes(questions, p.size)
    of_bin = _bins(p, bins)
    used = range(int(of_bin.max()) + 1)
    table = tuple(
        ReliabilityBin(
            float(p[rows].min()),
            float(p[rows].max()),
            float(p[rows].mean()),
            mean_interval(y[rows], codes[rows].tolist(), seed=seed, resamples=resamples),
        )
        for rows in (np.flatnonzero(of_bin == one) for one in used)
    )
    sizes = np.bincount(of_bin).astype(np.float64)
    gaps = np.bincount(of_bin, weights=y - p)
    return Reliability(
        brier=mean_interval((p - y) ** 2, None if questions is None else codes.tolist(), seed=seed),
        ece=_ece(y - p, of_bin, codes, seed, resamples),
        ece_floor=_floor(y - p - (gaps / sizes)[of_bin], of_bin, sizes, codes, seed),
        bins=table,
    )


def _ece(residuals: FloatVector, of_bin: IntVector, codes: IntVector, seed: int, resamples: int) -> Estimate:
    table_QB = np.zeros((int(codes.max()) + 1, int(of_bin.max()) + 1))
    np.add.at(table_QB, (codes, of_bin), residuals)
    sizes_Q = np.bincount(codes).astype(np.float64)
    value = float(np.abs(table_QB.sum(axis=0)).sum() / residuals.size)
    rng = np.random.default_rng(seed)
    blocks = [
        np.abs(weights @ table_QB).sum(axis=1) / (weights @ sizes_Q)
        for weights in cluster_weights(sizes_Q.size, resamples, rng)
    ]
    draws = np.concatenate(blocks)
    return from_draws(
        value,
        np.maximum(0.0, draws - draws.mean() + value),
        n=residuals.size,
        n_clusters=sizes_Q.size,
        method="clustered bootstrap, moved to the value",
        seed=seed,
        level=0.95,
    )


def _bins(p: FloatVector, bins: int) -> IntVector:
    """Equal counts, equal predictions never apart."""
    edges = np.unique(np.quantile(p, np.linspace(0, 1, min(bins, p.size) + 1)[1:-1]))
    found = np.searchsorted(edges, p, side="left")
    return np.unique(found, return_inverse=True)[1].astype(np.int64)


def _floor(residuals: FloatVector, of_bin: IntVector, sizes: FloatVector, codes: IntVector, seed: int) -> float:
    """Mean ECE once every bin is right on average: residuals keep their size and their question's sign is drawn."""
    n_questions = int(codes.max()) + 1
    table_QB = np.zeros((n_questions, sizes.size))
    np.add.at(table_QB, (codes, of_bin), residuals * np.sqrt(sizes / np.maximum(sizes - 1, 1))[of_bin])
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], size=(_FLOOR_DRAWS, n_questions))
    return float(np.abs(signs @ table_QB).sum(axis=1).mean() / residuals.size)


def _unit(values: Sequence[float] | FloatVector, what: str) -> FloatVector:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or not np.isfinite(array).all() or (array.size and (array.min() < 0 or array.max() > 1)):
        raise BadInputError(f"{what} must be numbers in [0, 1]; leave out what has none first")
    return array


def _sklearn(name: str) -> Any:
    import importlib

    try:
        return importlib.import_module(f"sklearn.{name}")
    except ImportError:
        raise MissingExtraError("calibration needs scikit-learn; install it with: pip install -e '.[app]'") from None
