"""The reinforcement-learning run: play, reward, update, record; stop and go on at any step."""

import copy
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.simulated_web.questions import Question
from training import checkpoint
from training.advantages import Scaling, advantages, reward_matrix
from training.callbacks import Recorder
from training.config import TrainConfig
from training.environments import WebEpisode
from training.rewarding import reward_all, rewards_by_group, step_metrics
from training.rl import StepFigures, update
from training.rollouts import play
from training.start import Start
from training.task import TrainingTask
from workbench.schema.canonical import content_hash
from workbench.schema.trajectory import Trajectory

SAMPLING = "sampling"


@dataclass
class RlRun:
    """One run in memory. `steps_done` updates were made; rollouts of step s come from a policy with s of them."""

    task: TrainingTask
    config: TrainConfig
    start: Start
    folder: Path
    recorder: Recorder

    def __post_init__(self) -> None:
        import torch

        self.model = self.start.model
        self.reference: Any = copy.deepcopy(self.model)
        self.optimiser: Any = torch.optim.AdamW(
            self.model.parameters(), lr=self.config.rl.learning_rate, weight_decay=0.0
        )
        self.generator = torch.Generator().manual_seed(self.config.seed)
        self.steps_done = 0

    @property
    def config_hash(self) -> str:
        return content_hash([self.config.version, self.start.version])[:16]

    @property
    def scaling(self) -> Scaling:
        """As the spec normalises, unless the configuration asks for the leave-one-out estimator."""
        return "rloo" if self.config.rl.estimator == "rloo" else self.task.job.spec.normalise

    def restore(self) -> bool:
        """Goes back to the newest checkpoint; False if there is none. Raises BadInputError for one of another reward
        or configuration."""
        found = checkpoint.latest(
            self.folder / "checkpoints", spec_hash=self.task.job.spec_version, config_hash=self.config_hash
        )
        if found is None:
            return False
        self.model.load_state_dict(found.model)
        self.optimiser.load_state_dict(found.optimiser)
        self.generator.set_state(found.random[SAMPLING])
        self.steps_done = found.step
        self.recorder.bring_back(found.step, found.step * self.config.rl.questions * self.config.rl.group)
        return True

    def save(self) -> Path:
        """Brings all rollouts into the store, then writes the checkpoint: what it covers is never lost."""
        self.recorder.import_rollouts()
        return checkpoint.save(
            self.folder / "checkpoints",
            checkpoint.Checkpoint(
                step=self.steps_done,
                spec_hash=self.task.job.spec_version,
                config_hash=self.config_hash,
                model=self.model.state_dict(),
                optimiser=self.optimiser.state_dict(),
                random={SAMPLING: self.generator.get_state()},
            ),
        )

    def step(self) -> dict[str, float]:
        """One step; returns its figures, which are recorded."""
        began, began_cpu, rl = time.perf_counter(), time.process_time(), self.config.rl
        episodes = [
            WebEpisode(self.start.around, question)
            for question in self.questions_at(self.steps_done)
            for _ in range(rl.group)
        ]
        paths = play(self.model, self.start.grammar, episodes, generator=self.generator, temperature=rl.temperature)
        played = time.perf_counter()
        trajectories = [
            episode.trajectory(path, **self._place(episode, i % rl.group))
            for i, (episode, path) in enumerate(zip(episodes, paths, strict=True))
        ]
        rewards = reward_all(self.task.job, trajectories)
        advantage = advantages(reward_matrix(rewards_by_group(rewards, rl.group)), scaling=self.scaling)
        rewarded = time.perf_counter()
        figures = update(self.model, self.reference, self.start.grammar, self.optimiser, paths, advantage, rl)
        metrics = step_metrics(episodes, trajectories, rewards, advantage, self.recorder.analysis)
        metrics |= _figures(figures)
        metrics |= {
            "rollout_tokens": float(np.mean([path.length for path in paths])),
            "seconds_playing": played - began,
            "seconds_rewarding": rewarded - played,
            "seconds": time.perf_counter() - began,
            "seconds_of_cpu": time.process_time() - began_cpu,
        }
        self._record(trajectories, metrics)
        self.steps_done += 1
        return metrics

    def questions_at(self, step: int) -> list[Question]:
        """The questions of a step: all of them in a new order each epoch, decided by the seed and the step alone."""
        n = len(self.task.questions)
        first = step * self.config.rl.questions
        return [
            self.task.questions[np.random.default_rng([self.config.seed, 2, place // n]).permutation(n)[place % n]]
            for place in range(first, first + self.config.rl.questions)
        ]

    def _place(self, episode: WebEpisode, member: int) -> dict[str, Any]:
        return {
            "run": self.config.run,
            "model": f"policy-{self.start.version[:8]}",
            "group": f"{self.config.run}/{self.steps_done}/{episode.question.id}",
            "attempt": member,
            "policy_step": self.steps_done,
        }

    def _record(self, trajectories: list[Trajectory], metrics: dict[str, float]) -> None:
        self.recorder.rollouts(self.steps_done, trajectories)
        self.recorder.figures(self.steps_done, metrics)


def _figures(figures: StepFigures) -> dict[str, float]:
    values = {
        "loss": figures.loss,
        "kl": figures.kl,
        "entropy": figures.entropy,
        "clipped_share": figures.clipped_share,
        "grad_norm": figures.grad_norm,
    }
    return {name: float("nan") if value is None else value for name, value in values.items()}
