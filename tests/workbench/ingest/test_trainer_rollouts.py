"""Rollout dumps of trainers."""

from typing import Any

from workbench.ingest.formats.trainer_rollouts import FORMAT

TWO_TURNS: list[dict[str, Any]] = [
    {"role": "assistant", "content": '<tool_call>{"name": "search", "arguments": {"q": "x"}}</tool_call>'},
    {"role": "user", "content": "<tool_response>found</tool_response>"},
    {"role": "assistant", "content": "<answer>so</answer>"},
]


def test_trl_completion_has_group_step_and_rewards() -> None:
    record = {"step": 3, "prompt": [{"role": "user", "content": "why?"}], "completion": TWO_TURNS}
    record |= {"accuracy": 0.5, "style": 1.0, "advantage": -0.2}
    assert FORMAT.detect(record)
    draft = FORMAT.read(record)
    assert (draft.question, draft.report, draft.policy_step) == ("why?", "so", 3)
    assert draft.meta == {"advantage": -0.2, "recorded_scores": {"accuracy": 0.5, "style": 1.0}}
    assert draft.group == FORMAT.read(record | {"completion": "<answer>else</answer>"}).group
    assert draft.group != FORMAT.read(record | {"step": 4}).group


def test_verl_prompt_is_cut_at_its_template() -> None:
    for text in (
        "<|im_start|>system\nrules<|im_end|>\n<|im_start|>user\nwhy?<|im_end|>\n<|im_start|>assistant\n",
        "system\nrules\nuser\nwhy?\nassistant\n",
    ):
        record = {"input": text, "output": "<answer>so</answer>", "gts": "so", "score": 1.0, "step": 2}
        assert FORMAT.detect(record)
        draft = FORMAT.read(record)
        assert (draft.question, draft.report, draft.meta["recorded_reward"]) == ("why?", "so", 1.0)
        assert [step.role for step in draft.steps] == ["system", "user", "assistant"]


def test_tokens_are_tied_by_the_mask_or_left() -> None:
    record = {"prompt": "why?", "completion": TWO_TURNS, "step": 1, "completion_ids": [5, 6, 7, 8]}
    record |= {"completion_mask": [1, 0, 1, 1], "completion_logprobs": [-1.0, 0.0, -2.0, -3.0]}
    traces = [step.tokens for step in FORMAT.read(record).steps if step.role == "assistant"]
    assert [trace.ids for trace in traces if trace] == [(5,), (7, 8)]
    assert [trace.logprobs for trace in traces if trace] == [(-1.0,), (-2.0, -3.0)]
    untied = FORMAT.read(record | {"completion_mask": [1, 1, 1, 1]})
    assert not any(step.tokens for step in untied.steps)
    assert untied.meta["completion_ids"] == [5, 6, 7, 8]


def test_a_question_with_its_report_is_no_rollout() -> None:
    assert not FORMAT.detect({"prompt": "why?", "article": "so", "score": 1})
    assert not FORMAT.detect({"prompt": "why?", "completion": None, "step": 1})
