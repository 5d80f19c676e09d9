"""Langfuse exports: doubly encoded values, null inputs, eleven frameworks' spellings, observations one a record."""

import json
from typing import Any

import pytest

from tests.support.shared_data import shared
from workbench.ingest.formats.langfuse import FORMAT
from workbench.ingest.registry import detect_format


def observed(id_: str, kind: str, at: int, given: Any, came: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "traceId": "t",
        "parentObservationId": None,
        "type": kind,
        "name": more.pop("name", id_),
        "startTime": f"2026-01-01T00:00:{at:02}.000Z",
        "endTime": f"2026-01-01T00:00:{at + 1:02}.000Z",
        "input": given if given is None or isinstance(given, str) else json.dumps(given),
        "output": came if came is None or isinstance(came, str) else json.dumps(came),
        **more,
    }


USER = {"role": "user", "content": "What is a quark?"}
CALL = {"id": "c1", "type": "function", "function": {"name": "web-search", "arguments": '{"query": "quark"}'}}
FIRST = observed("g1", "GENERATION", 1, [USER], {"role": "assistant", "content": "", "tool_calls": [CALL]}, model="m")
TOOL = observed("s1", "SPAN", 3, "{'query': 'quark'}", {"content": "a page", "type": "tool"}, name="Web-Search")
LAST = observed(
    "g2", "GENERATION", 5, [USER], {"choices": [{"message": {"role": "assistant", "content": "A particle."}}]}
)


def test_a_trace_whose_own_input_is_null_is_told_by_its_observations() -> None:
    record = {"trace": {"id": "t", "input": None, "output": None, "scores": []}, "observations": [LAST, TOOL, FIRST]}
    assert FORMAT.detect(record)
    found = FORMAT.read(record)
    assert (found.question, found.report, found.model) == ("What is a quark?", "A particle.", "m")
    assert [step.role for step in found.steps] == ["user", "assistant", "tool", "assistant"]
    # A span of no stated kind that bears the name of a waiting call is that tool.
    assert found.steps[2].tool_results[0] == type(found.steps[2].tool_results[0])("c1", "a page")


def test_values_that_were_encoded_twice_are_decoded() -> None:
    trace = {"id": "t", "input": json.dumps("Say what a quark is"), "output": json.dumps("It is a particle.")}
    twice = observed("g", "GENERATION", 1, json.dumps(json.dumps([USER])), json.dumps(json.dumps("A particle.")))
    found = FORMAT.read({"trace": trace, "observations": [twice]})
    assert (found.question, found.report) == ("Say what a quark is", "It is a particle.")
    assert found.steps[0].text == "What is a quark?"


def test_observations_one_a_record_are_gathered_by_trace() -> None:
    assert FORMAT.gather is not None
    assert {FORMAT.gather(found) for found in (FIRST, TOOL, LAST)} == {"t"}
    assert FORMAT.read({"records": [FIRST, TOOL, LAST]}).report == "A particle."


def test_metadata_names_the_tool_and_scores_are_kept() -> None:
    metadata = json.dumps({"attributes": {"openinference.span.kind": "TOOL", "tool.name": "lookup"}})
    tool = observed("x", "SPAN", 3, {"q": 1}, "found", metadata=metadata, level="ERROR")
    trace = {"id": "t", "scores": [{"name": "quality", "value": 0.5}, {"name": "note", "value": None}]}
    found = FORMAT.read({"trace": trace, "observations": [FIRST, tool, LAST]})
    assert [(c.name, c.arguments) for s in found.steps for c in s.tool_calls][1] == ("lookup", {"q": 1})
    assert [r.is_error for s in found.steps for r in s.tool_results] == [True]
    assert found.meta["recorded_scores"] == {"quality": 0.5}


# Generations after the same call in another span is left out, calls, results.
NUMBERS = {
    "agno-2025-06-11": (2, 1, 1),
    "autogen-2025-06-06": (1, 0, 0),
    "csharp-agent-with-gemini-2026-03-09": (3, 2, 2),
    "google-adk-2025-08-28": (2, 1, 1),
    "google-gemini-2025-08-01": (1, 0, 0),
    "koog-2025-08-26": (2, 2, 2),
    "langgraph-python-2025-08-22": (2, 1, 1),
    "llamaindex-2025-06-05": (1, 0, 0),
    "microsoft-agent-2025-12-17": (2, 1, 1),
    "openai-agents-2025-09-30": (2, 1, 1),
    "pydantic-ai-2025-06-06": (1, 0, 0),
    "pydantic-ai-tools-2025-06-06": (1, 0, 0),
    "pydantic-ai-tools-2025-12-04": (4, 4, 3),
    "pydantic-ai-with-gemini-2025-12-24": (1, 0, 0),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_every_framework_is_read(name: str) -> None:
    record = json.loads(shared(f"langfuse-framework-traces/{name}.trace.json").read_text())
    assert detect_format(record) is FORMAT
    found = FORMAT.read(record)
    calls = [call.id for step in found.steps for call in step.tool_calls]
    results = [result.call_id for step in found.steps for result in step.tool_results]
    assert (found.meta["llm_calls"], len(calls), len(results)) == NUMBERS[name]
    assert set(results) <= set(calls)
    assert found.report
    assert found.model


def test_the_streamed_pieces_that_are_left_end_in_the_whole_report() -> None:
    found = FORMAT.read(json.loads(shared("langfuse-framework-traces/beeai-2025-08-01.trace.json").read_text()))
    assert len(found.report) > 1000
    assert found.steps[-1].text == found.report


@pytest.mark.parametrize("name", ["nested_json.json", "koog-2025-08-26.chatml.json"])
def test_what_is_no_trace_is_passed_over(name: str) -> None:
    assert detect_format(json.loads(shared(f"langfuse-framework-traces/{name}").read_text())) is None


def test_a_tools_description_among_the_messages_is_no_result() -> None:
    described = {"role": "tool", "content": {"type": "function", "function": {"name": "web-search", "parameters": {}}}}
    again = observed("g2", "GENERATION", 5, [USER, described], "A particle.")
    found = FORMAT.read({"trace": {"id": "t"}, "observations": [FIRST, again]})
    assert [step.role for step in found.steps] == ["user", "assistant", "assistant"]
