"""What the reward page reads of the store: rollouts with their G, targets, people's preferences, attack trials."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from workbench.reward.columns import Rollouts, rollouts_of
from workbench.reward.core.quality import quality_in_training
from workbench.reward.hacking import AttackTrial
from workbench.reward.people import Preference
from workbench.reward.targets import TargetsTable, build_targets
from workbench.schema.reward import QuestionTarget, RewardSpec, RolloutFacts
from workbench.store import Store, TrajectoryFilter

ATTACK: Final = "attack"


@dataclass(frozen=True, slots=True)
class RewardData:
    """Columns for the what-if, and what a reward is judged by. `targets_from` says where the targets come from."""

    rollouts: Rollouts
    targets: Mapping[str, QuestionTarget]
    targets_from: str
    preferences: tuple[Preference, ...]
    attacks: Mapping[str, tuple[AttackTrial, ...]]
    questions: Mapping[str, str]


def load(store: Store, spec: RewardSpec, runs: tuple[str, ...]) -> RewardData:
    """Everything for `runs`; a group is the rollouts of one run on one question."""
    columns = store.trajectories.columns(TrajectoryFilter(run=runs))
    where = {
        identifier: f"{run} | {question}"
        for identifier, run, question in zip(columns["id"], columns["run"], columns["question_id"], strict=True)
    }
    facts = store.trajectories.facts(TrajectoryFilter(run=runs))
    quality = scores(store, spec.quality_grader)
    table, targets_from = _targets(store, spec, runs)
    targets = table.by_question
    return RewardData(
        rollouts=rollouts_of(
            facts, {row: quality_in_training(quality.get(row), seen) for row, seen in facts}, targets, groups=where
        ),
        targets=targets,
        targets_from=targets_from,
        preferences=preferences(store),
        attacks=attack_trials(store, spec.quality_grader, dict(facts)),
        questions=dict(zip(columns["question_id"], columns["question"], strict=True)),
    )


def scores(store: Store, grader: str) -> dict[str, float]:
    """Mean scored grade of each trajectory by one grader. Failures and abstentions are left out, not zero."""
    columns = store.grades.scores(grader)
    sums: dict[str, list[float]] = {}
    for identifier, outcome, score in zip(columns["trajectory_id"], columns["outcome"], columns["score"], strict=True):
        if outcome == "scored":
            sums.setdefault(identifier, []).append(score)
    return {identifier: sum(values) / len(values) for identifier, values in sums.items()}


def _targets(store: Store, spec: RewardSpec, runs: tuple[str, ...]) -> tuple[TargetsTable, str]:
    version = spec.targets.removeprefix("targets@")
    stored = {row.version: row for row in store.rewards.targets_list()}
    chosen = version if version in stored else next(reversed(stored), "")
    if chosen:
        return TargetsTable(tuple(store.rewards.targets(chosen)), "opened", ()), f"targets@{chosen[:8]}"
    references = {run: [row for _, row in store.trajectories.facts(TrajectoryFilter(run=run))] for run in runs}
    return build_targets(references), "the most that any rollout shown here used (no targets were saved)"


def preferences(store: Store) -> tuple[Preference, ...]:
    """What raters preferred in closed rounds; an open round tells nobody anything."""
    out: list[Preference] = []
    for found in store.human.rounds():
        if found.state != "closed":
            continue
        pairs = {assignment.id: assignment for assignment in store.human.assignments(found.id)}
        for ballot in store.human.ballots(found.id, include_set_aside=False):
            pair = pairs.get(ballot.assignment_id)
            if pair is not None and ballot.verdict == "left":
                out.append(Preference(pair.left, pair.right, pair.question_id))
            elif pair is not None and ballot.verdict == "right":
                out.append(Preference(pair.right, pair.left, pair.question_id))
    return tuple(out)


def _is(asked: str, name: str, version: str) -> bool:
    """Whether a grader is the one a specification names: by name, or by name and the beginning of its version."""
    asked_name, _, asked_version = asked.partition("@")
    return name == asked_name and version.startswith(asked_version)


def attack_trials(store: Store, grader: str, facts: Mapping[str, RolloutFacts]) -> dict[str, tuple[AttackTrial, ...]]:
    """Stored trials of the grader's newest stressed version, by attack; only trials scored on both sides."""
    columns = store.stress.trials()
    found: dict[str, list[AttackTrial]] = {}
    for index, name in enumerate(columns["grader"]):
        identifier = columns["trajectory_id"][index]
        base, attacked = columns["base_score"][index], columns["attacked_score"][index]
        if not _is(grader, name, columns["grader_version"][index]) or columns["family"][index] != ATTACK:
            continue
        if identifier not in facts:
            continue
        if base is None or attacked is None:
            continue
        trial = AttackTrial(identifier, facts[identifier], base, attacked, columns["terms"][index])
        found.setdefault(columns["attack"][index], []).append(trial)
    return {name: tuple(trials) for name, trials in sorted(found.items())}
