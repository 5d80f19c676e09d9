"""Calls and results in the tags of models that no shared file holds, and what chat templates leave in a text."""

import pytest

from workbench.ingest.messages import read_messages
from workbench.ingest.tagged import has_tags, read_completion, read_tagged_messages

ASKED = {"role": "user", "content": "Who built it?"}
SAID = [
    ('[TOOL_CALLS][{"name": "search", "arguments": {"q": "x"}}]', "hit"),
    ('[TOOL_CALLS]search[ARGS]{"q": "x"}', "hit"),
    ('<|python_tag|>{"name": "search", "parameters": {"q": "x"}}<|eom_id|>', "hit"),
    (
        '<|tool_calls_section_begin|><|tool_call_begin|>functions.search:0<|tool_call_argument_begin|>{"q": "x"}'
        "<|tool_call_end|><|tool_calls_section_end|>",
        "hit",
    ),
    (
        '<function_calls>\n<invoke name="search">\n<parameter name="q">x</parameter>\n</invoke>\n</function_calls>',
        "<function_results>hit</function_results>",
    ),
    ("<tool_call>search\n<arg_key>q</arg_key>\n<arg_value>x</arg_value>\n</tool_call>", "hit"),
    ("<tool_call>{'name': 'search', 'arguments': {'q': 'x'}}</tool_call>", "hit"),
    ('Thought: look\nAction: search\nAction Input: {"q": "x"}', "Observation: hit"),
]


@pytest.mark.parametrize(("call", "result"), SAID)
def test_call_in_the_tags_of_another_model_is_tied_to_its_result(call: str, result: str) -> None:
    role = "user" if result != "hit" else "tool"
    chat = [
        ASKED,
        {"role": "assistant", "content": call},
        {"role": role, "content": result},
        {"role": "assistant", "content": "Ann."},
    ]
    assert has_tags(chat)
    found = read_tagged_messages(chat)
    (made,) = found.steps[1].tool_calls
    (given,) = found.steps[2].tool_results
    assert (made.name, made.arguments) == ("search", {"q": "x"})
    assert (given.call_id, given.text, found.report) == (made.id, "hit", "Ann.")


def test_react_answer_is_the_report_and_a_heading_of_a_report_is_not_one() -> None:
    run = [ASKED, {"role": "assistant", "content": "Thought: done\nFinal Answer: Ann."}]
    assert read_tagged_messages(run).report == "Ann."
    assert not has_tags([ASKED, {"role": "assistant", "content": "# Report\n\nFinal Answer: Ann."}])


def test_turns_of_a_chat_template_within_a_completion_leave_no_marks() -> None:
    text = (
        '<think>a</think><tool_call>{"name": "search", "arguments": {}}</tool_call><|im_end|>\n<|im_start|>user\n'
        "<tool_response>hit</tool_response><|im_end|>\n<|im_start|>assistant\n<think></think>\nAnn.<|im_end|>"
    )
    bare = (
        '<tool_call>{"name": "search", "arguments": {}}</tool_call>\nuser\n'
        "<tool_response>hit</tool_response>\nassistant\nAnn."
    )
    for said in (text, bare):
        found = read_completion(said)
        assert found.report == "Ann."
        assert [step.role for step in found.steps] == ["assistant", "tool", "assistant"]
        assert found.steps[0].text == ""


def test_code_beside_the_json_of_a_call_is_its_argument() -> None:
    call = '<tool_call>\n{"name": "PythonInterpreter", "arguments": {}}\n<code>\nprint(1)\n</code>\n</tool_call>'
    (made,) = read_completion(call).steps[0].tool_calls
    assert (made.name, made.arguments) == ("PythonInterpreter", {"code": "print(1)"})


def test_result_without_name_answers_the_first_call_and_not_one_whose_name_is_lost() -> None:
    calls = [{"function": {"name": "search", "arguments": "{}"}}, {"function": {"name": "", "arguments": "{}"}}]
    found = read_messages([ASKED, {"role": "assistant", "tool_calls": calls}, {"role": "tool", "content": "hit"}])
    assert found.steps[2].tool_results[0].call_id == found.steps[1].tool_calls[0].id


def test_refusal_is_the_report_and_a_free_text_tool_keeps_name_and_input() -> None:
    refused = read_messages([ASKED, {"role": "assistant", "content": None, "refusal": "No."}])
    parted = read_messages([ASKED, {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}])
    assert (refused.report, parted.report) == ("No.", "No.")
    custom = {"id": "k", "type": "custom", "custom": {"name": "run_code", "input": "print(1)"}}
    (made,) = read_messages([ASKED, {"role": "assistant", "tool_calls": [custom]}]).steps[1].tool_calls
    assert (made.name, made.arguments) == ("run_code", {"input": "print(1)"})
