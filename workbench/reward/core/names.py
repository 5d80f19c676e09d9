"""The names a specification may use, and the names of a reward's components."""

from dataclasses import fields

from workbench.schema.reward import RewardSpec, RolloutFacts

TERM_NAMES: tuple[str, ...] = ("distinct_queries", "distinct_sites")
COUNT_NAMES: tuple[str, ...] = tuple(field.name for field in fields(RolloutFacts) if field.name != "question_id")
"""Counts of a rollout that a gate or veto may read, e.g. `citations_not_retrieved`."""

GUARD_TERMS: tuple[str, ...] = ("quality", "shaping", *COUNT_NAMES)


def guard_names(spec: RewardSpec) -> tuple[str, ...]:
    """One name a guard, by kind and place in the specification (from 1): `gate_1`, `veto_2`."""
    return tuple(f"{guard.kind}_{place}" for place, guard in enumerate(spec.guards, start=1))


def component_names(spec: RewardSpec) -> tuple[str, ...]:
    """Names of a reward's components in a fixed order: quality, shaping, the terms, the guards."""
    return ("quality", "shaping", *(term.name for term in spec.terms), *guard_names(spec))
