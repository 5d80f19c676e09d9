"""How good a grader is: measured against gold where the store holds it, said to be not measured where it does not."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from workbench.schema.canonical import JsonValue
from workbench.stats.estimate import Estimate, Measured, NotMeasured
from workbench.stats.pairs import ordered_alike, pairs_within
from workbench.stats.ranking import auc_interval
from workbench.store import Store

GOLD = "gold"
# A report is good from half of what can be had.
GOOD_FROM = 0.5
SEED = 0
RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class GraderQuality:
    """`auc`: a report that gold puts at `good_from` or above scores above one below it, ties half. `pairs`: pairs of
    one question that gold orders and the grader orders alike, its ties half. Chance is 0.5 for both. `n` reports that
    both graded; `in_sample` more were left out, as the grader was fitted on their questions."""

    gold: str
    good_from: float
    auc: Measured
    pairs: Measured
    n: int
    in_sample: int = 0

    def text(self) -> str:
        """One line that stands before any score."""
        if isinstance(self.auc, NotMeasured) and isinstance(self.pairs, NotMeasured):
            return f"quality against {self.gold}: not measured ({self.pairs.reason})"
        left_out = f"; {self.in_sample} reports to questions it was fitted on left out" if self.in_sample else ""
        return (
            f"quality against {self.gold} on {self.n} reports: AUC ({self.gold} >= {self.good_from:g}) "
            f"{self.auc.text()}; pairs within a question {self.pairs.text()}; chance 0.5{left_out}"
        )

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "gold": self.gold,
            "good_from": self.good_from,
            "auc": measured_json(self.auc),
            "pairs_within_question": measured_json(self.pairs),
            "n": self.n,
            "in_sample_left_out": self.in_sample,
            "text": self.text(),
        }


def measured_json(found: Measured) -> dict[str, JsonValue]:
    """With `value` None where it was not measured: missing stays missing."""
    if isinstance(found, Estimate):
        return dict(asdict(found))
    return {"value": None, "reason": found.reason, "n": found.n}


def measure_quality(
    store: Store, grader: str, version: str, *, gold: str = GOLD, good_from: float = GOOD_FROM
) -> GraderQuality:
    """The quality of one version, over all stored grades that it and `gold` gave the same trajectories.

    Several grades of one trajectory count as their mean. Reports to questions that a learned grader was fitted on are
    left out. Intervals resample questions.
    """
    truth = means(store.grades.scores(gold))
    mine = means(store.grades.scores(f"{grader}@{version}"))
    fitted = fitted_questions(store, version)
    both = [key for key in mine if key in truth]
    fresh = [key for key in both if truth[key][1] not in fitted]
    golds, scores = ([side[key][0] for key in fresh] for side in (truth, mine))
    questions = [truth[key][1] for key in fresh]
    auc, pairs = figures(golds, scores, questions, gold=gold, good_from=good_from)
    return GraderQuality(gold, good_from, auc, pairs, len(fresh), len(both) - len(fresh))


def fitted_questions(store: Store, version: str) -> frozenset[str]:
    """The questions that a learned grader was fitted on; none for any other."""
    definition: Mapping[str, Any] = store.grades.definition(version) or {}
    return frozenset(definition.get("questions", ()) if "coefficients" in definition else ())


def figures(
    golds: Sequence[float], scores: Sequence[float], questions: Sequence[str], *, gold: str, good_from: float
) -> tuple[Measured, Measured]:
    """AUC and within-question accuracy of aligned rows."""
    if not golds:
        missing = NotMeasured(f"no report has both a grade of this version and one by {gold}")
        return missing, missing
    return (
        auc_interval([value >= good_from for value in golds], scores, questions, seed=SEED, resamples=RESAMPLES),
        ordered_alike(pairs_within(golds, scores, questions), seed=SEED, resamples=RESAMPLES),
    )


def means(columns: Mapping[str, Sequence[Any]]) -> dict[str, tuple[float, str]]:
    """Trajectory -> (mean scored grade, question id), in the order of import; nothing for those without a score."""
    found: dict[str, list[float]] = {}
    question: dict[str, str] = {}
    rows = zip(columns["trajectory_id"], columns["question_id"], columns["score"], strict=True)
    for identifier, question_id, score in rows:
        if score is not None:
            found.setdefault(identifier, []).append(score)
            question[identifier] = question_id
    # Scores of one worth that were summed in another order differ in their last bits: that is no order of reports.
    return {
        identifier: (round(sum(scores) / len(scores), 9), question[identifier]) for identifier, scores in found.items()
    }
