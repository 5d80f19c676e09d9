"""Langfuse exports: `{"trace", "observations"}`, a trace with its observations inside, observations one a record (with
the API's names of fields or the database's), or a page of the API with several of either.

Inputs, outputs and metadata are JSON in strings, often twice over; the trace's own may be null.
"""

from collections.abc import Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Format, other_fields
from workbench.ingest.spans.assemble import told
from workbench.ingest.spans.span import (
    Kind,
    Span,
    input_from,
    kind_of,
    messages_from,
    model_from,
    output_from,
    seconds,
    tool_from,
)
from workbench.ingest.spans.values import decoded
from workbench.schema.canonical import JsonValue

_KINDS: Mapping[str, Kind] = {"GENERATION": "llm", "TOOL": "tool", "RETRIEVER": "tool", "AGENT": "agent"}
_TRACE_META = ("id", "name", "timestamp", "tags", "userId", "sessionId", "release", "version", "latency", "totalCost")


# What the database calls the fields, and its exports to storage.
_CAMEL = {
    "trace_id": "traceId",
    "parent_observation_id": "parentObservationId",
    "start_time": "startTime",
    "end_time": "endTime",
    "provided_model_name": "model",
}


def detect(record: Mapping[str, Any]) -> bool:
    if page := _page(record):
        return any(detect(item) for item in page[:8])
    observations = record.get("observations")
    if isinstance(observations, list):
        return any(isinstance(found, Mapping) and _is_observation(found) for found in observations[:8])
    return _is_observation(record)


def _page(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The items of a page of the API."""
    found = record.get("data")
    if not isinstance(found, list) or "observations" in record or "type" in record:
        return []
    return [item for item in found if isinstance(item, Mapping) and "data" not in item]


def _plain(record: Mapping[str, Any]) -> Mapping[str, Any]:
    if "start_time" not in record:
        return record
    return {_CAMEL.get(name, name): value for name, value in record.items()}


def _is_observation(record: Mapping[str, Any]) -> bool:
    record = _plain(record)
    return all(name in record for name in ("id", "type", "startTime")) and (
        "traceId" in record or "parentObservationId" in record
    )


def gather(record: Mapping[str, Any]) -> str | list[tuple[str, Mapping[str, Any]]] | None:
    """The trace of an observation; of a whole trace its own id. Of a page, that of each of its items."""
    if page := _page(record):
        return [(key, item) for item in page if (key := _trace_of(item))]
    return _trace_of(record)


def _trace_of(record: Mapping[str, Any]) -> str | None:
    record = _plain(record)
    trace, inside = record.get("trace"), record.get("observations")
    found = record.get("traceId") or (trace.get("id") if isinstance(trace, Mapping) else record.get("id"))
    if not found and isinstance(inside, list):
        found = next((o.get("traceId") or o.get("id") for o in inside if isinstance(o, Mapping)), None)
    return found if isinstance(found, str) and found else None


def read(record: Mapping[str, Any]) -> Draft:
    """`meta` has the trace's id, name, tags and scores; `recorded_scores` are the numeric ones by name."""
    records = record["records"] if isinstance(record.get("records"), list) else _page(record) or [record]
    trace: dict[str, Any] = {}
    observations: list[Mapping[str, Any]] = []
    for part in records:
        if not isinstance(part, Mapping):
            continue
        if isinstance(part.get("observations"), list):
            own = part["trace"] if isinstance(part.get("trace"), Mapping) else part
            trace = {**own, **trace}
            observations += [found for found in part["observations"] if isinstance(found, Mapping)]
        else:
            observations.append(part)
    if not observations:
        raise BadInputError("the trace has no observations")
    found = told([_span(o) for o in observations], asked=trace.get("input"), answered=trace.get("output"))
    meta: dict[str, JsonValue] = {name: trace[name] for name in _TRACE_META if trace.get(name) not in (None, [], "")}
    meta |= {"observations": len(observations), "llm_calls": found.llm_calls} | _scores(trace.get("scores"))
    if not trace:
        meta["id"] = _trace_of(observations[0])
    return Draft(
        question=found.question,
        steps=found.steps,
        report=found.report,
        outcome="completed" if found.report else "unknown",
        model=found.model or None,
        meta=other_fields(meta),
    )


def _span(observation: Mapping[str, Any]) -> Span:
    observation = _plain(observation)
    metadata = decoded(observation.get("metadata"))
    attributes = decoded(metadata.get("attributes")) if isinstance(metadata, Mapping) else {}
    attributes = attributes if isinstance(attributes, Mapping) else {}
    stated = _KINDS.get(_text(observation, "type"))
    kind = stated or kind_of(attributes)
    name = _text(observation, "name")
    start, end = seconds(observation.get("startTime")), seconds(observation.get("endTime"))
    return Span(
        id=_text(observation, "id"),
        parent=_text(observation, "parentObservationId"),
        name=name,
        kind=kind,
        start=start,
        end=end,
        input=(messages_from(attributes) if kind == "llm" else None)
        or _or(observation.get("input"), input_from(attributes, kind)),
        output=_or(observation.get("output"), output_from(attributes, kind)),
        model=_text(observation, "model") or model_from(attributes),
        tool=tool_from(attributes, name),
        call_id=_text(attributes, "gen_ai.tool.call.id"),
        agent=_text(attributes, "gen_ai.agent.name"),
        failed=observation.get("level") == "ERROR",
    )


def _or(value: Any, other: Any) -> Any:
    """The observation's own value; what its attributes say where that is empty, as exporters that map nothing leave."""
    if decoded(value) in (None, "", {}, [], "None") and other is not None:
        return other
    return value


def _scores(value: object) -> dict[str, JsonValue]:
    items = value if isinstance(value, list) else []
    scores = {
        str(item["name"]): item["value"]
        for item in items
        if isinstance(item, Mapping) and item.get("name") and isinstance(item.get("value"), int | float)
    }
    return {"recorded_scores": scores} if scores else {}


def _text(record: Mapping[str, Any], name: str) -> str:
    value = record.get(name)
    return value if isinstance(value, str) else ""


FORMAT = Format(
    name="langfuse",
    looks_like='{"trace", "observations": [{"id", "traceId", "type", "startTime", "input", "output"}]}',
    detect=detect,
    read=read,
    gather=gather,
)
