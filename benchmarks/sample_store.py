"""Builds the sample store: everything in it comes from the simulated web and says so.

Each step finds what is missing and adds it, so that a build that was stopped goes on where it was.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from benchmarks.sample.ballots import add_round
from benchmarks.sample.measures import (
    SPEC,
    add_diagnosis,
    add_grades,
    add_sheets,
    add_spec,
    add_stress,
    add_targets,
)
from benchmarks.sample.plan import SamplePlan
from benchmarks.sample.rollouts import add_rollouts
from workbench.schema.canonical import JsonObject, JsonValue
from workbench.store import Store
from workbench.store.jobs import JobHandle

StepWork: TypeAlias = Callable[[Store, SamplePlan, JobHandle], JsonObject]


@dataclass(frozen=True, slots=True)
class SampleStep:
    """A named part of the build. Running it again changes nothing."""

    name: str
    title: str
    work: StepWork


STEPS: tuple[SampleStep, ...] = (
    SampleStep("rollouts", "scripted agents research and report", add_rollouts),
    SampleStep("sheets", "question sheets for the checklist", add_sheets),
    SampleStep("grades", "gold, checklist, citations, and what some of them rest on", add_grades),
    SampleStep("targets", "targets per question", add_targets),
    SampleStep("round", "a closed round of simulated ballots", add_round),
    SampleStep("stress", "the stress lab on the checklist and on gold", add_stress),
    SampleStep("diagnosis", "which phase holds the terse agent back", add_diagnosis),
    SampleStep("spec", "a reward specification", add_spec),
)


def build_sample_store(
    store: Store, *, job: JobHandle, plan: SamplePlan | None = None, further: Sequence[SampleStep] = ()
) -> dict[str, JsonValue]:
    """Runs all steps, then `further` ones of higher layers, and gives what each did, by name.

    Equal plans give stores of one content hash, on SQLite and PostgreSQL alike.
    """
    plan = plan or SamplePlan()
    done: dict[str, JsonValue] = {}
    for step in (*STEPS, *further):
        job.checkpoint()
        job.log(f"{step.name}: {step.title}")
        done[step.name] = step.work(store, plan, job)
    return done


def is_built(store: Store, plan: SamplePlan | None = None) -> bool:
    """Whether the store holds the sample's rollouts and its specification, the first and the last thing built."""
    plan = plan or SamplePlan()
    held = {run.name: run.n for run in store.runs.list()}
    whole = all(held.get(run, 0) >= plan.questions * plan.attempts for run in plan.runs)
    return whole and any(row.name == SPEC for row in store.rewards.specs())
