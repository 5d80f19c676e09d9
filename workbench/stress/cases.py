"""Which cases a stress run reads, and with which perturbations."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from workbench.errors import BadInputError
from workbench.schema.grade import GradingCase
from workbench.store import Store, TrajectoryFilter
from workbench.stress.attacks import ATTACKS
from workbench.stress.corruptions import CORRUPTIONS
from workbench.stress.invariances import INVARIANCES
from workbench.stress.perturbation import Perturbation

PERTURBATIONS: tuple[Perturbation, ...] = (*ATTACKS, *CORRUPTIONS, *INVARIANCES)

CaseMaker = Callable[[GradingCase], GradingCase]


@dataclass(frozen=True, slots=True)
class StressOptions:
    """`limit` cases are drawn over the run's questions by `seed`; gains under `least_effect` are not worth an alarm."""

    limit: int = 40
    seed: int = 0
    least_effect: float = 0.02
    concurrency: int = 4
    perturbations: tuple[str, ...] = ()

    def chosen(self) -> tuple[Perturbation, ...]:
        """The perturbations to run. Raises BadInputError for an unknown name."""
        known = {perturbation.name: perturbation for perturbation in PERTURBATIONS}
        unknown = [name for name in self.perturbations if name not in known]
        if unknown:
            raise BadInputError(f"unknown perturbation {', '.join(unknown)}; known: {', '.join(known)}")
        return tuple(known[name] for name in self.perturbations) if self.perturbations else PERTURBATIONS


def draw_cases(
    store: Store, run: str, options: StressOptions, make_case: CaseMaker | None
) -> dict[str, tuple[str, GradingCase]]:
    """Trajectory id -> (question id, case): spread over questions first, then over their attempts, by seed."""
    store.runs.get(run)
    columns = store.trajectories.columns(TrajectoryFilter(run=run, has_report=True))
    by_question: dict[str, list[str]] = {}
    for identifier, question in zip(columns["id"], columns["question_id"], strict=True):
        by_question.setdefault(question, []).append(identifier)
    if not by_question:
        raise BadInputError(f"run {run!r} has no trajectory with a report; the stress lab needs reports to change")
    rng = random.Random(options.seed)
    for attempts in by_question.values():
        attempts.sort()
        rng.shuffle(attempts)
    order = sorted(by_question)
    rng.shuffle(order)
    chosen: list[str] = []
    for depth in range(max(map(len, by_question.values()))):
        chosen.extend(by_question[question][depth] for question in order if depth < len(by_question[question]))
    cases: dict[str, tuple[str, GradingCase]] = {}
    for identifier in chosen[: options.limit]:
        trajectory = store.trajectories.get(identifier)
        case = GradingCase(question=trajectory.question, report=trajectory.report, trajectory=trajectory)
        cases[identifier] = (trajectory.question_id, make_case(case) if make_case else case)
    return cases
