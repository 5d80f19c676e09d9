"""ShareGPT chats with tools: {conversations: [{from: human | gpt | function_call | observation, value}]}."""

import json
from collections.abc import Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import (
    Draft,
    Format,
    Record,
    checked,
    field_of,
    first_user_text,
    other_fields,
    required_agent_step,
)
from workbench.ingest.messages import Transcript, read_messages
from workbench.ingest.tagged import has_tags, read_tagged_messages

_ROLES = {
    "human": "user",
    "user": "user",
    "gpt": "assistant",
    "assistant": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "chatgpt": "assistant",
    "system": "system",
    "observation": "tool",
    "tool": "tool",
    "tool_response": "tool",
    "function_response": "tool",
    "function": "tool",
    "ipython": "tool",
}
_CALLS = frozenset({"function_call", "tool_call", "tool_calls"})
_AGENTS = _CALLS | {name for name, role in _ROLES.items() if role == "assistant"}
_LISTS = ("conversations", "conversation")


class _Said(Record):
    value: str


class _Chat(Record):
    conversations: list[dict[str, Any]]


def detect(record: Mapping[str, Any]) -> bool:
    return any(
        isinstance(turn, Mapping) and _source(turn) in _AGENTS and "value" in turn for turn in _turns(record) or ()
    )


def _turns(record: Mapping[str, Any]) -> list[Any] | None:
    return next((found for name in _LISTS if isinstance(found := record.get(name), list)), None)


def _source(turn: Mapping[str, Any]) -> str:
    """Who speaks, under either name, and whatever the writer's letters and dashes."""
    found = turn.get("from", turn.get("role"))
    return found.strip().lower().replace("-", "_") if isinstance(found, str) else ""


def read(record: Mapping[str, Any]) -> Draft:
    """A `function_call` holds one call or a list of calls as JSON text; results are tied to calls by order."""
    found = _read_turns(
        checked(_Chat, {"conversations": _turns(record)}).conversations, field_of(record, "system", str)
    )
    required_agent_step(found.steps)
    question, model = field_of(record, "question", str), field_of(record, "model", str)
    taken = [name for name, value in (("question", question), ("model", model)) if value]
    return Draft(
        question=question or first_user_text(found.steps),
        steps=found.steps,
        report=found.report,
        outcome="completed" if found.finished else "truncated",
        model=model,
        meta=other_fields(record, *_LISTS, "system", *taken),
    )


def _read_turns(turns: list[dict[str, Any]], system: str | None) -> Transcript:
    messages: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    for position, turn in enumerate(turns):
        source, value = _source(turn), checked(_Said, turn).value
        if source in _CALLS:
            messages.append({"role": "assistant", "content": "", "tool_calls": _calls(value)})
        elif source in _ROLES:
            messages.append({"role": _ROLES[source], "content": value})
        else:
            raise BadInputError(
                f"turn {position} is from {source!r}; expected one of {', '.join([*_ROLES, *sorted(_CALLS)])}"
            )
    return read_tagged_messages(messages) if has_tags(messages) else read_messages(messages)


def _calls(value: str) -> list[dict[str, Any]]:
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        found = None
    calls = found if isinstance(found, list) else [found]
    if not calls or not all(isinstance(call, dict) and isinstance(call.get("name"), str) for call in calls):
        return [{"name": "", "arguments": value}]
    return [{"name": c["name"], "arguments": c.get("arguments", c.get("parameters"))} for c in calls]


FORMAT = Format(
    name="sharegpt",
    looks_like='{"conversations": [{"from": "human" | "gpt" | "function_call" | "observation", "value"}]}',
    detect=detect,
    read=read,
)
