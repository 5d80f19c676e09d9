"""Small traces in the shapes of several exporters, for the tests of their readers."""

import json
from typing import Any

BEGIN = 1_700_000_000


def monocle(id_: str, parent: str | None, kind: str, at: tuple[int, int], **more: Any) -> dict[str, Any]:
    """A flat span; `given` and `came` become Monocle's events."""
    events = []
    if "given" in more:
        events.append({"name": "data.input", "attributes": {"input": more["given"]}})
    if "came" in more:
        events.append({"name": "data.output", "attributes": {"response": more["came"]}})
    return {
        "name": more.get("name", kind),
        "context": {"trace_id": more.get("trace", "0xt"), "span_id": id_},
        "parent_id": parent,
        "start_time": f"2026-01-01T00:00:{at[0]:02}Z",
        "end_time": f"2026-01-01T00:00:{at[1]:02}Z",
        "status": {"status_code": more.get("status", "OK")},
        "attributes": {"span.type": kind, "entity.1.name": more.get("tool", "x"), "entity.2.name": "m-1"},
        "events": events,
    }


def otlp(id_: str, at: int, *, trace: str = "t1", parent: str = "", **attributes: Any) -> dict[str, Any]:
    """A span of OTLP JSON; names of attributes have `__` for a dot."""
    pairs = [{"key": k.replace("__", "."), "value": {"stringValue": v}} for k, v in attributes.items()]
    start = (BEGIN + at) * 10**9
    return {
        "traceId": trace,
        "spanId": id_,
        "parentSpanId": parent,
        "name": id_,
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(start + 5 * 10**8),
        "attributes": pairs,
    }


def batch(*spans: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": list(spans)}]}]}


def parts(role: str, *items: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "parts": list(items)}


def chat(*messages: dict[str, Any]) -> str:
    return json.dumps(list(messages))
