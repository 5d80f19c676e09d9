"""What the rubrics of the library promise: fatal errors, tiers, dimensions, and nothing for an empty report."""

import pytest

from rubrics.judging.aggregate import aggregate
from rubrics.judging.rubric import Rubric, labels_of
from rubrics.library import library_names, load_library
from workbench.schema.grade import CriterionVerdict

PROFESSIONAL = ("finance", "law")


def verdicts(rubric: Rubric, *, merits: float, faults: float, **single: float) -> list[CriterionVerdict]:
    """`merits` on every positive criterion and `faults` on every negative one, but for those named."""
    values = {c.id: single.get(c.id, merits if c.polarity == "positive" else faults) for c in rubric.criteria}
    return [CriterionVerdict(name, "x", value) for name, value in values.items()]


@pytest.mark.parametrize("name", library_names())
def test_the_best_report_has_1_and_the_worst_0(name: str) -> None:
    rubric = load_library(name)
    assert aggregate(rubric, verdicts(rubric, merits=1.0, faults=0.0)).score == pytest.approx(1.0)
    assert aggregate(rubric, verdicts(rubric, merits=0.0, faults=1.0)).score == 0.0


# answer-and-sources is kept bare on purpose: it is for models too small to read anchors.
@pytest.mark.parametrize("name", [name for name in library_names() if name != "answer-and-sources"])
def test_every_label_has_an_anchor(name: str) -> None:
    for criterion in load_library(name).criteria:
        assert set(criterion.anchors) == set(labels_of(criterion)), criterion.id


@pytest.mark.parametrize("name", PROFESSIONAL)
def test_one_fatal_error_makes_an_excellent_professional_report_worth_nothing(name: str) -> None:
    rubric = load_library(name)
    fatal = [criterion.id for criterion in rubric.criteria if criterion.fatal]
    assert len(fatal) >= 4
    for fault in fatal:
        got = aggregate(rubric, verdicts(rubric, merits=1.0, faults=0.0, **{fault: 1.0}))
        assert (got.score, got.fatal) == (0.0, (fault,))
        assert got.raw == pytest.approx(1.0)


@pytest.mark.parametrize("name", PROFESSIONAL)
def test_other_errors_subtract_and_avoiding_them_earns_nothing(name: str) -> None:
    rubric = load_library(name)
    assert aggregate(rubric, verdicts(rubric, merits=0.0, faults=0.0)).score == 0.0
    error = next(c for c in rubric.criteria if c.polarity == "negative" and not c.fatal)
    positive = sum(c.weight for c in rubric.criteria if c.weight > 0)
    got = aggregate(rubric, verdicts(rubric, merits=1.0, faults=0.0, **{error.id: 1.0}))
    assert got.score == pytest.approx(1.0 + error.weight / positive)


def test_each_of_the_four_dimensions_and_of_the_four_qualities_of_research_has_a_mean_of_its_own() -> None:
    wanted = {
        "four-dimensions": {"completeness", "depth", "fitness", "readability"},
        "research-trace": {"breadth", "relevance", "source_quality", "corroboration"},
    }
    for name, groups in wanted.items():
        rubric = load_library(name)
        got = aggregate(rubric, verdicts(rubric, merits=0.5, faults=0.5))
        assert set(got.groups) == groups
        assert got.score == pytest.approx(0.5)
        assert sum(group.weight for group in rubric.groups) == pytest.approx(1.0)


def test_research_is_judged_on_the_trace_and_instructions_on_the_report() -> None:
    assert {criterion.scope for criterion in load_library("research-trace").criteria} == {"trace", "both"}
    assert {criterion.scope for criterion in load_library("multipart-instructions").criteria} == {"report"}
    assert {c.tier for c in load_library("multipart-instructions").criteria} == {
        "essential",
        "important",
        "optional",
        "pitfall",
    }
