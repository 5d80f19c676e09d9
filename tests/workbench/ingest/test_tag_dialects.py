"""Tags of other models say the same as <tool_call> and <tool_response>."""

from typing import Any

import pytest

from workbench.ingest.registry import detect_format
from workbench.ingest.tag_dialects import boxed
from workbench.ingest.tagged import read_tagged, read_tagged_messages

B, S = "\uff5c", "\u2581"
DEEPSEEK = (
    f"<{B}tool{S}calls{S}begin{B}><{B}tool{S}call{S}begin{B}>function<{B}tool{S}sep{B}>search\n"
    f'```json\n{{"query": "a"}}\n```<{B}tool{S}call{S}end{B}><{B}tool{S}calls{S}end{B}>'
)


@pytest.mark.parametrize(
    ("call", "result"),
    [
        ("<search> a </search>", "<information>hits</information>"),
        ("<search>a</search>", "<result>\nhits\n</result>"),
        ("<|begin_search_query|>a<|end_search_query|>", "<|begin_search_result|>hits<|end_search_result|>"),
        (DEEPSEEK, f"<{B}tool{S}output{S}begin{B}>hits<{B}tool{S}output{S}end{B}>"),
        (
            '<tool_calls_begin><tool_call_begin>search<tool_sep>{"query": "a"}<tool_call_end><tool_calls_end>',
            "<tool_outputs_begin><tool_output_begin>hits<tool_output_end><tool_outputs_end>",
        ),
        (
            "<tool_call><function=search><parameter=query>\na\n</parameter></function></tool_call>",
            "<tool_response>hits",
        ),
    ],
)
def test_call_and_result_in_every_dialect(call: str, result: str) -> None:
    found = read_tagged(f"so {call}{result}")
    turn, answered = found.steps[:2]
    assert [(c.name, c.kind, c.arguments) for c in turn.tool_calls] == [("search", "search", {"query": "a"})]
    assert [(r.call_id, r.text) for r in answered.tool_results] == [(turn.tool_calls[0].id, "hits")]
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": f"why? Example: {call}{result}"},
        {"role": "assistant", "content": f"so {call}"},
        {"role": "user", "content": result},
        {"role": "assistant", "content": "<answer>because</answer>"},
    ]
    chat = read_tagged_messages(messages)
    assert [s.role for s in chat.steps] == ["user", "assistant", "tool", "assistant"]
    assert chat.steps[2].tool_results[0].call_id == chat.steps[1].tool_calls[0].id
    detected = detect_format({"messages": messages})
    assert detected is not None
    assert detected.name == "tagged-chat"


def test_search_inside_a_thought_does_not_count_but_a_search_while_thinking_does() -> None:
    assert all(not s.tool_calls for s in read_tagged("<think>or <search>a</search></think>so").steps)
    found = read_tagged(
        "<think>hm <|begin_search_query|>a</tool_call><|end_search_query|>"
        "<|begin_search_result|>hits<|end_search_result|> now</think>\\boxed{b}"
    )
    assert [c.arguments for s in found.steps for c in s.tool_calls] == [{"query": "a</tool_call>"}]
    assert found.report == "\\boxed{b}"


def test_markup_in_a_report_is_no_result_and_boxed_answers_nest() -> None:
    assert read_tagged("The <result>x</result> is <information>y</information>").report.count("<") == 4
    assert boxed("a \\boxed{1} b \\boxed{\\frac{1}{2}}") == "\\frac{1}{2}"
    assert boxed("\\boxed{never") == ""
    assert read_tagged("<think>so \\boxed{7}</think>").report == "7"
