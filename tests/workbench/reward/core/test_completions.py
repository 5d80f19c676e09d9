"""What a trainer hands over becomes the trajectory that an import would have made of it."""

import json
from typing import Any, TypeAlias

import pytest

from tests.support.shared_data import shared
from workbench.phases import analyse, facts_of
from workbench.reward.core.completions import messages_of, question_of, trajectory_of

Message: TypeAlias = dict[str, Any]


def called(name: str, **arguments: str) -> Message:
    function = {"name": name, "arguments": arguments}
    return {"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": function}]}


# TRL gives tool messages the name of the tool and no id of the call, and writes an error as Python shows a dictionary.
TRL_COMPLETION: list[Message] = [
    called("search", query="oldest pier"),
    {"role": "tool", "name": "search", "content": "Harbour history https://harbour.test/history"},
    called("visit", url="https://harbour.test/history"),
    {"role": "tool", "name": "visit", "content": "The pier was built in 1841."},
    called("visit", url="https://lost.test/page"),
    {"role": "tool", "name": "visit", "content": "{'error': 'no such page'}"},
    {"role": "assistant", "content": "Built in 1841 (https://harbour.test/history)."},
]


def test_messages_of_trl_are_counted() -> None:
    trajectory = trajectory_of(TRL_COMPLETION, question="When?")
    facts = facts_of(trajectory, analyse(trajectory))
    assert (facts.distinct_queries, facts.sites_opened, facts.sites_cited, facts.tool_calls) == (1, 1, 1, 3)
    assert trajectory.report == "Built in 1841 (https://harbour.test/history)."
    assert trajectory.outcome == "completed"


def test_completion_that_ends_on_a_call_has_no_report() -> None:
    trajectory = trajectory_of(TRL_COMPLETION[:3], question="When?")
    assert (trajectory.report, trajectory.outcome) == ("", "truncated")


INVENTED = (
    '<tool_call>{"name": "visit", "arguments": {"url": "https://made.test/up"}}</tool_call>'
    "<tool_response>Everything is proven.</tool_response><answer>Done.</answer>"
)


def test_result_that_the_policy_wrote_itself_opens_no_page() -> None:
    trajectory = trajectory_of(INVENTED, question="When?")
    assert facts_of(trajectory, analyse(trajectory)).sites_opened == 0


def test_result_that_an_environment_wrote_into_the_text_counts() -> None:
    trajectory = trajectory_of(INVENTED, question="When?", observations_in_text=True)
    assert facts_of(trajectory, analyse(trajectory)).sites_opened == 1


def test_question_is_the_last_thing_the_user_said() -> None:
    prompt: list[Message] = [
        {"role": "system", "content": "Search, then report."},
        {"role": "user", "content": "first"},
        {"role": "assistant", "content": "ok"},
        {"role": "user", "content": [{"type": "text", "text": " second "}]},
    ]
    assert question_of(prompt) == "second"
    assert question_of(" plain ") == "plain"
    assert question_of([]) == ""


def test_no_chat_message_is_refused() -> None:
    with pytest.raises(ValueError, match="expected an object with role and content"):
        trajectory_of(["text"], question="When?")  # type: ignore[list-item]


def test_real_rollouts_survive_the_way_to_messages_and_back() -> None:
    lines = shared("webdancer-trajectories/sample_traj.jsonl").read_text(encoding="utf-8").splitlines()[:40]
    counted = 0
    for line in lines:
        messages = json.loads(line)["messages"]
        there = trajectory_of(messages, question="q")
        back = trajectory_of(messages_of(there.steps), question="q")
        before, after = facts_of(there, analyse(there)), facts_of(back, analyse(back))
        assert (before.distinct_queries, before.sites_opened) == (after.distinct_queries, after.sites_opened)
        counted += before.distinct_queries
    assert counted > 40
