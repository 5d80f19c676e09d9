"""Logs of runners as other agents write them."""

from typing import Any

import pytest

from workbench.ingest.registry import detect_format

ASKED = "Who built it?"


def read(record: dict[str, Any], name: str) -> Any:
    found = detect_format(record)
    assert found is not None
    assert found.name == name
    return found.read(record)


@pytest.mark.parametrize(
    "trajectory",
    [
        [
            {"thought": "look", "action": "Search[tarn]", "observation": "hit"},
            {"thought": "", "action": "Finish[Ann.]", "observation": ""},
        ],
        {
            "thought_0": "look",
            "tool_name_0": "Search",
            "tool_args_0": {"input": "tarn"},
            "observation_0": "hit",
            "tool_name_1": "finish",
            "tool_args_1": {"answer": "Ann."},
        },
    ],
)
def test_trajectory_of_thoughts_and_actions_is_a_runners_and_not_a_shell_agents(trajectory: Any) -> None:
    draft = read({"question": ASKED, "trajectory": trajectory}, "step-runner")
    (call,) = (call for step in draft.steps for call in step.tool_calls)
    (result,) = (result for step in draft.steps for result in step.tool_results)
    assert (call.name, call.kind, call.arguments) == ("Search", "search", {"input": "tarn"})
    assert (result.call_id, result.text, draft.report) == (call.id, "hit", "Ann.")
    assert draft.steps[1].reasoning == "look"


def test_history_of_a_browser_agent_has_a_call_for_each_action() -> None:
    first = {
        "model_output": {"next_goal": "look", "action": [{"go_to_url": {"url": "u"}}, {"scroll": {"down": True}}]},
        "result": [{"extracted_content": "there"}, {"error": "no page"}],
        "metadata": {"step_start_time": 1.0, "step_end_time": 3.5},
    }
    last = {"model_output": {"action": [{"done": {"text": "Ann."}}]}, "result": [{"is_done": True}]}
    draft = read({"task": ASKED, "history": [first, last]}, "step-runner")
    step = draft.steps[1]
    assert ([call.name for call in step.tool_calls], step.reasoning, step.duration_s) == (
        ["go_to_url", "scroll"],
        "look",
        2.5,
    )
    results = [(result.text, result.is_error) for result in draft.steps[2].tool_results]
    assert results == [("there", False), ("Error: no page", True)]
    assert draft.report == "Ann."


def test_commands_in_fences_of_the_mini_agent_are_calls() -> None:
    messages = [
        {"role": "system", "content": "rules"},
        {"role": "user", "content": ASKED},
        {"role": "assistant", "content": "look\n\n```bash\nls -l\n```"},
        {"role": "user", "content": "<returncode>0</returncode>\n<output>\na\n</output>"},
    ]
    info = {"exit_status": "Submitted", "submission": "diff", "model_stats": {"instance_cost": 0.1}}
    draft = read({"info": info, "messages": messages, "trajectory_format": "mini"}, "swe-agent")
    (call,) = draft.steps[2].tool_calls
    assert (call.name, call.arguments, draft.steps[3].tool_results[0].call_id) == ("ls", {"command": "ls -l"}, call.id)
    assert (draft.report, draft.outcome) == ("diff", "completed")
