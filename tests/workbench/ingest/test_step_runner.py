"""Logs of step runners: names differ, steps can be Python reprs, the answer can be an action."""

from typing import Any

import pytest

from workbench.ingest.format import Draft
from workbench.ingest.registry import detect_format
from workbench.ingest.runner_steps import literal

STEP: dict[str, Any] = {
    "thought": "look",
    "action": "web_search",
    "action_input": {"query": "it's"},
    "observation": "hits",
}


def read(record: dict[str, Any]) -> Draft:
    found = detect_format(record)
    assert found is not None
    assert found.name == "step-runner"
    return found.read(record)


@pytest.mark.parametrize(
    "step",
    [
        STEP,
        repr(STEP),
        {"thinking": "look", "tool": "web_search", "args": {"query": "it's"}, "result": "hits"},
        {"thought": "look", "action": {"name": "web_search", "arguments": '{"query": "it\'s"}'}, "output": "hits"},
        [
            {"tool": "web_search", "tool_input": {"query": "it's"}, "log": "Thought: look\nAction: web_search"},
            "hits",
        ],
    ],
)
def test_one_step_by_all_its_names(step: object) -> None:
    draft = read({"question": "why?", "steps": [step], "final_answer": "because"})
    user, turn, result = draft.steps
    assert (user.text, turn.reasoning, draft.report, draft.question) == ("why?", "look", "because", "why?")
    assert [(c.name, c.kind, c.arguments) for c in turn.tool_calls] == [("web_search", "search", {"query": "it's"})]
    assert [(r.call_id, r.text) for r in result.tool_results] == [(turn.tool_calls[0].id, "hits")]


def test_langchain_pairs_and_answering_actions() -> None:
    pair = [{"tool": "search", "tool_input": "a", "log": ""}, "hits"]
    draft = read({"input": "why?", "intermediate_steps": [pair], "output": "because"})
    assert draft.steps[1].tool_calls[0].arguments == {"input": "a"}
    draft = read({"task": "why?", "steps": [STEP, {"thought": "done", "action": "finish", "action_input": "so"}]})
    assert (draft.report, draft.outcome, draft.steps[-1].text) == ("so", "completed", "so")
    assert sum(len(s.tool_calls) for s in draft.steps) == 1


def test_memory_steps_of_a_code_agent() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "python_interpreter", "arguments": "print(1)"}}
    steps = [
        {"system_prompt": "be exact"},
        {"task": "why?", "task_images": None},
        {"step_number": 1, "model_output": "I run.", "tool_calls": [call], "observations": "1", "action_output": None},
        {
            "step_number": 2,
            "model_output": "So.",
            "tool_calls": [{"id": "c2", "function": {"name": "final_answer", "arguments": {"answer": "because"}}}],
            "action_output": "because",
        },
    ]
    draft = read({"steps": steps})
    assert [s.role for s in draft.steps] == ["system", "user", "assistant", "tool", "assistant"]
    assert (draft.question, draft.report) == ("why?", "because")
    assert [(c.id, c.kind, c.arguments) for c in draft.steps[2].tool_calls] == [("c1", "code", {"input": "print(1)"})]


def test_repr_that_is_too_deep_or_no_literal_stays_text() -> None:
    deep = "[" * 5000 + "]" * 5000
    assert literal(deep) == deep
    assert literal("{'a': __import__('os')}") == "{'a': __import__('os')}"
    assert literal("{'a': (1, None)}") == {"a": (1, None)}


def test_run_without_an_answer_is_truncated() -> None:
    draft = read({"task": "why?", "steps": [STEP]})
    assert (draft.report, draft.outcome) == ("", "truncated")
