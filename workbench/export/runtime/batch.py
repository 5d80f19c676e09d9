"""Rewards of a trainer's batch: one number a rollout and one a component, scored once however many functions ask."""

import hashlib
import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from workbench.export.runtime.job import Job
from workbench.reward.core.completions import Completion, Messages, question_of, trajectory_of
from workbench.schema.reward import Reward

JUDGE_CALLS_AT_ONCE = 8
MAX_LOST_BATCHES = 10
REWARD = "reward"


class BatchRewards:
    """Scores batches for trainers that call several reward functions on each batch, one after the other.

    A dropped rollout gives None in *every* function: TRL sums a None among numbers as 0, and training would go on with
    the other numbers. Raises RuntimeError once `MAX_LOST_BATCHES` batches in a row had no rollout with a reward: that
    is a lost judge or a wrong file, and training would go on without learning.
    """

    def __init__(self, job: Job, *, observations_in_text: bool = False) -> None:
        self.job = job
        self.observations_in_text = observations_in_text
        self._lock = threading.Lock()
        self._key = ""
        self._rewards: list[Reward] = []
        self._asked: set[str] = set()
        self._lost_batches = 0

    def column(
        self, name: str, prompts: Sequence[str | Messages], completions: Sequence[Completion], columns: dict[str, Any]
    ) -> list[float | None]:
        """`reward`, or the component of that name, for each rollout of the batch; None where it is dropped.

        Columns `question` and `question_id` are used where the data set has them; else the question is the last user
        message of the prompt and its id follows from its text.
        """
        rewards = self._batch(name, prompts, completions, columns)
        if name == REWARD:
            self._report(rewards, columns)
            return [reward.value for reward in rewards]
        return [reward.components[name] for reward in rewards]

    def _batch(
        self, name: str, prompts: Sequence[str | Messages], completions: Sequence[Completion], columns: dict[str, Any]
    ) -> list[Reward]:
        """The batch's rewards; computed anew when a function asks a second time, since that is another batch."""
        questions = list(columns.get("question") or [question_of(prompt) for prompt in prompts])
        ids = list(columns.get("question_id") or [""] * len(completions))
        key = _key(questions, ids, completions)
        with self._lock:
            if key != self._key or name in self._asked:
                self._rewards = self._score(questions, ids, completions)
                self._key, self._asked = key, set()
            self._asked.add(name)
            return self._rewards

    def _score(
        self, questions: Sequence[str], ids: Sequence[str | None], completions: Sequence[Completion]
    ) -> list[Reward]:
        job = self.job.with_judge()
        trajectories = [
            trajectory_of(
                completion, question=question, question_id=id_ or "", observations_in_text=self.observations_in_text
            )
            for completion, question, id_ in zip(completions, questions, ids, strict=True)
        ]
        if not job.asks_a_judge:
            return [job.score(trajectory) for trajectory in trajectories]
        with ThreadPoolExecutor(JUDGE_CALLS_AT_ONCE) as pool:
            return list(pool.map(job.score, trajectories))

    def _report(self, rewards: Sequence[Reward], columns: dict[str, Any]) -> None:
        """Tells the trainer's log how many rollouts were dropped and why, and stops a run that lost its judge."""
        dropped = [reward.dropped for reward in rewards if reward.dropped]
        log_metric: Callable[[str, float], None] | None = columns.get("log_metric")
        log_extra: Callable[[str, list[str]], None] | None = columns.get("log_extra")
        if log_metric is not None:
            log_metric("reward/dropped_share", len(dropped) / max(len(rewards), 1))
        if log_extra is not None:
            log_extra("reward_dropped", [reward.dropped for reward in rewards])
        self._lost_batches = self._lost_batches + 1 if rewards and len(dropped) == len(rewards) else 0
        if self._lost_batches >= MAX_LOST_BATCHES:
            raise RuntimeError(
                f"no rollout of the last {self._lost_batches} batches has a reward; the last reason: {dropped[-1]}"
            )


def _key(questions: Sequence[str], ids: Sequence[str | None], completions: Sequence[Completion]) -> str:
    # default=repr: a part of a message that is no JSON (an image) still tells two batches apart.
    raw = json.dumps([questions, ids, completions], default=repr)
    return hashlib.sha256(raw.encode("utf-8", errors="backslashreplace")).hexdigest()
