"""Does the policy learn, and does shaping pay? Runs of several seeds on one world, with and without shaping."""

import resource
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.sample.measures import add_sheets, add_targets
from benchmarks.sample.plan import SamplePlan
from benchmarks.sample.rollouts import add_rollouts
from benchmarks.simulated_web.gold import GoldGrader
from training.config import TrainConfig
from training.recipe import train
from workbench.export.build import export_job
from workbench.reward.files import library_specs, read_spec_file
from workbench.reward.reference import build_from_store
from workbench.reward.targets import targets_reference
from workbench.schema.grade import GradingCase
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.jobs import NullJob

ARMS = {"shaped": 0.5, "quality_alone": 0.0}
# An epoch of 40 questions at 8 a step: the first and the last ask the same questions once each.
EPOCH = 5
NAMES = (
    "reward", "quality", "shaping", "sites_opened", "distinct_queries", "tool_calls", "report_chars",
    "empty_page_share", "zero_spread_share", "invalid_call_share", "entropy", "kl", "reward_sites_correlation",
)  # fmt: skip


@dataclass(frozen=True)
class Laboratory:
    """A store with reference rollouts, and a job folder an arm."""

    store: Store
    folders: dict[str, Path]
    runs_dir: Path


def laboratory(home: Path, plan: SamplePlan) -> Laboratory:
    """Everything in `home`, made from the plan."""
    store = open_store(f"sqlite:///{home / 'study.db'}")
    for work in (add_rollouts, add_sheets, add_targets):
        work(store, plan, NullJob())
    table = build_from_store(store, plan.runs_of(("broad", "terse", "narrow")))
    base = read_spec_file(library_specs()["search-rl-checklist"])
    folders = {}
    for arm, weight in ARMS.items():
        spec = replace(
            base, quality_grader="checklist", shaping_weight=weight, targets=targets_reference(table.version)
        )
        folders[arm] = export_job(store, spec, "trl", home / arm, force="study").folder
    return Laboratory(store, folders, home / "runs")


def run_arm(lab: Laboratory, arm: str, seed: int, steps: int) -> dict[str, object]:
    """One run; means over its first and its last epoch, with gold of the stored rollouts, and what it cost."""
    name = f"{arm}-{seed}"
    report = train(
        lab.store, lab.folders[arm], TrainConfig(run=name, steps=steps, seed=seed), runs_dir=lab.runs_dir, job=NullJob()
    )
    metrics = lab.store.training.metrics(name)
    first, last = range(EPOCH), range(steps - EPOCH, steps)
    return {
        "arm": arm,
        "seed": seed,
        "first": {key: _mean([metrics[key][s] for s in first]) for key in NAMES}
        | {"gold": gold(lab.store, name, first)},
        "last": {key: _mean([metrics[key][s] for s in last]) for key in NAMES} | {"gold": gold(lab.store, name, last)},
        "seconds_a_step": statistics.median(metrics["seconds"]),
        "start": dict(report.start) if report.start_made_now else "kept",
        "peak_memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "curve": {key: [round(float(v), 4) for v in metrics[key]] for key in ("reward", "quality", "sites_opened")},
    }


def gold(store: Store, run: str, steps: Sequence[int]) -> float:
    """Mean gold score of the rollouts of these steps."""
    grader = GoldGrader()
    scores = []
    for step in steps:
        for trajectory in store.trajectories.iterate(TrajectoryFilter(run=run, policy_step=step)):
            grade = grader.grade_now(GradingCase(trajectory.question, trajectory.report, trajectory))
            if grade.score is not None:
                scores.append(grade.score)
    return statistics.fmean(scores)


def change(runs: Sequence[dict[str, object]], arm: str, name: str) -> dict[str, object]:
    """Last epoch minus first, a value a seed, with mean and the least and greatest of them."""
    values = [_of(run, "last", name) - _of(run, "first", name) for run in runs if run["arm"] == arm]
    return {
        "first": statistics.fmean(_of(run, "first", name) for run in runs if run["arm"] == arm),
        "last": statistics.fmean(_of(run, "last", name) for run in runs if run["arm"] == arm),
        "change": statistics.fmean(values),
        "least": min(values),
        "greatest": max(values),
        "n_seeds": len(values),
    }


def _of(run: dict[str, object], part: str, name: str) -> float:
    values = run[part]
    assert isinstance(values, dict)
    return float(values[name])


def _mean(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else float("nan")
