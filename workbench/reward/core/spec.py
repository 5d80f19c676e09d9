"""Reads a reward specification from a plain mapping, writes its canonical form, and hashes it.

The canonical form has every key, so that a default that changes here changes no version that is already stored.
"""

from collections.abc import Mapping
from typing import Any, Literal, cast

from workbench.reward.core.errors import SpecError
from workbench.reward.core.fields import Fields
from workbench.reward.core.guards import guard_to_json, read_guards
from workbench.reward.core.names import TERM_NAMES
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.reward import Normalise, RewardSpec, ShapingTerm, SiteCount, Stage

SPEC_KIND = "reward-spec"
STAGES = ("search_rl", "end_to_end_rl", "any")
NORMALISE = ("group", "batch", "none")
SITE_COUNTS = ("opened", "cited", "seen_or_opened")
ZERO_TARGETS = ("full_credit", "no_credit")
WRITER_PREFIX = "frozen_writer:"
TARGETS_PREFIX = "targets@"

SPEC_KEYS = (
    "kind", "name", "stage", "report_source", "quality", "shaping", "combine", "guards", "on_failure", "normalise",
    "targets", "gates",
)  # fmt: skip


def parse_spec(raw: object, *, source: str = "specification") -> RewardSpec:
    """The specification as a record. Raises SpecError with one sentence a problem, all of them at once.

    `source` names the file or record in messages. Defaults: stage `any`, report of the agent, no shaping, no guards,
    normalised by group, no targets and no gates.
    """
    problems: list[str] = []
    if not isinstance(raw, Mapping):
        raise SpecError(source, [f"found {type(raw).__name__}; expected a mapping with keys {', '.join(SPEC_KEYS)}"])
    top = Fields(raw, "", problems)
    top.only(SPEC_KEYS)
    if raw.get("kind") != SPEC_KIND:
        problems.append(f"kind is {raw.get('kind')!r}; expected {SPEC_KIND!r}")
    weight, terms, zero_target = _read_shaping(top)
    spec = RewardSpec(
        name=top.name("name"),
        stage=cast(Stage, top.choice("stage", STAGES, default="any")),
        quality_grader=_read_grader(top),
        shaping_weight=weight,
        terms=terms,
        report_source=_read_report_source(top),
        zero_target=cast(Literal["full_credit", "no_credit"], zero_target),
        combine=cast(Literal["blend"], top.choice("combine", ("blend",), default="blend")),
        guards=read_guards(top),
        on_failure=cast(Literal["drop_sample"], top.choice("on_failure", ("drop_sample",), default="drop_sample")),
        normalise=cast(Normalise, top.choice("normalise", NORMALISE, default="group")),
        targets=_read_targets(top),
        gates=_read_gates(top),
    )
    if problems:
        raise SpecError(source, problems)
    return spec


def spec_to_json(spec: RewardSpec) -> dict[str, JsonValue]:
    """The canonical form: `parse_spec` gives the same record back. Key order is for people; the hash ignores it."""
    writer = spec.report_source.removeprefix(WRITER_PREFIX)
    return {
        "kind": SPEC_KIND,
        "name": spec.name,
        "stage": spec.stage,
        "report_source": {"frozen_writer": writer} if spec.report_source.startswith(WRITER_PREFIX) else writer,
        "quality": {"grader": spec.quality_grader},
        "shaping": {
            "weight": spec.shaping_weight,
            "terms": [_term_to_json(term) for term in spec.terms],
            "zero_target": spec.zero_target,
        },
        "combine": spec.combine,
        "guards": [guard_to_json(guard) for guard in spec.guards],
        "on_failure": spec.on_failure,
        "normalise": spec.normalise,
        "targets": spec.targets,
        "gates": dict(spec.gates),
    }


def spec_version(spec: RewardSpec) -> str:
    """16 hexadecimal digits over the canonical form: the version under which it is stored, shown and exported."""
    return content_hash(spec_to_json(spec))[:16]


def spec_label(spec: RewardSpec) -> str:
    """How people see it: `search-rl@9b2f01c4`."""
    return f"{spec.name}@{spec_version(spec)[:8]}"


def needs_targets(spec: RewardSpec) -> bool:
    """Whether any term is credited against a target of the question."""
    return any(term.target == "per_question" for term in spec.terms)


def _term_to_json(term: ShapingTerm) -> dict[str, JsonValue]:
    out: dict[str, JsonValue] = {"name": term.name, "weight": term.weight, "target": term.target}
    if term.name == "distinct_sites":
        out["counts"] = term.counts
    return out


def _read_grader(top: Fields) -> str:
    quality = top.mapping("quality", ("grader",), required=True)
    return quality.text("grader") if quality is not None else ""


def _read_report_source(top: Fields) -> str:
    value = top.raw.get("report_source", "agent")
    if value == "agent":
        return "agent"
    if isinstance(value, Mapping) and set(value) == {"frozen_writer"}:
        writer = value["frozen_writer"]
        if isinstance(writer, str) and writer.strip():
            return WRITER_PREFIX + writer
    top.problem(f"report_source is {value!r}; expected 'agent' or a mapping {{frozen_writer: HASH}}")
    return "agent"


def _read_targets(top: Fields) -> str:
    value = top.raw.get("targets", "")
    if value is None or value == "":
        return ""
    if isinstance(value, str) and value.startswith(TARGETS_PREFIX) and len(value) > len(TARGETS_PREFIX):
        return value
    top.problem(
        f"targets is {value!r}; expected '{TARGETS_PREFIX}VERSION' as `workbench targets build` prints it, or none"
    )
    return ""


def _read_gates(top: Fields) -> dict[str, JsonValue]:
    gates = top.mapping("gates", ("stress", "agreement_low", "golden"), required=False)
    if gates is None:
        return {}
    out: dict[str, JsonValue] = {}
    if "stress" in gates.raw:
        out["stress"] = gates.choice("stress", ("none_found",), default="none_found")
    if "agreement_low" in gates.raw:
        out["agreement_low"] = gates.number("agreement_low", low=0.0, high=1.0)
    if "golden" in gates.raw:
        out["golden"] = gates.choice("golden", ("exact",), default="exact")
    return out


def _read_shaping(top: Fields) -> tuple[float, tuple[ShapingTerm, ...], str]:
    if "shaping" not in top.raw:
        return 0.0, (), "full_credit"
    shaping = top.mapping("shaping", ("weight", "terms", "zero_target"), required=True)
    if shaping is None:
        return 0.0, (), "full_credit"
    weight = shaping.number("weight", low=0.0)
    known = len(top.problems)
    terms = tuple(_read_term(item) for item in shaping.items("terms", ("name", "weight", "target", "counts")))
    zero_target = shaping.choice("zero_target", ZERO_TARGETS, default="full_credit")
    names = [term.name for term in terms]
    for name in sorted({name for name in names if names.count(name) > 1}):
        shaping.problem(f"term {name!r} stands {names.count(name)} times; expected each term once")
    if weight > 0 and not terms:
        shaping.problem(f"weight is {weight:g} and there is no term; expected at least one term, or weight 0")
    total = sum(term.weight for term in terms)
    # A term that could not be read has no weight to add up.
    if terms and len(top.problems) == known and abs(total - 1.0) > 1e-9:
        listed = " + ".join(f"{term.weight:g}" for term in terms)
        shaping.problem(f"weights of the terms sum to {total:g} ({listed}); expected a sum of 1")
    return weight, terms, zero_target


def _read_term(item: Fields) -> ShapingTerm:
    name = item.choice("name", TERM_NAMES)
    target: Any = item.raw.get("target", "per_question")
    if target != "per_question":
        target = item.number("target", above=0.0, hint="or 'per_question'")
    if "counts" in item.raw and name == "distinct_queries":
        item.problem("counts says which sites count and belongs to distinct_sites; remove it from distinct_queries")
    return ShapingTerm(
        name=cast(Literal["distinct_queries", "distinct_sites"], name),
        weight=item.number("weight", low=0.0),
        target=target,
        counts=cast(SiteCount, item.choice("counts", SITE_COUNTS, default="opened")),
    )
