"""Scores by hand, by property, and against the published example."""

import dataclasses
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrics.judging.aggregate import NoScoreError, aggregate
from rubrics.judging.rubric import LABELS, TIER_WEIGHTS, Aggregation, Criterion, Group, Rubric, ScoreMap, Tier
from tests.rubrics.judging_helpers import FAULT, POSITIVE, RUBRIC
from workbench.schema.grade import CriterionVerdict


def verdict(name: str, label: str | None) -> CriterionVerdict:
    return CriterionVerdict(name, label, None if label is None else LABELS["ternary"][label])


def test_strict_signed_reproduces_the_published_example() -> None:
    """Step-DeepResearch, section 4.3.2: partial, fully, fully with weights 1, -2, 1.5 gives -0.5."""
    rubric = Rubric(
        "published",
        (
            Criterion("logic", "t", weight=1.0),
            Criterion("fabricates", "t", kind="negative", polarity="negative", weight=-2.0),
            Criterion("cites", "t", weight=1.5),
        ),
        aggregation="strict_signed",
    )
    got = aggregate(rubric, [verdict("logic", "partly"), verdict("fabricates", "fully"), verdict("cites", "fully")])
    assert got.raw == pytest.approx(-0.5)
    assert got.score == pytest.approx((-0.5 + 2.0) / 4.5)


@pytest.mark.parametrize(
    ("covers", "invents", "raw"),
    [("fully", "not", 3.0), ("partly", "not", 0.0), ("fully", "partly", 1.0), ("not", "fully", -2.0)],
)
def test_strict_signed_by_hand(covers: str, invents: str, raw: float) -> None:
    rubric = dataclasses.replace(RUBRIC, aggregation="strict_signed")
    got = aggregate(rubric, [verdict("covers", covers), verdict("invents", invents)])
    assert got.raw == raw
    assert got.score == pytest.approx((raw + 2) / 5)


def test_weighted_mean_by_hand() -> None:
    got = aggregate(RUBRIC, [verdict("covers", "partly"), verdict("invents", "partly")])
    assert got.raw == pytest.approx(0.5)
    assert got.score == pytest.approx((3 * 0.5 + 2 * 0.5) / 5)


def test_a_share_of_points_keeps_its_negative_sum_and_is_cut_as_a_score() -> None:
    rubric = dataclasses.replace(RUBRIC, aggregation="points_share", score_map="clip")
    got = aggregate(rubric, [verdict("covers", "not"), verdict("invents", "fully")])
    assert got.raw == pytest.approx(-2 / 3)
    assert got.score == 0.0
    assert aggregate(rubric, [verdict("covers", "partly"), verdict("invents", "partly")]).raw == pytest.approx(1 / 6)


def test_a_fatal_fault_sets_the_score_to_zero_and_keeps_the_raw_sum() -> None:
    rubric = dataclasses.replace(RUBRIC, criteria=(POSITIVE, dataclasses.replace(FAULT, fatal=True)))
    got = aggregate(rubric, [verdict("covers", "fully"), verdict("invents", "partly")])
    assert (got.raw, got.score, got.fatal) == (2.0, 0.0, ("invents",))
    assert aggregate(rubric, [verdict("covers", "fully"), verdict("invents", "not")]).score == 1.0


def test_missing_verdicts_fail_by_default() -> None:
    with pytest.raises(NoScoreError, match="1 of 2 verdicts are missing"):
        aggregate(RUBRIC, [verdict("covers", "fully"), verdict("invents", None)])
    with pytest.raises(NoScoreError):
        aggregate(RUBRIC, [verdict("covers", "fully")])


def test_a_fault_whose_verdict_is_lost_counts_as_there_and_a_merit_as_one_half() -> None:
    rubric = dataclasses.replace(RUBRIC, missing="skip_with_bounds")
    got = aggregate(rubric, [verdict("covers", "fully"), verdict("invents", None)])
    assert (got.low, got.score, got.high) == pytest.approx((0.6, 0.6, 1.0))
    assert got.missing == ("invents",)
    merit = aggregate(rubric, [verdict("covers", None), verdict("invents", "not")])
    assert (merit.low, merit.score, merit.high) == pytest.approx((0.4, 0.7, 1.0))


def test_a_fatal_criterion_is_never_skipped_and_nothing_left_is_no_score() -> None:
    fatal = dataclasses.replace(FAULT, fatal=True)
    rubric = dataclasses.replace(RUBRIC, criteria=(POSITIVE, fatal), missing="skip_with_bounds")
    with pytest.raises(NoScoreError, match="fatal"):
        aggregate(rubric, [verdict("covers", "fully")])
    with pytest.raises(NoScoreError, match="nothing is left"):
        aggregate(dataclasses.replace(RUBRIC, missing="skip_with_bounds"), [])


def test_left_out_criteria_are_named_in_the_scheme() -> None:
    got = aggregate(RUBRIC, [verdict("covers", "fully")], left_out=["invents"])
    assert got.score == 1.0
    assert got.scheme.endswith("1_of_2_criteria")


ternary = st.sampled_from(sorted(LABELS["ternary"]))


@st.composite
def graded_rubrics(draw: st.DrawFn) -> tuple[Rubric, list[CriterionVerdict]]:
    n = draw(st.integers(1, 6))
    aggregation: Aggregation = draw(st.sampled_from(get_args(Aggregation)))
    groups = (Group("a", 0.3), Group("b", 2.0, parent="a")) if aggregation == "tree" else ()
    # Something positive, and in every group, or the rubric would be refused before it is used.
    criteria = [Criterion("first", "t", tier="essential", parent="b" if groups else "")]
    verdicts = [verdict("first", draw(st.none() | ternary))]
    for index in range(n):
        negative = draw(st.booleans())
        size = draw(st.floats(0.1, 10))
        parent = draw(st.sampled_from(["", "a", "b"])) if groups else ""
        tier: Tier = "pitfall" if negative else "optional"
        if aggregation == "tiers":
            size = TIER_WEIGHTS[tier]
        criteria.append(
            Criterion(f"c{index}", "t", "negative", "negative", -size, parent=parent, tier=tier)
            if negative
            else Criterion(f"c{index}", "t", weight=size, parent=parent, tier=tier)
        )
        verdicts.append(verdict(f"c{index}", draw(st.none() | ternary)))
    score_map: ScoreMap = draw(st.sampled_from(["affine", "clip"]))
    return Rubric("drawn", tuple(criteria), "", aggregation, score_map, "skip_with_bounds", groups=groups), verdicts


@given(graded_rubrics(), st.data())
def test_bounds_enclose_the_score_of_every_completion(
    case: tuple[Rubric, list[CriterionVerdict]], data: st.DataObject
) -> None:
    rubric, verdicts = case
    if all(v.value is None for v in verdicts):
        with pytest.raises(NoScoreError):
            aggregate(rubric, verdicts)
        return
    got = aggregate(rubric, verdicts)
    completed = [v if v.value is not None else verdict(v.criterion_id, data.draw(ternary)) for v in verdicts]
    full = aggregate(rubric, completed)
    assert got.low - 1e-9 <= full.score <= got.high + 1e-9
    assert 0.0 <= got.low <= got.score <= got.high <= 1.0
    assert full.low == full.score == full.high


@given(graded_rubrics())
def test_a_better_verdict_never_lowers_the_score(case: tuple[Rubric, list[CriterionVerdict]]) -> None:
    rubric, verdicts = case
    full = [v if v.value is not None else verdict(v.criterion_id, "partly") for v in verdicts]
    base = aggregate(rubric, full).score
    for index, criterion in enumerate(rubric.criteria):
        better = "fully" if criterion.polarity == "positive" else "not"
        assert (
            aggregate(rubric, [*full[:index], verdict(criterion.id, better), *full[index + 1 :]]).score >= base - 1e-12
        )


@given(graded_rubrics())
def test_losing_the_verdict_on_a_fault_never_raises_the_score(case: tuple[Rubric, list[CriterionVerdict]]) -> None:
    rubric, verdicts = case
    if all(v.value is None for v in verdicts):
        return
    base = aggregate(rubric, verdicts)
    for index, criterion in enumerate(rubric.criteria):
        lost = [*verdicts[:index], verdict(criterion.id, None), *verdicts[index + 1 :]]
        if criterion.polarity == "negative" and any(v.value is not None for v in lost):
            assert aggregate(rubric, lost).score <= base.score + 1e-12
