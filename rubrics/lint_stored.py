"""What stored grades say about a rubric: criteria that separate nothing, labels never given, and halo.

Needs grades of one version of the rubric; wording is `rubrics.lint`'s matter.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean

from rubrics.finding import Finding
from rubrics.judging.records import Criterion, Rubric, labels_of, rubric_to_json
from rubrics.judging.sums import group_scores
from workbench.schema.grade import CriterionVerdict
from workbench.store import Store

LEAST_REPORTS = 10  # fewer reports with one verdict are no surprise
_LEAST_FOR_LABEL = 30
_HALO = 0.3  # judges' reruns of one report should move a criterion alone: beyond this its neighbours follow
_TOGETHER = 0.8
_Z = 1.959964

# Verdicts of one report: one set a run of the judge.
Runs = Sequence[Sequence[CriterionVerdict]]


def lint_verdicts(rubric: Rubric, reports: Sequence[Runs]) -> tuple[Finding, ...]:
    """Findings on `reports` x runs x verdicts; nothing is found on too few of them, which is no acquittal."""
    values = [[_values(verdicts) for verdicts in runs] for runs in reports if runs]
    return (
        *(finding for criterion in rubric.criteria for finding in _one(criterion, values)),
        *(finding for pair in combinations(rubric.criteria, 2) for finding in _two(*pair, values)),
        *_between_dimensions(rubric, values),
    )


def _between_dimensions(rubric: Rubric, reports: Sequence[Sequence[Mapping[str, float]]]) -> Iterator[Finding]:
    """Halo between the groups at the root of a tree, each read as its mean: a tilt too small to show in any one pair of
    criteria adds up over a dimension."""
    dimensions = [Criterion(group.id, group.text or group.id) for group in rubric.groups if not group.parent]
    if len(dimensions) < 2:
        return
    scores = [[group_scores(rubric, run) for run in runs] for runs in reports]
    for pair in combinations(dimensions, 2):
        yield from _two(*pair, scores)


def stored_runs(store: Store, grader: str, rubric: Rubric) -> list[Runs]:
    """Verdicts that `grader` stored under exactly this rubric, one entry a report and version of the judge."""
    wanted = rubric_to_json(rubric)
    uses: dict[str, bool] = {}
    reports: list[Runs] = []
    for trajectory in dict.fromkeys(store.grades.scores(grader)["trajectory_id"]):
        by_version: dict[tuple[str, str], list[Sequence[CriterionVerdict]]] = {}
        for grade in store.grades.for_trajectory(trajectory):
            version = grade.grader_version
            if version not in uses:
                uses[version] = (store.grades.definition(version) or {}).get("rubric") == wanted
            if uses[version] and grade.verdicts and grade.grader == grader.partition("@")[0]:
                by_version.setdefault((version, grade.case_hash), []).append(grade.verdicts)
        reports.extend(by_version.values())
    return reports


def _values(verdicts: Sequence[CriterionVerdict]) -> dict[str, float]:
    return {verdict.criterion_id: verdict.value for verdict in verdicts if verdict.value is not None}


def _one(criterion: Criterion, reports: Sequence[Sequence[Mapping[str, float]]]) -> Iterator[Finding]:
    seen = [[run[criterion.id] for run in runs if criterion.id in run] for runs in reports]
    flat = [value for runs in seen for value in runs]
    n = sum(bool(runs) for runs in seen)
    if n >= LEAST_REPORTS and len(set(flat)) == 1:
        label = next((name for name, value in labels_of(criterion).items() if value == flat[0]), f"{10 * flat[0]:g}")
        yield Finding(
            "never-separates",
            "warning",
            criterion.id,
            f"all {n} graded reports got {label!r}: it separates nothing among them. Raise or lower what it asks, "
            "or drop it",
        )
    elif n >= _LEAST_FOR_LABEL and criterion.scale != "score10":
        best = 1.0 if criterion.polarity == "positive" else 0.0
        if best not in flat:
            label = next(name for name, value in labels_of(criterion).items() if value == best)
            message = f"none of {n} graded reports got {label!r}: full marks have never been reached. Ease its anchor"
            yield Finding("never-reached", "warning", criterion.id, message)


def _two(one: Criterion, other: Criterion, reports: Sequence[Sequence[Mapping[str, float]]]) -> Iterator[Finding]:
    """Halo shows where nothing but the judge moves: in reruns of one report. Without reruns it cannot be told from
    reports that are good or bad in both."""
    pairs = [[(r[one.id], r[other.id]) for r in runs if one.id in r and other.id in r] for runs in reports]
    reruns = [runs for runs in pairs if len(runs) >= 2]
    freedom = sum(len(runs) - 1 for runs in reruns)
    if freedom >= LEAST_REPORTS:
        found = _correlation([_deviation(runs, at) for runs in reruns for at in range(len(runs))], freedom)
        if found is not None and _facing(one, other) * found[0] > 0 and found[1] > _HALO:
            yield Finding(
                "halo",
                "warning",
                other.id,
                f"when the judge reads a report again, it moves together with {one.id!r} (correlation {found[0]:+.2f} "
                f"over {len(reruns)} reports read more than once): one impression decides both. Ask them in calls of "
                "their own, or sharpen their anchors",
            )
        return
    means = [(fmean(x for x, _ in runs), fmean(y for _, y in runs)) for runs in pairs if runs]
    if len(means) < LEAST_REPORTS:
        return
    centre = (fmean(x for x, _ in means), fmean(y for _, y in means))
    found = _correlation([(x - centre[0], y - centre[1]) for x, y in means], len(means) - 1)
    if found is not None and _facing(one, other) * found[0] > 0 and found[1] > _TOGETHER:
        yield Finding(
            "moves-together",
            "warning",
            other.id,
            f"it goes with {one.id!r} over {len(means)} reports (correlation {found[0]:+.2f}): overlap, halo or "
            "reports that are alike in both. Grade some of them twice and lint again: halo shows in reruns",
        )


def _facing(one: Criterion, other: Criterion) -> int:
    """1 where a good report has both high or both low, -1 where one of the two is a fault."""
    return 1 if one.polarity == other.polarity else -1


def _deviation(runs: Sequence[tuple[float, float]], at: int) -> tuple[float, float]:
    return runs[at][0] - fmean(x for x, _ in runs), runs[at][1] - fmean(y for _, y in runs)


def _correlation(deviations: Sequence[tuple[float, float]], freedom: int) -> tuple[float, float] | None:
    """(r, lower end of the 95% interval of |r| by Fisher's z), None where one of the two never moves.

    `freedom`: independent deviations; the interval needs more than 2 of them.
    """
    xx = sum(x * x for x, _ in deviations)
    yy = sum(y * y for _, y in deviations)
    if xx < 1e-12 or yy < 1e-12 or freedom <= 2:
        return None
    r = sum(x * y for x, y in deviations) / math.sqrt(xx * yy)
    bounded = min(abs(r), 1.0 - 1e-9)
    return r, math.tanh(math.atanh(bounded) - _Z / math.sqrt(freedom - 2))
