"""Flat spans: end order, model calls that stand twice, Python reprs, failing tools with status OK."""

import json
from typing import Any

import pytest

from tests.support.shared_data import shared
from tests.workbench.ingest.spans_of_traces import monocle
from workbench.errors import BadInputError
from workbench.ingest.format import Draft
from workbench.ingest.formats.otel_spans import FORMAT


def draft(*spans: dict[str, Any]) -> Draft:
    assert all(FORMAT.detect(span) for span in spans)
    return FORMAT.read({"records": list(spans)})


ASKED = json.dumps([json.dumps({"human": "What is a quark?"})])
DECIDES = json.dumps({"ai": {"name": "web_search", "args": {"query": "quark"}, "id": "c1", "type": "tool_call"}})
TURN = monocle("turn", None, "agentic.turn", (0, 9), given='["What is a quark?"]', came="A particle.")
CALLS = monocle("l1", "turn", "inference.framework", (1, 2), given=ASKED, came=DECIDES)
AGAIN = monocle("l1b", "l1", "inference.modelapi", (1, 2))
SEARCH = monocle(
    "s1",
    "turn",
    "agentic.tool.invocation",
    (3, 4),
    tool="web_search",
    given="{'query': 'quark', 'max_results': 5}",
    came='Error: the service returned status 401: {"data": null}',
)
ENDS = monocle("l2", "turn", "inference.framework", (5, 6), given=ASKED, came=json.dumps({"ai": "A particle."}))


def test_end_order_is_undone_and_a_call_that_stands_twice_counts_once() -> None:
    found = draft(AGAIN, CALLS, SEARCH, ENDS, TURN)
    assert [step.role for step in found.steps] == ["user", "assistant", "tool", "assistant"]
    assert found.meta["llm_calls"] == 2
    assert (found.question, found.report, found.model) == ("What is a quark?", "A particle.", "m-1")


def test_a_repr_is_read_as_arguments_and_defaults_filled_in_still_find_the_call() -> None:
    found = draft(CALLS, SEARCH, ENDS, TURN)
    calls = [call for step in found.steps for call in step.tool_calls]
    results = [result for step in found.steps for result in step.tool_results]
    assert [(call.id, call.arguments) for call in calls] == [("c1", {"query": "quark"})]
    assert [(result.call_id, result.is_error) for result in results] == [("c1", True)]


def test_parallel_calls_of_which_the_models_span_keeps_one_are_all_there() -> None:
    other = monocle(
        "s0", "turn", "agentic.tool.invocation", (2, 3), tool="web_search", given="{'query': 'muon'}", came="x"
    )
    found = draft(CALLS, other, SEARCH, ENDS, TURN)
    asked = {call.id: call.arguments["query"] for step in found.steps for call in step.tool_calls}
    answers = {result.call_id: result.text[:5] for step in found.steps for result in step.tool_results}
    assert {asked[call_id]: text for call_id, text in answers.items()} == {"muon": "x", "quark": "Error"}


def test_a_span_that_failed_is_a_failed_call_whatever_its_text() -> None:
    failed = monocle("s1", None, "agentic.tool.invocation", (3, 4), tool="web_search", came="none", status="ERROR")
    found = draft(CALLS, failed, ENDS)
    assert [result.is_error for step in found.steps for result in step.tool_results] == [True]


def test_older_genai_events_hold_the_messages() -> None:
    events = [
        {"name": "gen_ai.system.message", "attributes": {"content": "Be brief."}},
        {"name": "gen_ai.user.message", "attributes": {"content": "What is a quark?"}},
        {
            "name": "gen_ai.choice",
            "attributes": {"index": 0, "message": '{"role": "assistant", "content": "A particle."}'},
        },
    ]
    span = {**monocle("l", None, "", (1, 2)), "events": events, "attributes": {"gen_ai.operation.name": "chat"}}
    found = draft(span)
    assert [(step.role, step.text) for step in found.steps] == [
        ("system", "Be brief."),
        ("user", "What is a quark?"),
        ("assistant", "A particle."),
    ]


def test_openinference_messages_are_put_together_from_dotted_names() -> None:
    call = "llm.output_messages.0.message.tool_calls.0.tool_call"
    attributes = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "m-2",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": "What is a quark?",
        "llm.output_messages.0.message.role": "assistant",
        f"{call}.id": "c1",
        f"{call}.function.name": "web_search",
        f"{call}.function.arguments": '{"query": "quark"}',
    }
    tool = {"openinference.span.kind": "TOOL", "tool.name": "web_search", "output.value": "page"}
    tool |= {"input.value": '{"query": "quark"}'}
    found = draft(
        {**monocle("l", None, "", (1, 2)), "attributes": attributes},
        {**monocle("s", None, "", (3, 4)), "attributes": tool},
    )
    assert [(c.id, c.arguments) for s in found.steps for c in s.tool_calls] == [("c1", {"query": "quark"})]
    assert [(r.call_id, r.text) for s in found.steps for r in s.tool_results] == [("c1", "page")]
    assert (found.model, found.report) == ("m-2", "")


def test_spans_in_a_circle_end() -> None:
    assert draft({**CALLS, "parent_id": "l1"}, {**ENDS, "parent_id": "l3"}, {**TURN, "parent_id": "l2"}).report


def test_a_trace_without_a_model_or_tool_says_so() -> None:
    with pytest.raises(BadInputError, match="none of the 1 spans"):
        draft(TURN)


def test_spans_are_gathered_by_trace() -> None:
    assert FORMAT.gather is not None
    assert FORMAT.gather(TURN) == "0xt"
    assert not FORMAT.detect({"name": "x", "attributes": {}, "start_time": "now"})


@pytest.mark.parametrize("name", ["monocle_trace_vector_databases.json", "web_research_ev_battery.json"])
def test_real_traces_have_their_known_numbers(name: str) -> None:
    spans = json.loads(shared(f"deerflow-monocle-spans/{name}").read_text())
    assert len(spans) == 17
    found = draft(*spans)
    calls = [call for step in found.steps for call in step.tool_calls]
    results = [result for step in found.steps for result in step.tool_results]
    assert [call.kind for call in calls] == ["search"] + ["visit"] * 5
    assert {result.call_id for result in results} == {call.id for call in calls}
    assert sum(result.is_error for result in results) == 5
    assert found.meta["llm_calls"] == 4
    assert len(found.report) > 1000
