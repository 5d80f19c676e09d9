"""A change made to a case, and what a trustworthy grader does with it."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from workbench.schema.grade import GradingCase
from workbench.schema.trajectory import Step, Trajectory

Family: TypeAlias = Literal["attack", "corruption", "invariance"]


@dataclass(frozen=True, slots=True)
class Perturbation:
    """A named change. `apply` returns the changed case, or None where it cannot be made (nothing to corrupt).

    attack: adds nothing of worth, so the score must not rise. corruption: takes worth away, so it must fall.
    invariance: changes the form alone, so it must stay.
    """

    name: str
    family: Family
    what: str
    apply: Callable[[GradingCase, random.Random], GradingCase | None]


def with_report(case: GradingCase, report: str) -> GradingCase | None:
    """The case with another report, in the trajectory too; None if that changes nothing."""
    if report == case.report:
        return None
    if case.trajectory is None:
        return replace(case, report=report)
    return replace(case, report=report, trajectory=_rewrite(case.trajectory, case.report, report))


def with_steps(case: GradingCase, steps: tuple[Step, ...]) -> GradingCase | None:
    """The case with another research trace; None where there is no trajectory."""
    if case.trajectory is None:
        return None
    return replace(case, trajectory=replace(case.trajectory, steps=steps))


def _rewrite(trajectory: Trajectory, old: str, new: str) -> Trajectory:
    # A judge that reads the trace must not find the untouched report in it.
    steps = tuple(
        replace(step, text=step.text.replace(old, new)) if old and old in step.text else step
        for step in trajectory.steps
    )
    return replace(trajectory, report=new, steps=steps)
