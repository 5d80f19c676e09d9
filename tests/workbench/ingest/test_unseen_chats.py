"""Chats as other loggers keep them: under other names, as request and reply, in batches, cut off."""

from typing import Any

import pytest

from workbench.ingest.registry import detect_format

ASKED: dict[str, Any] = {"role": "user", "content": "Who built it?"}
SAID: dict[str, Any] = {"role": "assistant", "content": "Ann."}
CALL = {"id": "c", "type": "function", "function": {"name": "web_search", "arguments": "{}"}}
TOOL_USE = {"type": "tool_use", "id": "c", "name": "web_search", "input": {}}


def read(record: dict[str, Any], name: str) -> Any:
    found = detect_format(record)
    assert found is not None
    assert found.name == name
    return found.read(record)


@pytest.mark.parametrize("name", ["conversation", "conversations", "chat", "history", "trajectory", "transcript"])
def test_chat_under_another_name_is_read_as_the_kind_of_chat_that_it_is(name: str) -> None:
    chat = read({name: [ASKED, SAID], "model": "m"}, "openai-chat")
    assert (chat.report, chat.model) == ("Ann.", "m")
    tagged = {"role": "assistant", "content": "<think>a</think><answer>Ann.</answer>"}
    assert read({name: [ASKED, tagged]}, "tagged-chat").report == "Ann."
    used = {"role": "assistant", "content": [TOOL_USE]}
    assert read({name: [ASKED, used, SAID]}, "anthropic-messages").steps[1].tool_calls[0].id == "c"


def test_list_that_is_no_chat_is_left_to_other_readers() -> None:
    assert detect_format({"history": [["hello", "hi"]]}) is None
    assert detect_format({"chosen": [ASKED, SAID], "rejected": [ASKED, SAID]}) is None


def test_model_and_end_are_those_of_the_reply() -> None:
    reply = {"model": "m-1", "choices": [{"finish_reason": "length", "message": SAID}]}
    for record in (
        {"request": {"model": "m", "messages": [ASKED]}, "response": reply},
        {"custom_id": "r", "body": {"model": "m", "messages": [ASKED]}, "response": {"body": reply}},
    ):
        draft = read(record, "openai-chat")
        assert (draft.model, draft.report, draft.outcome) == ("m-1", "Ann.", "truncated")


def test_model_of_a_stream_is_that_of_its_chunks() -> None:
    delta = {"role": "assistant", "content": "Ann."}
    chunk = {"object": "chat.completion.chunk", "id": "1", "model": "m", "choices": [{"delta": delta}]}
    assert read({"messages": [ASKED], "chunks": [chunk]}, "openai-chat").model == "m"


def test_reply_in_blocks_beside_plain_messages_keeps_its_calls() -> None:
    reply = {"type": "message", "role": "assistant", "model": "m", "content": [TOOL_USE], "stop_reason": "tool_use"}
    draft = read({"messages": [ASKED], "response": reply}, "anthropic-messages")
    assert ([call.name for call in draft.steps[1].tool_calls], draft.model) == (["web_search"], "m")


def test_response_that_is_nothing_but_a_message_or_a_refusal_is_read() -> None:
    for part in ({"type": "output_text", "text": "Ann."}, {"type": "refusal", "refusal": "Ann."}):
        output = [{"type": "message", "role": "assistant", "content": [part]}]
        record = {"object": "response", "status": "completed", "model": "m", "input": "Who?", "output": output}
        draft = read(record, "openai-responses")
        assert (draft.question, draft.report, draft.outcome) == ("Who?", "Ann.", "completed")


def test_item_of_an_unknown_kind_is_no_part_of_the_report() -> None:
    said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Ann."}]}
    output = [{"type": "mcp_list_tools", "tools": []}, {"type": "reasoning", "summary": []}, said]
    assert read({"input": "Who?", "output": output}, "openai-responses").report == "Ann."


def test_fields_beside_a_tagged_chat_are_taken() -> None:
    said = {"role": "assistant", "content": "<answer>Ann.</answer>"}
    record = {"messages": [ASKED, said], "attempt": 2, "group": "g", "policy_step": 7, "run": "r", "reward": 0.5}
    draft = read(record, "tagged-chat")
    assert (draft.attempt, draft.group, draft.policy_step, draft.run) == (2, "g", 7, "r")
    assert draft.meta == {"recorded_reward": 0.5}
