"""Inspect's events in the place of its messages: lists of events alone, and samples whose messages were not kept."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.spans.assemble import Told, told
from workbench.ingest.spans.span import Kind, Span, seconds

_AGENTS = ("agent", "subagent")


def has_model_events(events: object) -> bool:
    return isinstance(events, list) and any(
        isinstance(event, Mapping) and event.get("event") == "model" and _said(event) is not None for event in events
    )


def _said(event: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What the model answered, None where it gave nothing."""
    output = event.get("output")
    choices = output.get("choices") if isinstance(output, Mapping) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    said = choice.get("message") if isinstance(choice, Mapping) else None
    return said if isinstance(said, Mapping) else None


def read_events(
    events: list[Any], *, pool: object = None, as_chat: Callable[[Any], Any], resolve: Callable[[Any], Any]
) -> Told:
    """Model and tool events as steps, each said once, with the agent's span that they stand in.

    `pool`: messages that the events name by ranges (`input_refs`) where a log holds each only once.
    Raises BadInputError where no event tells what was asked, or no model answered.
    """
    found = told(_spans([event for event in events if isinstance(event, Mapping)], pool, as_chat, resolve))
    if not any(step.role == "assistant" for step in found.steps):
        raise BadInputError("no event holds an answer of a model")
    return found


def _spans(
    events: list[Mapping[str, Any]], pool: object, as_chat: Callable[[Any], Any], resolve: Callable[[Any], Any]
) -> Iterator[Span]:
    start = 0.0
    for position, event in enumerate(events):
        kind = event.get("event")
        # Events stand in order, and a time may be missing or that of the event before.
        start = max(seconds(event.get("timestamp")), start + 1e-6)
        own = _text(event, "uuid") or f"event-{position}"
        parent = _text(event, "span_id")
        if kind == "span_begin":
            stands_for: Kind = "agent" if event.get("type") in _AGENTS else "other"
            yield Span(_text(event, "id"), _text(event, "parent_id"), _text(event, "name"), stands_for, start)
        elif kind == "model":
            output = event.get("output")
            output = output if isinstance(output, Mapping) else {}
            said = _said(event)
            yield Span(
                id=own,
                parent=parent,
                name="model",
                kind="llm",
                start=start,
                end=seconds(event.get("completed")),
                input=[as_chat(resolve(message)) for message in _input(event, pool)],
                output=[as_chat(resolve(said))] if said is not None else None,
                model=_text(output, "model") or _text(event, "model"),
                failed=bool(event.get("error")),
            )
        elif kind == "tool" and event.get("result") is not None:
            yield Span(
                id=own,
                parent=parent,
                name=_text(event, "function"),
                kind="tool",
                start=start,
                input=resolve(event.get("arguments")),
                output=resolve(event.get("result")),
                tool=_text(event, "function"),
                call_id=_text(event, "id"),
                failed=bool(event.get("error")),
            )


def _input(event: Mapping[str, Any], pool: object) -> list[Any]:
    given, ranges = event.get("input"), event.get("input_refs")
    messages = list(given) if isinstance(given, list) else []
    if isinstance(pool, list) and isinstance(ranges, list):
        for each in ranges:
            if isinstance(each, list) and len(each) == 2 and all(type(end) is int and end >= 0 for end in each):
                messages += pool[each[0] : each[1]]
    return messages


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""
