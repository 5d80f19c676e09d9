"""How well the local model tells obviously good reports from garbage: measured, whatever comes out."""

import json
import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from graders.registry import load_grader
from graders.rubric_judge import RubricJudge
from graders.runner import GradeReport, grade_run
from tests.graders.helpers import put
from tests.support.evidence import write_evidence
from tests.support.shared_data import shared
from workbench.schema.canonical import question_key
from workbench.schema.trajectory import Trajectory
from workbench.stats.estimate import Estimate
from workbench.stats.ranking import auc_interval
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs.handle import NullJob

N = 12
SEED = 11
REPORTS = "deep-research-bench/reports/open-deep-research_gpt-5.jsonl"
RUBRICS = ("answer-and-sources", "deep-research-report")
FILLER = (
    "Research is important because it matters. Many experts agree that things are complex. "
    "In conclusion, more work is needed. "
)


def garbage(articles: list[str], rng: random.Random) -> dict[str, Callable[[int], str]]:
    """Kinds of report that nobody would call an answer; `other` is a good report on another question."""

    def shuffled(index: int) -> str:
        words = articles[index].split()
        rng.shuffle(words)
        return " ".join(words)

    return {
        "shuffled_words": shuffled,
        "other_question": lambda index: articles[(index + 7) % len(articles)],
        "refusal": lambda _: "I am sorry, but I cannot help with this request.",
        "filler": lambda _: FILLER * 30,
    }


def as_trajectory(row: dict[str, Any], run: str, report: str) -> Trajectory:
    return Trajectory(row["prompt"], question_key(row["prompt"]), run, run, (), report)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_local_judge_against_garbage(sqlite_store: Store) -> None:
    pytest.importorskip("xllamacpp")
    rows = [json.loads(line) for line in shared(REPORTS).read_text(encoding="utf-8").splitlines()]
    rows = sorted((row for row in rows if row["id"] > 50), key=lambda row: row["id"])[:N]
    articles = [row["article"] for row in rows]
    runs = {"good": articles}
    for kind, make in garbage(articles, random.Random(SEED)).items():
        runs[kind] = [make(index) for index in range(len(rows))]
    for run, reports in runs.items():
        put(sqlite_store, [as_trajectory(row, run, report) for row, report in zip(rows, reports, strict=True)])
    began = time.monotonic()
    found = {name: measure(sqlite_store, name, list(runs)) for name in RUBRICS}
    write_evidence(
        "local-judge",
        {
            "question": "can the local model tell reports by a research agent from garbage on the same questions?",
            "reports": REPORTS,
            "rubrics": found,
        },
        seed=SEED,
        n=N * len(runs),
        seconds=time.monotonic() - began,
        code=("graders", "rubrics"),
    )
    for result in found.values():
        assert result["failed_share"] <= 0.05
        assert result["second_run_calls"] == 0


def measure(store: Store, rubric: str, runs: list[str]) -> dict[str, Any]:
    judge = load_grader(rubric, store=store)
    assert isinstance(judge, RubricJudge)
    began = time.monotonic()
    reports = {run: grade_run(store, judge, TrajectoryFilter(run=run), job=NullJob(), concurrency=1) for run in runs}
    seconds = time.monotonic() - began
    calls = judge.gateway.purse.calls
    for run in runs:
        grade_run(store, judge, TrajectoryFilter(run=run), job=NullJob(), concurrency=1)
    grades = [
        grade for run in runs for identifier in ids(store, run) for grade in store.grades.for_trajectory(identifier)
    ]
    mine = [grade for grade in grades if grade.grader_version == judge.version]
    tokens_in, tokens_out = (sum(getattr(g.usage, name) for g in mine) for name in ("input_tokens", "output_tokens"))
    return {
        "grader": judge.name,
        "model": judge.options.model,
        "version": judge.version,
        "mean_score": {run: report.mean_score for run, report in reports.items()},
        "auc": {kind: separation(store, judge, [kind]) for kind in runs[1:]},
        "auc_all": separation(store, judge, runs[1:]),
        "failed_share": failed_share(list(reports.values())),
        "distinct_scores": len({grade.score for grade in mine}),
        "calls": calls,
        "second_run_calls": judge.gateway.purse.calls - calls,
        "seconds_a_report": seconds / len(mine),
        "input_tokens_a_report": tokens_in / len(mine),
        "tokens_a_second": (tokens_in + tokens_out) / seconds,
    }


def failed_share(reports: list[GradeReport]) -> float:
    return sum(report.failed for report in reports) / sum(report.n for report in reports)


def ids(store: Store, run: str) -> tuple[str, ...]:
    return store.trajectories.ids(TrajectoryFilter(run=run))


def separation(store: Store, judge: RubricJudge, kinds: list[str]) -> dict[str, Any]:
    """AUC of good against these kinds, with an interval that resamples questions."""
    good: list[bool] = []
    scores: list[float] = []
    questions: list[str] = []
    for run in ("good", *kinds):
        columns = store.grades.scores(f"{judge.name}@{judge.version}", run)
        for question, score in zip(columns["question_id"], columns["score"], strict=True):
            if score is not None:
                good.append(run == "good")
                scores.append(score)
                questions.append(question)
    estimate = auc_interval(good, scores, clusters=questions, seed=SEED)
    assert isinstance(estimate, Estimate)
    return {"auc": estimate.value, "low": estimate.low, "high": estimate.high, "n": estimate.n}
