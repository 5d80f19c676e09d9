"""Spans as other tracers and other exports of the same tracers write them."""

import json
from typing import Any

from workbench.ingest.format import Draft
from workbench.ingest.formats import langfuse, otel_otlp, otel_spans
from workbench.ingest.registry import detect_format

ASKED = "Who built it?"
CALL = {"tool_call.id": "c", "tool_call.function.name": "web_search", "tool_call.function.arguments": '{"q": "x"}'}
WHOLE = [("user", ASKED, "", ""), ("assistant", "", "web_search", ""), ("tool", "", "", "hit")]
ANSWERED = [*WHOLE, ("assistant", "Ann.", "", "")]


def told(draft: Draft) -> list[tuple[str, str, str, str]]:
    """Role, text, names of calls and texts of results; every result must be tied to a call."""
    calls = {call.id for step in draft.steps for call in step.tool_calls}
    assert all(result.call_id in calls for step in draft.steps for result in step.tool_results)
    return [
        (
            step.role,
            step.text,
            " ".join(call.name for call in step.tool_calls),
            " ".join(result.text for result in step.tool_results),
        )
        for step in draft.steps
    ]


def _row(id_: str, at: int, **attributes: Any) -> dict[str, Any]:
    """A span as a row of a table whose columns bear dotted names."""
    row = {
        "name": id_,
        "parent_id": None,
        "start_time": f"2026-01-01T00:00:0{at}+00:00",
        "end_time": f"2026-01-01T00:00:0{at}+00:00",
        "status_code": "OK",
        "context.span_id": id_,
        "context.trace_id": "t",
        "attributes.session.id": None,
    }
    return row | {f"attributes.{name.replace('__', '.')}": value for name, value in attributes.items()}


def _table(encode: Any) -> list[dict[str, Any]]:
    user = {"message.role": "user", "message.content": ASKED}
    called = {"message.role": "assistant", "message.tool_calls": [CALL]}
    said = {"message.role": "assistant", "message.content": "Ann."}
    kind = "openinference__span__kind"
    model = {kind: "LLM", "llm__model_name": "m"}
    names = ("llm__input_messages", "llm__output_messages")
    return [
        _row("one", 1, **model, **{names[0]: encode([user]), names[1]: encode([called])}),
        _row("web_search", 2, **{kind: "TOOL", "input__value": '{"q": "x"}', "output__value": "hit"}),
        _row("two", 3, **model, **{names[0]: encode([user, called]), names[1]: encode([said])}),
    ]


def test_spans_in_dotted_columns_are_read_with_messages_as_lists_or_as_json() -> None:
    for encode in (list, json.dumps):
        rows = _table(encode)
        assert all(detect_format(row) is otel_spans.FORMAT for row in rows)
        assert {otel_spans.gather(row) for row in rows} == {"t"}
        draft = otel_spans.read({"records": rows})
        assert told(draft) == ANSWERED
        assert (draft.model, draft.report) == ("m", "Ann.")


def test_nested_attributes_are_read_as_dotted_ones() -> None:
    messages = [{"message": {"role": "user", "content": ASKED}}]
    span = {
        "name": "chat",
        "context": {"trace_id": "t", "span_id": "s"},
        "start_time": "2026-01-01T00:00:00+00:00",
        "attributes": {
            "openinference": {"span": {"kind": "LLM"}},
            "llm": {
                "model_name": "m",
                "input_messages": messages,
                "output_messages": [{"message": {"role": "assistant", "content": "Ann."}}],
            },
        },
    }
    draft = otel_spans.read(span)
    assert (draft.question, draft.report, draft.model) == (ASKED, "Ann.", "m")


def _otlp(*spans: tuple[str, dict[str, str]]) -> dict[str, Any]:
    made = [
        {
            "traceId": "t",
            "spanId": str(number),
            "name": name,
            "startTimeUnixNano": str(number * 10**9),
            "attributes": [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()],
        }
        for number, (name, attributes) in enumerate(spans, 1)
    ]
    return {"resourceSpans": [{"scopeSpans": [{"spans": made}]}]}


def test_what_a_retriever_found_is_a_result() -> None:
    batch = _otlp(
        ("agent", {"openinference.span.kind": "AGENT", "input.value": ASKED, "output.value": "Ann."}),
        (
            "retrieve",
            {
                "openinference.span.kind": "RETRIEVER",
                "input.value": "tarn",
                "retrieval.documents.0.document.content": "one",
                "retrieval.documents.1.document.content": "two",
            },
        ),
    )
    (call,) = (call for step in otel_otlp.read(batch).steps for call in step.tool_calls)
    assert (call.kind, call.arguments) == ("search", {"input": "tarn"})
    assert ("tool", "", "", "one\n\ntwo") in told(otel_otlp.read(batch))


def test_inputs_and_outputs_that_a_tracer_keeps_as_objects_are_taken_out() -> None:
    def message(kind: str, **fields: Any) -> dict[str, Any]:
        return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", kind], "kwargs": fields}

    user = {"messages": [[message("HumanMessage", content=ASKED)]]}
    made = {"name": "web_search", "args": {"q": "x"}, "id": "c", "type": "tool_call"}
    came = {"generations": [[{"text": "", "message": message("AIMessage", content="", tool_calls=[made])}]]}
    batch = _otlp(
        ("Agent", {"langsmith.span.kind": "chain", "gen_ai.completion": json.dumps({"output": "Ann."})}),
        (
            "Model",
            {
                "langsmith.span.kind": "llm",
                "gen_ai.operation.name": "chat",
                "gen_ai.prompt": json.dumps(user),
                "gen_ai.completion": json.dumps(came),
            },
        ),
        (
            "web_search",
            {
                "langsmith.span.kind": "tool",
                "gen_ai.prompt": json.dumps({"input": "{'q': 'x'}"}),
                "gen_ai.completion": json.dumps({"output": "hit"}),
            },
        ),
    )
    assert told(otel_otlp.read(batch)) == ANSWERED


def test_instructions_in_parts_are_the_text_of_a_system_step() -> None:
    part = [{"type": "text", "content": "Be brief."}]
    asked = [{"role": "user", "parts": [{"type": "text", "content": ASKED}]}]
    said = [{"role": "assistant", "parts": [{"type": "text", "content": "Ann."}]}]
    batch = _otlp(
        (
            "chat m",
            {
                "gen_ai.operation.name": "chat",
                "gen_ai.system_instructions": json.dumps(part),
                "gen_ai.input.messages": json.dumps(asked),
                "gen_ai.output.messages": json.dumps(said),
            },
        )
    )
    assert told(otel_otlp.read(batch))[0] == ("system", "Be brief.", "", "")


def _observed(id_: str, kind: str, at: int, given: Any, came: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "trace_id": "t",
        "parent_observation_id": None,
        "type": kind,
        "name": "web_search" if kind == "TOOL" else "chat",
        "start_time": f"2026-01-01T00:00:0{at}.000Z",
        "end_time": f"2026-01-01T00:00:0{at}.500Z",
        "input": json.dumps(given),
        "output": json.dumps(came),
        "provided_model_name": "m",
    }


def test_observations_under_the_names_of_the_database_and_in_pages_of_the_api_are_read() -> None:
    user = {"role": "user", "content": ASKED}
    call = {"id": "c", "type": "function", "function": {"name": "web_search", "arguments": '{"q": "x"}'}}
    rows = [
        _observed("1", "GENERATION", 1, [user], {"role": "assistant", "content": "", "tool_calls": [call]}),
        _observed("2", "TOOL", 2, {"q": "x"}, "hit"),
        _observed("3", "GENERATION", 3, [user], {"role": "assistant", "content": "Ann."}),
    ]
    assert all(detect_format(row) is langfuse.FORMAT for row in rows)
    assert [langfuse.gather(row) for row in rows] == ["t"] * 3
    page = {"data": rows, "meta": {"page": 1}}
    assert detect_format(page) is langfuse.FORMAT
    assert langfuse.gather(page) == [("t", row) for row in rows]
    for record in ({"records": rows}, page):
        draft = langfuse.read(record)
        assert told(draft) == ANSWERED
        assert draft.model == "m"


def test_page_of_traces_that_only_name_their_observations_is_none() -> None:
    page = {"data": [{"id": "t", "input": ASKED, "output": "Ann.", "observations": ["o1"]}], "meta": {}}
    assert detect_format(page) is not langfuse.FORMAT
