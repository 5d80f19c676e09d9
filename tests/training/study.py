"""Does the policy learn, and does shaping pay? Runs of several seeds on one world, with and without shaping."""

import resource
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.sample.measures import add_sheets, add_targets
from benchmarks.sample.plan import SamplePlan
from benchmarks.sample.rollouts import add_rollouts
from benchmarks.simulated_web.gold import gold_grade
from training.callbacks import Recorder
from training.config import TrainConfig
from training.environments import WebEpisode
from training.loop import RlRun
from training.recipe import STARTS, train
from training.rewarding import reward_all
from training.rollouts import play
from training.start import ready_start
from training.task import open_task
from workbench.export.build import export_job
from workbench.phases import analyse, facts_of
from workbench.reward.files import library_specs, read_spec_file
from workbench.reward.reference import build_from_store
from workbench.reward.targets import targets_reference
from workbench.store import Store, open_store
from workbench.store.jobs import NullJob

ARMS = {"shaped": 0.5, "quality_alone": 0.0}
MEMBERS = 8
MEASURES = (
    "reward", "quality", "shaping", "gold", "sites_opened", "distinct_queries", "tool_calls", "report_chars",
    "empty_page_share",
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


def run_arm(lab: Laboratory, arm: str, seed: int, steps: int) -> dict[str, Any]:
    """One run: what its policy does before and after, what it cost, and its curve."""
    config = TrainConfig(run=f"{arm}-{seed}", steps=steps, seed=seed)
    report = train(lab.store, lab.folders[arm], config, runs_dir=lab.runs_dir, job=NullJob())
    metrics = lab.store.training.metrics(config.run)
    return {
        "arm": arm,
        "seed": seed,
        "before": evaluate(lab, config, trained=False),
        "after": evaluate(lab, config, trained=True),
        "median_seconds_a_step": statistics.median(metrics["seconds"]),
        "median_cpu_seconds_a_step": statistics.median(metrics["seconds_of_cpu"]),
        "peak_memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "start": dict(report.start) if report.start_made_now else "kept",
        "curve": {
            key: [None if v is None else round(v, 4) for v in metrics[key]]
            for key in ("reward", "quality", "sites_opened", "entropy", "kl", "reward_sites_correlation")
        },
    }


def evaluate(lab: Laboratory, config: TrainConfig, *, trained: bool) -> dict[str, float]:
    """Means over every question of the folder x 8 rollouts from one sampling seed; reward, quality and shaping are
    those of the shaped folder for either arm, so that arms compare."""
    import torch

    task = open_task(lab.store, lab.folders["shaped"])
    start = ready_start(
        task.world, config, lab.runs_dir / STARTS, own_report=True, held_out=task.questions, may_make=False
    )
    if trained:
        own = replace(task, job=open_task(lab.store, lab.folders[config.run.rsplit("-", 1)[0]]).job)
        folder = lab.runs_dir / config.run
        assert RlRun(own, config, start, folder, Recorder(lab.store, config.run, folder / "rollouts")).restore()
    episodes = [WebEpisode(start.around, question) for question in task.questions for _ in range(MEMBERS)]
    paths = play(start.model, start.grammar, episodes, generator=torch.Generator().manual_seed(2026))
    trajectories = [
        episode.trajectory(path, run="evaluation", model="m", group="g", attempt=i % MEMBERS, policy_step=0)
        for i, (episode, path) in enumerate(zip(episodes, paths, strict=True))
    ]
    rewards = reward_all(task.job, trajectories)
    facts = [facts_of(trajectory, analyse(trajectory)) for trajectory in trajectories]
    gold = [gold_grade(task.world, e.question, t).score for e, t in zip(episodes, trajectories, strict=True)]
    counts = {name: _mean([float(getattr(f, name)) for f in facts]) for name in MEASURES[4:8]}
    return {
        "reward": _mean([rewarded.value for rewarded in rewards]),
        **{name: _mean([rewarded.components[name] for rewarded in rewards]) for name in ("quality", "shaping")},
        "gold": _mean(gold),
        **counts,
        "empty_page_share": sum(e.empty_pages for e in episodes) / max(1, sum(e.pages_opened for e in episodes)),
        "n": len(episodes),
    }


def change(runs: Sequence[Mapping[str, Any]], arm: str, name: str) -> dict[str, float]:
    """After minus before, a value a seed: their mean, and the least and the greatest of them."""
    chosen = [run for run in runs if run["arm"] == arm]
    values = [run["after"][name] - run["before"][name] for run in chosen]
    return {
        "before": statistics.fmean(run["before"][name] for run in chosen),
        "after": statistics.fmean(run["after"][name] for run in chosen),
        "change": statistics.fmean(values),
        "least": min(values),
        "greatest": max(values),
        "n_seeds": len(values),
    }


def _mean(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None]
    return statistics.fmean(known) if known else float("nan")
