"""Rubrics as files: YAML or JSON in, a sentence for what is wrong with one, and the JSON Schema of the format."""

import json
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rubrics.judging.rubric import (
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
    problems,
    tier_weight,
)
from workbench.errors import BadInputError


class CriterionFile(BaseModel):
    """One statement to check."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$", description="Name of the criterion within its rubric.")
    text: str = Field(min_length=1, description="The statement to check. A negative criterion states the fault.")
    kind: Kind | None = Field(
        None, description="Asked for (explicit), expected by any reader (implicit), a fault (negative)."
    )
    polarity: Polarity = Field("positive", description="Whether it is good or bad that the statement holds.")
    weight: float | None = Field(
        None, description="Signed: >= 0 for positive, <= 0 for negative criteria. Left out: the tier's, else 1 or -1."
    )
    tier: Tier | None = Field(None, description="Takes the place of a weight: 1, 0.7, 0.3, and 0.9 for a pitfall.")
    scope: Scope = Field("report", description="What must be read to decide it.")
    scale: Scale = Field("ternary", description="binary: yes no; ternary: fully partly not; score10: 0 to 10; labels.")
    labels: dict[str, float] = Field(
        default_factory=dict, description="For scale labels: label -> how far the statement holds then, 0 to 1."
    )
    fatal: bool = Field(False, description="If this fault is there at all, the report scores 0.")
    anchors: dict[str, str] = Field(default_factory=dict, description="Label of the scale -> what it looks like.")
    examples: dict[str, str] = Field(default_factory=dict, description="Label -> a passage that deserves it.")
    parent: str = Field("", description="Id of the group it stands in; empty for the root of the tree.")


class GroupFile(BaseModel):
    """A dimension, or an inner node of a tree of criteria."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$", description="Name; criteria and groups name it as their parent.")
    weight: float = Field(1.0, ge=0, description="Its weight among what stands in the same group.")
    text: str = Field("", description="What it is about. Not shown to the judge.")
    parent: str = Field("", description="Id of the group it stands in; empty for the root of the tree.")


class RubricFile(BaseModel):
    """A rubric: criteria, and the rule that makes a score of their verdicts."""

    model_config = ConfigDict(extra="forbid")

    kind: Literal["rubric"] = "rubric"
    name: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$", description="The grader's name, before the model's.")
    description: str = Field("", description="What it is for. Not shown to the judge.")
    aggregation: Aggregation = Field("weighted_mean", description="How verdicts make a raw sum.")
    score_map: ScoreMap = Field("affine", description="How the raw sum becomes a score in [0, 1].")
    missing: MissingPolicy = Field("fail", description="What a verdict that could not be read does.")
    without_trace: WithoutTrace = Field("abstain", description="What criteria on the trace do where there is none.")
    groups: list[GroupFile] = Field(default_factory=list, description="Inner nodes, for aggregation tree.")
    criteria: list[CriterionFile] = Field(min_length=1)

    def to_rubric(self) -> Rubric:
        """The record that judging reads."""
        return Rubric(
            name=self.name,
            description=self.description.strip(),
            aggregation=self.aggregation,
            score_map=self.score_map,
            missing=self.missing,
            without_trace=self.without_trace,
            criteria=tuple(
                Criterion(
                    id=c.id,
                    text=" ".join(c.text.split()),
                    kind=c.kind or ("negative" if c.polarity == "negative" else "explicit"),
                    polarity=c.polarity,
                    weight=tier_weight(c.tier, c.polarity) if c.weight is None else c.weight,
                    scope=c.scope,
                    scale=c.scale,
                    fatal=c.fatal,
                    anchors=c.anchors,
                    examples=c.examples,
                    labels=c.labels,
                    tier=c.tier,
                    parent=c.parent,
                )
                for c in self.criteria
            ),
            groups=tuple(Group(g.id, g.weight, " ".join(g.text.split()), g.parent) for g in self.groups),
        )


def rubric_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a rubric file."""
    schema = RubricFile.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def load_rubric(path: Path) -> Rubric:
    """The rubric of a .yaml, .yml or .json file. Raises BadInputError with every problem that was found."""
    return parse_rubric(_read_text(path, "rubric"), source=str(path))


def read_mapping(path: Path, *, what: str) -> dict[str, Any]:
    """The mapping in a YAML or JSON file, read strictly; `what` names the kind of file in errors (BadInputError)."""
    return _mapping(_read_text(path, what), what=what, source=str(path), holding="kind, name and members")


def _read_text(path: Path, what: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{what} {path} cannot be read ({error}); expected a YAML or JSON file in UTF-8") from None


def _mapping(text: str, *, what: str, source: str, holding: str) -> dict[str, Any]:
    import yaml

    try:
        raw = yaml.load(text, Loader=_strict_loader())
    except (yaml.YAMLError, RecursionError) as error:
        raise BadInputError(f"{what} {source} is no YAML: {' '.join(str(error).split())[:300]}") from None
    if not isinstance(raw, dict):
        raise BadInputError(f"{what} {source} holds {type(raw).__name__}; expected a mapping with {holding}")
    return raw


def parse_rubric(text: str, *, source: str) -> Rubric:
    """The rubric in a YAML or JSON text; `source` names it in errors. Raises BadInputError."""
    raw = _mapping(text, what="rubric", source=source, holding="name and criteria")
    try:
        rubric = RubricFile.model_validate(raw).to_rubric()
    except ValidationError as error:
        raise BadInputError(f"rubric {source}: {error_sentences(error)}") from None
    if found := problems(rubric):
        raise BadInputError(f"rubric {source}: {'; '.join(found)}")
    return rubric


def error_sentences(error: ValidationError) -> str:
    """Where a file fails its schema, what was expected there and what was found; the first eight places."""
    shown = error.errors()[:8]
    parts = [
        f"{'.'.join(str(place) for place in item['loc']) or 'the file'}: {item['msg']} (found {_short(item['input'])})"
        for item in shown
    ]
    more = error.error_count() - len(shown)
    return "; ".join(parts) + (f"; and {more} more" if more else "")


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _strict_loader() -> Any:
    """YAML's safe loader, but a key given twice is an error: the last one would win unseen. `no`/`yes` stay words,
    because they are labels of the binary scale."""
    import yaml

    class Loader(yaml.SafeLoader):
        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            seen: set[Any] = set()
            for key_node, _ in node.value:
                key = self.construct_object(key_node, deep=True)
                if isinstance(key, str | int | float | bool) and key in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"key {key!r} stands twice", key_node.start_mark
                    )
                if isinstance(key, str | int | float | bool):
                    seen.add(key)
            return super().construct_mapping(node, deep)

    Loader.yaml_implicit_resolvers = {
        first: [(tag, regexp) for tag, regexp in resolvers if tag != "tag:yaml.org,2002:bool" or first not in "yYnNoO"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    return Loader
