"""A small simulated web, rollouts of scripted agents on it, and a job folder exported from them: all real."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from benchmarks.sample.measures import add_grades, add_sheets, add_targets
from benchmarks.sample.plan import SamplePlan
from benchmarks.sample.rollouts import add_rollouts
from benchmarks.simulated_web.world import World, WorldSize
from training.config import RlConfig, SftConfig, TrainConfig
from training.environments import Surroundings
from training.grammar import Grammar
from training.model import ModelShape, prepare_torch
from training.notes import Reader
from training.start import tokenizer_for
from workbench.export.build import export_job
from workbench.reward.reference import build_from_store
from workbench.reward.targets import targets_reference
from workbench.schema.reward import RewardSpec, ShapingTerm
from workbench.store import Store, open_store
from workbench.store.jobs import NullJob

PLAN = SamplePlan(
    seed=5,
    questions=6,
    agents=("broad", "narrow"),
    attempts=1,
    raters=2,
    stressed_reports=1,
    size=WorldSize(entities=24, sites=24, pages=160),
)
TERMS = (
    ShapingTerm("distinct_queries", 0.4),
    ShapingTerm("distinct_sites", 0.6),
)
TINY = TrainConfig(
    run="tiny",
    steps=3,
    max_turns=6,
    checkpoint_every=1,
    model=ModelShape(hidden=32, layers=2, heads=2, feed_forward=64),
    sft=SftConfig(steps=6, batch=8, warmup=2, questions=24),
    rl=RlConfig(questions=2, group=3, micro_batch=4),
)


@dataclass(frozen=True)
class Workshop:
    """Where the store and the job folder lie. Tests that write copy the store first."""

    url: str
    job: Path
    other_job: Path
    world: World

    def copied_store(self, folder: Path) -> Store:
        path = folder / "store.db"
        path.write_bytes(Path(self.url.removeprefix("sqlite:///")).read_bytes())
        return open_store(f"sqlite:///{path}")


def spec_named(store: Store, *, weight: float) -> RewardSpec:
    table = build_from_store(store, PLAN.runs)
    return RewardSpec(
        name="search-rl",
        stage="any",
        quality_grader="checklist",
        shaping_weight=weight,
        terms=TERMS,
        targets=targets_reference(table.version),
    )


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    home = tmp_path_factory.mktemp("workshop")
    url = f"sqlite:///{home / 'store.db'}"
    with open_store(url) as store:
        for work in (add_rollouts, add_sheets, add_grades, add_targets):
            work(store, replace(PLAN), NullJob())
        folders = [
            export_job(store, spec_named(store, weight=weight), "trl", home / f"job-{weight}", force="test").folder
            for weight in (0.5, 0.25)
        ]
    return Workshop(url, folders[0], folders[1], PLAN.world)


@pytest.fixture(scope="session")
def around(workshop: Workshop) -> Surroundings:
    prepare_torch(1)
    world = workshop.world
    return Surroundings(world, tokenizer_for(world), Reader(world.graph), own_report=True, max_turns=TINY.max_turns)


@pytest.fixture(scope="session")
def grammar(around: Surroundings) -> Grammar:
    return Grammar(around.tokenizer, own_report=True)
