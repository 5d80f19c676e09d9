"""The diagnosis over a store: paired, resumed, typed failures, a swap table that adds up."""

from typing import Any

import pytest

from tests.workbench.diagnosis.doubles import SkillWriter, WorthGrader
from workbench.diagnosis.lab import DiagnosisOptions, diagnose, diagnosis_id
from workbench.diagnosis.plan import plan_diagnosis
from workbench.diagnosis.report import DiagnosisReport
from workbench.errors import BadInputError
from workbench.phases import analyse
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory
from workbench.stats.estimate import Estimate, NotMeasured
from workbench.store import NewTrajectory, Store
from workbench.store.jobs import JobStopped, NullJob


def rollout(n: int, run: str, *, research: float, writing: float, report: str | None = None) -> Trajectory:
    """Evidence worth `research` and a report worth `writing`, each a little different by question."""
    url = f"https://pages.example/{n}"
    shift = 0.01 * (n % 3)
    text = f"worth {writing + shift:.3f}" if report is None else report
    steps = (
        Step("user", text=f"Question {n}?"),
        Step("assistant", tool_calls=(ToolCall("c1", "visit", "visit", {"url": url}),)),
        Step("tool", tool_results=(ToolResult("c1", f"Page {n} is worth {research + shift:.3f}."),)),
        Step("assistant", text=text),
    )
    return Trajectory(f"Question {n}?", f"q-{n}", run, run, steps, text, outcome="completed")


def put(store: Store, run: str, n: int = 8, *, research: float, writing: float, **more: str) -> None:
    made = [rollout(k, run, research=research, writing=writing, **more) for k in range(n)]
    store.runs.ensure(run, model=run)
    store.trajectories.add_batch([NewTrajectory(t, analyse(t), b"{}", "test") for t in made])


def ask(store: Store, skill: float = 0.0, **options: Any) -> DiagnosisReport:
    return diagnose(store, WorthGrader(), SkillWriter(skill), "a", DiagnosisOptions(**options), job=NullJob())


def test_the_same_evidence_written_better_is_a_gap_of_writing(store: Store) -> None:
    put(store, "a", research=0.7, writing=0.4)
    put(store, "b", research=0.7, writing=0.7)
    report = ask(store, reference="b")

    assert report.verdict == "writing_limited"
    assert isinstance(report.gap, Estimate)
    assert report.gap.value == pytest.approx(0.3)
    assert report.parts["research"].gap.value == pytest.approx(0.0)  # type: ignore[union-attr]
    assert (report.n, report.n_questions, report.failed) == (8, 8, 0)
    assert report.packing.kept == 8


def test_better_evidence_written_by_the_same_hand_is_a_gap_of_research(store: Store) -> None:
    put(store, "a", research=0.4, writing=0.4)
    put(store, "b", research=0.8, writing=0.8)

    assert ask(store, reference="b").verdict == "research_limited"
    assert ask(store, reference_score=0.9).verdict == "research_limited"
    assert ask(store, 0.1, reference="b").verdict == "both"


def test_without_a_reference_it_says_that_research_was_not_measured(store: Store) -> None:
    put(store, "a", research=0.7, writing=0.4)
    report = ask(store)

    assert report.verdict == "writing_limited"
    assert "--reference" in report.reason
    assert isinstance(report.parts["research"].gap, NotMeasured)


def test_own_grades_are_kept_apart_from_those_of_rewritten_reports(store: Store) -> None:
    put(store, "a", research=0.7, writing=0.4)
    ask(store)

    assert store.grades.scores("worth")["score"] == pytest.approx([0.4, 0.41, 0.42, 0.4, 0.41, 0.42, 0.4, 0.41])
    assert set(store.rewrites.columns("worth-1")["score"]) == {0.7, 0.71, 0.72}


def test_a_second_diagnosis_asks_nobody_again(store: Store) -> None:
    put(store, "a", research=0.7, writing=0.4)
    grader, writer = WorthGrader(), SkillWriter(0.0)
    options = DiagnosisOptions(repeats=2)
    first = diagnose(store, grader, writer, "a", options, job=NullJob())
    calls = len(grader.calls), len(writer.calls)
    again = diagnose(store, grader, writer, "a", options, job=NullJob())

    assert calls == (32, 8)
    assert (len(grader.calls), len(writer.calls)) == calls
    assert again.gap == first.gap
    assert first.cost_usd == pytest.approx(8 * 0.1 + 32 * 0.01)
    assert again.cost_usd == 0.0


class StopAfter(NullJob):
    def __init__(self, checkpoints: int) -> None:
        super().__init__()
        self._left = checkpoints

    async def async_checkpoint(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise JobStopped


def test_a_stopped_diagnosis_goes_on_where_it_was(store: Store) -> None:
    put(store, "a", research=0.7, writing=0.4)
    grader, writer = WorthGrader(), SkillWriter(0.0)
    with pytest.raises(JobStopped):
        diagnose(store, grader, writer, "a", DiagnosisOptions(), job=StopAfter(11))
    assert store.diagnoses.list() == ()
    diagnose(store, grader, writer, "a", DiagnosisOptions(), job=NullJob())

    assert len(writer.calls) == 8
    assert len(grader.calls) == 16


def test_failures_are_typed_and_counted_and_never_zero(store: Store) -> None:
    put(store, "a", 6, research=0.7, writing=0.4)
    put(store, "a", 7, research=0.7, writing=0.4, report="hard to say")
    writer = SkillWriter(0.0, stop_on="Page 2 ")
    report = diagnose(store, WorthGrader(), writer, "a", DiagnosisOptions(), job=NullJob())

    lost = {(failure.stage, failure.outcome): failure.n for failure in report.failures}
    assert lost == {("own grade", "judge_failed"): 7, ("rewrite", "writer_failed"): 2}
    assert report.n == 5
    assert report.gap.value == pytest.approx(0.3)  # type: ignore[union-attr]
    assert "broken" in next(f.first_reason for f in report.failures if f.stage == "rewrite")


def test_a_limit_is_spread_over_questions(store: Store) -> None:
    put(store, "a", 4, research=0.7, writing=0.4)
    put(store, "a", 4, research=0.7, writing=0.5)

    assert ask(store, limit=4).n_questions == 4


def test_the_answer_is_saved_under_what_was_asked(store: Store) -> None:
    put(store, "a", research=0.7, writing=0.4)
    report = ask(store)
    identifier = diagnosis_id(WorthGrader(), SkillWriter(0.0), "a", DiagnosisOptions())

    assert DiagnosisReport.from_json(store.diagnoses.get(identifier).report) == report


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"reference": "a"}, "itself"),
        ({"reference": "b", "reference_score": 0.5}, "two references"),
        ({"reference": "other"}, "no question"),
    ],
)
def test_what_cannot_be_compared_is_refused(store: Store, options: dict[str, Any], word: str) -> None:
    put(store, "a", research=0.7, writing=0.4)
    put(store, "b", research=0.7, writing=0.4)
    far = rollout(99, "other", research=0.5, writing=0.5)
    store.runs.ensure("other", model="m")
    store.trajectories.add_batch([NewTrajectory(far, analyse(far), b"{}", "test")])
    with pytest.raises(BadInputError, match=word):
        ask(store, **options)


def test_a_swap_table_has_every_cell_and_its_shares_sum_to_the_gap(store: Store) -> None:
    put(store, "a", research=0.4, writing=0.3)
    put(store, "b", research=0.6, writing=0.7)
    swap = (("a", SkillWriter(0.0, "wa")), ("b", SkillWriter(0.1, "wb")))
    report = ask(store, swap=swap)
    table = report.swap

    assert table is not None
    means = {(cell.research, cell.writer): cell.mean.value for cell in table.cells}  # type: ignore[union-attr]
    # Three shifts of 0, 0.01 and 0.02 over eight questions average 7/800.
    for key, value in {("a", "wa"): 0.4, ("a", "wb"): 0.5, ("b", "wa"): 0.6, ("b", "wb"): 0.7}.items():
        assert means[key] == pytest.approx(value + 7 / 800)
    split = table.splits[0]
    assert split.gap.value == pytest.approx(0.3)  # type: ignore[union-attr]
    assert split.phi_research.value == pytest.approx(0.2)  # type: ignore[union-attr]
    assert split.phi_writing.value == pytest.approx(0.1)  # type: ignore[union-attr]
    assert split.interaction.value == pytest.approx(0.0)  # type: ignore[union-attr]
    assert table.harness[0].loss.value == pytest.approx(-0.1)  # type: ignore[union-attr]
    assert report.harness_loss == table.harness[0].loss


def test_judge_noise_is_measured_from_repeats(store: Store) -> None:
    put(store, "a", research=0.4, writing=0.3)
    put(store, "b", research=0.6, writing=0.7)
    swap = (("a", SkillWriter(0.0, "wa")), ("b", SkillWriter(0.1, "wb")))
    options = DiagnosisOptions(swap=swap, repeats=2)
    report = diagnose(store, WorthGrader(noise=0.1), SkillWriter(0.0), "a", options, job=NullJob())

    # Two draws 0.1 apart have a standard deviation of 0.1 / sqrt 2; their mean has half the variance of one.
    assert report.rerun_noise == pytest.approx(0.1 / 2**0.5)
    assert report.swap is not None
    assert report.swap.splits[0].noise_sd == pytest.approx((2 * 0.005 / 2 / 8) ** 0.5)


def test_a_plan_counts_what_is_still_to_be_made_and_makes_nothing(store: Store) -> None:
    put(store, "a", research=0.7, writing=0.4)
    put(store, "b", 4, research=0.7, writing=0.7)
    grader, writer, options = WorthGrader(), SkillWriter(0.0), DiagnosisOptions(reference="b", repeats=2)
    plan = plan_diagnosis(store, grader, writer, "a", options)

    assert (plan.pairs, plan.writes, plan.grades, plan.found) == (8, 12, 2 * (8 + 8 + 4), 0)
    assert grader.calls == writer.calls == []
    diagnose(store, grader, writer, "a", options, job=NullJob())
    after = plan_diagnosis(store, grader, writer, "a", options)
    assert (after.writes, after.grades, after.found) == (0, 0, 12)
    assert len(grader.calls) == plan.grades
