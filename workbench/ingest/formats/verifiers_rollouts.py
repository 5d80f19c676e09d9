"""verifiers: `results.jsonl` (a chat a line) and `traces.jsonl` (a graph of messages with their tokens)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import (
    Draft,
    Format,
    first_user_text,
    other_fields,
    recorded_reward,
    required_agent_step,
)
from workbench.ingest.formats.trainer_rollouts import prompt_steps
from workbench.ingest.messages import read_messages
from workbench.ingest.tagged import read_completion
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Step, TokenTrace


def detect(record: Mapping[str, Any]) -> bool:
    return _is_trace(record) or (
        ("example_id" in record or {"id", "task", "answer", "reward"} <= record.keys())
        and isinstance(record.get("prompt"), str | list)
        and isinstance(record.get("completion"), str | list)
    )


def _is_trace(record: Mapping[str, Any]) -> bool:
    nodes = record.get("nodes")
    return isinstance(record.get("task"), Mapping) and isinstance(nodes, list) and "rewards" in record


def read(record: Mapping[str, Any]) -> Draft:
    if _is_trace(record):
        return _trace(record)
    before, found = prompt_steps(record["prompt"]), read_completion(record["completion"])
    required_agent_step(found.steps)
    cut = record.get("is_truncated") is True or not found.finished
    meta = recorded_reward(record, "reward") | other_fields(record, "prompt", "completion", "reward")
    return Draft(
        question=first_user_text(before),
        steps=(*before, *found.steps),
        report=found.report,
        outcome="failed" if record.get("error") else "truncated" if cut else "completed",
        group=f"{record.get('task', '')}:{record.get('example_id', record.get('id'))}",
        meta=meta,
    )


def _trace(record: Mapping[str, Any]) -> Draft:
    """Every message once, in the order in which it was added; the reward is the weighted sum of those recorded."""
    nodes = record["nodes"]
    if not all(isinstance(node, Mapping) and isinstance(node.get("message"), Mapping) for node in nodes):
        raise BadInputError("a node of the trace has no message")
    found = read_messages([node["message"] for node in nodes])
    required_agent_step(found.steps)
    steps = tuple(_with_tokens(step, node) for step, node in zip(found.steps, nodes, strict=True))
    scores: dict[str, JsonValue] = {}
    total, named = 0.0, record["rewards"] if isinstance(record["rewards"], Mapping) else {}
    for name, reward in named.items():
        score, weight = (reward.get("score"), reward.get("weight", 1.0)) if isinstance(reward, Mapping) else (None, 0)
        if isinstance(score, int | float) and isinstance(weight, int | float):
            scores[str(name)] = score
            total += score * weight
    task = record["task"]
    data = task.get("data") if isinstance(task.get("data"), Mapping) else {}
    key = task.get("key") or task.get("hash") or (data or {}).get("id")
    reply = record.get("root_reply")
    report = reply if isinstance(reply, str) and reply.strip() else found.report
    done = record.get("is_completed") is True and bool(report)
    meta: dict[str, JsonValue] = dict(other_fields(record, "nodes", "calls", "rewards", "tools"))
    meta |= {"recorded_scores": scores, "recorded_reward": total} if scores else {}
    return Draft(
        question=first_user_text(steps),
        steps=steps,
        report=report,
        outcome="failed" if record.get("errors") else "completed" if done else "truncated",
        group=key if isinstance(key, str) else None,
        meta=meta,
    )


def _with_tokens(step: Step, node: Mapping[str, Any]) -> Step:
    """Log-probabilities are kept for sampled tokens only; 0.0 stands for the others, which the mask leaves out."""
    ids, mask, given = (node.get(name) for name in ("token_ids", "mask", "logprobs"))
    if not isinstance(ids, list) or not ids or not isinstance(mask, list) or len(mask) != len(ids):
        return step
    if not all(type(item) is int for item in ids):
        return step
    marks = tuple(int(bool(mark)) for mark in mask)
    logprobs = None
    found = [item for item in given if type(item) in (int, float)] if isinstance(given, list) else []
    if found and len(found) == sum(marks) == len(given or ()):
        left = iter(found)
        logprobs = tuple(float(next(left)) if mark else 0.0 for mark in marks)
    return replace(step, tokens=TokenTrace(tuple(ids), marks, logprobs))


FORMAT = Format(
    name="verifiers",
    looks_like='{"example_id", "prompt", "completion", "reward"} or {"task", "nodes", "rewards"}',
    detect=detect,
    read=read,
    every_record_an_attempt=True,
)
