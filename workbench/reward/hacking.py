"""What an attack would earn under a reward: the stress lab's trials, weighted anew for each specification."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from workbench.reward.columns import rollouts_of
from workbench.reward.vector import evaluate
from workbench.schema.reward import QuestionTarget, RewardSpec, RolloutFacts
from workbench.stats.bootstrap import mean_interval
from workbench.stats.estimate import Measured, NotMeasured


@dataclass(frozen=True, slots=True)
class AttackTrial:
    """One attacked rollout: its facts, the judge's score before and after, and how far each count moved."""

    trajectory_id: str
    facts: RolloutFacts
    base: float
    attacked: float
    moved: Mapping[str, float]


def attacked_facts(trial: AttackTrial) -> RolloutFacts:
    """The rollout's facts after the attack; a count cannot fall below zero."""
    counts = {f.name: getattr(trial.facts, f.name) for f in fields(RolloutFacts) if f.name != "question_id"}
    counts |= {name: max(0, counts[name] + round(change)) for name, change in trial.moved.items() if name in counts}
    return RolloutFacts(question_id=trial.facts.question_id, **counts)


def attack_gain(
    spec: RewardSpec, trials: Sequence[AttackTrial], targets: Mapping[str, QuestionTarget], *, seed: int
) -> Measured:
    """Mean change of R under the attack, resampled over questions. Positive: the reward pays for it.

    Source of the weighing: R = (G + lambda S) / (1 + lambda), with both sides of each trial evaluated in full, so caps,
    zero targets and guards act as they would in training.
    """
    if not trials:
        return NotMeasured("no trial of this attack is stored: run the stress lab on the reward's grader", 0)
    before = evaluate(
        spec,
        rollouts_of(
            [(str(n), trial.facts) for n, trial in enumerate(trials)],
            {str(n): trial.base for n, trial in enumerate(trials)},
            targets,
        ),
    ).value
    after = evaluate(
        spec,
        rollouts_of(
            [(str(n), attacked_facts(trial)) for n, trial in enumerate(trials)],
            {str(n): trial.attacked for n, trial in enumerate(trials)},
            targets,
        ),
    ).value
    gain = after - before
    known = ~np.isnan(gain)
    if not known.any():
        return NotMeasured("no attacked rollout has a reward: its questions have no target", 0)
    questions = [trial.facts.question_id for trial, keep in zip(trials, known, strict=True) if keep]
    return mean_interval(gain[known], clusters=questions, seed=seed)
