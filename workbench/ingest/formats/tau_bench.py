"""tau-bench results: a JSON array of episodes, each an OpenAI chat with tools between an agent and a simulated user."""

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.ingest.format import (
    Draft,
    Format,
    Record,
    checked,
    first_user_text,
    other_fields,
    recorded_reward,
    required_agent_step,
)
from workbench.ingest.messages import read_messages
from workbench.schema.trajectory import Outcome, Step

_STOP, _HANDED_OVER = "###STOP###", "transfer_to_human_agents"


class _Task(Record):
    instruction: str = ""


class _Info(Record):
    task: _Task = _Task()


class _Episode(Record):
    task_id: int | str
    traj: list[dict[str, Any]]
    trial: int | None = None
    info: _Info = _Info()


def detect(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("traj"), list) and "task_id" in record


def read(record: Mapping[str, Any]) -> Draft:
    """The question is the simulated user's instruction: the agent hears it bit by bit, and it is one for all trials."""
    episode = checked(_Episode, record)
    found = read_messages(episode.traj)
    required_agent_step(found.steps)
    return Draft(
        question=episode.info.task.instruction.strip() or first_user_text(found.steps),
        steps=found.steps,
        report=found.report,
        outcome=_outcome(found.steps),
        attempt=episode.trial,
        group=f"task-{episode.task_id}",
        meta=recorded_reward(record, "reward") | other_fields(record, "traj", "trial", "reward", "info"),
    )


def _outcome(steps: Sequence[Step]) -> Outcome:
    """An episode is over when the user says so or is handed to a person; else it ran out of steps."""
    last = steps[-1]
    handed_over = any(call.name == _HANDED_OVER for step in steps[-2:] for call in step.tool_calls)
    return "completed" if handed_over or (last.role == "user" and _STOP in last.text) else "truncated"


FORMAT = Format(
    name="tau-bench",
    looks_like='{"task_id", "trial", "reward", "traj": [chat messages]}',
    detect=detect,
    read=read,
)
