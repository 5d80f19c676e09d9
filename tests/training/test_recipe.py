"""A run from job folder to store: rollouts come back, stopping loses nothing, another reward is refused."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.training.conftest import TINY, Workshop
from training.checkpoint import load
from training.config import TrainConfig
from training.loop import RlRun
from training.recipe import TrainReport, train
from training.rewarding import reward_all
from training.rl import update
from workbench.errors import BadInputError
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import JobStopped, NullJob


class StopAfter(NullJob):
    """Asks to stop at the n-th checkpoint of the job."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.left = n

    def checkpoint(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise JobStopped


@pytest.fixture(scope="module")
def runs_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared, so that the start is made once."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture
def store(workshop: Workshop, tmp_path: Path) -> Iterator[Store]:
    with workshop.copied_store(tmp_path) as opened:
        yield opened


def run_named(
    name: str, store: Store, folder: Path, runs_dir: Path, job: NullJob | None = None, **more: Any
) -> TrainReport:
    config = replace(TINY, run=name, **more)
    return train(store, folder, config, runs_dir=runs_dir, job=job or NullJob())


def test_rollouts_return_to_the_store_with_group_and_policy_step(
    store: Store, workshop: Workshop, runs_dir: Path
) -> None:
    report = run_named("back", store, workshop.job, runs_dir)
    assert report.rollouts_imported == 3 * 2 * 3
    columns = store.trajectories.columns(TrajectoryFilter(run="back"))
    assert sorted(set(columns["policy_step"])) == [0, 1, 2]
    groups: dict[str, list[int]] = {}
    for group, attempt in zip(columns["group"], columns["attempt"], strict=True):
        groups.setdefault(group, []).append(attempt)
    assert len(groups) == 6
    assert all(sorted(attempts) == [0, 1, 2] for attempts in groups.values())
    assert store.runs.get("back").simulated


def test_stored_rollouts_hold_real_calls_and_tokens_with_observations_masked(
    store: Store, workshop: Workshop, runs_dir: Path
) -> None:
    run_named("tokens", store, workshop.job, runs_dir, steps=1)
    seen = 0
    for trajectory in store.trajectories.iterate(TrajectoryFilter(run="tokens")):
        for step in trajectory.steps:
            if step.role == "system":
                continue
            assert step.tokens is not None and step.tokens.logprobs is not None
            own = step.role == "assistant"
            assert set(step.tokens.mask) == {int(own)}
            assert own or set(step.tokens.logprobs) == {0.0}
            assert all(logprob <= 0 for logprob in step.tokens.logprobs)
            seen += sum(len(result.text) for result in step.tool_results)
    assert seen > 0


def test_curve_holds_reward_components_and_breadth_of_every_step(
    store: Store, workshop: Workshop, runs_dir: Path
) -> None:
    run_named("curve", store, workshop.job, runs_dir)
    metrics = store.training.metrics("curve")
    assert metrics["step"] == [0, 1, 2]
    for step in range(3):
        quality, shaping, reward = (metrics[name][step] for name in ("quality", "shaping", "reward"))
        assert reward == pytest.approx((quality + 0.5 * shaping) / 1.5)
    rows = store.trajectories.columns(TrajectoryFilter(run="curve", policy_step=1))
    assert metrics["sites_opened"][1] == pytest.approx(sum(rows["sites_opened"]) / len(rows["sites_opened"]))
    assert metrics["distinct_queries"][1] == pytest.approx(sum(rows["distinct_queries"]) / len(rows["id"]))
    assert {"dropped_share", "zero_spread_share", "invalid_call_share", "entropy", "kl", "grad_norm"} <= set(metrics)


def test_stopped_and_resumed_run_equals_an_uninterrupted_one_bit_for_bit(
    store: Store, workshop: Workshop, runs_dir: Path
) -> None:
    run_named("whole", store, workshop.job, runs_dir)
    with pytest.raises(JobStopped):
        run_named("whole2", store, workshop.job, runs_dir, StopAfter(1))
    report = run_named("whole2", store, workshop.job, runs_dir)
    assert report.resumed_from == 1
    assert_same_run(runs_dir, "whole", "whole2")
    assert store.runs.get("whole2").n == store.runs.get("whole").n


def assert_same_run(runs_dir: Path, one: str, other: str) -> None:
    """Equal weights, optimiser and rollouts."""
    states = [load(runs_dir / run / "checkpoints" / f"step-{TINY.steps:06d}.pt") for run in (one, other)]
    for name, tensor in states[0].model.items():
        assert torch.equal(tensor, states[1].model[name]), name
    for key, state in states[0].optimiser["state"].items():
        assert torch.equal(state["exp_avg"], states[1].optimiser["state"][key]["exp_avg"])
    for path in sorted((runs_dir / one / "rollouts").glob("*.jsonl")):
        text = (runs_dir / other / "rollouts" / path.name).read_text().replace(f'"{other}', f'"{one}')
        assert text == path.read_text()


def test_running_a_finished_run_again_changes_nothing(store: Store, workshop: Workshop, runs_dir: Path) -> None:
    run_named("again", store, workshop.job, runs_dir, steps=1)
    before = store.content_hash()
    report = run_named("again", store, workshop.job, runs_dir, steps=1)
    assert (report.resumed_from, report.rollouts_imported) == (1, 0)
    assert store.content_hash() == before


def test_store_made_anew_gets_the_steps_back_when_the_run_goes_on(
    workshop: Workshop, runs_dir: Path, tmp_path: Path
) -> None:
    counts, curves = [], []
    for place, steps in (("one", 2), ("two", 3)):
        (tmp_path / place).mkdir()
        with workshop.copied_store(tmp_path / place) as store:
            run_named("moved", store, workshop.job, runs_dir, steps=steps)
            counts.append(store.runs.get("moved").n)
            curves.append(store.training.metrics("moved"))
    assert counts == [12, 18]
    assert curves[1]["step"] == [0, 1, 2]
    assert curves[1]["reward"][:2] == curves[0]["reward"]


def test_checkpoint_of_one_reward_is_refused_under_another(store: Store, workshop: Workshop, runs_dir: Path) -> None:
    run_named("loyal", store, workshop.job, runs_dir, steps=1)
    with pytest.raises(BadInputError, match="trains on spec"):
        run_named("loyal", store, workshop.other_job, runs_dir)


def test_checkpoint_itself_carries_the_spec_where_the_store_has_forgotten_the_run(
    workshop: Workshop, runs_dir: Path, tmp_path: Path
) -> None:
    with workshop.copied_store(tmp_path) as first:
        run_named("orphan", first, workshop.job, runs_dir, steps=1)
    (tmp_path / "other").mkdir()
    with (
        workshop.copied_store(tmp_path / "other") as second,
        pytest.raises(BadInputError, match="made under reward spec"),
    ):
        run_named("orphan", second, workshop.other_job, runs_dir)


def test_another_configuration_is_refused_and_more_steps_are_not(
    store: Store, workshop: Workshop, runs_dir: Path
) -> None:
    run_named("longer", store, workshop.job, runs_dir, steps=1)
    assert run_named("longer", store, workshop.job, runs_dir, steps=2).steps == 2
    with pytest.raises(BadInputError, match="made under configuration"):
        run_named("longer", store, workshop.job, runs_dir, seed=7)


def test_resume_without_a_checkpoint_is_refused(store: Store, workshop: Workshop, runs_dir: Path) -> None:
    config = replace(TINY, run="nothing")
    with pytest.raises(BadInputError, match="has no checkpoint"):
        train(store, workshop.job, config, runs_dir=runs_dir, job=NullJob(), must_resume=True)


def test_folder_that_was_changed_is_refused(store: Store, workshop: Workshop, runs_dir: Path, tmp_path: Path) -> None:
    import shutil

    copy = tmp_path / "job"
    shutil.copytree(workshop.job, copy)
    (copy / "targets.jsonl").write_text((copy / "targets.jsonl").read_text().replace('"sites":', '"sites":1'))
    with pytest.raises(BadInputError, match=r"changed since its export: targets\.jsonl"):
        run_named("changed", store, copy, runs_dir)


@pytest.mark.parametrize("name", ["../up", "starts", "", "sim-broad"])
def test_names_that_would_mix_or_escape_are_refused(
    name: str, store: Store, workshop: Workshop, runs_dir: Path
) -> None:
    with pytest.raises(BadInputError, match="run"):
        run_named(name, store, workshop.job, runs_dir)


def test_stage_rl_needs_a_start_and_sft_makes_one(store: Store, workshop: Workshop, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="there is no start"):
        run_named("two", store, workshop.job, tmp_path, stage="rl")
    made = run_named("two", store, workshop.job, tmp_path, stage="sft")
    assert made.start_made_now and made.steps == 0
    assert json.loads((Path(made.checkpoint) / "start.json").read_text())["examples"] > 0
    assert not run_named("two", store, workshop.job, tmp_path, stage="rl", steps=1).start_made_now


def test_dropped_rewards_leave_the_batch_and_never_train_on_shaping_alone(
    store: Store, workshop: Workshop, runs_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose_every_second(job: Any, trajectories: Any) -> Any:
        found = reward_all(job, trajectories)
        lost = replace(found[0], value=None, components=dict.fromkeys(found[0].components), dropped="no reply")
        return [lost if i % 2 else reward for i, reward in enumerate(found)]

    seen: list[list[bool]] = []

    def watched(*arguments: Any) -> Any:
        seen.append(arguments[5].kept.ravel().tolist())
        return update(*arguments)

    monkeypatch.setattr("training.loop.reward_all", lose_every_second)
    monkeypatch.setattr("training.loop.update", watched)
    run_named("dropping", store, workshop.job, runs_dir, steps=1)
    # Of the two groups of three, the first keeps two members and the second one, which has no baseline.
    assert seen == [[True, False, True, False, False, False]]
    assert store.training.metrics("dropping")["dropped_share"] == [0.5]


def test_step_whose_judge_lost_everything_learns_nothing(
    store: Store, workshop: Workshop, runs_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lose_all(job: Any, trajectories: Any) -> Any:
        return [
            replace(found, value=None, components=dict.fromkeys(found.components), dropped="no reply")
            for found in reward_all(job, trajectories)
        ]

    before: dict[str, torch.Tensor] = {}
    stepped = RlRun.step

    def remember(run: RlRun) -> Any:
        before.update({name: tensor.clone() for name, tensor in run.model.state_dict().items()})
        return stepped(run)

    monkeypatch.setattr("training.loop.reward_all", lose_all)
    monkeypatch.setattr(RlRun, "step", remember)
    report = run_named("lost", store, workshop.job, runs_dir, steps=1)
    after = load(Path(report.checkpoint)).model
    assert all(torch.equal(before[name], after[name]) for name in before)
    metrics = store.training.metrics("lost")
    assert metrics["reward"] == [None] and metrics["shaping"] == [None] and metrics["dropped_share"] == [1.0]


def test_configuration_decides_nothing_but_what_its_version_says() -> None:
    assert TrainConfig(run="a").version == TrainConfig(run="b", steps=3, threads=2, checkpoint_every=9).version
