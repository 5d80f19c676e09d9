"""Rollouts that trainers dump: TRL's completions, verl's `rollout_data_dir`, OpenRLHF-like prompt and response."""

import re
from collections.abc import Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Format, field_of, first_user_text, other_fields, required_agent_step
from workbench.ingest.formats.trainer_tokens import FIELDS as TOKEN_FIELDS
from workbench.ingest.formats.trainer_tokens import with_tokens
from workbench.ingest.messages import read_messages
from workbench.ingest.tagged import read_completion
from workbench.schema.canonical import JsonValue, question_key
from workbench.schema.trajectory import Step

_ASKED = ("prompt", "prompts", "input", "query", "question", "instruction")
_SAID = ("completion", "completions", "response", "responses", "output", "outputs")
_TRAINER = ("step", "advantage", "reward", "rewards", "score", "gts", "global_step", *TOKEN_FIELDS)
# Where the record also holds what was done, its prompt and completion are not all of it.
_TOLD_ELSEWHERE = ("messages", "conversations", "conversation", "steps", "intermediate_steps", "trajectory", "history")
_LABELS = ("label", "labels")
_STEPS = ("step", "global_step", "policy_step")
_NOT_REWARDS = frozenset({*_STEPS, "advantage", "index", "attempt", "epoch", "iteration", "rank", "seed", "n"})
# Counts and names, whatever they are of.
_NOT_REWARD = re.compile(r"(?:\A|_)(?:id|idx|uid|len|length|tokens|turns|ms|time|seconds)\Z")
# A chat template as tokens, and as it looks after special tokens were skipped.
_TURN = re.compile(r"<\|im_start\|>\s*(system|user|assistant)\n(.*?)(?:<\|im_end\|>|\Z)", re.DOTALL)
_BARE_TURN = re.compile(r"(?:\A|\n)(system|user|assistant)\n(.*?)(?=\n(?:user|assistant)(?:\n|\Z)|\Z)", re.DOTALL)


def detect(record: Mapping[str, Any]) -> bool:
    if any(isinstance(record.get(name), list) and record[name] for name in _TOLD_ELSEWHERE):
        return False
    pair = _pair(record)
    return pair is not None and any(name in record for name in (*_TRAINER, *(_LABELS if "prompt" in pair[0] else ())))


def _pair(record: Mapping[str, Any]) -> tuple[str, str] | None:
    asked = next((name for name in _ASKED if _is_said(record.get(name))), None)
    said = next((name for name in _SAID if _is_said(record.get(name), empty=True)), None)
    return (asked, said) if asked and said else None


def _is_said(value: object, *, empty: bool = False) -> bool:
    """A text, or a list of messages."""
    if isinstance(value, str):
        return empty or bool(value.strip())
    return isinstance(value, list) and all(isinstance(item, Mapping) for item in value) and (empty or bool(value))


def _step_of(record: Mapping[str, Any]) -> int | None:
    """The step of training; some loggers write it as digits."""
    for name in _STEPS:
        value = record.get(name)
        if isinstance(value, str) and value.strip().isdecimal() and len(value) < 12:
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def read(record: Mapping[str, Any]) -> Draft:
    """The group is the prompt at a step of training. Numbers beside the texts are rewards; `advantage` is meta."""
    pair = _pair(record)
    if pair is None:
        raise BadInputError("there is no prompt with its completion; expected both as texts or lists of messages")
    before, found = prompt_steps(record[pair[0]]), read_completion(record[pair[1]])
    steps, tied = with_tokens(record, found.steps)
    required_agent_step(steps)
    stated = field_of(record, "question", str) if pair[0] != "question" else None
    question = stated or first_user_text(before)
    step = _step_of(record)
    rewards: dict[str, JsonValue] = {
        name: value
        for name, value in record.items()
        if isinstance(value, int | float)
        and not isinstance(value, bool)
        and name not in _NOT_REWARDS
        and not _NOT_REWARD.search(name)
    }
    total = next((rewards[name] for name in ("reward", "score", "rewards") if name in rewards), None)
    if total is None and len(rewards) == 1:
        total = next(iter(rewards.values()))
    texts = {name: field_of(record, name, str) for name in ("run", "model", "group")}
    attempt = field_of(record, "attempt", int)
    taken = [name for name, value in (texts | {"attempt": attempt, "question": stated}).items() if value is not None]
    meta: dict[str, JsonValue] = dict(other_fields(record, *pair, *_STEPS, *tied, *rewards, *taken))
    meta |= ({"recorded_scores": rewards} if rewards else {}) | ({} if total is None else {"recorded_reward": total})
    return Draft(
        question=question,
        steps=(*before, *steps),
        report=found.report,
        outcome="completed" if found.finished else "truncated",
        run=texts["run"],
        model=texts["model"],
        attempt=attempt,
        group=texts["group"] or (f"{question_key(question)}@{step}" if step is not None else None),
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
