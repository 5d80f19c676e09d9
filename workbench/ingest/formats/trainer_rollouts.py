"""Rollouts that trainers dump: TRL's completions, verl's `rollout_data_dir`, OpenRLHF-like prompt and response."""

import re
from collections.abc import Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Format, first_user_text, other_fields, required_agent_step
from workbench.ingest.formats.trainer_tokens import FIELDS as TOKEN_FIELDS
from workbench.ingest.formats.trainer_tokens import with_tokens
from workbench.ingest.messages import read_messages
from workbench.ingest.tagged import read_completion
from workbench.schema.canonical import JsonValue, question_key
from workbench.schema.trajectory import Step

_PAIRS = (("prompt", "completion"), ("input", "output"), ("prompt", "response"), ("prompt", "output"))
_TRAINER = ("step", "advantage", "reward", "rewards", "score", "gts", "global_step", *TOKEN_FIELDS)
_STEPS = ("step", "global_step", "policy_step")
_NOT_REWARDS = frozenset({*_STEPS, "advantage", "example_id", "index", "attempt"})
# A chat template as tokens, and as it looks after special tokens were skipped.
_TURN = re.compile(r"<\|im_start\|>\s*(system|user|assistant)\n(.*?)(?:<\|im_end\|>|\Z)", re.DOTALL)
_BARE_TURN = re.compile(r"(?:\A|\n)(system|user|assistant)\n(.*?)(?=\n(?:user|assistant)(?:\n|\Z)|\Z)", re.DOTALL)


def detect(record: Mapping[str, Any]) -> bool:
    return _pair(record) is not None and any(name in record for name in _TRAINER)


def _pair(record: Mapping[str, Any]) -> tuple[str, str] | None:
    for asked, said in _PAIRS:
        if isinstance(record.get(asked), str | list) and isinstance(record.get(said), str | list):
            return asked, said
    return None


def read(record: Mapping[str, Any]) -> Draft:
    """The group is the prompt at a step of training. Numbers beside the texts are rewards; `advantage` is meta."""
    pair = _pair(record)
    if pair is None:
        raise BadInputError("there is no prompt with its completion; expected both as texts or lists of messages")
    before, found = prompt_steps(record[pair[0]]), read_completion(record[pair[1]])
    steps, tied = with_tokens(record, found.steps)
    required_agent_step(steps)
    question = first_user_text(before)
    step = next((v for n in _STEPS if isinstance(v := record.get(n), int) and not isinstance(v, bool)), None)
    rewards: dict[str, JsonValue] = {
        name: value
        for name, value in record.items()
        if isinstance(value, int | float) and not isinstance(value, bool) and name not in _NOT_REWARDS
    }
    total = next((rewards[name] for name in ("reward", "score", "rewards") if name in rewards), None)
    if total is None and len(rewards) == 1:
        total = next(iter(rewards.values()))
    meta: dict[str, JsonValue] = dict(other_fields(record, *pair, *_STEPS, *tied, *rewards))
    meta |= ({"recorded_scores": rewards} if rewards else {}) | ({} if total is None else {"recorded_reward": total})
    return Draft(
        question=question,
        steps=(*before, *steps),
        report=found.report,
        outcome="completed" if found.finished else "truncated",
        group=f"{question_key(question)}@{step}" if step is not None else None,
        policy_step=step,
        meta=meta,
    )


def prompt_steps(prompt: str | list[Any]) -> tuple[Step, ...]:
    """The prompt as steps; a text is cut at the turns of its chat template where it has some."""
    if isinstance(prompt, list):
        return read_messages(prompt).steps
    turns = list(_TURN.finditer(prompt)) or list(_BARE_TURN.finditer(prompt))
    made = [{"role": turn[1], "content": turn[2].strip()} for turn in turns if turn[2].strip()]
    if not any(message["role"] == "user" for message in made):
        made = [{"role": "user", "content": prompt.strip()}]
    return read_messages(made).steps


FORMAT = Format(
    name="trainer-rollouts",
    looks_like='{"step", "prompt", "completion", "advantage"} or {"input", "output", "score", "step"}',
    detect=detect,
    read=read,
    every_record_an_attempt=True,
)
