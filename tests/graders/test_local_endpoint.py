"""The local model grades sample reports through litellm on a loopback endpoint; a second run asks it nothing."""

import asyncio
import shutil
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from benchmarks.sample.plan import SamplePlan
from benchmarks.sample.rollouts import add_rollouts
from benchmarks.simulated_web.gold import GoldGrader
from graders.gateway import Gateway
from graders.local import LocalServer, find_local_model
from graders.registry import load_grader
from graders.rubric_judge import RubricJudge
from graders.runner import GradeReport, grade_run
from tests.graders.counting_endpoint import CountingEndpoint, counting_endpoint
from tests.support.evidence import ROOT, write_evidence
from workbench.errors import MissingExtraError
from workbench.schema.grade import GRADE_OUTCOMES, Grade, GradingCase
from workbench.stats.ranking import auc_interval, kendall_interval
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.jobs.handle import NullJob

RUBRIC = "answer-and-sources"
SEED = 4111
GOOD = 0.5
# Where a stopped proof goes on; removed when it has ended.
KEPT = ROOT / ".evidence-work" / "local-endpoint"


def sample(questions: int, agents: tuple[str, ...] | None = None) -> SamplePlan:
    more: dict[str, Any] = {} if agents is None else {"agents": agents}
    return SamplePlan(seed=SEED, question_seed=SEED + 1, questions=questions, attempts=1, **more)


def judge_at(endpoint: CountingEndpoint, store: Store) -> RubricJudge:
    judge = load_grader(RUBRIC, store=store)
    assert isinstance(judge, RubricJudge)
    judge.gateway = Gateway(store.replies, options=judge.gateway.options, resolver=endpoint.resolve)
    return judge


def local_server() -> LocalServer:
    pytest.importorskip("xllamacpp", reason="xllamacpp is not installed: the local model cannot be served")
    try:
        return LocalServer(find_local_model())
    except MissingExtraError as error:
        pytest.skip(str(error))


def graded(store: Store, judge: RubricJudge, plan: SamplePlan) -> GradeReport:
    return grade_run(store, judge, TrajectoryFilter(run=plan.runs), job=NullJob(), concurrency=1)


def test_two_sample_reports_are_graded_on_loopback_and_the_second_run_asks_nothing(
    sqlite_store: Store, tmp_path: Path
) -> None:
    server = local_server()
    plan = sample(1, ("broad", "terse"))
    add_rollouts(sqlite_store, plan, NullJob())
    with counting_endpoint(server, tmp_path / "calls.log") as endpoint:
        first = graded(sqlite_store, judge_at(endpoint, sqlite_store), plan)
        asked = endpoint.calls
        second = graded(sqlite_store, judge_at(endpoint, sqlite_store), plan)
        pairs = judged_anew(sqlite_store, judge_at(endpoint, sqlite_store), plan)
        assert endpoint.calls == asked == 4
    assert all(again.usage.cached and again.verdicts == stored.verdicts for stored, again in pairs)
    assert (first.graded, first.failed, second.cached) == (2, 0, 2)
    assert second.mean_score == first.mean_score


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_fifty_sample_reports_on_loopback() -> None:
    server = local_server()
    plan = sample(10)
    KEPT.mkdir(parents=True, exist_ok=True)
    with open_store(f"sqlite:///{KEPT}/store.db") as store, counting_endpoint(server, KEPT / "calls.log") as at:
        add_rollouts(store, plan, NullJob())
        grade_run(store, GoldGrader(), TrajectoryFilter(run=plan.runs), job=NullJob())
        began = time.monotonic()
        judge = judge_at(at, store)
        first = graded(store, judge, plan)
        seconds = time.monotonic() - began
        calls = at.calls
        began = time.monotonic()
        second = graded(store, judge_at(at, store), plan)
        pairs = judged_anew(store, judge_at(at, store), plan)
        found = {
            "question": "does the local model grade sample reports end to end through litellm, and is a rerun free?",
            "reports": "simulated web, 10 questions x 5 agents x 1 attempt",
            "grader": {"name": judge.name, "version": judge.version, "kind": judge.kind, "model": judge.options.model},
            "first_run": run_figures(first) | {"calls_at_endpoint": calls, "seconds": round(seconds, 1)},
            "second_run": run_figures(second)
            | {"calls_at_endpoint": at.calls - calls, "seconds": round(time.monotonic() - began, 2)},
            "judged_anew_from_kept_replies": {
                "n": len(pairs),
                "same_verdicts": sum(again.verdicts == stored.verdicts for stored, again in pairs),
            },
            "outcomes": outcomes(store, judge),
            "against_gold": against_gold(store, judge),
        }
    write_evidence("local-endpoint", found, seed=SEED, n=first.n, seconds=seconds, code=("graders", "rubrics"))
    assert first.n == 50
    assert calls >= 100
    assert found["second_run"]["calls_at_endpoint"] == 0  # type: ignore[index]
    assert (second.cached, second.graded) == (50 - first.failed, 0)
    shutil.rmtree(KEPT)


def judged_anew(store: Store, judge: RubricJudge, plan: SamplePlan) -> list[tuple[Grade, Grade]]:
    """Each stored grade beside the one that the kept replies give when the report is judged once more."""

    async def judged() -> list[tuple[Grade, Grade]]:
        pairs = []
        for identifier in store.trajectories.ids(TrajectoryFilter(run=plan.runs)):
            found = store.trajectories.get(identifier)
            again = await judge.grade(GradingCase(found.question, found.report, found))
            stored = next(g for g in store.grades.for_trajectory(identifier) if g.grader_version == judge.version)
            pairs.append((stored, again))
        return pairs

    return asyncio.run(judged())


def run_figures(report: GradeReport) -> dict[str, Any]:
    return {name: getattr(report, name) for name in ("n", "graded", "cached", "abstained", "failed", "mean_score")}


def outcomes(store: Store, judge: RubricJudge) -> dict[str, int]:
    found = store.grades.scores(f"{judge.name}@{judge.version}")["outcome"]
    return {name: found.count(name) for name in GRADE_OUTCOMES}


def against_gold(store: Store, judge: RubricJudge) -> dict[str, Any]:
    gold = store.grades.scores("gold")
    truth = dict(zip(gold["trajectory_id"], gold["score"], strict=True))
    mine = store.grades.scores(f"{judge.name}@{judge.version}")
    rows = [
        (truth[identifier], score, question)
        for identifier, score, question in zip(mine["trajectory_id"], mine["score"], mine["question_id"], strict=True)
        if score is not None and truth.get(identifier) is not None
    ]
    golds, scores, questions = ([row[place] for row in rows] for place in range(3))
    return {
        "good_from": GOOD,
        "auc": asdict(auc_interval([value >= GOOD for value in golds], scores, questions, seed=SEED)),
        "tau_b": asdict(kendall_interval(golds, scores, questions, seed=SEED)),
    }
