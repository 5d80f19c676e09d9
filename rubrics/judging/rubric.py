"""A rubric as a frozen record, its JSON form, and what makes one meaningless."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from workbench.schema.canonical import JsonObject, JsonValue, content_hash

Kind: TypeAlias = Literal["explicit", "implicit", "negative"]
Polarity: TypeAlias = Literal["positive", "negative"]
Scope: TypeAlias = Literal["report", "trace", "both"]
Scale: TypeAlias = Literal["binary", "ternary", "score10"]
Aggregation: TypeAlias = Literal["weighted_mean", "strict_signed"]
ScoreMap: TypeAlias = Literal["affine", "positive_share"]
MissingPolicy: TypeAlias = Literal["fail", "skip_with_bounds"]
WithoutTrace: TypeAlias = Literal["abstain", "leave_out"]

# What a verdict says: how far the criterion's statement holds. For a negative criterion the statement is the fault.
LABELS: Mapping[Scale, Mapping[str, float]] = {
    "binary": {"no": 0.0, "yes": 1.0},
    "ternary": {"not": 0.0, "partly": 0.5, "fully": 1.0},
    "score10": {str(n): n / 10 for n in range(11)},
}

# Ids stand in prompts and replies as JSON keys, so they are kept to characters that need no escape.
_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")


@dataclass(frozen=True, slots=True)
class Criterion:
    """One statement to check. A negative criterion states a fault and has a weight <= 0, a positive one >= 0.

    `kind`: asked for in the question (explicit), expected by any reader (implicit), or a fault (negative).
    `scope`: what must be read to decide it. `fatal`: if this fault is there at all, the report scores 0.
    `anchors`: label of the scale -> what it looks like.
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


@dataclass(frozen=True, slots=True)
class Rubric:
    """Criteria and the rule that makes a score of their verdicts.

    `score_map` takes the raw sum to [0, 1]; `missing` says what a verdict that could not be read does;
    `without_trace` says what a report without its trajectory does to criteria that need the trace.
    """

    name: str
    criteria: tuple[Criterion, ...]
    description: str = ""
    aggregation: Aggregation = "weighted_mean"
    score_map: ScoreMap = "affine"
    missing: MissingPolicy = "fail"
    without_trace: WithoutTrace = "abstain"

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
        }
        for c in rubric.criteria
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
    }


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
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a rubric in its JSON form: {type(error).__name__} {error}") from None
    if found := problems(rubric):
        raise ValueError(f"rubric {rubric.name!r}: " + "; ".join(found))
    return rubric


def _criterion_from_json(raw: Any) -> Criterion:
    polarity = raw.get("polarity", "positive")
    return Criterion(
        id=raw["id"],
        text=raw["text"],
        kind=raw.get("kind", "negative" if polarity == "negative" else "explicit"),
        polarity=polarity,
        weight=float(raw.get("weight", 1.0)),
        scope=raw.get("scope", "report"),
        scale=raw.get("scale", "ternary"),
        fatal=bool(raw.get("fatal", False)),
        anchors=dict(raw.get("anchors", {})),
    )


def problems(rubric: Rubric) -> tuple[str, ...]:
    """Sentences on what makes the rubric meaningless; empty for a sound one. Wording is `rubrics.lint`'s matter."""
    found = [
        f"{name} is {value!r}; expected one of {', '.join(get_args(options))}"
        for name, value, options in (
            ("aggregation", rubric.aggregation, Aggregation),
            ("score_map", rubric.score_map, ScoreMap),
            ("missing", rubric.missing, MissingPolicy),
            ("without_trace", rubric.without_trace, WithoutTrace),
        )
        if value not in get_args(options)
    ]
    if not rubric.criteria:
        found.append("it has no criteria; expected at least one")
    seen: set[str] = set()
    for criterion in rubric.criteria:
        if criterion.id in seen:
            found.append(f"criterion {criterion.id!r} stands twice; expected ids that differ")
        seen.add(criterion.id)
        found.extend(f"criterion {criterion.id!r}: {text}" for text in _criterion_problems(criterion))
    if rubric.criteria and not any(c.weight for c in rubric.criteria):
        found.append("all weights are 0; expected at least one that counts")
    if rubric.aggregation == "strict_signed" and any(c.scale == "score10" for c in rubric.criteria):
        found.append("strict_signed maps verdicts to 0 or 1; expected binary or ternary scales, found score10")
    if rubric.score_map == "positive_share" and not any(c.weight > 0 for c in rubric.criteria):
        found.append("positive_share divides by the positive weights and there are none")
    return tuple(found)


def _criterion_problems(criterion: Criterion) -> list[str]:
    found = [
        f"{name} is {value!r}; expected one of {', '.join(get_args(options))}"
        for name, value, options in (
            ("kind", criterion.kind, Kind),
            ("polarity", criterion.polarity, Polarity),
            ("scope", criterion.scope, Scope),
            ("scale", criterion.scale, Scale),
        )
        if value not in get_args(options)
    ]
    if not _ID.fullmatch(str(criterion.id)):
        found.append("its id is no name; expected letters, digits, '_', '-' and '.', at most 64")
    if not isinstance(criterion.text, str) or not criterion.text.strip():
        found.append("its text is empty; expected a statement that can be checked")
    if not -1e6 < criterion.weight < 1e6:
        found.append(f"weight is {criterion.weight}; expected a finite number below a million")
    if criterion.polarity == "positive" and criterion.weight < 0:
        found.append(f"weight is {criterion.weight} and polarity positive; expected a weight >= 0")
    if criterion.polarity == "negative" and criterion.weight > 0:
        found.append(f"weight is {criterion.weight} and polarity negative; expected a weight <= 0 and a stated fault")
    if (criterion.kind == "negative") != (criterion.polarity == "negative"):
        found.append(
            f"kind is {criterion.kind!r} and polarity {criterion.polarity!r}; expected both or neither negative"
        )
    if criterion.fatal and criterion.polarity != "negative":
        found.append("it is fatal and positive; expected a fatal criterion to state the fault, with polarity negative")
    allowed = LABELS.get(criterion.scale, {})
    found.extend(
        f"anchor {label!r} is no label of scale {criterion.scale}; expected {', '.join(allowed)}"
        for label in criterion.anchors
        if label not in allowed
    )
    return found
