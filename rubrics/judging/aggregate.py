"""Verdicts to a raw sum, and the raw sum to a score in [0, 1] by a declared map."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rubrics.judging.rubric import Criterion, Rubric
from workbench.schema.grade import CriterionVerdict


class NoScoreError(ValueError):
    """The verdicts make no score under the rubric's policy for missing ones."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A score and what made it. `low` and `high` enclose the score whatever the missing verdicts would have been.

    `raw` is the signed sum of weight times mapped verdict; `fatal` names the fatal faults that are there: they set
    the score to 0 and leave `raw` as it is.
    """

    raw: float
    score: float
    low: float
    high: float
    scheme: str
    missing: tuple[str, ...]
    fatal: tuple[str, ...]


def strict(criterion: Criterion, value: float) -> float:
    """A positive criterion counts only if it holds fully, a fault counts as soon as it holds in part.

    Source: Step-DeepResearch (StepFun), section 4.3.2, "strict reward mapping".
    """
    if criterion.polarity == "positive":
        return 1.0 if value == 1.0 else 0.0
    return 0.0 if value == 0.0 else 1.0


def aggregate(rubric: Rubric, verdicts: Sequence[CriterionVerdict], *, left_out: Collection[str] = ()) -> Aggregate:
    """The score of one set of verdicts. Criteria in `left_out` do not count at all, and the scheme says so.

    weighted_mean: sum of weight x value. strict_signed: sum of weight x strict(value). Weights are signed.
    affine: (raw - least) / (most - least) over the attainable range, which for weighted_mean equals the mean of value
    (1 - value for faults) weighted by |weight|. positive_share: raw / sum of positive weights, cut to [0, 1]
    (ResearchRubrics and HealthBench, which cut the mean instead).
    Missing: `fail` raises NoScoreError; `skip_with_bounds` counts a missing verdict as one half, so that a fault
    that was not judged is neither forgiven nor charged, and gives the bounds. A fatal criterion is never skipped.
    """
    counted = [criterion for criterion in rubric.criteria if criterion.id not in left_out]
    values = {verdict.criterion_id: verdict.value for verdict in verdicts}
    missing = tuple(criterion.id for criterion in counted if values.get(criterion.id) is None)
    _refuse(rubric, counted, missing)
    parts: dict[str, float] = {}
    for criterion in counted:
        if (value := values.get(criterion.id)) is not None:
            parts[criterion.id] = strict(criterion, value) if rubric.aggregation == "strict_signed" else value
    raw = sum(c.weight * parts.get(c.id, 0.5) for c in counted)
    worst = sum(c.weight * parts.get(c.id, 0.0 if c.weight > 0 else 1.0) for c in counted)
    best = sum(c.weight * parts.get(c.id, 1.0 if c.weight > 0 else 0.0) for c in counted)
    fatal = tuple(c.id for c in counted if c.fatal and (values.get(c.id) or 0.0) > 0.0)
    low, score, high = (0.0 if fatal else _mapped(rubric, counted, total) for total in (worst, raw, best))
    return Aggregate(raw, score, low, high, scheme_of(rubric, len(counted)), missing, fatal)


def scheme_of(rubric: Rubric, n_counted: int) -> str:
    """Names aggregation, map and policy, and how many criteria counted where some were left out."""
    parts: list[str] = [rubric.aggregation, rubric.score_map, rubric.missing]
    if any(criterion.fatal for criterion in rubric.criteria):
        parts.append("fatal_to_zero")
    if n_counted != len(rubric.criteria):
        parts.append(f"{n_counted}_of_{len(rubric.criteria)}_criteria")
    return "/".join(parts)


def _refuse(rubric: Rubric, counted: Sequence[Criterion], missing: tuple[str, ...]) -> None:
    if not any(criterion.weight for criterion in counted):
        raise NoScoreError("no criterion with a weight is left to count")
    if not missing:
        return
    named = f"{len(missing)} of {len(counted)} verdicts are missing ({', '.join(missing)})"
    if rubric.missing == "fail":
        raise NoScoreError(named)
    if len(missing) == len(counted):
        raise NoScoreError(f"{named}: nothing is left to score")
    if fatal := [criterion.id for criterion in counted if criterion.fatal and criterion.id in missing]:
        raise NoScoreError(f"{named}; a fatal criterion is never skipped ({', '.join(fatal)})")


def _mapped(rubric: Rubric, counted: Sequence[Criterion], raw: float) -> float:
    positive = sum(c.weight for c in counted if c.weight > 0)
    negative = sum(c.weight for c in counted if c.weight < 0)
    if rubric.score_map == "positive_share":
        if positive <= 0:
            raise NoScoreError("positive_share needs a positive criterion and all of them were left out")
        share = raw / positive
    else:
        share = (raw - negative) / (positive - negative)
    return min(1.0, max(0.0, share))


def by_label(verdicts: Sequence[CriterionVerdict]) -> Mapping[str, int]:
    """How many verdicts carry each label; `missing` where none could be read."""
    counts: dict[str, int] = {}
    for verdict in verdicts:
        label = verdict.label or "missing"
        counts[label] = counts.get(label, 0) + 1
    return counts
