"""Rollouts as other trainers, other versions and other users dump them."""

from typing import Any

import pytest

from workbench.ingest.formats import atif
from workbench.ingest.registry import detect_format

ASKED = "Who built it?"
USER = {"role": "user", "content": ASKED}
SAID = {"role": "assistant", "content": "Ann."}


def read(record: dict[str, Any], name: str) -> Any:
    found = detect_format(record)
    assert found is not None
    assert found.name == name
    return found.read(record)


@pytest.mark.parametrize(
    "record",
    [
        {"prompts": ASKED, "responses": "Ann.", "rewards": 1.0},
        {"question": ASKED, "completion": "Ann.", "reward": 1.0},
        {"query": ASKED, "response": "Ann.", "score": 1.0},
        {"question": ASKED, "prompt": "Answer by tags.", "response": "<answer>Ann.</answer>", "reward": 1.0},
    ],
)
def test_prompt_and_completion_under_other_names_are_a_rollout(record: dict[str, Any]) -> None:
    draft = read(record, "trainer-rollouts")
    assert (draft.question, draft.report, draft.meta["recorded_reward"]) == (ASKED, "Ann.", 1.0)


def test_record_that_holds_its_steps_too_is_no_bare_completion() -> None:
    steps = [{"thought": "look", "action": "search", "action_input": "x", "observation": "hit"}]
    runner = {"input": ASKED, "output": "Ann.", "intermediate_steps": steps, "reward": 1.0}
    assert [call.name for step in read(runner, "step-runner").steps for call in step.tool_calls] == ["search"]
    called = {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "search", "arguments": "{}"}}]}
    chat = {"question": ASKED, "messages": [USER, called, SAID], "response": "Ann.", "reward": 1.0}
    assert len(read(chat, "openai-chat").steps) == 3


def test_step_that_is_written_as_digits_makes_the_group() -> None:
    draft = read({"step": "3", "prompt": ASKED, "completion": "Ann.", "advantage": 0.1}, "trainer-rollouts")
    assert draft.policy_step == 3
    assert draft.group is not None
    assert draft.group.endswith("@3")


def test_counts_and_ids_are_no_rewards() -> None:
    record = {"prompt": ASKED, "completion": "Ann.", "reward": 0.5, "id": 7, "task_id": 3, "num_tokens": 9, "epoch": 1}
    assert read(record, "trainer-rollouts").meta["recorded_scores"] == {"reward": 0.5}


def test_results_of_the_older_verifiers_are_grouped_by_example() -> None:
    record = {"id": 4, "prompt": [USER], "completion": [SAID], "answer": "Ann", "task": "t", "info": {}, "reward": 1.0}
    draft = read(record, "verifiers")
    assert (draft.group, draft.meta["recorded_reward"]) == ("t:4", 1.0)


@pytest.mark.parametrize("names", [("from", "human", "gpt"), ("from", "Human", "Assistant"), ("role", "user", "model")])
@pytest.mark.parametrize("key", ["conversations", "conversation"])
def test_sharegpt_is_read_under_each_of_its_names(key: str, names: tuple[str, str, str]) -> None:
    name, user, agent = names
    call = {name: "function-call", "value": '{"name": "search", "arguments": {"q": "x"}}'}
    turns = [{name: user, "value": ASKED}, call, {name: "tool", "value": "hit"}, {name: agent, "value": "Ann."}]
    draft = read({key: turns}, "sharegpt")
    assert (draft.question, draft.report) == (ASKED, "Ann.")
    (made,) = draft.steps[1].tool_calls
    assert (made.name, draft.steps[2].tool_results[0].call_id) == ("search", made.id)
    assert not draft.meta


def test_sampled_tokens_of_an_atif_step_are_kept() -> None:
    metrics = {"completion_token_ids": [4, 5], "logprobs": [-0.1, -0.2], "prompt_token_ids": [1]}
    steps = [{"source": "user", "message": ASKED}, {"source": "agent", "message": "Ann.", "metrics": metrics}]
    tokens = atif.read({"schema_version": "ATIF-v1.5", "steps": steps}).steps[1].tokens
    assert tokens is not None
    assert (tokens.ids, tokens.mask, tokens.logprobs) == ((4, 5), (1, 1), (-0.1, -0.2))
