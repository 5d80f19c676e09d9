"""deer-flow replays: texts and arguments in pieces, results that claim to be the assistant, the reporter's report."""

import io
import json
from collections import Counter
from typing import Any

import pytest

from tests.support.shared_data import shared
from workbench.errors import BadInputError
from workbench.ingest.containers import sse
from workbench.ingest.format import Draft
from workbench.ingest.formats import sse_replay

ASK = ("message_chunk", {"id": "u1", "role": "user", "content": "What is a quark?", "finish_reason": "stop"})


def draft(*events: tuple[str, dict[str, Any]]) -> Draft:
    stream = "".join(f"event: {name}\ndata: {json.dumps({'thread_id': 't', **data})}\n\n" for name, data in events)
    (record,) = sse.records(io.BytesIO(stream.encode()))
    assert isinstance(record.value, dict)
    assert sse_replay.detect(record.value)
    return sse_replay.read(record.value)


def said(id_: str, agent: str, content: str, **fields: Any) -> tuple[str, dict[str, Any]]:
    return "message_chunk", {"id": id_, "agent": agent, "role": "assistant", "content": content, **fields}


def piece(id_: str, index: int | None, args: str, name: str | None = None, call_id: str = "") -> Any:
    chunk = {"name": name, "args": args, "id": call_id, "index": index}
    named = [{"name": name or "", "args": {}, "id": call_id}]
    return (
        "tool_calls" if name else "tool_call_chunks",
        {
            "id": id_,
            "agent": "researcher",
            "role": "assistant",
            "tool_call_chunks": [chunk],
            **({"tool_calls": named} if name else {}),
        },
    )


def result(call_id: str, content: str) -> tuple[str, dict[str, Any]]:
    return "tool_call_result", {
        "id": f"r-{content}",
        "agent": "researcher",
        "role": "assistant",
        "tool_call_id": call_id,
        "content": content,
    }


def test_pieces_are_joined_by_id_and_index_while_two_calls_are_interleaved() -> None:
    found = draft(
        ASK,
        said("a1", "researcher", "Let me "),
        piece("a1", 0, "", "web_search", "c0"),
        piece("a1", 1, "", "crawl_tool", "c1"),
        piece("a1", 0, '{"query": '),
        piece("a1", 1, '{"url": "https://a.example"}'),
        piece("a1", 0, '"quark"}'),
        said("a1", "researcher", "look.", finish_reason="tool_calls"),
        result("c1", "page"),
        result("c0", "[]"),
        said("p1", "reporter", "# Qua"),
        said("p1", "reporter", "rk", finish_reason="stop"),
    )
    calls = [call for step in found.steps for call in step.tool_calls]
    assert [(call.id, call.name, call.arguments) for call in calls] == [
        ("c0", "web_search", {"query": "quark"}),
        ("c1", "crawl_tool", {"url": "https://a.example"}),
    ]
    assert [step.tool_results[0].call_id for step in found.steps if step.role == "tool"] == ["c1", "c0"]
    assert found.steps[1].text == "Let me look."
    assert [step.agent for step in found.steps] == ["", "researcher", "researcher", "researcher", "reporter"]
    assert (found.report, found.outcome, found.question) == ("# Quark", "completed", "What is a quark?")


def test_empty_ids_are_matched_by_order() -> None:
    found = draft(
        ASK,
        piece("a1", None, '{"query": "one"}', "web_search"),
        result("", "first"),
        piece("a2", None, '{"query": "two"}', "web_search"),
        result("", "second"),
        said("p1", "reporter", "Done."),
    )
    calls = {call.id: call.arguments["query"] for step in found.steps for call in step.tool_calls}
    answers = [(step.tool_results[0].call_id, step.tool_results[0].text) for step in found.steps if step.role == "tool"]
    assert [(calls[call_id], text) for call_id, text in answers] == [("one", "first"), ("two", "second")]


def test_two_calls_without_index_and_id_in_one_message_stay_two() -> None:
    found = draft(
        ASK, piece("a1", None, '{"q": 1}', "a"), piece("a1", None, '{"q": 2}', "b"), said("p", "reporter", "x")
    )
    assert [(call.name, call.arguments) for call in found.steps[1].tool_calls] == [("a", {"q": 1}), ("b", {"q": 2})]


def test_arguments_that_were_cut_off_are_kept_as_text() -> None:
    found = draft(ASK, piece("a1", 0, '{"query": "qu', "web_search", "c0"))
    assert found.steps[1].tool_calls[0].arguments == {"_unparsed": '{"query": "qu'}
    assert (found.report, found.outcome) == ("", "truncated")


def test_the_plan_is_no_report_and_its_acceptance_is_a_turn_of_the_user() -> None:
    found = draft(
        ASK,
        said("a1", "planner", '{"steps": []}', finish_reason="stop"),
        ("interrupt", {"id": "i", "role": "assistant", "content": "Review the plan.", "options": []}),
        ("message_chunk", {"id": "u2", "role": "user", "content": "[accepted]"}),
    )
    assert found.report == ""
    assert [step.role for step in found.steps] == ["user", "assistant", "user"]
    assert found.meta["interrupts"] == [{"content": "Review the plan.", "options": []}]


def test_a_refused_page_is_a_failed_call_though_nothing_says_so() -> None:
    refused = json.dumps(
        {"url": "https://a.example", "crawled_content": '# None\n\n{"data":null,"code":402,"name":"x"}'}
    )
    found = draft(ASK, piece("a1", 0, "{}", "crawl_tool", "c0"), result("c0", refused), said("p", "reporter", "x"))
    assert found.steps[2].tool_results[0].is_error


def test_a_stream_without_an_agent_says_so() -> None:
    with pytest.raises(BadInputError, match="no assistant message"):
        draft(ASK)


NUMBERS = {
    "china-food-delivery.txt": (1319, 10, 9, 4392),
    "eiffel-tower-vs-tallest-building.txt": (2303, 4, 3, 3227),
    "github-top-trending-repo.txt": (123, 7, 6, 3882),
    "rag.txt": (3385, 6, 5, 1235),
    "rental-apartment-decoration.txt": (1314, 3, 2, 10242),
    "review-of-the-professional.txt": (624, 2, 1, 5613),
    "ultra-processed-foods.txt": (3340, 7, 6, 4675),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_real_recordings_have_their_known_numbers(name: str) -> None:
    (record,) = sse.records(io.BytesIO(shared(f"deerflow-sse-replays/{name}").read_bytes()))
    assert isinstance(record.value, dict)
    found = sse_replay.read(record.value)
    calls = [call for step in found.steps for call in step.tool_calls]
    results = [result for step in found.steps for result in step.tool_results]
    written = sum(len(step.text) for step in found.steps if step.agent == "reporter")
    assert (found.meta["events"], len(calls), len(results), written) == NUMBERS[name]
    assert Counter(result.call_id for result in results) <= Counter(call.id for call in calls)
    assert found.report
    assert not any("_unparsed" in call.arguments for call in calls)
