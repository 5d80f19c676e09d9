"""What lists of verdicts say: reliability over trials, accuracy with unreadable verdicts kept apart, order effects."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np

from workbench.errors import BadInputError
from workbench.stats.agreement import cohen_kappa
from workbench.stats.bootstrap import Labels, mean_interval
from workbench.stats.estimate import FloatMatrix, FloatVector, Measured, NotMeasured
from workbench.stats.proportion import proportion_interval


def pass_hat_k(trials_by_task: Sequence[Sequence[bool]], k: int, *, seed: int = 0) -> Measured:
    """The chance that k trials of one task all succeed, mean over tasks, with an interval over tasks.

    A task with c successes in n trials counts C(c, k) / C(n, k), the share of its k-subsets without a failure.
    Source: tau-bench (arXiv 2406.12045). Raises BadInputError for a task with fewer than k trials.
    """
    if k < 1:
        raise BadInputError(f"pass^k needs k >= 1; found {k}")
    if short := sum(len(outcomes) < k for outcomes in trials_by_task):
        raise BadInputError(f"pass^{k} needs {k} trials a task; {short} of {len(trials_by_task)} tasks have fewer")
    if not trials_by_task:
        return NotMeasured("there are no tasks")
    return mean_interval(
        [comb(sum(map(bool, outcomes)), k) / comb(len(outcomes), k) for outcomes in trials_by_task], seed=seed
    )


def majority(labels: Sequence[Hashable]) -> Hashable | None:
    """The label that more than half of the raters gave, None where there is none."""
    for label in dict.fromkeys(labels):
        if 2 * sum(other == label for other in labels) > len(labels):
            return label
    return None


@dataclass(frozen=True, slots=True)
class JudgeAccuracy:
    """`answered`: of the verdicts that could be read. `failures_wrong`: with unreadable ones counted as wrong, which
    is what most leaderboards publish and mixes a judge's judgement with its manners."""

    answered: Measured
    failures_wrong: Measured
    n_unreadable: int


def judge_accuracy(
    verdicts: Sequence[Hashable | None], truth: Sequence[Hashable], clusters: Labels | None = None
) -> JudgeAccuracy:
    """Share of verdicts equal to the truth; None stands for a verdict that could not be read."""
    if len(verdicts) != len(truth):
        raise BadInputError(f"{len(verdicts)} verdicts against {len(truth)} labels; expected one of each an item")
    if not len(truth):
        nothing = NotMeasured("no item has a label")
        return JudgeAccuracy(nothing, nothing, 0)
    readable = [index for index, verdict in enumerate(verdicts) if verdict is not None]
    kept = None if clusters is None else [clusters[index] for index in readable]
    hits = [verdict is not None and verdict == label for verdict, label in zip(verdicts, truth, strict=True)]
    return JudgeAccuracy(
        proportion_interval([hits[index] for index in readable], kept)
        if readable
        else NotMeasured("none was readable"),
        proportion_interval(hits, clusters),
        len(verdicts) - len(readable),
    )


@dataclass(frozen=True, slots=True)
class OrderAgreement:
    """Verdicts of one judge on the same pairs in both orders, mapped back to the items.

    `equal`: share of pairs with one verdict in both orders. `kappa`: Cohen's between the two orders. Both leave out
    the `n_unreadable` pairs with a verdict missing in either order.
    """

    equal: Measured
    kappa: Measured
    n_unreadable: int


def order_agreement(
    as_shown: Sequence[Hashable | None], swapped: Sequence[Hashable | None], clusters: Labels | None = None
) -> OrderAgreement:
    """How far the order of presentation leaves a judge's verdicts alone. `swapped` in terms of the original order.

    Source: LLMBar (arXiv 2310.07641), whose `kappa_agreement` this is.
    """
    if len(as_shown) != len(swapped):
        raise BadInputError(f"{len(as_shown)} verdicts in one order against {len(swapped)}; expected as many")
    both = [i for i, pair in enumerate(zip(as_shown, swapped, strict=True)) if None not in pair]
    if not both:
        nothing = NotMeasured("no pair has a verdict in both orders")
        return OrderAgreement(nothing, nothing, len(as_shown))
    first, second = [as_shown[i] for i in both], [swapped[i] for i in both]
    kept = None if clusters is None else [clusters[i] for i in both]
    equal = proportion_interval([a == b for a, b in zip(first, second, strict=True)], kept)
    return OrderAgreement(equal, cohen_kappa(first, second, kept), len(as_shown) - len(both))


@dataclass(frozen=True, slots=True)
class RerunSpread:
    """Scores of the same items by the same judge, run after run. `run_means`: one a run. `sd_of_means`: their sample
    standard deviation. `sd_within`: that of one item's scores, pooled over items: what a single score is worth."""

    run_means: tuple[float, ...]
    sd_of_means: float
    sd_within: float


def rerun_spread(scores_RI: FloatMatrix) -> RerunSpread:
    """Noise of a judge from R >= 2 runs over the same I items; no entry may be missing."""
    scores = np.asarray(scores_RI, dtype=np.float64)
    if scores.ndim != 2 or scores.shape[0] < 2 or scores.shape[1] < 1 or not np.isfinite(scores).all():
        raise BadInputError("rerun noise needs at least two runs over the same items, every score a finite number")
    means: FloatVector = scores.mean(axis=1)
    within = float(np.sqrt(scores.var(axis=0, ddof=1).mean()))
    return RerunSpread(tuple(float(mean) for mean in means), float(means.std(ddof=1)), within)
