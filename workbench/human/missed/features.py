"""What can be counted of a report or was said of it: criteria's verdicts, style, what was done to write it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from statistics import fmean
from typing import Final, Literal, TypeAlias

from workbench.human.ratings.style import STYLE_FEATURES, style_of
from workbench.store import Store, TrajectoryFilter

FeatureKind: TypeAlias = Literal["criterion", "style", "phase"]
# What an agent did, by the store's names of figures; the report alone tells none of it.
PHASE_FIGURES: Final = (
    "distinct_queries", "sites_opened", "sites_cited", "tool_calls", "failed_calls", "evidence_chars",
    "near_duplicate_queries", "repeated_opens", "plan_tokens", "research_tokens", "synthesis_tokens", "duration_s",
)  # fmt: skip
# Of the report's citations: shares, not counts, since the count of citations is a matter of style.
CITED_SHARES: Final = {"cited and opened": "retrieval_opened", "cited, never retrieved": "retrieval_not_retrieved"}


@dataclass(frozen=True, slots=True)
class ReportFeatures:
    """Of each trajectory its figures by name; a figure that is not known of it is absent.

    `kinds` says what each figure is, `scores` the score of the grader that is asked about. Counts are compared as
    (a - b) / (a + b), the others (`plain`) as a - b.
    """

    values: Mapping[str, Mapping[str, float]]
    kinds: Mapping[str, FeatureKind]
    plain: frozenset[str]
    scores: Mapping[str, float]
    grader: str


def read_features(store: Store, identities: Sequence[str], grader: str) -> ReportFeatures:
    """Of these trajectories: style of the report, figures of the trace, verdicts on every criterion of any grader.

    A criterion is named `GRADER: criterion`, without the part of the grader's name that says which model judged.
    Repeats are averaged; failed grades say nothing.
    """
    chosen = TrajectoryFilter(ids=tuple(sorted(set(identities))))
    values: dict[str, dict[str, float]] = {identity: {} for identity in chosen.ids or ()}
    kinds: dict[str, FeatureKind] = {}
    for identity in values:
        for name, count in zip(STYLE_FEATURES, style_of(store.trajectories.report(identity)), strict=True):
            values[identity][name] = float(count)
    kinds |= dict.fromkeys(STYLE_FEATURES, "style")
    _add_phases(store, chosen, values, kinds)
    scores, verdicts = _graded(store, chosen, grader)
    for (identity, name), found in verdicts.items():
        values[identity][name] = fmean(found)
        kinds[name] = "criterion"
    plain = frozenset({name for name, kind in kinds.items() if kind == "criterion"} | set(CITED_SHARES))
    return ReportFeatures(values, kinds, plain, scores, grader)


def _add_phases(
    store: Store, chosen: TrajectoryFilter, values: Mapping[str, dict[str, float]], kinds: dict[str, FeatureKind]
) -> None:
    found = store.columns.figures(chosen, (*PHASE_FIGURES, "citations", "steps", *CITED_SHARES.values()))
    kinds |= dict.fromkeys((*PHASE_FIGURES, *CITED_SHARES), "phase")
    for row, identity in enumerate(found.ids):
        # A report that was imported alone says nothing of how it was made.
        if not found.figures["steps"][row] > 0:
            continue
        for name in PHASE_FIGURES:
            if isfinite(value := found.figures[name][row]):
                values[identity][name] = value
        if (total := found.figures["citations"][row]) > 0:
            for name, column in CITED_SHARES.items():
                values[identity][name] = found.figures[column][row] / total


def _graded(
    store: Store, chosen: TrajectoryFilter, grader: str
) -> tuple[dict[str, float], dict[tuple[str, str], list[float]]]:
    scores: dict[str, list[float]] = defaultdict(list)
    verdicts: dict[tuple[str, str], list[float]] = defaultdict(list)
    for identity, grade in store.columns.grade_records(chosen):
        if grade.outcome != "scored":
            continue
        if grade.grader == grader and grade.score is not None:
            scores[identity].append(grade.score)
        for verdict in grade.verdicts:
            if verdict.value is not None:
                verdicts[identity, f"{grade.grader.split('/')[0]}: {verdict.criterion_id}"].append(verdict.value)
    return {identity: fmean(found) for identity, found in scores.items()}, verdicts
