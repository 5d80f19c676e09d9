"""OpenTelemetry spans in any of their JSON forms (OTLP, the SDK's console, Monocle) as spans of one kind."""

from collections.abc import Mapping
from typing import Any

from workbench.ingest.spans.span import Span, input_from, kind_of, model_from, output_from, seconds, tool_from
from workbench.ingest.spans.values import attributes_of, decoded, flattened

_ERROR_CODES = (2, "2", "ERROR", "STATUS_CODE_ERROR", "StatusCode.ERROR")
_TOLD_IN = ("system", "user", "assistant", "tool")


def trace_of(span: Mapping[str, Any]) -> str:
    """Its trace id, empty where it has none."""
    span = plain_span(span)
    return _text(_context(span), "trace_id", "traceId") or _text(span, "trace_id", "traceId")


def plain_span(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A span whose fields are columns of a table (`context.trace_id`, `attributes.llm.model_name`) as one that nests
    them; any other as it is."""
    if "context.trace_id" not in record:
        return record
    out: dict[str, Any] = {"attributes": {}, "context": {}}
    for name, value in record.items():
        head, _, rest = name.partition(".")
        if head in ("attributes", "context") and rest:
            if value is not None:  # an empty cell
                out[head][rest] = value
        elif name not in ("attributes", "context"):
            out[name] = value
    return out


def is_span(record: Mapping[str, Any]) -> bool:
    record = plain_span(record)
    times = any(name in record for name in ("start_time", "startTimeUnixNano", "start_time_unix_nano", "startTime"))
    return times and "name" in record and "attributes" in record and bool(trace_of(record))


def span_of(raw: Mapping[str, Any]) -> Span:
    """One span. What conventions write into events (messages, Monocle's data) counts as much as attributes."""
    raw = plain_span(raw)
    attributes = flattened(attributes_of(decoded(raw.get("attributes"))))
    if isinstance(stated := raw.get("span_kind"), str):
        attributes.setdefault("openinference.span.kind", stated)
    kind = kind_of(attributes)
    given, came = input_from(attributes, kind), output_from(attributes, kind)
    if "langsmith.span.kind" in attributes:
        given, came = _out_of(given, "input"), _out_of(came, "output")
    told_in, told_out = _from_events(raw.get("events"))
    name = _text(raw, "name")
    status = raw.get("status")
    code = status.get("code", status.get("status_code")) if isinstance(status, Mapping) else status
    code = code or raw.get("status_code")
    return Span(
        id=_text(_context(raw), "span_id", "spanId") or _text(raw, "span_id", "spanId"),
        parent=_text(raw, "parent_id", "parentSpanId", "parent_span_id", "parentId"),
        name=name,
        kind=kind,
        start=_time(raw, "start_time", "startTimeUnixNano", "start_time_unix_nano", "startTime"),
        end=_time(raw, "end_time", "endTimeUnixNano", "end_time_unix_nano", "endTime"),
        input=given if given is not None else told_in,
        output=came if came is not None else told_out,
        model=model_from(attributes),
        tool=tool_from(attributes, name),
        call_id=_text(attributes, "gen_ai.tool.call.id", "tool_call.id"),
        agent=_text(attributes, "gen_ai.agent.name", "agent.name"),
        failed=code in _ERROR_CODES,
    )


def _out_of(value: Any, name: str) -> Any:
    """What a tracer put under one name, since it keeps every input and output as an object."""
    found = decoded(value)
    return found[name] if isinstance(found, Mapping) and found.keys() == {name} else value


def _from_events(events: object) -> tuple[Any, Any]:
    """(input, output) that events tell: `gen_ai.user.message`, `gen_ai.choice`, Monocle's `data.input`, the newer
    `gen_ai.client.inference.operation.details`. None where no event tells it."""
    given: list[Any] = []
    came: list[Any] = []
    for event in events if isinstance(events, list) else ():
        if not isinstance(event, Mapping):
            continue
        name, told = _text(event, "name"), attributes_of(event.get("attributes"))
        body = decoded(told.get("body")) if isinstance(told.get("body"), str) else event.get("body")
        told = {**told, **body} if isinstance(body, Mapping) else told
        if name == "data.input" and "input" in told:
            given.append(told["input"])
        elif name == "data.output" and "response" in told:
            came.append(told["response"])
        elif name == "gen_ai.choice":
            came.append(_message(told, "assistant"))
        elif name.startswith("gen_ai.") and name.endswith(".message") and name.split(".")[1] in _TOLD_IN:
            given.append(_message(told, name.split(".")[1]))
        elif "gen_ai.input.messages" in told or "gen_ai.output.messages" in told:
            given.append(told.get("gen_ai.input.messages"))
            came.append(told.get("gen_ai.output.messages"))
        elif name == "gen_ai.content.prompt":
            given.append(told.get("gen_ai.prompt"))
        elif name == "gen_ai.content.completion":
            came.append(told.get("gen_ai.completion"))
    return _alone(given), _alone(came)


def _message(told: Mapping[str, Any], role: str) -> dict[str, Any]:
    inner = decoded(told.get("message"))
    body = inner if isinstance(inner, Mapping) else {"content": inner, **told} if inner else told
    out = {"role": role, **body}
    if role == "tool" and isinstance(told.get("id"), str):
        out["tool_call_id"] = told["id"]
    return out


def _alone(values: list[Any]) -> Any:
    found = [value for value in values if value is not None]
    return (found[0] if len(found) == 1 else found) if found else None


def _context(span: Mapping[str, Any]) -> Mapping[str, Any]:
    for name in ("context", "spanContext"):
        found = span.get(name)
        if isinstance(found, Mapping):
            return found
    return {}


def _time(raw: Mapping[str, Any], *names: str) -> float:
    return next((seconds(raw[name]) for name in names if raw.get(name)), 0.0)


def _text(record: Mapping[str, Any], *names: str) -> str:
    return next((value for name in names if isinstance(value := record.get(name), str) and value), "")
