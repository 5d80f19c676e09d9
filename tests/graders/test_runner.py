"""A run over a store: once each, resumable, failures typed and tried again."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from graders.collecting import Collector
from graders.deterministic import DeterministicGrader
from graders.faults import SpendLimitError
from graders.registry import load_grader
from graders.rubric_judge import JudgeOptions, RubricJudge
from graders.runner import Reports, grade_run
from rubrics.library import load_library
from tests.graders.fake_endpoint import Answer, FakeEndpoint, failure
from tests.graders.helpers import SHEET, gateway_to, judge_saying, put, trajectory
from workbench.errors import WorkbenchError
from workbench.schema.grade import Grade, GraderKind, GradingCase
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import JobStopped
from workbench.store.jobs.handle import NullJob

RUN = TrajectoryFilter(run="a")


@dataclass
class Scripted:
    """A grader whose answer to a case is whatever `answer` says."""

    answer: Callable[[GradingCase], Grade | Exception]
    name: str = "scripted"
    version: str = "v" * 64
    kind: GraderKind = "callable"
    seen: list[str] = field(default_factory=list)

    async def grade(self, case: GradingCase) -> Grade:
        self.seen.append(case.question)
        await asyncio.sleep(0)
        answer = self.answer(case)
        if isinstance(answer, Exception):
            raise answer
        return answer


def scored(case: GradingCase, score: float = 0.5) -> Grade:
    return Grade("scripted", "v" * 64, case.case_hash, "scored", score, score, "s")


def test_every_trajectory_is_graded_once_and_found_the_next_time(store: Store) -> None:
    put(store, [trajectory(n) for n in range(40)])
    grader = Scripted(scored)
    first = grade_run(store, grader, RUN, job=NullJob())
    again = grade_run(store, grader, RUN, job=NullJob())
    assert (first.graded, first.cached, first.mean_score, first.n_scored) == (40, 0, 0.5, 40)
    assert (again.graded, again.cached, again.mean_score, again.n_scored) == (0, 40, 0.5, 40)
    assert len(grader.seen) == 40


def test_failures_are_typed_listed_and_tried_again(store: Store) -> None:
    ids = put(store, [trajectory(n) for n in range(3)])
    broken = True

    def answer(case: GradingCase) -> Grade | Exception:
        if case.question.endswith("1?") and broken:
            return Grade("scripted", "v" * 64, case.case_hash, "infra_failed", reason="wire")
        if case.question.endswith("2?") and broken:
            return RuntimeError("own grader broke")
        return scored(case, 1.0)

    grader = Scripted(answer)
    first = grade_run(store, grader, RUN, job=NullJob())
    assert (first.graded, first.failed, first.mean_score, first.n_scored) == (1, 2, 1.0, 1)
    assert {failure["outcome"] for failure in first.failures} == {"infra_failed", "judge_failed"}
    assert all(grade.score is None for grade in store.grades.for_trajectory(ids[1]))
    broken = False
    second = grade_run(store, grader, RUN, job=NullJob())
    assert (second.graded, second.cached, second.failed, second.n_scored) == (2, 1, 0, 3)


def test_what_a_grader_raises_is_redacted(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "planted-0123456789")
    put(store, [trajectory(0)])
    report = grade_run(store, Scripted(lambda _: ValueError("used planted-0123456789")), RUN, job=NullJob())
    assert "planted-0123456789" not in str(report)
    assert report.failed == 1


def test_repeats_are_rows_of_their_own(store: Store) -> None:
    (identifier,) = put(store, [trajectory(0)])
    report = grade_run(store, Scripted(scored), RUN, job=NullJob(), repeats=3)
    assert report.graded == 3
    assert [grade.repeat for grade in store.grades.for_trajectory(identifier)] == [0, 1, 2]
    assert grade_run(store, Scripted(scored), RUN, job=NullJob(), repeats=4).graded == 1


def test_a_limit_takes_the_first(sqlite_store: Store) -> None:
    put(sqlite_store, [trajectory(n) for n in range(10)])
    report = grade_run(sqlite_store, Scripted(scored), RUN, job=NullJob(), limit=4)
    assert (report.graded, report.n) == (4, 4)


def test_a_spend_limit_ends_the_run_and_says_what_is_left(sqlite_store: Store) -> None:
    put(sqlite_store, [trajectory(n) for n in range(10)])
    count = 0

    def answer(case: GradingCase) -> Grade | Exception:
        nonlocal count
        count += 1
        return scored(case) if count <= 4 else SpendLimitError("spend limit: all of it")

    report = grade_run(sqlite_store, Scripted(answer), RUN, job=NullJob(), concurrency=2)
    assert (report.graded, report.failed, report.left) == (4, 0, 6)
    assert "spend limit" in report.stopped


def test_a_run_that_could_grade_nothing_is_an_error(sqlite_store: Store) -> None:
    put(sqlite_store, [trajectory(0)])
    with pytest.raises(WorkbenchError, match="spend limit"):
        grade_run(sqlite_store, Scripted(lambda _: SpendLimitError("spend limit: none")), RUN, job=NullJob())


class StopsAfter(NullJob):
    """A job that someone stops after `n` items."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.n = n

    async def async_checkpoint(self) -> None:
        if self.done >= self.n:
            raise JobStopped


def test_a_stopped_job_keeps_what_it_has_and_goes_on_later(store: Store) -> None:
    put(store, [trajectory(n) for n in range(12)])
    grader = Scripted(scored)
    with pytest.raises(JobStopped):
        grade_run(store, grader, RUN, job=StopsAfter(5), concurrency=2)
    kept = len(store.grades.existing(grader.version))
    assert 5 <= kept <= 7
    assert grade_run(store, grader, RUN, job=NullJob()).graded == 12 - kept


def judge_at(endpoint: FakeEndpoint, store: Store) -> RubricJudge:
    options = JudgeOptions("judge", endpoint.base_url)
    return RubricJudge(load_library("answer-and-sources"), options, gateway_to(store))


def test_a_judge_over_the_wire_is_asked_once_a_report(sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    put(sqlite_store, [trajectory(n) for n in range(3)])
    endpoint.responder = judge_saying(lambda _: "yes")
    report = grade_run(sqlite_store, judge_at(endpoint, sqlite_store), RUN, job=NullJob())
    assert (report.graded, report.mean_score, report.cost_usd) == (3, 1.0, None)
    again = grade_run(sqlite_store, judge_at(endpoint, sqlite_store), RUN, job=NullJob())
    assert (again.cached, again.cost_usd, endpoint.calls) == (3, 0.0, 3)


def test_a_cancelled_run_lets_what_is_under_way_end(sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    put(sqlite_store, [trajectory(n) for n in range(6)])
    say = judge_saying(lambda _: "yes")
    endpoint.responder = lambda request: Answer(body=say(request).body, hang_s=0.3)
    judge = judge_at(endpoint, sqlite_store)
    todo = [(identifier, 0) for identifier in sqlite_store.trajectories.ids(RUN)]
    run = Collector(sqlite_store, judge, Reports(sqlite_store, judge), todo, NullJob())

    async def cancel_midway() -> None:
        task = asyncio.create_task(run.go(2))
        while not endpoint.calls:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel_midway())
    kept = len(sqlite_store.grades.existing(judge.version))
    assert kept == endpoint.calls < 6


def test_a_lost_grade_is_made_again_from_kept_replies(sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    """As after a kill between the reply and the grade: the reply is there, the grade is not."""
    put(sqlite_store, [trajectory(0)])
    endpoint.responder = judge_saying(lambda _: "yes")
    judge = judge_at(endpoint, sqlite_store)
    run = trajectory(0)
    asyncio.run(judge.grade(GradingCase(run.question, run.report, run)))
    report = grade_run(sqlite_store, judge, RUN, job=NullJob())
    assert (report.graded, endpoint.calls) == (1, 1)
    (grade,) = sqlite_store.grades.for_trajectory(run.id)
    assert grade.usage.cached


def test_infrastructure_failures_never_become_zeros(sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    ids = put(sqlite_store, [trajectory(n) for n in range(4)])
    endpoint.responder = lambda _: failure(500)
    judge = judge_at(endpoint, sqlite_store)
    report = grade_run(sqlite_store, judge, RUN, job=NullJob())
    assert (report.graded, report.failed, report.mean_score) == (0, 4, None)
    assert all(grade.score is None for identifier in ids for grade in sqlite_store.grades.for_trajectory(identifier))


def test_citations_and_checklist_grade_stored_trajectories(store: Store) -> None:
    good, unopened, nothing = trajectory(0), trajectory(1, opened=False), trajectory(2, report="No idea.")
    put(store, [good, unopened, nothing])
    report = grade_run(store, load_grader("citations", store=store), RUN, job=NullJob())
    assert (report.graded, report.abstained, report.cost_usd) == (2, 1, 0.0)
    (cited,) = store.grades.for_trajectory(good.id)
    (seen,) = store.grades.for_trajectory(unopened.id)
    assert (cited.score, seen.score) == (1.0, 0.5)
    store.sheets.put("checklist", {f"q-{n}": SHEET for n in range(3)})
    report = grade_run(store, load_grader("checklist", store=store), RUN, job=NullJob())
    assert report.graded == 3
    columns = store.grades.scores("checklist")
    assert dict(zip(columns["trajectory_id"], columns["score"], strict=True)) == {
        good.id: 1.0,
        unopened.id: 0.5,
        nothing.id: 0.0,
    }


def test_a_deterministic_grader_reads_the_cases_report_not_the_trajectorys() -> None:
    run = trajectory(0)
    attacked = GradingCase(run.question, "Nothing to see.", run)
    grader = DeterministicGrader("checklist", {"q-0": SHEET})
    assert asyncio.run(grader.grade(attacked)).score == 0.0
    assert asyncio.run(grader.grade(GradingCase(run.question, run.report, run))).score == 1.0
    assert asyncio.run(grader.grade(GradingCase(run.question, run.report))).outcome == "abstained"
    assert asyncio.run(grader.grade(GradingCase(run.question, "", run))).outcome == "abstained"


def test_other_sheets_are_another_version() -> None:
    assert DeterministicGrader("checklist", {"q-0": SHEET}).version != DeterministicGrader("checklist", {}).version
