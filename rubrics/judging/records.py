"""A rubric as a frozen record, and its JSON form."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from workbench.schema.canonical import JsonValue, content_hash

Kind: TypeAlias = Literal["explicit", "implicit", "negative"]
Polarity: TypeAlias = Literal["positive", "negative"]
Scope: TypeAlias = Literal["report", "trace", "both"]
Scale: TypeAlias = Literal["binary", "ternary", "score10", "labels"]
Tier: TypeAlias = Literal["essential", "important", "optional", "pitfall"]
Aggregation: TypeAlias = Literal["weighted_mean", "strict_signed", "points_share", "tiers", "tree"]
ScoreMap: TypeAlias = Literal["affine", "clip", "reference_share"]
MissingPolicy: TypeAlias = Literal["fail", "skip_with_bounds"]
WithoutTrace: TypeAlias = Literal["abstain", "leave_out"]

# What a verdict says: how far the criterion's statement holds. For a negative criterion the statement is the fault.
LABELS: Mapping[Scale, Mapping[str, float]] = {
    "binary": {"no": 0.0, "yes": 1.0},
    "ternary": {"not": 0.0, "partly": 0.5, "fully": 1.0},
    "score10": {str(n): n / 10 for n in range(11)},
    "labels": {},  # the criterion's own: see `labels_of`
}

# Source: Rubrics as Rewards (arXiv 2507.17746), weights of its categories.
TIER_WEIGHTS: Mapping[Tier, float] = {"essential": 1.0, "important": 0.7, "optional": 0.3, "pitfall": 0.9}


@dataclass(frozen=True, slots=True)
class Criterion:
    """One statement to check. A negative criterion states a fault and has a weight <= 0, a positive one >= 0.

    `kind`: asked for in the question (explicit), expected by any reader (implicit), or a fault (negative).
    `scope`: what must be read to decide it. `fatal`: if this fault is there at all, the report scores 0.
    `anchors`: label of the scale -> what it looks like; `examples`: label -> a passage that deserves it.
    `labels`: for scale `labels`, label -> how far the statement holds then, in [0, 1].
    `tier`: what `weight` was taken from, if anything. `parent`: the group it stands in, empty for the root.
    """

    id: str
    text: str
    kind: Kind = "explicit"
    polarity: Polarity = "positive"
    weight: float = 1.0
    scope: Scope = "report"
    scale: Scale = "ternary"
    fatal: bool = False
    anchors: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, float] = field(default_factory=dict)
    tier: Tier | None = None
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """An inner node of a tree of criteria: its weight >= 0 among what stands in the same `parent` (empty: the root)."""

    id: str
    weight: float = 1.0
    text: str = ""
    parent: str = ""


@dataclass(frozen=True, slots=True)
class Rubric:
    """Criteria and the rule that makes a score of their verdicts.

    `score_map` takes the raw sum to [0, 1]; `reference_share` does so beside the raw sum of a reference report that
    is judged in the same way. `missing` says what a verdict that could not be read does; `without_trace` says what a
    report without its trajectory does to criteria that need the trace. `groups` are the dimensions or inner nodes of
    aggregation `tree`.
    """

    name: str
    criteria: tuple[Criterion, ...]
    description: str = ""
    aggregation: Aggregation = "weighted_mean"
    score_map: ScoreMap = "affine"
    missing: MissingPolicy = "fail"
    without_trace: WithoutTrace = "abstain"
    groups: tuple[Group, ...] = ()

    @property
    def version(self) -> str:
        """Hash of the whole JSON form, 64 hexadecimal digits."""
        return content_hash(rubric_to_json(self))


def rubric_to_json(rubric: Rubric) -> dict[str, JsonValue]:
    """The JSON form: what `GradingCase.rubric` carries and an exported job holds. `rubric_from_json` is its inverse."""
    criteria: list[JsonValue] = [
        {
            "id": c.id,
            "text": c.text,
            "kind": c.kind,
            "polarity": c.polarity,
            "weight": float(c.weight),
            "scope": c.scope,
            "scale": c.scale,
            "fatal": c.fatal,
            "anchors": dict(c.anchors),
            **_used(examples=dict(c.examples), labels=dict(c.labels), tier=c.tier, parent=c.parent),
        }
        for c in rubric.criteria
    ]
    groups: list[JsonValue] = [
        {"id": g.id, "weight": float(g.weight), "text": g.text, "parent": g.parent} for g in rubric.groups
    ]
    return {
        "kind": "rubric",
        "name": rubric.name,
        "description": rubric.description,
        "aggregation": rubric.aggregation,
        "score_map": rubric.score_map,
        "missing": rubric.missing,
        "without_trace": rubric.without_trace,
        "criteria": criteria,
        **_used(groups=groups),
    }


def _used(**fields: JsonValue) -> dict[str, JsonValue]:
    """Only what is set: a rubric that does not use a newer field keeps its hash, and with it its stored grades."""
    return {name: value for name, value in fields.items() if value}


def labels_of(criterion: Criterion) -> Mapping[str, float]:
    """Every verdict that the criterion's scale knows -> how far the statement holds then, in [0, 1]."""
    return criterion.labels if criterion.scale == "labels" else LABELS[criterion.scale]


def tier_weight(tier: Tier | None, polarity: Polarity) -> float:
    """The signed weight of a tier, 1 or -1 where there is none."""
    size = 1.0 if tier is None else TIER_WEIGHTS[tier]
    return -size if polarity == "negative" else size
