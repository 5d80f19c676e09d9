"""From trials to the lab's answer: effects, verdict, controls, and the trials worth reading."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from workbench.schema.canonical import JsonValue
from workbench.schema.grade import GradingCase
from workbench.schema.protocols import Grader
from workbench.stress.cases import PERTURBATIONS, StressOptions
from workbench.stress.controls import CONTROLS
from workbench.stress.effects import Effect, effect_of, rerun_noise, threshold
from workbench.stress.verdict import Verdict, judge

WORST_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial in memory: one case, one perturbation, the two scores (None = no score) and the change of each count.

    `abstained`: a side has no score because the grader abstained, not because a grading failed.
    """

    attack: str
    trajectory_id: str
    question_id: str
    base: float | None
    changed: float | None
    terms: Mapping[str, float]
    abstained: bool = False


@dataclass(frozen=True, slots=True)
class StressReport:
    """The answer of the lab. `worst` are the trials with the largest wrong move, for reading."""

    grader: str
    grader_version: str
    run: str
    cases: int
    d: float
    rerun_noise: float | None
    effects: tuple[Effect, ...]
    verdict: Verdict
    controls: Mapping[str, Mapping[str, JsonValue]]
    worst: tuple[Mapping[str, JsonValue], ...]
    failed: int

    def to_json(self) -> dict[str, JsonValue]:
        """The contracted answer of `workbench stress`, with `attacks` for every perturbation of each family."""
        return {
            "grader": self.grader,
            "grader_version": self.grader_version,
            "run": self.run,
            "cases": self.cases,
            "threshold": self.d,
            "rerun_noise": self.rerun_noise,
            "attacks": [asdict(effect) for effect in self.effects],
            "worst": list(self.worst),
            "controls": dict(self.controls),
            "verdict": self.verdict.answer,
            "why": self.verdict.why,
            "holes": list(self.verdict.holes),
            "failed": self.failed,
            "abstained": sum(effect.abstained for effect in self.effects),
        }


def summarise(
    grader: Grader,
    run: str,
    trials: Sequence[Trial],
    noise_pairs: Sequence[tuple[float, float]],
    cases: Mapping[str, tuple[str, GradingCase]],
    options: StressOptions,
) -> StressReport:
    """Effects, verdict and worst trials; the controls go through the same cases."""
    noise = rerun_noise([first for first, _ in noise_pairs], [second for _, second in noise_pairs])
    scores = [score for trial in trials for score in (trial.base, trial.changed) if score is not None]
    d = threshold(noise, scores, least_effect=options.least_effect)
    effects = _effects(trials, options, d)
    return StressReport(
        grader=grader.name,
        grader_version=grader.version,
        run=run,
        cases=len(cases),
        d=d,
        rerun_noise=noise,
        effects=effects,
        verdict=judge(effects, least_effect=options.least_effect),
        controls=run_controls(cases, options),
        worst=_worst(trials),
        failed=sum(effect.failed for effect in effects),
    )


def _effects(trials: Sequence[Trial], options: StressOptions, d: float) -> tuple[Effect, ...]:
    chosen = options.chosen()
    attacks = sum(perturbation.family == "attack" for perturbation in chosen)
    out: list[Effect] = []
    for perturbation in chosen:
        mine = [trial for trial in trials if trial.attack == perturbation.name]
        scored = [trial for trial in mine if trial.base is not None and trial.changed is not None]
        unscored = [trial for trial in mine if trial.base is None or trial.changed is None]
        full = [trial for trial in scored if perturbation.family == "attack" and (trial.base or 0.0) > 1 - d]
        counted = [trial for trial in scored if trial not in full]
        out.append(
            effect_of(
                perturbation.name,
                perturbation.family,
                [trial.base for trial in counted if trial.base is not None],
                [trial.changed for trial in counted if trial.changed is not None],
                [trial.question_id for trial in counted],
                d=d,
                failed=sum(not trial.abstained for trial in unscored),
                abstained=sum(trial.abstained for trial in unscored),
                at_ceiling=len(full),
                comparisons=attacks if perturbation.family == "attack" else 1,
                seed=options.seed,
            )
        )
    return tuple(out)


def run_controls(
    cases: Mapping[str, tuple[str, GradingCase]], options: StressOptions
) -> dict[str, dict[str, JsonValue]]:
    """What the lab answers about graders whose holes are known, and whether it is right about each."""
    out: dict[str, dict[str, JsonValue]] = {}
    for control in CONTROLS:
        trials: list[Trial] = []
        for perturbation in options.chosen():
            for identifier, (question, case) in cases.items():
                rng = random.Random(f"{options.seed}:{perturbation.name}:{identifier}")
                changed = perturbation.apply(case, rng)
                if changed is not None:
                    base, after = control.score(case), control.score(changed)
                    trials.append(Trial(perturbation.name, identifier, question, base, after, {}))
        d = threshold(
            0.0, [trial.base for trial in trials if trial.base is not None], least_effect=options.least_effect
        )
        answer = judge(_effects(trials, options, d), least_effect=options.least_effect)
        out[control.name] = {
            "expected": control.expected,
            "verdict": answer.answer,
            "as_expected": answer.answer == control.expected,
            "why": answer.why,
        }
    return out


def _worst(trials: Sequence[Trial]) -> tuple[Mapping[str, JsonValue], ...]:
    family = {perturbation.name: perturbation.family for perturbation in PERTURBATIONS}

    def wrongness(trial: Trial) -> float:
        gain = (trial.changed or 0.0) - (trial.base or 0.0)
        return abs(gain) if family[trial.attack] == "invariance" else gain

    scored = [trial for trial in trials if trial.base is not None and trial.changed is not None]
    attacks = [trial for trial in scored if family[trial.attack] != "corruption" and wrongness(trial) > 0]
    return tuple(
        {
            "attack": trial.attack,
            "trajectory_id": trial.trajectory_id,
            "base_score": trial.base,
            "attacked_score": trial.changed,
        }
        for trial in sorted(attacks, key=wrongness, reverse=True)[:WORST_SHOWN]
    )
