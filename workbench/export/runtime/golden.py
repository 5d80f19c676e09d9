"""Golden rows: rollouts with the reward they must have, recomputed by `check.py` and by an export gate."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.export.runtime.batch import REWARD, BatchRewards
from workbench.export.runtime.job import Job
from workbench.reward.core.completions import messages_of
from workbench.schema.trajectory import trajectory_from_json

ScoreTrajectory = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def mismatches(job: Job, score_trajectory: ScoreTrajectory, rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """A sentence for every golden row whose reward, components or drop differ; empty where all are exact.

    A row without `given` is scored by `score_trajectory`, the folder's own entry point; one that fixes a target, a
    sheet or a judge's replies by `job` with these in place. Rows marked `as_messages` go through a trainer's batch too.
    """
    out: list[str] = []
    for number, row in enumerate(rows, start=1):
        trajectory, given = row["trajectory"], row["given"]
        fixed = job.with_given(trajectory["question_id"], given)
        found = fixed.score_json(trajectory) if given else score_trajectory(trajectory)
        out.extend(f"row {number} ({row['id']}): {text}" for text in _differences(row["expected"], found))
        if row["as_messages"]:
            again = job.with_given(trajectory["question_id"], given)
            out.extend(f"row {number} ({row['id']}) as a batch: {text}" for text in _as_batch(again, row))
    return out


def _differences(expected: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    """Exact comparison: the same code on the same input rounds alike on every machine."""
    out = []
    if expected["reward"] != found["reward"]:
        out.append(f"reward is {found['reward']!r}; expected {expected['reward']!r}")
    if bool(expected["dropped"]) != bool(found["dropped"]):
        out.append(f"dropped is {found['dropped']!r}; expected {expected['dropped']!r}")
    for name in sorted({*expected["components"], *found["components"]}):
        before, after = expected["components"].get(name, "missing"), found["components"].get(name, "missing")
        if before != after:
            out.append(f"component {name} is {after!r}; expected {before!r}")
    return out


def _as_batch(job: Job, row: Mapping[str, Any]) -> list[str]:
    """The row as chat messages through the functions that a trainer calls."""
    trajectory = trajectory_from_json(row["trajectory"])
    prompts = [[{"role": "user", "content": trajectory.question}]]
    completions = [messages_of(agent_steps(trajectory.steps))]
    columns = {"question": [trajectory.question], "question_id": [trajectory.question_id]}
    rewards = BatchRewards(job)
    names = (REWARD, *job.component_names)
    found = {name: rewards.column(name, prompts, completions, columns)[0] for name in names}
    expected = {REWARD: row["expected"]["reward"], **row["expected"]["components"]}
    return [
        f"{name} is {found[name]!r}; expected {expected[name]!r}" for name in names if found[name] != expected[name]
    ]


def agent_steps(steps: Sequence[Any]) -> Sequence[Any]:
    """The steps from the agent's first on: what stands before is the prompt."""
    first = next((place for place, step in enumerate(steps) if step.role == "assistant"), len(steps))
    return steps[first:]
