"""Two graders on the same reports: do they call the same ones good, order them alike, use the scale alike?"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from graders.agreement.sides import Together
from workbench.schema.canonical import JsonValue
from workbench.stats.agreement import cohen_kappa, interval_alpha
from workbench.stats.bootstrap import paired_difference
from workbench.stats.confusion import Confusion, confusion
from workbench.stats.estimate import FloatVector, Measured, NotMeasured, measured_to_json
from workbench.stats.pairs import PairwiseFigures, pairs_within, pairwise_figures
from workbench.stats.ranking import kendall_interval

SEED: Final = 0
RESAMPLES: Final = 1000
# A scale of up to so many values is taken as it is; a finer one is cut into bins of equal width.
SCALE_VALUES: Final = 11
BINS: Final = 5
# Resamples of fewer questions repeat so few of them that their spread says nothing: [0.72, 0.72] from two.
LEAST_QUESTIONS: Final = 5


@dataclass(frozen=True, slots=True)
class Between:
    """Every figure with its interval over questions.

    `at_cut`: counts and accuracy of good (>= cut) or not, `kappa` beyond chance. `weighted_kappa`: quadratic, on
    `scale` (the values both used, or the edges of equal bins). `alpha`: Krippendorff, interval scale. `bias`: judge
    less reference. `pairs`: reports of one question against each other.
    """

    at_cut: Confusion
    kappa: Measured
    weighted_kappa: Measured
    scale: tuple[float, ...]
    binned: bool
    alpha: Measured
    tau_b: Measured
    bias: Measured
    pairs: PairwiseFigures

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "accuracy": measured_to_json(self.at_cut.accuracy),
            "kappa": measured_to_json(self.kappa),
            "weighted_kappa": measured_to_json(self.weighted_kappa)
            | {"scale": list(self.scale), "binned": self.binned},
            "alpha": measured_to_json(self.alpha),
            "tau_b": measured_to_json(self.tau_b),
            "bias": measured_to_json(self.bias),
            "pairwise": pairwise_json(self.pairs),
            "confusion": confusion_json(self.at_cut),
        }


def compare_sides(rows: Together, *, cut: float, bins: int = BINS, seed: int = SEED) -> Between:
    """All figures of `rows`; each not measured where there is nothing to measure it on."""
    judge, reference, questions = rows.judge, rows.reference, list(rows.questions)
    good, truly = [bool(x >= cut) for x in judge], [bool(x >= cut) for x in reference]
    places, scale, binned = on_one_scale(judge, reference, bins)
    categories = sorted({*places[0], *places[1]})
    nothing = NotMeasured("no report was scored by both")
    weighted = cohen_kappa(
        *places, questions, categories=categories, weights="quadratic", seed=seed, resamples=RESAMPLES
    )
    return Between(
        at_cut=confusion(truly, good, questions, categories=[False, True]),
        kappa=enough(cohen_kappa(good, truly, questions, seed=seed, resamples=RESAMPLES)),
        weighted_kappa=enough(weighted),
        scale=scale,
        binned=binned,
        alpha=enough(interval_alpha(judge, reference, questions, seed=seed, resamples=RESAMPLES)),
        tau_b=enough(kendall_interval(judge, reference, questions, seed=seed, resamples=RESAMPLES))
        if rows.n
        else nothing,
        bias=enough(paired_difference(judge, reference, questions, seed=seed, resamples=RESAMPLES))
        if rows.n
        else nothing,
        pairs=enough_pairs(pairwise_figures(pairs_within(reference, judge, questions), seed=seed, resamples=RESAMPLES)),
    )


def enough(found: Measured) -> Measured:
    """A resampled figure without its interval where it stands on fewer than `LEAST_QUESTIONS`."""
    if isinstance(found, NotMeasured) or found.n_clusters is None or found.n_clusters >= LEAST_QUESTIONS:
        return found
    return replace(found, low=None, high=None, method=f"{found.method}; no interval from {found.n_clusters} questions")


def enough_pairs(found: PairwiseFigures) -> PairwiseFigures:
    """`enough` of each of the four figures."""
    return replace(
        found,
        ordered_alike=enough(found.ordered_alike),
        three_way=enough(found.three_way),
        calibrated=enough(found.calibrated),
        held_out=enough(found.held_out),
    )


def on_one_scale(
    first: FloatVector, second: FloatVector, bins: int = BINS
) -> tuple[tuple[list[int], list[int]], tuple[float, ...], bool]:
    """Places of both on one ordered scale, the scale, and whether it was binned.

    Quadratic weights count steps, so a scale of few values must have them in equal steps: else it is binned too.
    """
    values = np.unique(np.concatenate([first, second]).round(9))
    steps = np.diff(values)
    if values.size <= SCALE_VALUES and (not steps.size or np.allclose(steps, steps[0])):
        found = [np.searchsorted(values, side.round(9)).tolist() for side in (first, second)]
        return (found[0], found[1]), tuple(values.tolist()), False
    edges = np.linspace(0, 1, bins + 1).round(9)
    found = [
        np.clip(np.searchsorted(edges, side.round(9), side="right") - 1, 0, bins - 1).tolist()
        for side in (first, second)
    ]
    return (found[0], found[1]), tuple(edges.tolist()), True


def pairwise_json(found: PairwiseFigures) -> dict[str, JsonValue]:
    """`ordered_alike three_way calibrated held_out epsilon pairs reference_ties judge_ties`."""
    return {
        "ordered_alike": measured_to_json(found.ordered_alike),
        "three_way": measured_to_json(found.three_way),
        "calibrated": measured_to_json(found.calibrated),
        "held_out": measured_to_json(found.held_out),
        "epsilon": found.epsilon,
        "pairs": found.n_pairs,
        "reference_ties": found.n_reference_ties,
        "judge_ties": found.n_score_ties,
    }


def confusion_json(found: Confusion) -> dict[str, JsonValue]:
    """`categories counts[reference][judge] recall[] precision[]`."""
    return {
        "categories": list(found.categories),
        "counts": [[int(count) for count in row] for row in found.counts],
        "recall": [measured_to_json(one) for one in found.recall],
        "precision": [measured_to_json(one) for one in found.precision],
    }
