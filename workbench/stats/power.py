"""How many questions show a difference of d between two runs, and what difference so many questions can show.

Source: Miller 2024, "Adding Error Bars to Evals" (arXiv 2411.00640), section 5, for paired questions:
n = (z_a/2 + z_b)^2 (omega^2 + sA^2 / KA + sB^2 / KB) / delta^2.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr, ndtri

from workbench.errors import BadInputError
from workbench.stats.bootstrap import DEFAULT_RESAMPLES, cluster_weights, from_draws
from workbench.stats.estimate import FloatVector, Measured, NotMeasured


@dataclass(frozen=True, slots=True)
class PairedDesign:
    """Variances of a paired comparison: `omega2` of the true difference between questions, `s2_a` and `s2_b` of one
    run's score from attempt to attempt on a question, with `k_a` and `k_b` attempts a question."""

    omega2: float
    s2_a: float = 0.0
    s2_b: float = 0.0
    k_a: int = 1
    k_b: int = 1

    def __post_init__(self) -> None:
        if min(self.omega2, self.s2_a, self.s2_b) < 0 or min(self.k_a, self.k_b) < 1:
            raise BadInputError(f"variances must be >= 0 and attempts >= 1; found {self}")

    @property
    def variance(self) -> float:
        """Of the mean difference on one question."""
        return self.omega2 + self.s2_a / self.k_a + self.s2_b / self.k_b

    def questions_for(self, delta: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
        """Questions needed to see `delta` (two-sided test at `alpha`) with chance `power`, rounded up, at least 1."""
        if delta == 0:
            raise BadInputError("no number of questions shows a difference of zero")
        return max(1, math.ceil(_z(power, alpha) ** 2 * self.variance / delta**2 - 1e-9))

    def detectable(self, n_questions: int, *, power: float = 0.8, alpha: float = 0.05) -> float:
        """The smallest difference that `n_questions` show with chance `power`."""
        if n_questions < 1:
            raise BadInputError("no question, no difference")
        return _z(power, alpha) * math.sqrt(self.variance / n_questions)

    def power_at(self, n_questions: int, delta: float, *, alpha: float = 0.05) -> float:
        """The chance that a true `delta` is seen, in its direction, with `n_questions`."""
        if self.variance == 0:
            return 1.0 if delta else alpha / 2
        return float(ndtr(abs(delta) * math.sqrt(n_questions / self.variance) - ndtri(1 - alpha / 2)))

    def attempts_for(self, n_questions: int, delta: float, *, power: float = 0.8, alpha: float = 0.05) -> int | None:
        """Attempts a question in both runs that show `delta`; None where no number of them does, as questions differ
        too much among themselves."""
        room = n_questions * delta**2 / _z(power, alpha) ** 2 - self.omega2
        if room <= 0:
            return None
        return max(1, math.ceil((self.s2_a + self.s2_b) / room - 1e-9))

    def with_attempts(self, k: int) -> "PairedDesign":
        return replace(self, k_a=k, k_b=k)


@dataclass(frozen=True, slots=True)
class PairedVariance:
    """Estimated from scores of two runs. `design` is None where it cannot be had.

    `separable`: some question has two attempts in a run, so that noise within is apart from differences between
    questions. Where False, `omega2` holds both, and holds for as many attempts as were seen.
    """

    design: PairedDesign | None
    n_questions: int
    separable: bool
    reason: str = ""
    _differences: FloatVector | None = None
    _noise: FloatVector | None = None

    def detectable(
        self,
        n_questions: int,
        *,
        power: float = 0.8,
        alpha: float = 0.05,
        seed: int = 0,
        resamples: int = DEFAULT_RESAMPLES,
    ) -> Measured:
        """`PairedDesign.detectable` at the attempts seen, with an interval for how well the variance is known."""
        if self.design is None or self._differences is None:
            return NotMeasured(self.reason, self.n_questions)
        d = self._differences
        z = _z(power, alpha)
        # The variance of what was seen holds the noise of its attempts already.
        moments = np.stack([np.ones_like(d), d, d * d])
        draws = []
        for weights in cluster_weights(d.size, resamples, np.random.default_rng(seed)):
            n, total, squares = moments @ weights.T
            spread = np.maximum(squares / n - (total / n) ** 2, 0) * d.size / (d.size - 1)
            draws.append(z * np.sqrt(spread / n_questions))
        value = self.design.detectable(n_questions, power=power, alpha=alpha)
        return from_draws(
            value,
            np.concatenate(draws),
            n=self.n_questions,
            n_clusters=self.n_questions,
            method="Miller 2024, variance bootstrapped over questions",
            seed=seed,
            level=0.95,
        )


def paired_variance(scores_a: Sequence[Sequence[float]], scores_b: Sequence[Sequence[float]]) -> PairedVariance:
    """Variance components from the attempts of two runs: one list of scores a question, questions in the same order.

    omega2 = Var(difference of means) - mean(s2 / attempts), not below zero. Attempts on a question seen once borrow
    the mean noise of those seen more often.
    """
    if len(scores_a) != len(scores_b):
        raise BadInputError(f"{len(scores_a)} questions against {len(scores_b)}; expected the same ones in both runs")
    kept = [(a, b) for a, b in zip(scores_a, scores_b, strict=True) if len(a) and len(b)]
    if len(kept) < 2:
        return PairedVariance(None, len(kept), False, "fewer than two questions were scored in both runs")
    differences = np.array([np.mean(a) - np.mean(b) for a, b in kept], dtype=np.float64)
    s2 = [within_variance([pair[side] for pair in kept]) for side in (0, 1)]
    counts = np.array([[len(a), len(b)] for a, b in kept], dtype=np.float64)
    noise = np.array([0.0 if one is None else one for one in s2]) / counts
    total = float(differences.var(ddof=1))
    k_a, k_b = (max(1, round(1 / float(np.mean(1 / counts[:, side])))) for side in (0, 1))
    separable = s2[0] is not None and s2[1] is not None
    if not separable:
        return PairedVariance(PairedDesign(total), len(kept), False, "", differences, noise.sum(axis=1))
    omega2 = max(0.0, total - float(noise.sum(axis=1).mean()))
    design = PairedDesign(omega2, s2[0] or 0.0, s2[1] or 0.0, k_a, k_b)
    return PairedVariance(design, len(kept), True, "", differences, noise.sum(axis=1))


def within_variance(groups: Sequence[Sequence[float]]) -> float | None:
    """Variance within groups, pooled by degrees of freedom; None where no group has two values."""
    rows = [np.asarray(group, dtype=np.float64) for group in groups if len(group) > 1]
    freedom = sum(row.size - 1 for row in rows)
    return float(sum(((row - row.mean()) ** 2).sum() for row in rows) / freedom) if freedom else None


def _z(power: float, alpha: float) -> float:
    if not (0 < power < 1 and 0 < alpha < 1):
        raise BadInputError(f"power and alpha lie between 0 and 1; found {power} and {alpha}")
    return float(ndtri(1 - alpha / 2) + ndtri(power))
