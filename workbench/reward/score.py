"""A reward over runs of the store: facts, grades and targets joined, and what it comes to."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workbench.errors import NotFoundError
from workbench.reward.columns import Rollouts, rollouts_of
from workbench.reward.core.quality import quality_in_training
from workbench.reward.core.rollout import reward_of
from workbench.reward.vector import Rewards, evaluate
from workbench.schema.reward import QuestionTarget, RewardSpec, RolloutFacts
from workbench.store import Store
from workbench.store.rows import TrajectoryFilter

NOT_GRADED = "not graded"


@dataclass(frozen=True, slots=True)
class Material:
    """What a reward reads of the rollouts of some runs, whatever its weights: facts and quality by trajectory id.

    `failures` says why a rollout has no quality; one that ended without a report has quality 0, whoever graded it.
    `groups` names the rollouts that a trainer would compare.
    """

    facts: tuple[tuple[str, RolloutFacts], ...]
    quality: Mapping[str, float | None]
    failures: Mapping[str, str]
    groups: Mapping[str, str]

    def rollouts(self, targets: Mapping[str, QuestionTarget]) -> Rollouts:
        """In columns, for what-if."""
        return rollouts_of(self.facts, self.quality, targets, groups=self.groups)


@dataclass(frozen=True, slots=True)
class RunScore:
    """The reward over all rollouts: means over those with a reward, and the reasons of the others with their count."""

    rollouts: Rollouts
    rewards: Rewards
    scored: int
    failed: int
    without_report: int
    mean: float | None
    components: Mapping[str, float | None]
    dropped: Mapping[str, int]


def load_material(store: Store, runs: Sequence[str], grader: str) -> Material:
    """Reads facts and grades of runs; `grader` is `name@version` as `find_grader` found it.

    Several scored repeats of one rollout count as their mean.

    Raises NotFoundError for a run that the store does not hold.
    """
    known = {run.name for run in store.runs.list()}
    for run in runs:
        if run not in known:
            raise NotFoundError(f"the store holds no run {run!r}; it holds {', '.join(sorted(known)) or 'none'}")
    chosen = TrajectoryFilter(run=tuple(runs))
    facts = store.trajectories.facts(chosen)
    columns = store.trajectories.columns(chosen)
    groups = {
        id_: group if group is not None else f"{run}/{question}"
        for id_, group, run, question in zip(
            columns["id"], columns["group"], columns["run"], columns["question_id"], strict=True
        )
    }
    scores: dict[str, list[float]] = {}
    outcomes: dict[str, set[str]] = {}
    for run in runs:
        graded = store.grades.scores(grader, run)
        for id_, outcome, score in zip(graded["trajectory_id"], graded["outcome"], graded["score"], strict=True):
            outcomes.setdefault(id_, set()).add(outcome)
            if score is not None:
                scores.setdefault(id_, []).append(score)
    means = {id_: math.fsum(found) / len(found) for id_, found in scores.items()}
    quality = {id_: quality_in_training(means.get(id_), row) for id_, row in facts}
    failures = {
        id_: ", ".join(sorted(outcomes.get(id_, {NOT_GRADED}))) for id_, score in quality.items() if score is None
    }
    return Material(facts, quality, failures, groups)


def score_material(spec: RewardSpec, material: Material, targets: Mapping[str, QuestionTarget]) -> RunScore:
    """The reward over the material. Components are means over the scored rollouts, None where there is none."""
    rollouts = material.rollouts(targets)
    rewards = evaluate(spec, rollouts)
    scored = int(rewards.scored.sum())
    dropped: Counter[str] = Counter()
    for (id_, facts), has_reward in zip(material.facts, rewards.scored, strict=True):
        if not has_reward:
            failure = material.failures.get(id_, "")
            reason = reward_of(spec, facts, material.quality.get(id_), targets, failure=failure).dropped
            # One line for all questions without a target, not one a question.
            dropped[reason.replace(f"question {facts.question_id}", "its question")] += 1
    return RunScore(
        rollouts=rollouts,
        rewards=rewards,
        scored=scored,
        failed=len(rollouts) - scored,
        without_report=sum(row.report_chars == 0 for _, row in material.facts),
        mean=float(rewards.value[rewards.scored].mean()) if scored else None,
        components={
            name: float(values[rewards.scored].mean()) if scored else None
            for name, values in rewards.components.items()
        },
        dropped=dict(sorted(dropped.items(), key=lambda item: (-item[1], item[0]))),
    )
