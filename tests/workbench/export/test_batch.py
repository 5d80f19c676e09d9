"""Rewards of a trainer's batch, as the frozen runtime gives them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.workbench.reward.small_store import QUESTIONS, ROLLOUTS
from workbench.export.runtime.batch import MAX_LOST_BATCHES, BatchRewards
from workbench.export.runtime.job import Job, open_job
from workbench.reward.core.completions import messages_of
from workbench.schema.canonical import question_key
from workbench.schema.reward import Reward
from workbench.schema.trajectory import Trajectory

BROAD, UNSEEN = ROLLOUTS[4], ROLLOUTS[12]


def batch(*rollouts: Any) -> dict[str, Any]:
    return {
        "prompts": [[{"role": "user", "content": item.question}] for item in rollouts],
        "completions": [messages_of(item.steps) for item in rollouts],
        "columns": {"question_id": [item.question_id for item in rollouts]},
    }


def test_reward_and_components_of_one_batch(exported: Path) -> None:
    rewards = BatchRewards(open_job(exported))
    asked = batch(BROAD, UNSEEN)
    value, lost = rewards.column("reward", **asked)
    # G 0.5; 2 of 5 queries, 1 of 4 sites: S = 0.4 * 0.4 + 0.6 * 0.25 = 0.31
    assert value == pytest.approx((0.5 + 0.5 * 0.31) / 1.5)
    assert lost is None
    shaping = rewards.column("shaping", **asked)
    assert shaping[0] == pytest.approx(0.31)
    assert [rewards.column(name, **asked)[1] for name in rewards.job.component_names] == [None] * 4


def test_each_batch_is_scored_once_however_many_functions_ask(exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    score = Job.score

    def counted(job: Job, trajectory: Trajectory) -> Reward:
        calls.append(trajectory.question_id)
        return score(job, trajectory)

    monkeypatch.setattr(Job, "score", counted)
    rewards = BatchRewards(open_job(exported))
    for name in ("reward", *rewards.job.component_names):
        rewards.column(name, **batch(BROAD))
    assert len(calls) == 1
    # The same rollouts again are the next step's batch: its judge is asked anew.
    rewards.column("reward", **batch(BROAD))
    assert len(calls) == 2
    rewards.column("reward", **batch(UNSEEN))
    assert len(calls) == 3


def test_question_comes_from_a_column_else_from_the_prompt(exported: Path) -> None:
    job = open_job(exported)
    sheet, target = job.sheets["q-broad"], job.targets["q-broad"]
    key = question_key(QUESTIONS["q-broad"])
    by_text = replace(job, sheets={key: sheet}, targets={key: replace(target, question_id=key)})
    asked = batch(BROAD)
    asked["columns"] = {}
    assert BatchRewards(by_text).column("reward", **asked) == BatchRewards(job).column("reward", **batch(BROAD))
    asked["prompts"] = [[{"role": "user", "content": "something else"}]]
    asked["columns"] = {"question": [QUESTIONS["q-broad"]]}
    assert BatchRewards(by_text).column("reward", **asked) == BatchRewards(job).column("reward", **batch(BROAD))


def test_trainer_is_told_how_many_were_dropped_and_why(exported: Path) -> None:
    told: dict[str, Any] = {}
    asked = batch(BROAD, UNSEEN)
    asked["columns"] |= {"log_metric": told.__setitem__, "log_extra": told.__setitem__}
    BatchRewards(open_job(exported)).column("reward", **asked)
    assert told["reward/dropped_share"] == 0.5
    assert told["reward_dropped"] == ["", "no quality score: no question sheet for q-unseen"]


def test_run_that_lost_its_judge_stops(exported: Path) -> None:
    rewards = BatchRewards(open_job(exported))
    for _ in range(MAX_LOST_BATCHES - 1):
        rewards.column("reward", **batch(UNSEEN))
    with pytest.raises(RuntimeError, match=f"no rollout of the last {MAX_LOST_BATCHES} batches has a reward"):
        rewards.column("reward", **batch(UNSEEN))


def test_one_good_rollout_starts_the_count_anew(exported: Path) -> None:
    rewards = BatchRewards(open_job(exported))
    for _ in range(3):
        for _ in range(MAX_LOST_BATCHES - 1):
            rewards.column("reward", **batch(UNSEEN))
        rewards.column("reward", **batch(BROAD, UNSEEN))


def test_rollout_without_a_report_is_the_worst_answer_and_not_dropped(exported: Path) -> None:
    cut = replace(BROAD, steps=BROAD.steps[:-1], report="")
    rewards = BatchRewards(open_job(exported))
    (value,) = rewards.column("reward", **batch(cut))
    assert value == pytest.approx(0.5 * 0.31 / 1.5)
