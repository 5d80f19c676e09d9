"""The deterministic graders as the reward calls them."""

import pytest

from tests.workbench.reward.examples import facts
from workbench.reward.core.quality import DETERMINISTIC, checklist, citation_support, citations, quality_in_training
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


def test_support_of_citations_by_words_counts_what_the_page_says_and_what_is_uncited() -> None:
    whole = citation_support(run_of(f"The pier was built in 1841 of granite [1].\n\n## References\n[1] {PAGE}\n"))
    assert whole.score == 1.0
    assert whole.detail["pairs"] == {"supported": 1}
    wrong = citation_support(run_of(f"It cost 12 million pounds in 1907 [1].\n\n## References\n[1] {PAGE}\n"))
    assert wrong.score == 0.0
    half = citation_support(
        run_of(
            "The pier was built in 1841 of granite [1]. It cost 12 million pounds in all.\n\n"
            f"It was lengthened by 40 m in 1907.\n\n## References\n[1] {PAGE}\n"
        )
    )
    assert half.score is not None
    assert 0.0 < half.score < 1.0


def test_support_of_citations_has_no_score_without_report_trace_or_anything_to_cite() -> None:
    for run in (run_of(""), run_of(CITED, traced=False), run_of("It is old.")):
        quality = citation_support(run)
        assert quality.score is None
        assert quality.reason


def test_every_deterministic_quality_says_its_scheme_and_keeps_its_range() -> None:
    for quality in DETERMINISTIC.values():
        found = quality(run_of(CITED), SHEET, None)
        assert found.scheme
        assert found.score is not None
        assert 0.0 <= found.score <= 1.0
