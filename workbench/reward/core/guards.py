"""Reads and writes the guards of a specification. What they do to a reward is in `combine`."""

from typing import Literal, cast

from workbench.reward.core.fields import Fields
from workbench.reward.core.names import GUARD_TERMS
from workbench.schema.canonical import JsonValue
from workbench.schema.reward import Guard

GUARD_KEYS: dict[str, tuple[str, ...]] = {
    "gate": ("kind", "term", "at"),
    "veto": ("kind", "term", "at", "to"),
    "length_penalty": ("kind", "at", "until"),
    "floor": ("kind", "at"),
}
ALL_KEYS = ("kind", "term", "at", "until", "to")


def read_guards(top: Fields) -> tuple[Guard, ...]:
    """The guards in the order given; problems are noted in `top`."""
    return tuple(_read_guard(item) for item in top.items("guards", ALL_KEYS))


def guard_to_json(guard: Guard) -> dict[str, JsonValue]:
    """Only the keys that its kind has."""
    values: dict[str, JsonValue] = {
        "kind": guard.kind,
        "term": guard.term,
        "at": guard.at,
        "until": guard.until,
        "to": guard.to,
    }
    return {key: values[key] for key in GUARD_KEYS[guard.kind]}


def _read_guard(item: Fields) -> Guard:
    kind = item.choice("kind", tuple(GUARD_KEYS))
    for key in item.raw:
        if key in ALL_KEYS and key not in GUARD_KEYS[kind]:
            item.problem(f"a {kind} has no {key!r}; expected only {', '.join(GUARD_KEYS[kind])}")
    term, at, until, to = "", 0.0, 0.0, 0.0
    if kind in ("gate", "veto"):
        term = item.choice("term", GUARD_TERMS)
        at = item.number("at")
    elif kind == "floor":
        at = item.number("at", low=0.0, high=1.0)
    else:
        at = item.number("at", low=0.0)
        until = item.number("until", above=at, hint="(the length at which nothing is left)")
    if kind == "veto":
        to = item.number("to", low=0.0, high=1.0, default=0.0)
    return Guard(cast(Literal["gate", "veto", "length_penalty", "floor"], kind), term, at, until, to)
