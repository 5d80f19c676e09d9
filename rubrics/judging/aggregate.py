"""Verdicts to a raw sum, and the raw sum to a score in [0, 1] by a declared map."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from rubrics.judging.records import Criterion, Rubric
from rubrics.judging.sums import Parts, group_scores, raw_sum
from workbench.schema.grade import CriterionVerdict


class NoScoreError(ValueError):
    """The verdicts make no score under the rubric's policy for missing ones."""


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A score and what made it. `low` and `high` enclose the score whatever the missing verdicts would have been.

    `raw` is the sum of the rubric's aggregation before its map: it may be negative or above one. `fatal` names the
    fatal faults that are there: they set the score to 0 and leave `raw` as it is. `groups`: group of a tree -> its
    mean in [0, 1], where nothing under it is missing. `reference_raw`: the raw sum of the reference, if one was asked.
    """

    raw: float
    score: float
    low: float
    high: float
    scheme: str
    missing: tuple[str, ...]
    fatal: tuple[str, ...]
    groups: Mapping[str, float] = field(default_factory=dict)
    reference_raw: float | None = None


@dataclass(frozen=True, slots=True)
class _Range:
    """The raw sum with missing verdicts at their worst, as the policy counts them, and at their best."""

    worst: float
    middle: float
    best: float


def aggregate(
    rubric: Rubric,
    verdicts: Sequence[CriterionVerdict],
    *,
    left_out: Collection[str] = (),
    reference: Sequence[CriterionVerdict] | None = None,
) -> Aggregate:
    """The score of one set of verdicts. Criteria in `left_out` do not count at all, and the scheme says so.

    The raw sum is that of `rubrics.judging.sums`. Maps of it:
    affine: (raw - least) / (most - least) over what is attainable, which for weighted_mean equals the mean of value
    (1 - value for faults) weighted by |weight|. clip: raw cut to [0, 1]; HealthBench cuts the mean over examples
    instead (`sums.clipped_mean` of `raw`). reference_share: raw / (raw + raw of the reference), RACE's final score
    (DeepResearch Bench, arXiv 2506.11763); 0.5 means as good as the reference. Needs `reference`: the verdicts on it.
    Missing: `fail` raises NoScoreError; `skip_with_bounds` gives the bounds, and as score a missing merit as one half
    and a missing fault as there, so that no failed call frees a report from a penalty (nor charges its reference with
    one). A fatal criterion is never skipped: one fatal fault makes a report unusable (finance and law:
    Step-DeepResearch's expert rubrics).
    """
    counted = [criterion for criterion in rubric.criteria if criterion.id not in left_out]
    values = {verdict.criterion_id: verdict.value for verdict in verdicts}
    missing = _missing(rubric, counted, values)
    own = _range(rubric, counted, values)
    fatal = tuple(c.id for c in counted if c.fatal and (values.get(c.id) or 0.0) > 0.0)
    scheme = scheme_of(rubric, len(counted))
    groups = group_scores(rubric, _known(rubric, counted, values)) if rubric.groups else {}
    if rubric.score_map == "reference_share":
        if reference is None:
            raise NoScoreError("reference_share needs the verdicts on a reference report and there are none")
        beside = {verdict.criterion_id: verdict.value for verdict in reference}
        missing += tuple(f"reference:{name}" for name in _missing(rubric, counted, beside))
        other = _range(rubric, counted, beside, lost_fault=0.0)
        low, score, high = _shares(own, other)
        return Aggregate(own.middle, score, low, high, scheme, missing, fatal, groups, other.middle)
    if fatal:
        return Aggregate(own.middle, 0.0, 0.0, 0.0, scheme, missing, fatal, groups)
    low, score, high = (_mapped(rubric, counted, total) for total in (own.worst, own.middle, own.best))
    return Aggregate(own.middle, score, low, high, scheme, missing, fatal, groups)


def scheme_of(rubric: Rubric, n_counted: int) -> str:
    """Names aggregation, map and policy, and how many criteria counted where some were left out."""
    parts: list[str] = [rubric.aggregation, rubric.score_map, rubric.missing]
    if any(criterion.fatal for criterion in rubric.criteria):
        parts.append("fatal_to_zero")
    if n_counted != len(rubric.criteria):
        parts.append(f"{n_counted}_of_{len(rubric.criteria)}_criteria")
    return "/".join(parts)


def _missing(rubric: Rubric, counted: Sequence[Criterion], values: Mapping[str, float | None]) -> tuple[str, ...]:
    """Ids without a verdict. Raises NoScoreError where the policy makes no score of what is left."""
    missing = tuple(criterion.id for criterion in counted if values.get(criterion.id) is None)
    if not any(criterion.weight for criterion in counted):
        raise NoScoreError("no criterion with a weight is left to count")
    if not missing:
        return ()
    named = f"{len(missing)} of {len(counted)} verdicts are missing ({', '.join(missing)})"
    if rubric.missing == "fail":
        raise NoScoreError(named)
    if len(missing) == len(counted):
        raise NoScoreError(f"{named}: nothing is left to score")
    if fatal := [criterion.id for criterion in counted if criterion.fatal and criterion.id in missing]:
        raise NoScoreError(f"{named}; a fatal criterion is never skipped ({', '.join(fatal)})")
    return missing


def strict(criterion: Criterion, value: float) -> float:
    """A positive criterion counts only if it holds fully, a fault counts as soon as it holds in part.

    Source: Step-DeepResearch (StepFun), section 4.3.2, "strict reward mapping".
    """
    if criterion.polarity == "positive":
        return 1.0 if value == 1.0 else 0.0
    return 0.0 if value == 0.0 else 1.0


def _known(rubric: Rubric, counted: Sequence[Criterion], values: Mapping[str, float | None]) -> Parts:
    known = [(c, value) for c in counted if (value := values.get(c.id)) is not None]
    return {c.id: strict(c, value) if rubric.aggregation == "strict_signed" else value for c, value in known}


def _range(
    rubric: Rubric, counted: Sequence[Criterion], values: Mapping[str, float | None], *, lost_fault: float = 1.0
) -> _Range:
    """Every aggregation rises with a merit and falls with a fault, so extremes of the verdicts are those of the sum."""
    known = _known(rubric, counted, values)
    filled = (
        {c.id: known.get(c.id, merit if c.polarity == "positive" else fault) for c in counted}
        for merit, fault in ((0.0, 1.0), (0.5, lost_fault), (1.0, 0.0))
    )
    try:
        return _Range(*(raw_sum(rubric, counted, parts) for parts in filled))
    except ValueError as error:
        raise NoScoreError(str(error)) from None


def _mapped(rubric: Rubric, counted: Sequence[Criterion], raw: float) -> float:
    if rubric.score_map == "affine":
        attainable = _range(rubric, counted, {})
        raw = (raw - attainable.worst) / (attainable.best - attainable.worst)
    return min(1.0, max(0.0, raw))


def _shares(own: _Range, other: _Range) -> tuple[float, float, float]:
    if own.middle + other.middle <= 0.0:
        raise NoScoreError("neither the report nor its reference meets anything: their shares are undefined")
    score = own.middle / (own.middle + other.middle)
    # 0 of 0 as a bound: one side is certainly 0 and the other is not, so the share is the same whatever is missing.
    low, high = (
        mine / (mine + theirs) if mine + theirs > 0.0 else score
        for mine, theirs in ((own.worst, other.best), (own.best, other.worst))
    )
    return low, score, high


def by_label(verdicts: Sequence[CriterionVerdict]) -> Mapping[str, int]:
    """How many verdicts carry each label; `missing` where none could be read."""
    counts: dict[str, int] = {}
    for verdict in verdicts:
        label = verdict.label or "missing"
        counts[label] = counts.get(label, 0) + 1
    return counts
