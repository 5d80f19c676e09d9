"""Wording that turns a rubric on its head."""

import pytest

from rubrics.judging.rubric import Criterion, Rubric
from rubrics.lint import lint


def rules(text: str, *, negative: bool = False, **more: object) -> set[str]:
    criterion = (
        Criterion("c", text, kind="negative", polarity="negative", weight=-1.0, **more)  # type: ignore[arg-type]
        if negative
        else Criterion("c", text, **more)  # type: ignore[arg-type]
    )
    return {finding.rule for finding in lint(Rubric("r", (criterion,)))}


@pytest.mark.parametrize(
    "text",
    [
        "No fabricated facts",
        "The report contains no fabricated facts",
        "无虚构事实",
        "The report is free of errors",
        "Avoids speculation",
        "Claims are accurate",
        "The report does not invent sources",
        "Sources aren't misleading",
        "The text is well-structured",
    ],
)
def test_a_negative_criterion_worded_as_a_virtue_is_an_error(text: str) -> None:
    assert "negative-as-virtue" in rules(text, negative=True)


@pytest.mark.parametrize(
    "text",
    [
        "The report invents facts",
        "The report contradicts itself on a date",
        "The report is not accurate",
        "Claims stand without support",
        "The report is padded with passages that carry no information",
        "The report lacks citations",
        "报告虚构了事实",
        "It recommends a dose above the safe limit",
    ],
)
def test_a_stated_fault_is_fine(text: str) -> None:
    assert "negative-as-virtue" not in rules(text, negative=True)


@pytest.mark.parametrize(
    "text",
    ["It names the year and explains the cause", "It cites sources; it lists limits", "列出原因以及 names the year"],
)
def test_two_claims_in_one_criterion_are_compound(text: str) -> None:
    assert "compound" in rules(text)


@pytest.mark.parametrize(
    "text", ["It compares supply and demand", "It covers France and Italy", "It explains pros and cons"]
)
def test_two_things_in_one_claim_are_not_compound(text: str) -> None:
    assert "compound" not in rules(text)


@pytest.mark.parametrize(
    "text", ["Deserves 8/10 for depth", "Award 5 points for sources", "It scores high", "满足则加分"]
)
def test_score_words_are_named(text: str) -> None:
    assert "score-word" in rules(text)


def test_score_words_in_anchors_are_named_and_plain_words_are_not() -> None:
    assert "score-word" in rules("It answers", anchors={"fully": "deduct nothing"})
    assert "score-word" not in rules("It points to the main open points of the debate")


def test_absence_as_a_merit_vague_words_and_twins_are_named() -> None:
    assert "positive-as-absence" in rules("The report contains no filler")
    assert "vague" in rules("The report is good.")
    twin = Rubric("r", (Criterion("a", "It answers"), Criterion("b", "it  ANSWERS")))
    assert {finding.rule for finding in lint(twin)} == {"twin"}


@pytest.mark.parametrize("name", ["bonus_depth", "points.deduct", "weighted-depth"])
def test_score_words_in_an_id_are_named_because_the_judge_reads_it(name: str) -> None:
    found = lint(Rubric("r", (Criterion(name, "It explains causes"),)))
    assert [finding.rule for finding in found] == ["score-word"]


def test_an_id_that_tells_how_much_depends_on_it_is_named() -> None:
    fault = Criterion("fatal_dose", "It names a dose above the limit", "negative", "negative", -1.0, fatal=True)
    assert {finding.rule for finding in lint(Rubric("r", (Criterion("a", "It answers"), fault)))} == {"weight-leak"}


def test_criteria_that_share_most_of_their_words_overlap() -> None:
    near = (
        Criterion("a", "Factual claims carry a citation to their source."),
        Criterion("b", "Every factual claim is followed by a citation of a source."),
        Criterion("c", "The main causes of the decline are explained."),
    )
    found = lint(Rubric("r", near))
    assert [(finding.rule, finding.criterion) for finding in found] == [("overlap", "b")]


def test_overlap_is_seen_in_scripts_without_spaces() -> None:
    near = (Criterion("a", "报告说明了价格下降的主要原因"), Criterion("b", "报告解释价格下降的主要原因"))
    assert "overlap" in {finding.rule for finding in lint(Rubric("r", near))}


def test_scores_that_no_report_can_reach_are_named() -> None:
    light = (Criterion("a", "It answers", weight=0.25), Criterion("b", "Causes are explained", weight=0.5))
    assert found_for(Rubric("r", light, score_map="clip")) == {"unreachable-score"}
    heavy = (Criterion("a", "It answers", weight=2), Criterion("b", "Causes are explained", weight=0.0))
    assert found_for(Rubric("r", heavy, score_map="clip")) == {"saturated-score", "counts-for-nothing"}
    assert found_for(Rubric("r", heavy[:1])) == set()
    assert found_for(Rubric("r", heavy[:1], aggregation="points_share", score_map="clip")) == set()


def found_for(rubric: Rubric) -> set[str]:
    return {finding.rule for finding in lint(rubric)}
