"""OpenHands: a stream of events `{source, action, args}` and `{source, observation, content, cause}`.

As a file that is one list of them, one a line, or as the `history` of a record of its evaluation.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from workbench.ingest.format import Draft, Format, first_user_text, other_fields, required_agent_step
from workbench.ingest.messages import CallBook, content_text, last_word, looks_like_error
from workbench.ingest.tool_kinds import tool_kind
from workbench.schema.canonical import JsonObject, JsonValue
from workbench.schema.trajectory import Step, ToolCall, ToolKind, ToolResult

_WHOLE = "the file"
_KINDS: Mapping[str, ToolKind] = {
    "run": "code",
    "run_ipython": "code",
    "browse": "visit",
    "browse_interactive": "visit",
    "read": "other",
    "write": "other",
    "edit": "other",
}
# What the runner writes between the steps, or answers to nothing.
_SILENT_ACTIONS = frozenset({"change_agent_state", "recall", "system", "null", "condensation", "pause", "resume"})
_SILENT_OBSERVATIONS = frozenset({"agent_state_changed", "recall", "null", "user_rejected", "condense"})
_NOT_ARGUMENTS = frozenset({"thought", "hidden", "confirmation_state", "security_risk", "blocking", "is_static"})


def detect(record: Mapping[str, Any]) -> bool:
    if isinstance(history := record.get("history"), list):
        return any(_is_event(event) for event in _flat(history[:50]))
    return _is_event(record)


def _is_event(value: object) -> bool:
    if not isinstance(value, Mapping) or not isinstance(value.get("source"), str):
        return False
    acted = isinstance(value.get("action"), str) and isinstance(value.get("args"), Mapping)
    return acted or (isinstance(value.get("observation"), str) and "content" in value)


def gather(record: Mapping[str, Any]) -> str | list[tuple[str, Mapping[str, Any]]]:
    """Events of one file are one trajectory; a record with a history of its own is one by itself."""
    if "history" in record:
        return [(f"record {record.get('instance_id', record.get('id'))}", record)]
    return _WHOLE


def read(record: Mapping[str, Any]) -> Draft:
    """The report is what the agent finished with, else its last message to the user, else the patch it left."""
    records = record["records"] if isinstance(record.get("records"), list) else [record]
    whole = next((found for found in records if isinstance(found, Mapping) and "history" in found), None)
    events = list(_flat(whole["history"] if whole is not None else records))
    steps, report = _steps(events)
    outer = whole or {}
    asked = outer.get("instruction")
    if isinstance(asked, str) and asked.strip() and not any(step.role == "user" for step in steps):
        steps.insert(0, Step("user", asked.strip()))
    required_agent_step(steps)
    result = outer.get("test_result")
    patch = result.get("git_patch") if isinstance(result, Mapping) else None
    report = report or (patch if isinstance(patch, str) else "")
    meta: dict[str, JsonValue] = dict(other_fields(outer, "history", "instruction", "llm_completions"))
    costs = [c for event in events if (c := _cost(event)) is not None]
    if costs:
        meta["recorded_cost"] = costs[-1]
    failed = bool(outer.get("error")) or (bool(events) and events[-1].get("observation") == "error")
    return Draft(
        question=asked.strip() if isinstance(asked, str) and asked.strip() else first_user_text(steps),
        steps=tuple(steps),
        report=report.strip(),
        outcome="completed" if report.strip() and not failed else "failed" if failed else "truncated",
        model=_model(outer, events),
        meta=meta,
    )


def _flat(events: list[Any]) -> Iterator[Mapping[str, Any]]:
    """Older histories pair each action with its observation."""
    for event in events:
        for each in event if isinstance(event, list) else [event]:
            if isinstance(each, Mapping):
                yield each


def _steps(events: list[Mapping[str, Any]]) -> tuple[list[Step], str]:
    book, steps, report = CallBook(), list[Step](), ""
    by_event: dict[str, str] = {}
    for event in events:
        action, given = event.get("action"), event.get("args")
        if isinstance(action, str) and action and isinstance(given, Mapping):
            if action in _SILENT_ACTIONS:
                if action == "system" and (text := _text(given, "content")):
                    steps.append(Step("system", text))
                continue
            agent_spoke = event.get("source") != "user"
            thought = _text(given, "thought")
            if action == "message":
                text = _text(given, "content") or _text(event, "message")
                steps.append(Step("assistant" if agent_spoke else "user", text))
            elif action in ("finish", "reject"):
                outputs = given.get("outputs")
                final = _text(given, "final_thought") or (
                    _text(outputs, "content") if isinstance(outputs, Mapping) else ""
                )
                report = final or thought or _text(event, "message")
                steps.append(Step("assistant", report, thought if final else ""))
            else:
                call = _call(event, action, given, book)
                steps.append(Step("assistant", "", thought, (call,)))
                by_event[str(event.get("id"))] = call.id
        elif isinstance(seen := event.get("observation"), str) and seen not in _SILENT_OBSERVATIONS:
            text, _ = content_text(event.get("content"))
            extras = event.get("extras")
            failed = seen == "error" or looks_like_error(text) or _failed(extras if isinstance(extras, Mapping) else {})
            own = by_event.get(str(event.get("cause"))) or (book.answer() if event.get("cause") is None else "")
            steps.append(Step("tool", tool_results=(ToolResult(own, text, failed),)))
    return steps, report or last_word(steps)


def _call(event: Mapping[str, Any], action: str, given: Mapping[str, Any], book: CallBook) -> ToolCall:
    described = event.get("tool_call_metadata")
    described = described if isinstance(described, Mapping) else {}
    name = _text(described, "function_name") or _text(given, "name") or action
    inner = given.get("arguments")  # a tool of an MCP server
    arguments: JsonObject = {
        key: value for key, value in given.items() if key not in _NOT_ARGUMENTS and value not in (None, "")
    }
    if action == "call_tool_mcp" and isinstance(inner, Mapping):
        arguments = dict(inner)
    own = book.open([(_text(described, "tool_call_id"), name)])[0]
    return ToolCall(own, name, _KINDS.get(action) or tool_kind(name), arguments)


def _failed(extras: Mapping[str, Any]) -> bool:
    code = extras.get("exit_code", extras.get("metadata", {}).get("exit_code") if _is_map(extras, "metadata") else None)
    return extras.get("error") is True or (isinstance(code, int) and not isinstance(code, bool) and code > 0)


def _is_map(record: Mapping[str, Any], name: str) -> bool:
    return isinstance(record.get(name), Mapping)


def _cost(event: Mapping[str, Any]) -> float | None:
    metrics = event.get("llm_metrics")
    cost = metrics.get("accumulated_cost") if isinstance(metrics, Mapping) else None
    return float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) else None


def _model(outer: Mapping[str, Any], events: list[Mapping[str, Any]]) -> str | None:
    metadata = outer.get("metadata")
    config = metadata.get("llm_config") if isinstance(metadata, Mapping) else None
    if isinstance(config, Mapping) and (named := _text(config, "model")):
        return named
    for event in reversed(events):
        described = event.get("tool_call_metadata")
        reply = described.get("model_response") if isinstance(described, Mapping) else None
        if isinstance(reply, Mapping) and (named := _text(reply, "model")):
            return named
    return None


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return value.strip() if isinstance(value, str) else ""


FORMAT = Format(
    name="openhands",
    looks_like='[{"source", "action", "args"}, {"source", "observation", "content", "cause"}], or {"history": [...]}',
    detect=detect,
    read=read,
    gather=gather,
)
