"""Two graders that judged the same criteria, verdict against verdict."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from graders.agreement.between import SCALE_VALUES, confusion_json, enough, on_one_scale
from graders.agreement.sides import Side
from workbench.errors import NotFoundError
from workbench.schema.canonical import JsonValue
from workbench.stats.agreement import cohen_kappa
from workbench.stats.bootstrap import mean_interval
from workbench.stats.confusion import Confusion, confusion
from workbench.stats.estimate import Measured, NotMeasured, measured_to_json
from workbench.stats.verdicts import majority
from workbench.store import Store, TrajectoryFilter

RESAMPLES: Final = 500


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of most repeats. `value` in [0, 1] says how far the criterion's statement holds."""

    value: float
    label: str


# (trajectory, criterion) -> verdict, None where none could be read or the repeats have no majority.
Verdicts: TypeAlias = Mapping[tuple[str, str], Verdict | None]


@dataclass(frozen=True, slots=True)
class CriterionAgreement:
    """`table`: verdicts of the reference against the judge's. `missing`: reports where either has no verdict.

    `judge_only`, `reference_only`: labels that one side alone uses. Where both have some, the two speak different
    languages: no verdict in one of these words can be met, and `credit_gap`, the mean absolute difference of what the
    verdicts are worth, in [0, 1], is the figure to read.
    """

    criterion: str
    table: Confusion
    kappa: Measured
    weighted_kappa: Measured | None
    missing: int
    credit_gap: Measured
    judge_only: tuple[str, ...] = ()
    reference_only: tuple[str, ...] = ()

    @property
    def same_words(self) -> bool:
        return not (self.judge_only and self.reference_only)

    @property
    def n(self) -> int:
        return int(self.table.counts.sum())

    def to_json(self) -> dict[str, JsonValue]:
        """`criterion n missing accuracy kappa weighted_kappa confusion{}`; None where two labels have no weights."""
        return {
            "criterion": self.criterion,
            "n": self.n,
            "missing": self.missing,
            "accuracy": measured_to_json(self.table.accuracy),
            "kappa": measured_to_json(self.kappa),
            "weighted_kappa": None if self.weighted_kappa is None else measured_to_json(self.weighted_kappa),
            "credit_gap": measured_to_json(self.credit_gap),
            "same_words": self.same_words,
            "judge_only": list(self.judge_only),
            "reference_only": list(self.reference_only),
            "confusion": confusion_json(self.table),
        }


def read_verdicts(store: Store, side: Side, runs: Sequence[str] = ()) -> Verdicts:
    """All stored verdicts of one version, read in batches; those of grades that are no score are none."""
    said: dict[tuple[str, str], list[tuple[float, str] | None]] = defaultdict(list)
    chosen = TrajectoryFilter(grader=side.key, run=tuple(runs) or None)
    for trajectory, grade in store.columns.grade_records(chosen):
        if grade.outcome != "scored":
            continue
        for one in grade.verdicts:
            value = None if one.value is None else (one.value, one.label or f"{one.value:g}")
            said[trajectory, one.criterion_id].append(value)
    found: dict[tuple[str, str], Verdict | None] = {}
    for key, repeats in said.items():
        most = majority(repeats)
        found[key] = Verdict(most[0], most[1]) if isinstance(most, tuple) else None
    return found


def compare_criteria(
    judge: Verdicts,
    reference: Verdicts,
    questions: Mapping[str, str],
    *,
    only: Sequence[str] = (),
    seed: int = 0,
) -> tuple[CriterionAgreement, ...]:
    """Criteria that both judged on the trajectories of `questions`, those with the most reports first.

    NotFoundError where `only` names a criterion that they do not share.
    """
    by_criterion: dict[str, list[str]] = defaultdict(list)
    for trajectory, criterion in judge:
        if (trajectory, criterion) in reference and trajectory in questions:
            by_criterion[criterion].append(trajectory)
    if missing := sorted(set(only) - by_criterion.keys()):
        shared = ", ".join(sorted(by_criterion)[:20]) or "none"
        raise NotFoundError(f"the two graders share no criterion {', '.join(missing)}; they share {shared}")
    wanted = [(c, t) for c, t in by_criterion.items() if not only or c in only]
    found = [_one(criterion, rows, judge, reference, questions, seed) for criterion, rows in wanted]
    return tuple(sorted(found, key=lambda one: (-one.n, one.criterion)))


def pooled(
    judge: Verdicts, reference: Verdicts, questions: Mapping[str, str], *, seed: int = 0
) -> CriterionAgreement | None:
    """All shared verdicts in one table, whatever the criterion; None where there are none."""
    keys = [key for key in judge if key in reference and key[0] in questions]
    return _table("all criteria", keys, judge, reference, questions, seed) if keys else None


def _one(
    criterion: str,
    trajectories: Iterable[str],
    judge: Verdicts,
    reference: Verdicts,
    questions: Mapping[str, str],
    seed: int,
) -> CriterionAgreement:
    return _table(criterion, [(t, criterion) for t in trajectories], judge, reference, questions, seed)


def _table(
    name: str,
    keys: Sequence[tuple[str, str]],
    judge: Verdicts,
    reference: Verdicts,
    questions: Mapping[str, str],
    seed: int,
) -> CriterionAgreement:
    pairs = [(judge[key], reference[key], questions[key[0]]) for key in keys]
    both = [(a, b, question) for a, b, question in pairs if a is not None and b is not None]
    clusters = [question for _, _, question in both]
    judged, referred = [a for a, _, _ in both], [b for _, b, _ in both]
    words = _words([*judged, *referred])
    if len(words) <= SCALE_VALUES:
        # Labels are what people read; their order is that of their values.
        order = sorted(words)
        names = [words[value] for value in order]
        first, second = ([order.index(round(one.value, 9)) for one in side] for side in (judged, referred))
    else:
        values = [np.array([one.value for one in side], dtype=np.float64) for side in (judged, referred)]
        (first, second), edges, _ = on_one_scale(values[0], values[1])
        names = [f"{low:g} to {high:g}" for low, high in itertools.pairwise(edges)]
    categories = list(range(len(names)))
    table = confusion(second, first, clusters, categories=categories)
    kappa = enough(cohen_kappa(first, second, clusters, categories=categories, seed=seed, resamples=RESAMPLES))
    weighted = None
    if len(names) > 2:
        weighted = enough(
            cohen_kappa(
                first, second, clusters, categories=categories, weights="quadratic", seed=seed, resamples=RESAMPLES
            )
        )
    named = Confusion(tuple(names), table.counts, table.accuracy, table.recall, table.precision)
    gaps = [abs(a.value - b.value) for a, b, _ in both]
    gap = enough(mean_interval(gaps, clusters, seed=seed)) if gaps else NotMeasured("no shared verdict")
    mine, theirs = ({one.label for one in side} for side in (judged, referred))
    return CriterionAgreement(
        name,
        named,
        kappa,
        weighted,
        len(pairs) - len(both),
        gap,
        tuple(sorted(mine - theirs)),
        tuple(sorted(theirs - mine)),
    )


def _words(verdicts: Iterable[Verdict]) -> dict[float, str]:
    """The commonest label of each value."""
    counted: dict[float, Counter[str]] = defaultdict(Counter)
    for verdict in verdicts:
        counted[round(verdict.value, 9)][verdict.label] += 1
    return {value: counts.most_common(1)[0][0] for value, counts in counted.items()}
