"""What the reward page reads of the store: the reward's material, targets, people's preferences, attack trials."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from workbench.reward.columns import Rollouts
from workbench.reward.hacking import AttackTrial
from workbench.reward.people import Preference
from workbench.reward.reference import build_from_store
from workbench.reward.resolve import exact, find_grader, table_of
from workbench.reward.score import load_material
from workbench.reward.targets import TargetsTable
from workbench.reward.votes import preferences_of
from workbench.schema.reward import QuestionTarget, RewardSpec, RolloutFacts
from workbench.store import GraderSummary, Store, TrajectoryFilter

ATTACK: Final = "attack"


@dataclass(frozen=True, slots=True)
class RewardData:
    """Columns for the what-if, and what a reward is judged by. `targets_from` says where the targets come from.

    `questions` maps a group's name to the question it answers.
    """

    rollouts: Rollouts
    targets: Mapping[str, QuestionTarget]
    targets_from: str
    preferences: tuple[Preference, ...]
    attacks: Mapping[str, tuple[AttackTrial, ...]]
    questions: Mapping[str, str]


def load(store: Store, spec: RewardSpec, runs: tuple[str, ...]) -> RewardData:
    """Everything for `runs`. Raises WorkbenchError where the grader gave no grade, or several versions of it did."""
    grader = find_grader(store, spec.quality_grader)
    material = load_material(store, runs, exact(grader))
    columns = store.trajectories.columns(TrajectoryFilter(run=runs))
    asked = dict(zip(columns["id"], columns["question"], strict=True))
    table, targets_from = _targets(store, spec, runs)
    targets = table.by_question
    return RewardData(
        rollouts=material.rollouts(targets),
        targets=targets,
        targets_from=targets_from,
        preferences=preferences_of(store),
        attacks=attack_trials(store, grader, dict(material.facts)),
        questions={group: asked[identifier] for identifier, group in material.groups.items()},
    )


def _targets(store: Store, spec: RewardSpec, runs: tuple[str, ...]) -> tuple[TargetsTable, str]:
    version = spec.targets.removeprefix("targets@")
    saved = [row.version for row in store.rewards.targets_list()]
    if version in saved or saved:
        chosen = version if version in saved else saved[0]
        newest = "" if chosen == version else ", the newest saved"
        return table_of(store, chosen), f"targets@{chosen[:8]}{newest}"
    return build_from_store(store, runs), "the most that any rollout shown here used (no targets were saved)"


def attack_trials(
    store: Store, grader: GraderSummary, facts: Mapping[str, RolloutFacts]
) -> dict[str, tuple[AttackTrial, ...]]:
    """Stored trials of this version of the grader, by attack; only trials scored on both sides."""
    columns = store.stress.trials(grader_version=grader.version)
    found: dict[str, list[AttackTrial]] = {}
    for index, identifier in enumerate(columns["trajectory_id"]):
        base, attacked = columns["base_score"][index], columns["attacked_score"][index]
        known = columns["family"][index] == ATTACK and identifier in facts
        if known and base is not None and attacked is not None:
            trial = AttackTrial(identifier, facts[identifier], base, attacked, columns["terms"][index])
            found.setdefault(columns["attack"][index], []).append(trial)
    return {name: tuple(trials) for name, trials in sorted(found.items())}
