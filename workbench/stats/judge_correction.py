"""The mean label of items that only a judge has seen, corrected by a part that was labelled too.

The labelled part must be a random part of the same items: nothing here can see that it is not. How often the intervals
hold is measured by `python -m tests.judge_correction_study` (docs/evidence/judge-correction.json); where they do not
hold as often as they say, the result's `cautions` say so.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from workbench.errors import BadInputError
from workbench.stats.bootstrap import Labels
from workbench.stats.estimate import Estimate, FloatVector, IntVector, Measured, NotMeasured
from workbench.stats.labelled_part import bits, cautions_of, codes_of_parts, n_used, numbers
from workbench.stats.proportion import wilson

Bits: TypeAlias = npt.NDArray[np.bool_]

# Half an error (Jeffreys) added to those seen when a spread is judged: none seen among few is not none.
UNSEEN = 0.5


@dataclass(frozen=True, slots=True)
class RoganGladen:
    """`prevalence`: the corrected share, in [0, 1]; `unclipped`: the formula's value, which may lie outside.
    `sensitivity`, `specificity`: of the judge on the labelled part. `apparent`: share the judge passes of the rest."""

    prevalence: Measured
    unclipped: float | None
    sensitivity: float | None
    specificity: float | None
    apparent: float | None
    cautions: tuple[str, ...] = ()


def rogan_gladen(
    labels: Sequence[bool] | Bits,
    judged_labelled: Sequence[bool] | Bits,
    judged_rest: Sequence[bool] | Bits,
    questions_labelled: Labels,
    questions_rest: Labels,
    *,
    level: float = 0.95,
) -> RoganGladen:
    """(p + TNR - 1) / (TPR + TNR - 1), p the share that the judge passes of the rest (Rogan and Gladen 1978).

    Only the judge's error rates are taken from the labelled part, so it may hold other shares of the classes than the
    rest. The interval has every share pi in [0, 1] at which p - pi TPR - (1 - pi)(1 - TNR) is not significantly
    different from zero (Fieller 1954): a judge hardly better than chance gives the whole of it. Variances are binomial
    times the design effect over questions, Student's t where there is one (Satterthwaite). Not measured where the
    labelled part has one class only, the judge tells the classes apart no better than chance, or no share fits.
    """
    y, f, u = bits(labels), bits(judged_labelled), bits(judged_rest)
    labelled, rest, n_clusters = codes_of_parts(y, f, u, questions_labelled, questions_rest)
    n = int(y.size + u.size)
    apparent = float(u.mean()) if u.size else None
    if apparent is None or y.size == 0 or y.min() == y.max():
        reason = "nothing was judged without a label" if apparent is None else "the labelled part holds one class only"
        nothing = NotMeasured(f"{reason}: the judge's error rates cannot be applied", n)
        return RoganGladen(nothing, None, None, None, apparent)
    passed = _rate(f, y == 1, labelled, n_clusters)
    wrongly = _rate(f, y == 0, labelled, n_clusters)
    shown = _rate(u, np.ones(u.size, dtype=np.bool_), rest, n_clusters)
    youden = passed.value - wrongly.value
    if youden <= 0:
        reason = "on the labelled part the judge is no better than chance: its share says nothing of the true one"
        return RoganGladen(NotMeasured(reason, n), None, passed.value, 1 - wrongly.value, apparent)
    unclipped = (apparent - wrongly.value) / youden
    value = min(1.0, max(0.0, unclipped))
    quantile = _quantile(((1 - value) ** 2, wrongly), (value**2, passed), all_of=(shown,), level=level)
    bounds = _shares_that_fit(shown, passed, wrongly, quantile)
    found: Measured
    if bounds is None:
        found = NotMeasured(
            f"the judge passes {apparent:.3f} of the rest, which no true share explains with its error rates on the "
            "labelled part: is that a random part of the same items?",
            n,
        )
    else:
        method = "Rogan-Gladen, Fieller, clustered by question"
        found = Estimate(value, *bounds, n, method, None, n_clusters, level)
    return RoganGladen(found, unclipped, passed.value, 1 - wrongly.value, apparent, cautions_of(y, labelled))


@dataclass(frozen=True, slots=True)
class _Rate:
    """A share with its variance; `influence` by cluster; `freedom` None where clusters add nothing to the binomial."""

    value: float
    variance: float
    influence: FloatVector
    freedom: int | None


def _rate(hits: FloatVector, among: Bits, codes: IntVector, n: int) -> _Rate:
    chosen, of = hits[among], codes[among]
    size, value = chosen.size, float(chosen.mean())
    softened = (float(chosen.sum()) + UNSEEN) / (size + 2 * UNSEEN)
    influence = np.bincount(of, weights=(chosen - value) / size, minlength=n).astype(np.float64)
    clusters = n_used(of)
    binomial = value * (1 - value) / size
    effect = 1.0
    if binomial > 0 and clusters > 1:
        effect = max(1.0, float(influence @ influence) * clusters / (clusters - 1) / binomial)
    freedom = clusters - 1 if effect > 1 and clusters < size else None
    return _Rate(value, softened * (1 - softened) / size * effect, influence, freedom)


def _quantile(*weighed: tuple[float, _Rate], all_of: tuple[_Rate, ...], level: float) -> float:
    """Student's t with Satterthwaite's degrees of freedom; what has no design effect has a variance that is known."""
    total = sum(weight * rate.variance for weight, rate in weighed) + sum(rate.variance for rate in all_of)
    squares = sum((weight * rate.variance) ** 2 / max(rate.freedom, 1) for weight, rate in weighed if rate.freedom)
    if not squares:
        return float(ndtri(0.5 + level / 2))
    return float(stdtrit(max(1.0, total**2 / squares), 0.5 + level / 2))


def _shares_that_fit(shown: _Rate, passed: _Rate, wrongly: _Rate, quantile: float) -> tuple[float, float] | None:
    """{pi in [0, 1]: (A - pi J)^2 <= q^2 Var(A - pi J)}, A = shown - wrongly, J = passed - wrongly; None if empty."""
    a, j = shown.value - wrongly.value, passed.value - wrongly.value
    both = float(shown.influence @ wrongly.influence), float(passed.influence @ wrongly.influence)
    var_a = shown.variance + wrongly.variance - 2 * both[0]
    var_j = passed.variance + wrongly.variance - 2 * both[1]
    covariance = float(shown.influence @ passed.influence) - both[0] - both[1] + wrongly.variance
    square, linear = j * j - quantile**2 * var_j, -2 * (a * j - quantile**2 * covariance)
    if square <= 0:
        return 0.0, 1.0  # J may be zero: what fits is unbounded, at most with a gap
    root = math.sqrt(max(0.0, linear**2 - 4 * square * (a * a - quantile**2 * var_a)))
    low, high = (-linear - root) / (2 * square), (-linear + root) / (2 * square)
    return None if high < 0 or low > 1 else (max(0.0, low), min(1.0, high))


@dataclass(frozen=True, slots=True)
class PredictionPowered:
    """`mean`: PPI++ estimate. `classical`: mean of the labels alone. `judge_only`: mean of the judge on the rest.
    `power`: the tuned lambda, 0 where the judge adds nothing, 1 where the correction is taken whole."""

    mean: Measured
    classical: Measured
    judge_only: float | None
    power: float | None
    cautions: tuple[str, ...] = ()


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

    Y in [0, 1]. Source: Angelopoulos, Duchi and Zrnic 2023, "PPI++" (arXiv 2311.01453). Variance and lambda are those
    of sums over questions, which is theirs where each question has one item; lambda lies in [0, 1], as their code has
    it. Their normal interval is too narrow for few or rare labels, hence: the variance is a jackknife over questions
    that tunes lambda anew each time, and the interval is Wilson's for as many trials as would have that variance, with
    Student's t of the labelled questions. Labels that are all 0 or all 1 count each question once. Not measured with
    fewer than two labelled questions.
    """
    y, f, u = numbers(labels), numbers(judged_labelled), numbers(judged_rest)
    if y.size and (y.min() < 0 or y.max() > 1):
        raise BadInputError(f"labels between {y.min():g} and {y.max():g}; expected numbers in [0, 1]")
    labelled, rest, n_clusters = codes_of_parts(y, f, u, questions_labelled, questions_rest)
    judge_only = float(u.mean()) if u.size else None
    n_labelled = n_used(labelled)
    if n_labelled < 2:
        nothing = NotMeasured("fewer than two labelled questions", int(y.size))
        return PredictionPowered(nothing, nothing, judge_only, None)
    sums = _Sums(y, f, u, labelled, rest, n_clusters)
    own = _unit_interval(sums.jackknife(np.zeros(n_clusters), 0.0), sums, int(y.size), "mean, jackknife", level)
    if judge_only is None:
        return PredictionPowered(NotMeasured("nothing was judged without a label", int(y.size)), own, None, None)
    power, without = sums.powers()
    found = _unit_interval(sums.jackknife(without, power), sums, int(y.size + u.size), "PPI++, jackknife", level)
    return PredictionPowered(found, own, judge_only, power, cautions_of(y, labelled))


class _Sums:
    """What the estimate needs of each question, so that leaving one out costs a subtraction."""

    def __init__(
        self, y: FloatVector, f: FloatVector, u: FloatVector, labelled: IntVector, rest: IntVector, n: int
    ) -> None:
        self.n_clusters, self.n_labelled = n, n_used(labelled)
        self.label_sum, self.label_range = float(y.sum()), (float(y.min()), float(y.max()))
        self.sizes = np.bincount(labelled, minlength=n).astype(np.float64), np.bincount(rest, minlength=n)
        self.sums_y, self.sums_f = (np.bincount(labelled, weights=of, minlength=n) for of in (y, f))
        self.sums_u = np.bincount(rest, weights=u, minlength=n).astype(np.float64)
        # Where labels and judge are yes or no, an error that was not seen would move one item by 1.
        two_valued = all(bool(np.all((of == 0) | (of == 1))) for of in (y, f))
        self.unseen = UNSEEN / max(y.size, 1) ** 2 if two_valued else 0.0
        self.of_label = (self.sums_y - self.sizes[0] * y.mean()) / y.size
        self.of_judge = (self.sums_f - self.sizes[0] * f.mean()) / y.size
        if u.size:
            self.of_judge = self.of_judge - (self.sums_u - self.sizes[1] * u.mean()) / u.size

    def powers(self) -> tuple[float, FloatVector]:
        """Lambda from all questions, and from all but each one."""
        shared, variance = self.of_label * self.of_judge, self.of_judge**2
        covariances, variances = shared.sum() - shared, variance.sum() - variance
        without = np.divide(covariances, variances, out=np.zeros(self.n_clusters), where=variances > 0)
        power = float(shared.sum() / variance.sum()) if variance.sum() > 0 else 0.0
        return min(1.0, max(0.0, power)), np.clip(without, 0.0, 1.0)

    def jackknife(self, powers: FloatVector, power: float) -> tuple[float, float]:
        """The estimate and its variance over questions (Efron and Stein 1981), by the number of labelled ones."""
        left, left_rest = self.sizes[0].sum() - self.sizes[0], self.sizes[1].sum() - self.sizes[1]
        mean_y, mean_f = (np.divide(s.sum() - s, left, out=s * 0, where=left > 0) for s in (self.sums_y, self.sums_f))
        mean_u = np.divide(self.sums_u.sum() - self.sums_u, left_rest, out=mean_f.copy(), where=left_rest > 0)
        without = mean_y + powers * (mean_u - mean_f)
        n_y, n_u = self.sizes[0].sum(), self.sizes[1].sum()
        value = self.sums_y.sum() / n_y
        if power and n_u:
            value += power * (self.sums_u.sum() / n_u - self.sums_f.sum() / n_y)
        spread = without - without.mean()
        variance = float(spread @ spread) * (self.n_labelled - 1) / self.n_labelled
        return float(value), variance + (self.unseen if power else 0.0)


def _unit_interval(found: tuple[float, float], sums: _Sums, n: int, method: str, level: float) -> Estimate:
    """Wilson's interval for the number of trials that would give this variance; value clipped to [0, 1]."""
    value, variance = min(1.0, max(0.0, found[0])), found[1]
    quantile = float(stdtrit(sums.n_labelled - 1, 0.5 + level / 2))
    share = value if 0 < value < 1 else sums.label_sum / float(sums.sizes[0].sum())
    if sums.label_range[0] == sums.label_range[1] and share in (0.0, 1.0):
        trials = float(sums.n_labelled)
        value = share
    elif variance > 0:
        trials = share * (1 - share) / variance
    else:
        return Estimate(value, None, None, n, f"{method}, clustered by question", None, sums.n_clusters, level)
    low, high = wilson(value, trials, quantile)
    return Estimate(value, low, high, n, f"{method}, clustered by question", None, sums.n_clusters, level)
