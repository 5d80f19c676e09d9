"""Runs of several agents whose messages are named after who speaks: Magentic-One, AG2 and AutoGen.

Three shapes. *Directions*: `role` is the agent and what it does, as `Orchestrator (thought)` or
`Orchestrator (-> WebSurfer)` and then `WebSurfer`: the instruction is a call, the agent's message its result. *Names*:
the agent stands in `name`, and `role` says nothing (a `user` may be a terminal): a message with a code block that a
terminal answers is a call. *Sources*: AutoGen's events, with `source` and `type`. Each message of the first two is one
step, so the index of a message is that of its step, and labels such as `mistake_step` stay true (`meta["mistake"]`, an
index from 0).

What a call of a web surfer is follows from what it says it did, where that is certain (see `surfer_actions`).
"""

import re
from collections.abc import Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Format, field_of, other_fields
from workbench.ingest.formats import whoandwhen_events, whoandwhen_steps
from workbench.schema.canonical import JsonValue

_LISTS = ("history", "chat_history", "messages")
_LABELS = ("mistake_agent", "mistake_step", "mistake_reason", "mistake_type")


def detect(record: Mapping[str, Any]) -> bool:
    return _shape(record) is not None


def read(record: Mapping[str, Any]) -> Draft:
    shape = _shape(record)
    if shape is None:
        raise BadInputError(f"no messages named after agents; expected them in one of {', '.join(_LISTS)}")
    name, messages = shape
    reader = {
        "directions": whoandwhen_steps.read_directions,
        "names": whoandwhen_steps.read_names,
        "sources": whoandwhen_events.read_events,
    }[name]
    steps, report, finished = reader(messages)
    question = field_of(record, "question", str) or next((s.text for s in steps if s.role == "user" and s.text), "")
    if not question.strip():
        raise BadInputError("there is no question; expected one beside the messages or as their first")
    meta = other_fields(record, *_LISTS, *_LABELS, "question", "model")
    return Draft(
        question=question.strip(),
        steps=tuple(steps),
        report=report,
        outcome="completed" if finished and report else "truncated",
        model=field_of(record, "model", str),
        meta=meta | _mistake(record),
    )


def _shape(record: Mapping[str, Any]) -> tuple[str, list[Mapping[str, Any]]] | None:
    for name in _LISTS:
        given = record.get(name)
        if not isinstance(given, list) or not given or not all(isinstance(each, Mapping) for each in given):
            continue
        if any(_is_direction(each.get("role")) for each in given):
            return "directions", given
        if all(isinstance(each.get("source"), str) and "content" in each for each in given) and any(
            isinstance(each.get("type"), str) for each in given
        ):
            return "sources", given
        # Names alone are also in chats of one agent with tools: there must be several, or labels beside.
        names = {each["name"] for each in given if isinstance(each.get("name"), str)}
        told = name != "messages" and isinstance(record.get("question"), str)
        several = len(names) > 1 or (bool(names) and "mistake_agent" in record)
        if told and several and all(isinstance(each.get("content"), str) for each in given):
            return "names", given
    return None


def _is_direction(role: object) -> bool:
    return isinstance(role, str) and whoandwhen_steps.DIRECTION.fullmatch(role) is not None


def _mistake(record: Mapping[str, Any]) -> dict[str, JsonValue]:
    """Who was held to have failed, at which message, and why; the index may be a text in the source."""
    found: dict[str, JsonValue] = {}
    for name in _LABELS:
        value = record.get(name)
        if value is None:
            continue
        short = name.removeprefix("mistake_")
        is_index = short == "step" and isinstance(value, str) and re.fullmatch(r"\d{1,9}", value.strip())
        found[short] = int(value) if is_index else value
    return {"mistake": found} if found else {}


FORMAT = Format(
    name="role-named-agents",
    looks_like='{"question", "history": [{"role": "Orchestrator (-> WebSurfer)", "content"} or {"name", "content"}]}',
    detect=detect,
    read=read,
)
