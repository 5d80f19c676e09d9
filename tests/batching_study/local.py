"""The study on the local model: near chance as a judge, so only agreement between the two ways can be said."""

from dataclasses import replace

from benchmarks.sample.plan import SamplePlan
from benchmarks.sample.rollouts import add_rollouts
from graders.batching.study import study_batching
from graders.registry import judge_by
from rubrics.library import load_library
from tests.support.evidence import ROOT
from workbench.store import TrajectoryFilter, open_store
from workbench.store.jobs.handle import NullJob

RUBRIC = "four-dimensions"
# One criterion of each dimension: all twelve do not fit the small model's context in one call.
CRITERIA = ("aspects", "mechanisms", "question_answered", "repetition")
REPORTS = 12
SEED = 5211
# A stopped proof goes on from here: every grade of the study is stored.
KEPT = ROOT / ".evidence-work" / "atomic-batched"


def on_the_local_model(reports: int = REPORTS) -> dict[str, object]:
    """What `workbench rubrics batching` says of it over the first so many sample reports of two agents."""
    KEPT.mkdir(parents=True, exist_ok=True)
    plan = SamplePlan(seed=SEED, question_seed=SEED + 1, questions=REPORTS // 2, attempts=1, agents=("broad", "terse"))
    with open_store(f"sqlite:///{KEPT}/study.db") as store:
        if not store.runs.list():
            add_rollouts(store, plan, NullJob())
        whole = load_library(RUBRIC)
        kept = tuple(criterion for criterion in whole.criteria if criterion.id in CRITERIA)
        judge = judge_by(replace(whole, name=f"{RUBRIC}-part", criteria=kept), store)
        found = study_batching(
            store, judge, TrajectoryFilter(run=plan.runs), job=NullJob(), limit=reports, concurrency=1
        )
    return {"rubric": RUBRIC, "criteria": list(CRITERIA), "model": judge.options.model, **found.to_json()}
