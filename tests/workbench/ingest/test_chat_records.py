"""Where chats hide: prompt and completion, request and response, a stream in pieces."""

from typing import Any

from workbench.ingest.format import Draft
from workbench.ingest.registry import detect_format

ASK: list[dict[str, Any]] = [{"role": "user", "content": "why?"}]


def read(record: dict[str, Any]) -> Draft:
    found = detect_format(record)
    assert found is not None
    assert found.name == "openai-chat"
    return found.read(record)


def chunk(stream: str, **delta: Any) -> dict[str, Any]:
    return {"id": stream, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta}]}


def test_arguments_that_come_in_pieces_are_joined_by_index() -> None:
    pieces = [
        chunk("a", role="assistant", content="Loo"),
        chunk("a", content="king"),
        chunk("a", tool_calls=[{"index": 0, "id": "c1", "function": {"name": "search", "arguments": '{"q'}}]),
        chunk("a", tool_calls=[{"index": 1, "id": "", "function": {"name": "visit", "arguments": ""}}]),
        chunk("a", tool_calls=[{"index": 1, "function": {"name": None, "arguments": '{"url": 1}'}}]),
        chunk("a", tool_calls=[{"index": 0, "function": {"arguments": '": "b"}'}}]),
        {"id": "a", "object": "chat.completion.chunk", "choices": []},
    ]
    draft = read(
        {"messages": [*ASK, *pieces, {"role": "tool", "content": "hits", "tool_call_id": ""}, chunk("b", content="so")]}
    )
    turn = draft.steps[1]
    assert turn.text == "Looking"
    assert [(c.name, c.arguments) for c in turn.tool_calls] == [("search", {"q": "b"}), ("visit", {"url": 1})]
    assert draft.report == "so"


def test_prompt_and_completion_and_request_and_response_are_chats() -> None:
    answer = {"role": "assistant", "content": "because"}
    for record in (
        {"prompt": ASK, "completion": [answer]},
        {"prompt": "why?", "completion": "because"},
        {"request": {"messages": ASK}, "response": {"choices": [{"message": answer}]}},
        {"messages": ASK, "response": answer},
        {"messages": ASK, "chunks": 1, "choices": [{"message": answer}]},
        {"prompt": ASK, "completion": "<think>a</think><answer>because</answer>"},
    ):
        draft = read(record)
        assert (draft.question, draft.report) == ("why?", "because")


def test_old_function_call_and_empty_ids_are_matched_by_order() -> None:
    messages = [
        *ASK,
        {"role": "assistant", "content": None, "function_call": {"name": "search", "arguments": {"q": 1}}},
        {"role": "function", "name": "search", "content": "hits"},
        {"role": "assistant", "tool_calls": [{"id": "", "function": {"name": n, "arguments": "{}"}} for n in "ab"]},
        {"role": "tool", "tool_call_id": "", "content": "1"},
        {"role": "tool", "tool_call_id": "", "content": "2"},
        {"role": "assistant", "content": "because"},
    ]
    draft = read({"messages": messages})
    calls = [c.id for s in draft.steps for c in s.tool_calls]
    assert [r.call_id for s in draft.steps for r in s.tool_results] == calls
    assert len(set(calls)) == 3


def test_prompt_without_an_answer_is_no_chat() -> None:
    for record in (
        {"messages": ASK},
        {"prompt": ASK, "completion": ""},
        {"prompt": 1, "completion": []},
        {"messages": [], "response": [1]},
        {"messages": [{"choices": "x"}], "response": {"choices": [3]}},
    ):
        assert detect_format(record) is None
