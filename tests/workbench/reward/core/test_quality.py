"""The deterministic graders as the reward calls them."""

import pytest

from tests.workbench.reward.examples import facts
from workbench.reward.core.quality import checklist, citations, quality_in_training
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory

SHEET = {"facts": [{"id": "f1", "any_of": ["1841"]}, {"id": "f2", "any_of": ["granite"]}]}
PAGE = "https://harbour.test/history"
CITED = f"The pier was built in 1841 [1]. It is made of granite.\n\n## References\n[1] {PAGE}\n"


def run_of(report: str, *, opens: bool = True, traced: bool = True) -> Trajectory:
    call = ToolCall("c1", "visit", "visit", {"url": PAGE})
    research = (
        Step("assistant", tool_calls=(call,)),
        Step("tool", tool_results=(ToolResult("c1", "Built in 1841 of granite.", is_error=not opens),)),
        Step("assistant", text=report),
    )
    return Trajectory("When was it built?", "q-1", "r", "m", research if traced else (), report)


def test_fact_with_an_opened_page_counts_whole_and_without_half() -> None:
    quality = checklist(run_of(CITED), SHEET)
    assert quality.score == pytest.approx((1.0 + 0.5) / 2)
    assert {v.criterion_id: v.label for v in quality.verdicts} == {"f1": "cited", "f2": "stated"}


def test_page_that_failed_to_open_lends_no_credit() -> None:
    assert checklist(run_of(CITED, opens=False), SHEET).score == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("trajectory", "sheet", "reason"),
    [(run_of(CITED), None, "no question sheet for q-1"), (run_of(CITED, traced=False), SHEET, "no trace")],
)
def test_nothing_to_check_is_no_score_and_says_why(
    trajectory: Trajectory, sheet: dict[str, object] | None, reason: str
) -> None:
    quality = checklist(trajectory, sheet)  # type: ignore[arg-type]
    assert quality.score is None
    assert reason in quality.reason


def test_grader_abstains_where_there_is_no_report() -> None:
    assert checklist(run_of(""), SHEET).score is None
    assert citations(run_of("")).score is None


def test_rollout_that_ended_without_a_report_is_the_worst_answer_in_training() -> None:
    assert quality_in_training(None, facts(report_chars=0)) == 0.0
    assert quality_in_training(None, facts(report_chars=9)) is None
    assert quality_in_training(0.7, facts(report_chars=9)) == 0.7


def test_citations_score_by_what_became_of_their_source() -> None:
    assert citations(run_of(CITED)).score == 1.0
    assert citations(run_of(CITED, opens=False)).score == 0.0


def test_report_without_citation_is_not_scored() -> None:
    quality = citations(run_of("It was built in 1841."))
    assert (quality.score, quality.reason) == (None, "the report holds no citation")
