"""The mean label of items that only a judge has seen, corrected by a part that was labelled too.

The labelled part must be a random part of the same items: nothing here can see that it is not.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student_t

from workbench.errors import BadInputError
from workbench.stats.bootstrap import Labels, codes_of
from workbench.stats.estimate import Estimate, FloatVector, IntVector, Measured, NotMeasured


@dataclass(frozen=True, slots=True)
class RoganGladen:
    """`prevalence`: the corrected share, not clipped, so that its interval means what it says; `clipped` is the value
    in [0, 1]. `sensitivity`, `specificity`: of the judge on the labelled part. `apparent`: share the judge passes."""

    prevalence: Measured
    clipped: float | None
    sensitivity: float | None
    specificity: float | None
    apparent: float | None


def rogan_gladen(
    labels: Sequence[bool],
    judged_labelled: Sequence[bool],
    judged_rest: Sequence[bool],
    questions_labelled: Labels,
    questions_rest: Labels,
    *,
    level: float = 0.95,
) -> RoganGladen:
    """(p + TNR - 1) / (TPR + TNR - 1), p the share that the judge passes of the rest (Rogan and Gladen 1978).

    Interval by the delta method over questions with Student's t of the labelled questions. A rate of 0 or 1 has no
    spread of its own, so the variance takes (hits + 1) / (n + 2) for it, as Lang and Reiczigel 2014 do. Not measured
    where the labelled part has one class only or the judge tells the classes apart no better than chance.
    """
    y, f, u = _bits(labels), _bits(judged_labelled), _bits(judged_rest)
    labelled, rest, n_clusters = _codes(y, f, u, questions_labelled, questions_rest)
    n = int(y.size + u.size)
    apparent = float(u.mean()) if u.size else None
    if apparent is None or y.size == 0 or y.min() == y.max():
        reason = "nothing was judged without a label" if apparent is None else "the labelled part holds one class only"
        return RoganGladen(
            NotMeasured(f"{reason}: the judge's error rates cannot be applied", n), None, None, None, apparent
        )
    positives, negatives = float(y.sum()), float((1 - y).sum())
    sensitivity, specificity = float((y * f).sum() / positives), float(((1 - y) * (1 - f)).sum() / negatives)
    youden = sensitivity + specificity - 1
    if youden <= 0:
        reason = "on the labelled part the judge is no better than chance: its share says nothing of the true one"
        return RoganGladen(NotMeasured(reason, n), None, sensitivity, specificity, apparent)
    value = (apparent + specificity - 1) / youden
    smooth_tpr = (sensitivity * positives + 1) / (positives + 2)
    smooth_tnr = (specificity * negatives + 1) / (negatives + 2)
    smooth_youden = smooth_tpr + smooth_tnr - 1
    if smooth_youden <= 0:
        smooth_youden = youden
    influence = np.zeros(n_clusters)
    np.add.at(influence, rest, (u - apparent) / u.size)
    np.add.at(influence, labelled, -value * y * (f - sensitivity) / positives)
    np.add.at(influence, labelled, (1 - value) * (1 - y) * ((1 - f) - specificity) / negatives)
    observed = _sum_of_squares(influence)
    floor = (
        value**2 * smooth_tpr * (1 - smooth_tpr) / positives
        + (1 - value) ** 2 * smooth_tnr * (1 - smooth_tnr) / negatives
        + (apparent * (1 - apparent)) / u.size
    )
    # Few errors in a small labelled part look like none: the binomial variance is the least that is believed.
    spread = math.sqrt(max(observed, floor)) / smooth_youden
    return RoganGladen(
        _interval(value, spread, n, labelled, n_clusters, "Rogan-Gladen, clustered delta method", level),
        min(1.0, max(0.0, value)),
        sensitivity,
        specificity,
        apparent,
    )


@dataclass(frozen=True, slots=True)
class PredictionPowered:
    """`mean`: PPI++ estimate. `classical`: mean of the labels alone. `judge_only`: mean of the judge on the rest.
    `power`: the tuned lambda, 0 where the judge adds nothing, 1 where the correction is taken whole."""

    mean: Measured
    classical: Measured
    judge_only: float | None
    power: float | None


def prediction_powered_mean(
    labels: Sequence[float] | FloatVector,
    judged_labelled: Sequence[float] | FloatVector,
    judged_rest: Sequence[float] | FloatVector,
    questions_labelled: Labels,
    questions_rest: Labels,
    *,
    level: float = 0.95,
) -> PredictionPowered:
    """mean(Y) + lambda (mean(f of the rest) - mean(f of the labelled)), lambda tuned to the least variance.

    Source: Angelopoulos, Duchi and Zrnic 2023, "PPI++" (arXiv 2311.01453). Here variance and lambda are those of sums
    over questions, which is theirs where each question has one item. Lambda lies in [0, 1], as their code has it.
    Student's t with the labelled questions. Not measured with fewer than two labelled questions.
    """
    y, f, u = _numbers(labels), _numbers(judged_labelled), _numbers(judged_rest)
    labelled, rest, n_clusters = _codes(y, f, u, questions_labelled, questions_rest)
    judge_only = float(u.mean()) if u.size else None
    n_labelled = int(np.unique(labelled).size)
    if n_labelled < 2:
        nothing = NotMeasured("fewer than two labelled questions", int(y.size))
        return PredictionPowered(nothing, nothing, judge_only, None)
    of_label = np.zeros(n_clusters)
    np.add.at(of_label, labelled, (y - y.mean()) / y.size)
    spread = math.sqrt(_sum_of_squares(of_label[np.unique(labelled)]))
    own = _interval(float(y.mean()), spread, int(y.size), labelled, n_labelled, "mean, clustered", level)
    if judge_only is None:
        return PredictionPowered(NotMeasured("nothing was judged without a label", int(y.size)), own, None, None)
    of_judge = np.zeros(n_clusters)
    np.add.at(of_judge, labelled, (f - f.mean()) / f.size)
    np.add.at(of_judge, rest, -(u - u.mean()) / u.size)
    variance = float(of_judge @ of_judge)
    power = 0.0 if variance == 0 else min(1.0, max(0.0, float(of_label @ of_judge) / variance))
    value = float(y.mean() + power * (u.mean() - f.mean()))
    spread = math.sqrt(_sum_of_squares(of_label - power * of_judge, n_labelled))
    n = int(y.size + u.size)
    found = _interval(value, spread, n, labelled, n_clusters, "PPI++, clustered by question", level)
    return PredictionPowered(found, own, judge_only, power)


def _interval(
    value: float, spread: float, n: int, labelled: IntVector, n_clusters: int, method: str, level: float
) -> Estimate:
    freedom = int(np.unique(labelled).size) - 1
    if freedom < 1:
        return Estimate(value, None, None, n, method, None, n_clusters, level)
    half = float(student_t.ppf(0.5 + level / 2, freedom)) * spread
    return Estimate(value, value - half, value + half, n, method, None, n_clusters, level)


def _sum_of_squares(sums: FloatVector, least: int | None = None) -> float:
    """Variance of a sum over clusters, with the correction for `least` clusters where part of them carry the noise."""
    count = least or sums.size
    return float(sums @ sums) * count / max(count - 1, 1)


def _codes(
    y: FloatVector, f: FloatVector, u: FloatVector, labelled: Labels, rest: Labels
) -> tuple[IntVector, IntVector, int]:
    if not (y.size == f.size == len(labelled)) or u.size != len(rest):
        raise BadInputError(
            "each labelled item needs a label, a judge's word and a question; each other one the latter"
        )
    codes = codes_of([*labelled, *rest])
    return codes[: y.size], codes[y.size :], int(codes.max(initial=-1)) + 1


def _bits(values: Sequence[bool]) -> FloatVector:
    array = _numbers(values)
    if not np.all((array == 0) | (array == 1)):
        raise BadInputError("a share needs labels that are true or false")
    return array


def _numbers(values: Sequence[float] | Sequence[bool] | FloatVector) -> FloatVector:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or not np.isfinite(array).all():
        raise BadInputError("values that are not finite; leave items without a score out first")
    return array
