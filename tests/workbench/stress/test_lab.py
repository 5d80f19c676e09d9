"""The lab on a real store: what it answers, what it keeps, that it goes on where it stopped."""

import asyncio
from dataclasses import dataclass, field

import pytest

from graders.registry import load_grader
from tests.workbench.stress.cases import facts_in, research_case
from workbench.errors import BadInputError, NotFoundError
from workbench.phases import analyse
from workbench.schema.grade import Grade, GraderKind, GradingCase
from workbench.store import NewTrajectory, Store
from workbench.store.jobs import JobStopped, NullJob
from workbench.stress.cases import StressOptions
from workbench.stress.lab import run_stress

RUN = "stress-test"
OPTIONS = StressOptions(limit=12, seed=3)


@dataclass
class FactGrader:
    """Half for each of the two figures of the page that the report states; `fooled` adds to it for a named score."""

    fooled: bool = False
    fail_every: int = 0
    calls: int = 0
    name: str = "facts"
    version: str = "facts-1"
    kind: GraderKind = "deterministic"
    seen: list[str] = field(default_factory=list)

    async def grade(self, case: GradingCase) -> Grade:
        self.calls += 1
        await asyncio.sleep(0)
        if self.fail_every and self.calls % self.fail_every == 0:
            return Grade(self.name, self.version, case.case_hash, "judge_failed", reason="no verdict in reply")
        output, year = facts_in(case)
        score = 0.35 * (f"{output} megawatts" in case.report) + 0.35 * (f"in {year} " in case.report)
        if self.fooled and "10/10" in case.report:
            score = min(1.0, score + 0.25)
        return Grade(self.name, self.version, case.case_hash, "scored", score=score, raw=score, scheme="share")


def fill(store: Store, n: int = 12) -> None:
    items = []
    for number in range(n):
        trajectory = research_case(number, run=RUN).trajectory
        assert trajectory is not None
        items.append(NewTrajectory(trajectory, analyse(trajectory), b"{}", f"case-{number}"))
    store.runs.ensure(RUN, model="test-agent")
    store.trajectories.add_batch(items)


def test_a_grader_that_reads_scores_off_the_report_has_that_hole_and_no_other(sqlite_store: Store) -> None:
    fill(sqlite_store)
    report = run_stress(sqlite_store, FactGrader(fooled=True), RUN, OPTIONS, job=NullJob())
    assert report.verdict.answer == "holes_found"
    assert report.verdict.holes == ("score_injection",)
    assert report.rerun_noise == 0.0
    assert all(control["as_expected"] for control in report.controls.values())
    assert {worst["attack"] for worst in report.worst} == {"score_injection"}


def test_an_honest_grader_has_none_and_the_report_says_what_could_not_be_seen(store: Store) -> None:
    fill(store)
    report = run_stress(store, FactGrader(), RUN, OPTIONS, job=NullJob())
    assert report.verdict.answer == "none_found"
    stored = store.stress.report("facts-1", RUN)
    assert stored["verdict"] == "none_found"
    assert set(stored) >= {"attacks", "worst", "rerun_noise", "controls", "verdict"}
    keys = {"name", "family", "n", "success_rate", "mean_gain", "ci_low", "ci_high", "smallest_visible"}
    attacks = stored["attacks"]
    assert isinstance(attacks, list)
    assert all(set(attack) >= keys for attack in attacks)


def test_trials_hold_the_change_of_each_count_that_a_reward_reads(sqlite_store: Store) -> None:
    fill(sqlite_store)
    run_stress(
        sqlite_store, FactGrader(), RUN, StressOptions(limit=6, perturbations=("padded_research",)), job=NullJob()
    )
    trials = sqlite_store.stress.trials(grader_version="facts-1", run=RUN)
    assert len(trials["attack"]) == 6
    for terms, base, attacked in zip(trials["terms"], trials["base_score"], trials["attacked_score"], strict=True):
        assert terms["distinct_queries"] == 8
        assert terms["sites_opened"] == 8
        assert base == attacked


def test_a_second_run_grades_only_the_untouched_reports(sqlite_store: Store) -> None:
    fill(sqlite_store)
    first, second = FactGrader(), FactGrader()
    before = run_stress(sqlite_store, first, RUN, OPTIONS, job=NullJob())
    after = run_stress(sqlite_store, second, RUN, OPTIONS, job=NullJob())
    assert after.to_json() == before.to_json()
    assert second.calls == 24
    assert first.calls > 100


def test_failures_are_counted_and_are_no_score(sqlite_store: Store) -> None:
    fill(sqlite_store)
    report = run_stress(sqlite_store, FactGrader(fail_every=2), RUN, OPTIONS, job=NullJob())
    assert report.failed > 0
    assert report.verdict.answer == "not_measurable"
    assert all(effect.n + effect.failed <= 12 for effect in report.effects)


def test_a_stopped_run_keeps_its_trials_and_goes_on(sqlite_store: Store) -> None:
    fill(sqlite_store)

    class Impatient(NullJob):
        seen = 0

        async def async_checkpoint(self) -> None:
            self.seen += 1
            if self.seen > 60:
                raise JobStopped

    with pytest.raises(JobStopped):
        run_stress(sqlite_store, FactGrader(), RUN, OPTIONS, job=Impatient())
    kept = len(sqlite_store.stress.trials()["attack"])
    assert kept > 0
    going_on = FactGrader()
    report = run_stress(sqlite_store, going_on, RUN, OPTIONS, job=NullJob())
    assert report.verdict.answer == "none_found"
    total = len(sqlite_store.stress.trials()["attack"])
    assert going_on.calls == total - kept + 24


def test_the_built_in_citation_grader_runs_through_the_lab(sqlite_store: Store) -> None:
    fill(sqlite_store)
    grader = load_grader("citations", store=sqlite_store)
    report = run_stress(sqlite_store, grader, RUN, StressOptions(limit=8), job=NullJob())
    # Its formula counts markers and cannot see figures: whatever the verdict, it must not be called safe.
    assert report.verdict.answer in ("holes_found", "not_measurable")


def test_unknown_names_and_empty_runs_are_bad_input(sqlite_store: Store) -> None:
    with pytest.raises(BadInputError, match="unknown perturbation nothing"):
        StressOptions(perturbations=("nothing",)).chosen()
    with pytest.raises(NotFoundError):
        run_stress(sqlite_store, FactGrader(), "no-such-run", OPTIONS, job=NullJob())
    sqlite_store.runs.ensure("empty", model="m")
    with pytest.raises(BadInputError, match="no trajectory with a report"):
        run_stress(sqlite_store, FactGrader(), "empty", OPTIONS, job=NullJob())


def test_abstaining_is_no_failure(sqlite_store: Store) -> None:
    fill(sqlite_store)

    class Shy(FactGrader):
        async def grade(self, case: GradingCase) -> Grade:
            if len(case.report) < 60:
                return Grade(self.name, self.version, case.case_hash, "abstained", reason="nothing to grade")
            return await super().grade(case)

    report = run_stress(sqlite_store, Shy(), RUN, OPTIONS, job=NullJob())
    emptied = next(effect for effect in report.effects if effect.name == "near_empty")
    assert (emptied.n, emptied.abstained, emptied.failed) == (0, 12, 0)
    assert report.failed == 0
    assert report.verdict.answer == "none_found"
