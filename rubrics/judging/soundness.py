"""What makes a rubric meaningless: sentences, not exceptions, so that a file's faults can all be named at once."""

import re
from collections.abc import Mapping
from typing import get_args

from rubrics.judging.records import (
    Aggregation,
    Criterion,
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
    tier_weight,
)
from rubrics.judging.text import label_key

# Ids stand in prompts and replies as JSON keys, so they are kept to characters that need no escape.
_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")


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
    found.extend(_rule_problems(rubric))
    found.extend(_tree_problems(rubric))
    return tuple(found)


def _rule_problems(rubric: Rubric) -> list[str]:
    found: list[str] = []
    if rubric.aggregation == "strict_signed" and any(c.scale == "score10" for c in rubric.criteria):
        found.append("strict_signed maps verdicts to 0 or 1; expected binary or ternary scales, found score10")
    if rubric.aggregation == "points_share" and not any(c.weight > 0 for c in rubric.criteria):
        found.append("points_share divides by the positive weights and there are none")
    if rubric.aggregation == "tiers" and (bare := [c.id for c in rubric.criteria if c.tier is None]):
        found.append(f"aggregation tiers weighs by tier and {', '.join(bare)} have none")
    if rubric.score_map == "reference_share":
        if rubric.aggregation not in ("tree", "tiers"):
            found.append(f"reference_share needs raw sums >= 0: aggregation tree or tiers, found {rubric.aggregation}")
        if reading := [c.id for c in rubric.criteria if c.scope != "report"]:
            found.append(f"a reference has no trace, and {', '.join(reading)} read it; expected scope report")
        if fatal := [c.id for c in rubric.criteria if c.fatal]:
            found.append(f"reference_share compares two reports and {', '.join(fatal)} are fatal; expected none")
    if rubric.without_trace == "leave_out":
        freed = [c.id for c in rubric.criteria if c.fatal and c.scope != "report"]
        if freed:
            found.append(f"without a trace the fatal criteria {', '.join(freed)} would be left out; expected abstain")
    return found


def _tree_problems(rubric: Rubric) -> list[str]:
    parents: dict[str, str] = {}
    found: list[str] = []
    ids = {c.id for c in rubric.criteria}
    for group in rubric.groups:
        if group.id in parents or group.id in ids:
            found.append(f"group {group.id!r} has the id of another group or criterion")
        parents[group.id] = group.parent
        if not _ID.fullmatch(str(group.id)):
            found.append(f"group {group.id!r}: its id is no name")
        if not 0 <= group.weight < 1e6:
            found.append(f"group {group.id!r}: weight is {group.weight}; expected a number from 0 to a million")
    named = [("criterion", c.id, c.parent) for c in rubric.criteria]
    named += [("group", g.id, g.parent) for g in rubric.groups]
    found.extend(
        f"{what} {name!r} stands in {parent!r}, which is no group"
        for what, name, parent in named
        if parent and parent not in parents
    )
    if rubric.aggregation != "tree" and (rubric.groups or any(c.parent for c in rubric.criteria)):
        found.append(f"it has groups and aggregation {rubric.aggregation} does not read them; expected tree")
    if not found and rubric.aggregation == "tree":
        found.extend(_shape_problems(rubric, parents))
    return found


def _shape_problems(rubric: Rubric, parents: Mapping[str, str]) -> list[str]:
    """Groups that stand in themselves, and groups under which nothing has a weight."""
    rooted: set[str] = {""}
    for name in parents:
        path: list[str] = []
        while name not in rooted and name not in path:
            path.append(name)
            name = parents[name]
        if name not in rooted:
            return [f"group {name!r} stands in itself"]
        rooted.update(path)
    weighed = {c.parent for c in rubric.criteria if c.weight} | {g.parent for g in rubric.groups if g.weight}
    return [
        f"{f'group {name!r}' if name else 'the root'} holds nothing with a weight; expected a criterion or group in it"
        for name in ("", *parents)
        if name not in weighed
    ]


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
    if criterion.tier is not None and criterion.tier not in get_args(Tier):
        found.append(f"tier is {criterion.tier!r}; expected one of {', '.join(get_args(Tier))}")
    elif criterion.tier is not None and criterion.weight != tier_weight(criterion.tier, criterion.polarity):
        found.append(f"weight is {criterion.weight} and tier {criterion.tier}; expected one of them, not both")
    if criterion.tier is not None and (criterion.tier == "pitfall") != (criterion.polarity == "negative"):
        found.append("a pitfall states the fault and nothing else does; expected polarity negative with tier pitfall")
    if criterion.scale in get_args(Scale):
        found.extend(_label_problems(criterion))
    return found


def _label_problems(criterion: Criterion) -> list[str]:
    found: list[str] = []
    if (criterion.scale == "labels") != bool(criterion.labels):
        found.append("labels of its own go with scale labels; expected both or neither")
    if criterion.labels:
        if len({label_key(label) for label in criterion.labels}) < max(2, len(criterion.labels)):
            found.append("its labels are fewer than two, or alike but for case and spacing")
        if any(not label_key(label) or len(label) > 40 for label in criterion.labels):
            found.append("a label is empty or over 40 characters")
        if not all(0.0 <= value <= 1.0 for value in criterion.labels.values()):
            found.append("a label's value is outside 0 to 1")
        elif not {0.0, 1.0} <= set(criterion.labels.values()):
            found.append("no label says that the statement holds fully (1) or not at all (0); expected both")
    allowed = labels_of(criterion)
    for what, given in (("anchor", criterion.anchors), ("example", criterion.examples)):
        found.extend(
            f"{what} {label!r} is no label of scale {criterion.scale}; expected {', '.join(allowed)}"
            for label in given
            if label not in allowed
        )
    return found
