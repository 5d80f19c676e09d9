"""What a grader's score is worth: the label it stands for, and the mean of what only it has seen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graders.agreement.people import Gaps, HumanPair, mean_preference
from graders.agreement.sides import Side, Together
from workbench.schema.canonical import JsonValue
from workbench.stats.bootstrap import mean_interval
from workbench.stats.calibration import CALIBRATION_METHODS, Calibrated, Reliability, calibrate
from workbench.stats.contrast import mean_contrast
from workbench.stats.estimate import Estimate, Measured, NotMeasured, measured_to_json
from workbench.stats.judge_correction import PredictionPowered, RoganGladen, prediction_powered_mean, rogan_gladen


def calibrations(rows: Together, *, seed: int) -> dict[str, Calibrated | NotMeasured]:
    """Each method, cross-fitted by question: the judge's score to the reference's (its label, where that is 0 or 1)."""
    return {
        method: calibrate(rows.judge, rows.reference, list(rows.questions), method=method, seed=seed)
        if rows.n
        else NotMeasured("no report was scored by both")
        for method in CALIBRATION_METHODS
    }


def preferences_calibrated(pairs: Sequence[HumanPair], gaps: Gaps, *, seed: int) -> dict[str, Calibrated | NotMeasured]:
    """The gap of two scores, moved to [0, 1], to the share of raters who prefer the first (a tie one half).

    Each pair enters in both directions, since which report comes first means nothing.
    """
    gap = np.array([gaps[pair.key] for pair in pairs], dtype=np.float64)
    said = np.array([mean_preference(pair) for pair in pairs], dtype=np.float64)
    questions = [pair.question_id for pair in pairs] * 2
    x, y = (np.clip((np.concatenate([side, -side]) + 1) / 2, 0, 1) for side in (gap, said))
    return {
        method: calibrate(x, y, questions, method=method, seed=seed)
        if pairs
        else NotMeasured("no pair was judged by both")
        for method in CALIBRATION_METHODS
    }


def calibrated_json(found: Calibrated | NotMeasured) -> dict[str, JsonValue]:
    """`folds before{} after{} brier_gain`, each side `brier ece ece_floor bins[{low high predicted observed n}]`."""
    if isinstance(found, NotMeasured):
        return {"value": None, "reason": found.reason, "n": found.n}
    return {
        "folds": found.folds,
        "before": _reliability_json(found.before),
        "after": _reliability_json(found.after),
        "brier_gain": measured_to_json(found.brier_gain),
    }


def _reliability_json(found: Reliability) -> dict[str, JsonValue]:
    return {
        "brier": measured_to_json(found.brier),
        "ece": measured_to_json(found.ece),
        "ece_floor": found.ece_floor,
        "bins": [
            {"low": b.low, "high": b.high, "predicted": b.predicted, "observed": measured_to_json(b.observed)}
            for b in found.bins
        ],
    }


@dataclass(frozen=True, slots=True)
class CorrectedMean:
    """Means of one run (of all, where `run` is None).

    `judge_alone`: what would be published without labels. `powered`: mean score by PPI++. `share`: share of reports
    that are good (>= cut) by Rogan-Gladen. `contrast`: the judge's mean on the labelled part less that on the rest,
    which a random part leaves near zero. `cautions` says what the intervals may not be believed for.
    """

    run: str | None
    n_labelled: int
    n_rest: int
    judge_alone: Measured
    powered: PredictionPowered
    share: RoganGladen
    contrast: Measured
    cautions: tuple[str, ...]

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "run": self.run,
            "labelled": self.n_labelled,
            "judged_only": self.n_rest,
            "judge_alone": measured_to_json(self.judge_alone),
            "labels_alone": measured_to_json(self.powered.classical),
            "ppi": measured_to_json(self.powered.mean) | {"lambda": self.powered.power},
            "share_good": {
                "rogan_gladen": measured_to_json(self.share.prevalence),
                "unclipped": self.share.unclipped,
                "judge_alone": self.share.apparent,
                "sensitivity": self.share.sensitivity,
                "specificity": self.share.specificity,
            },
            "labelled_less_rest": measured_to_json(self.contrast),
            "cautions": list(self.cautions),
        }


def corrected_means(
    judge: Side, reference: Side, runs: Sequence[str] = (), *, cut: float, seed: int
) -> tuple[CorrectedMean, ...]:
    """All trajectories together, then each run. Labelled is what the reference scored too."""
    fresh = {key: one for key, one in judge.scores.items() if one.question_id not in judge.fitted | reference.fitted}
    groups: dict[str | None, list[str]] = {None: list(fresh)}
    for key, one in fresh.items():
        groups.setdefault(one.run, []).append(key)
    wanted = [name for name in groups if name is None or not runs or name in runs]
    if len(wanted) == 2:
        wanted = wanted[1:]  # one run alone: the whole is that run
    return tuple(_corrected(name, groups[name], judge, reference, cut, seed) for name in wanted)


def _corrected(
    run: str | None, keys: Sequence[str], judge: Side, reference: Side, cut: float, seed: int
) -> CorrectedMean:
    labelled = [key for key in keys if key in reference.scores]
    rest = [key for key in keys if key not in reference.scores]
    labels = [reference.scores[key].score for key in labelled]
    judged, judged_rest = ([judge.scores[key].score for key in part] for part in (labelled, rest))
    questions, questions_rest = ([judge.scores[key].question_id for key in part] for part in (labelled, rest))
    powered = prediction_powered_mean(labels, judged, judged_rest, questions, questions_rest)
    share = rogan_gladen(
        [score >= cut for score in labels],
        [score >= cut for score in judged],
        [score >= cut for score in judged_rest],
        questions,
        questions_rest,
    )
    contrast: Measured = NotMeasured("all reports or none are labelled", len(keys))
    if labelled and rest:
        marked = np.arange(len(keys)) < len(labelled)
        contrast = mean_contrast([*judged, *judged_rest], marked, [*questions, *questions_rest], seed=seed)
    alone = mean_interval(judged_rest, questions_rest, seed=seed) if rest else NotMeasured("every report is labelled")
    cautions = [*powered.cautions, *(f"share: {one}" for one in share.cautions if one not in powered.cautions)]
    if isinstance(contrast, Estimate) and (contrast.above(0) or contrast.below(0)):
        cautions.append(
            f"the judge scores the labelled part {contrast.value:+.3f} against the rest: it does not look like a "
            "random part, and then a corrected mean is none"
        )
    return CorrectedMean(run, len(labelled), len(rest), alone, powered, share, contrast, tuple(cautions))
