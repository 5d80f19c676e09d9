"""What each phase costs, and which of them is shown to: one test a phase, over questions, both errors held together.

Questions are the independent units, so each is one number: the mean of its pairs. A phase is shown where its mean
difference lies above the least effect by two one-sided tests at once, Student's t and the sign flip (exact up to
14 questions): t trusts the spread of few questions too much where they happen to agree, which the flip does not.
Holm's step holds the chance of any false phase at `alpha` over both. Measured error: docs/decisions/0015-diagnosis.md.
"""

import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student_t

from workbench.diagnosis.report import PARTS, Part, PartName, Verdict
from workbench.stats.estimate import Estimate, FloatVector, Measured, NotMeasured

# Gold takes this for one of ten facts that is stated without its citation: below it there is nothing to repair.
LEAST_EFFECT = 0.02
ALPHA = 0.05
POWER = 0.8
EXACT_UP_TO = 14
FLIPS = 9999
METHOD = "t over question means"
WORSE = "the writer wrote worse reports than the agent, so it says nothing of the agent's writing: take a stronger one"


@dataclass(frozen=True, slots=True)
class Differences:
    """Differences of scores, one a pair, and the question of each; `missing` says why there are none."""

    values: Sequence[float]
    questions: Sequence[Hashable]
    missing: str = ""


def question_means(values: Sequence[float], questions: Sequence[Hashable]) -> FloatVector:
    """The mean of each question, in the order in which questions first appear."""
    groups: dict[Hashable, list[float]] = {}
    for value, question in zip(values, questions, strict=True):
        groups.setdefault(question, []).append(value)
    return np.array([math.fsum(group) / len(group) for group in groups.values()], dtype=np.float64)


def mean_over_questions(
    values: Sequence[float], questions: Sequence[Hashable], *, missing: str = "no pair was scored", level: float = 0.95
) -> Measured:
    """The mean over questions of each question's mean, with Student's two-sided interval over questions."""
    means = question_means(values, questions)
    if not means.size:
        return NotMeasured(missing)
    value = math.fsum(means) / means.size
    half = _half_width(means, 0.5 + level / 2)
    low, high = (None, None) if half is None else (value - half, value + half)
    return Estimate(value, low, high, len(values), METHOD, n_clusters=means.size, level=level)


def chance_of_no_effect(means: FloatVector, least_effect: float, *, seed: int = 0) -> float:
    """One-sided p-value for a mean above `least_effect`: the larger of Student's and the sign flip's."""
    if means.size < 2:
        return 1.0
    beyond = means - least_effect
    error = float(means.std(ddof=1)) / math.sqrt(means.size)
    if error > 0:
        by_t = float(student_t.sf(beyond.mean() / error, means.size - 1))
    else:
        by_t = 0.0 if beyond.mean() > 0 else 1.0
    return max(by_t, _flipped(beyond, seed))


def _flipped(beyond: FloatVector, seed: int) -> float:
    """Share of sign patterns whose sum is at least the observed one; the observed one counts."""
    observed = float(beyond.sum()) - 1e-12
    if beyond.size <= EXACT_UP_TO:
        signs = np.array(list(itertools.product((1.0, -1.0), repeat=beyond.size)))
        return float(np.mean(signs @ beyond >= observed))
    signs = np.random.default_rng(seed).choice((1.0, -1.0), size=(FLIPS, beyond.size))
    return float((1 + np.count_nonzero(signs @ beyond >= observed)) / (1 + FLIPS))


def judge_parts(
    differences: Mapping[PartName, Differences], *, least_effect: float = LEAST_EFFECT, alpha: float = ALPHA
) -> dict[PartName, Part]:
    """Both parts, tested together. A part without pairs is not measured and takes no share of the error."""
    means = {name: question_means(found.values, found.questions) for name, found in differences.items()}
    p = {name: chance_of_no_effect(means[name], least_effect) for name in PARTS if means[name].size}
    gaps = {
        name: mean_over_questions(found.values, found.questions, missing=found.missing)
        for name, found in differences.items()
    }
    adjusted, levels = _holm(p, alpha)
    parts: dict[PartName, Part] = {}
    for name in PARTS:
        gap = gaps[name]
        if isinstance(gap, NotMeasured):
            parts[name] = Part(name, gap, False, f"not measured: {gap.reason}")
            continue
        worse = name == "writing" and gap.below(0.0)
        shown = adjusted[name] <= alpha and not worse
        # So few questions cannot reach the level even where they all agree.
        too_few = 0.5 ** means[name].size > alpha / len(p)
        half = _half_width(means[name], levels[name])
        parts[name] = Part(
            name,
            gap,
            shown,
            WORSE if worse else _sentence(name, gap, shown, means[name].size, least_effect, too_few),
            p[name],
            adjusted[name],
            None if half is None else gap.value - half,
            levels[name],
            None if too_few else _smallest_visible(means[name], alpha / len(p), least_effect),
        )
    return parts


def verdict_of(parts: Mapping[PartName, Part], *, least_effect: float = LEAST_EFFECT) -> tuple[Verdict, str]:
    """The verdict and the sentence for it."""
    shown = [name for name in PARTS if parts[name].shown]
    others = [parts[name].reason for name in PARTS if name not in shown]
    reasons = [*(parts[name].reason for name in shown), *others]
    if len(shown) == 2:
        verdict: Verdict = "both"
    elif shown:
        verdict = "writing_limited" if shown == ["writing"] else "research_limited"
    else:
        verdict = "not_shown"
        visible = [
            f"{name} {part.smallest_visible:.3f}"
            for name in PARTS
            if (part := parts[name]).smallest_visible is not None
        ]
        if visible:
            reasons.append(
                f"smallest effect that this many questions show in 4 of 5 cases, over {least_effect:g}: "
                + ", ".join(visible)
            )
    return verdict, "; ".join(reasons)


def _sentence(name: PartName, gap: Estimate, shown: bool, n: int, least_effect: float, too_few: bool) -> str:
    what = {
        "writing": "a better writer on the same evidence changes the score by",
        "research": "better research, written up by the same writer, changes it by",
    }[name]
    text = f"{what} {gap.value:+.3f} over {n} question{'' if n == 1 else 's'}"
    if shown:
        return text
    if too_few:
        return f"{text}: too few questions to show anything"
    return f"{text}: not shown to be above {least_effect:g}"


def _holm(p: Mapping[PartName, float], alpha: float) -> tuple[dict[PartName, float], dict[PartName, float]]:
    """Adjusted p-values, and the one-sided confidence level that each part was held to."""
    adjusted: dict[PartName, float] = {}
    levels: dict[PartName, float] = {}
    largest = 0.0
    left = len(p)
    open_ = True
    for place, name in enumerate(sorted(p, key=lambda name: p[name])):
        factor = len(p) - place
        largest = max(largest, min(1.0, factor * p[name]))
        adjusted[name] = largest
        # Once a step fails, what follows is held to the same level as that step.
        left = factor if open_ else left
        levels[name] = 1.0 - alpha / left
        open_ = open_ and largest <= alpha
    return adjusted, levels


def _half_width(means: FloatVector, quantile: float) -> float | None:
    if means.size < 2:
        return None
    error = float(means.std(ddof=1)) / math.sqrt(means.size)
    return float(student_t.ppf(quantile, means.size - 1)) * error


def _smallest_visible(means: FloatVector, alpha: float, least_effect: float) -> float | None:
    """The true effect that is shown with a chance of POWER at this spread; at the stricter of Holm's levels."""
    tested, power = _half_width(means, 1 - alpha), _half_width(means, POWER)
    return None if tested is None or power is None else least_effect + tested + power
