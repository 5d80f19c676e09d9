"""What a perturbation did to a grader's scores: pure arithmetic on paired scores.

A change matters only beyond what the same grader does on the same input twice: d = max(rerun noise, the score's
quantisation step, a stated least effect). Sensitivity = P(G(corrupted) < G - d); violation = P(|dG| > d).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest, norm

from workbench.stats.bootstrap import mean_interval
from workbench.stress.perturbation import Family

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Effect:
    """One perturbation over n cases. Scores in [0, 1]; gain = changed - base.

    `success_rate` is the share of cases where the grader did the wrong thing: an attack that gained more than d, a
    corruption that did not cost more than d, an invariance that moved it by more than d; with its Wilson interval,
    widened like the other for the number of attacks.
    `ci_low`/`ci_high` bound the mean gain (bootstrap over questions). `smallest_visible` is the smallest mean gain
    that this many cases would have shown with 80 % power. Cases without a score on one side are not in n: `failed`
    where a grading failed, `abstained` where the grader had nothing to grade (no citation left to count, say);
    `at_ceiling` counts attacked cases whose score had no room to rise by d: they cannot show a hole.
    """

    name: str
    family: Family
    n: int
    failed: int
    abstained: int
    at_ceiling: int
    success_rate: float | None
    success_low: float | None
    success_high: float | None
    mean_gain: float | None
    ci_low: float | None
    ci_high: float | None
    rise_rate_high: float | None
    smallest_visible: float | None


def threshold(rerun_noise: float | None, scores: Sequence[float], *, least_effect: float) -> float:
    """d of this module's formula. The quantisation step is the smallest gap between two scores that were given."""
    distinct = np.unique(np.round(np.asarray(scores, dtype=np.float64), 9))
    gaps = np.diff(distinct)
    # A grader with many fine values has no visible step; only a coarse scale (few values) says how far apart they lie.
    step = float(gaps.min()) / 2 if 0 < gaps.size <= 20 else 0.0
    return max(rerun_noise or 0.0, min(step, 0.25), least_effect)


def rerun_noise(first: Sequence[float], second: Sequence[float]) -> float | None:
    """The 95th percentile of |difference| between two grades of the same case; None without pairs."""
    if not first:
        return None
    return float(np.quantile(np.abs(np.subtract(first, second)), 0.95))


def effect_of(
    name: str,
    family: Family,
    base: Sequence[float],
    changed: Sequence[float],
    questions: Sequence[str],
    *,
    d: float,
    failed: int,
    abstained: int = 0,
    at_ceiling: int = 0,
    comparisons: int,
    seed: int,
) -> Effect:
    """The effect of one perturbation, its interval widened for `comparisons` looks (Bonferroni)."""
    n = len(base)
    if n == 0:
        return Effect(name, family, 0, failed, abstained, at_ceiling, None, None, None, None, None, None, None, None)
    gain: FloatArray = np.subtract(np.asarray(changed, dtype=np.float64), np.asarray(base, dtype=np.float64))
    wrong = {"attack": gain > d, "corruption": gain >= -d, "invariance": np.abs(gain) > d}[family]
    alpha = 0.05 / max(comparisons, 1)
    rate = binomtest(int(wrong.sum()), n).proportion_ci(confidence_level=1 - alpha, method="wilson")
    rises = binomtest(int((gain > d).sum()), n).proportion_ci(method="wilson")
    estimate = mean_interval(gain, clusters=questions, seed=seed, level=1 - alpha)
    spread = float(gain.std(ddof=1)) if n > 1 else math.inf
    visible = (norm.ppf(1 - alpha / 2) + norm.ppf(0.8)) * spread / math.sqrt(n) if math.isfinite(spread) else None
    return Effect(
        name=name,
        family=family,
        n=n,
        failed=failed,
        abstained=abstained,
        at_ceiling=at_ceiling,
        success_rate=float(wrong.mean()),
        success_low=float(rate.low),
        success_high=float(rate.high),
        mean_gain=float(gain.mean()),
        ci_low=estimate.low,
        ci_high=estimate.high,
        rise_rate_high=float(rises.high),
        smallest_visible=None if visible is None else max(float(visible), d),
    )
