"""Rubrics from their JSON form, and the names under which judging and graders use them."""

from typing import Any

from rubrics.judging.records import (
    LABELS,
    TIER_WEIGHTS,
    Aggregation,
    Criterion,
    Group,
    Kind,
    MissingPolicy,
    Polarity,
    Rubric,
    Scale,
    Scope,
    ScoreMap,
    Tier,
    WithoutTrace,
    labels_of,
    rubric_to_json,
    tier_weight,
)
from rubrics.judging.soundness import problems
from workbench.schema.canonical import JsonObject

__all__ = [
    "LABELS",
    "TIER_WEIGHTS",
    "Aggregation",
    "Criterion",
    "Group",
    "Kind",
    "MissingPolicy",
    "Polarity",
    "Rubric",
    "Scale",
    "Scope",
    "ScoreMap",
    "Tier",
    "WithoutTrace",
    "labels_of",
    "problems",
    "rubric_from_json",
    "rubric_to_json",
    "tier_weight",
]


def rubric_from_json(value: JsonObject) -> Rubric:
    """Inverse of `rubric_to_json`. Raises ValueError, naming every problem, for a form that cannot be judged by."""
    raw: Any = value
    try:
        criteria = tuple(_criterion_from_json(item) for item in raw["criteria"])
        rubric = Rubric(
            name=raw["name"],
            criteria=criteria,
            description=raw.get("description", ""),
            aggregation=raw.get("aggregation", "weighted_mean"),
            score_map=raw.get("score_map", "affine"),
            missing=raw.get("missing", "fail"),
            without_trace=raw.get("without_trace", "abstain"),
            groups=tuple(_group_from_json(item) for item in raw.get("groups", ())),
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"not a rubric in its JSON form: {type(error).__name__} {error}") from None
    if found := problems(rubric):
        raise ValueError(f"rubric {rubric.name!r}: " + "; ".join(found))
    return rubric


def _criterion_from_json(raw: Any) -> Criterion:
    polarity = raw.get("polarity", "positive")
    tier = raw.get("tier")
    return Criterion(
        id=raw["id"],
        text=raw["text"],
        kind=raw.get("kind", "negative" if polarity == "negative" else "explicit"),
        polarity=polarity,
        weight=float(raw.get("weight", tier_weight(tier, polarity))),
        scope=raw.get("scope", "report"),
        scale=raw.get("scale", "ternary"),
        fatal=bool(raw.get("fatal", False)),
        anchors=dict(raw.get("anchors", {})),
        examples=dict(raw.get("examples", {})),
        labels={label: float(value) for label, value in dict(raw.get("labels", {})).items()},
        tier=tier,
        parent=raw.get("parent", ""),
    )


def _group_from_json(raw: Any) -> Group:
    return Group(raw["id"], float(raw.get("weight", 1.0)), raw.get("text", ""), raw.get("parent", ""))
