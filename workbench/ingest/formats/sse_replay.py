"""deer-flow 1.x replays: the event stream of a run of several agents, cut by the container of event streams.

Texts and tool arguments come in pieces and are joined here. The report is what the `reporter` wrote. Source: the
`web/public/replay` recordings of github.com/bytedance/deer-flow.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.ingest.format import Draft, Format, Record, checked, first_user_text, other_fields, required_agent_step
from workbench.ingest.loose import mappings as _mappings
from workbench.ingest.messages import CallBook, is_error_result, parse_arguments
from workbench.ingest.tool_kinds import tool_kind
from workbench.schema.canonical import JsonObject, JsonValue
from workbench.schema.trajectory import Step, ToolCall, ToolResult

_CHUNKS = ("message_chunk", "tool_calls", "tool_call_chunks")
_NAMES = (*_CHUNKS, "tool_call_result", "interrupt")
_REPORTER = "reporter"
# What its tools give back where they failed, with no other sign of it: the crawler wraps the refusal as a page.
_FAILED = re.compile(
    r"Error executing code"
    r'|\{\s*"url":\s*"[^"]*",\s*"crawled_content":\s*"# None\\n\\n\{\\"data\\":null,\\"code\\":[45]\d\d'
)


class _Stream(Record):
    events: list[dict[str, Any]]


@dataclass(slots=True)
class _Call:
    name: str = ""
    source_id: str = ""
    pieces: list[str] = field(default_factory=list)
    whole: JsonObject = field(default_factory=dict)

    def arguments(self) -> JsonObject:
        """The pieces joined; the `args` that came whole only where no piece did, since they are partial otherwise."""
        text = "".join(self.pieces)
        return parse_arguments(text) if text.strip() else self.whole


@dataclass(slots=True)
class _Message:
    role: str
    agent: str
    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    calls: dict[int, _Call] = field(default_factory=dict)  # by the index of the call in its message
    finish: str = ""
    result_of: str | None = None
    raw: Mapping[str, Any] = field(default_factory=dict)


def detect(record: Mapping[str, Any]) -> bool:
    events = record.get("events")
    if not isinstance(events, list):
        return False
    return any(
        isinstance(event, Mapping)
        and event.get("event") in _NAMES
        and isinstance(data := event.get("data"), Mapping)
        and "thread_id" in data
        and "id" in data
        for event in events[:64]
    )


def read(record: Mapping[str, Any]) -> Draft:
    """`meta` says besides how many events there were, and what the run stopped and asked (`interrupts`)."""
    events = checked(_Stream, record).events
    messages, interrupts = _joined(events)
    steps = tuple(_steps(messages))
    required_agent_step(steps)
    spoken = [m for m in messages if m.role == "assistant" and m.result_of is None and not m.calls]
    reports = [m for m in spoken if m.agent == _REPORTER]
    last = reports[-1:] or (spoken[-1:] if not any(m.agent for m in messages) else [])
    report = "".join(last[0].texts).strip() if last else ""
    meta: dict[str, JsonValue] = {"events": len(events), "threads": sorted(_threads(events))}
    if interrupts:
        meta["interrupts"] = interrupts
    return Draft(
        question=first_user_text(steps),
        steps=steps,
        report=report,
        outcome="completed" if report and last[0].finish in ("stop", "") else "truncated",
        meta=meta | other_fields(record, "events"),
    )


def _threads(events: list[dict[str, Any]]) -> set[str]:
    found = (event["data"].get("thread_id") for event in events if isinstance(event.get("data"), Mapping))
    return {thread for thread in found if isinstance(thread, str)}


def _joined(events: list[dict[str, Any]]) -> tuple[list[_Message], list[JsonValue]]:
    """Messages in order of their first events, with all of their pieces; what the run asked the user."""
    messages: list[_Message] = []
    by_id: dict[tuple[str, str], _Message] = {}
    interrupts: list[JsonValue] = []
    for event in events:
        data, name = event.get("data"), event.get("event")
        if not isinstance(data, Mapping):
            continue
        if name == "interrupt":
            interrupts.append({key: data[key] for key in ("content", "options") if key in data})
        elif name == "tool_call_result":
            # Its role says assistant, and its id may be that of the message that called.
            messages.append(_Message("tool", _text(data, "agent"), [_text(data, "content")], raw=data))
            messages[-1].result_of = _text(data, "tool_call_id")
        elif name in _CHUNKS:
            place = (_text(data, "role") or "assistant", _text(data, "id"))
            message = by_id.get(place) if place[1] else (messages[-1] if messages else None)
            if message is None or message.result_of is not None or (not place[1] and message.role != place[0]):
                message = _Message(place[0], _text(data, "agent"))
                messages.append(message)
                by_id[place] = message
            _add(message, data)
    return messages, interrupts


def _add(message: _Message, data: Mapping[str, Any]) -> None:
    message.texts.append(_text(data, "content"))
    message.thoughts.append(_text(data, "reasoning_content"))
    message.finish = _text(data, "finish_reason") or message.finish
    chunks = _mappings(data.get("tool_call_chunks"))
    whole = _mappings(data.get("tool_calls"))
    for position, chunk in enumerate(chunks):
        call = _call(message, chunk, new=bool(_text(chunk, "name")))
        call.pieces.append(_text(chunk, "args"))
        if position < len(whole) and isinstance(whole[position].get("args"), dict):
            call.whole = call.whole or whole[position]["args"]
    if not chunks:
        for named in whole:
            if _text(named, "name"):  # one without a name repeats a call that is under way
                call = _call(message, named, new=True)
                call.whole = named["args"] if isinstance(named.get("args"), dict) else call.whole


def _call(message: _Message, chunk: Mapping[str, Any], *, new: bool) -> _Call:
    """The call that a piece belongs to: by its index; by its id; where it has neither, a name begins a new one."""
    source_id, index = _text(chunk, "id"), chunk.get("index")
    known = next((i for i, call in message.calls.items() if source_id and call.source_id == source_id), None)
    if known is not None:
        place = known
    elif isinstance(index, int) and not (new and index in message.calls and message.calls[index].name):
        place = index
    else:
        last = max(message.calls, default=-1)
        place = last + 1 if new or last < 0 else last
    call = message.calls.setdefault(place, _Call())
    call.name = call.name or _text(chunk, "name")
    call.source_id = call.source_id or source_id
    return call


def _steps(messages: list[_Message]) -> Iterator[Step]:
    book = CallBook()
    for message in messages:
        text = "".join(message.texts)
        if message.result_of is not None:
            own = book.answer(message.result_of)
            failed = is_error_result(message.raw, text) or _FAILED.match(text) is not None
            result = ToolResult(own, text, failed)
            yield Step(role="tool", tool_results=(result,), agent=message.agent)
        elif message.role == "user":
            yield Step(role="user", text=text)
        else:
            calls = [call for _, call in sorted(message.calls.items()) if call.name or call.pieces]
            reasoning = "".join(message.thoughts)
            if not (text or calls or reasoning):
                continue
            own_ids = book.open([(call.source_id, call.name) for call in calls]) if calls else []
            made = (
                ToolCall(own, call.name, tool_kind(call.name), call.arguments())
                for own, call in zip(own_ids, calls, strict=True)
            )
            yield Step(role="assistant", text=text, reasoning=reasoning, tool_calls=tuple(made), agent=message.agent)


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) else ""


FORMAT = Format(
    name="deerflow-replay",
    looks_like='an event stream of {"thread_id", "agent", "id", "content"?, "tool_call_chunks"?}',
    detect=detect,
    read=read,
)
