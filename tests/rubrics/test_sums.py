"""Each published rule by hand, and what a missing verdict may never do."""

import pytest

from rubrics.judging.aggregate import NoScoreError, aggregate
from rubrics.judging.rubric import Criterion, Group, Rubric
from rubrics.judging.sums import clipped_mean
from workbench.schema.grade import CriterionVerdict

RACE = Rubric(
    "race",
    (
        Criterion("a", "t", weight=0.25, scale="score10", parent="insight"),
        Criterion("b", "t", weight=0.75, scale="score10", parent="insight"),
        Criterion("c", "t", weight=1.0, scale="score10", parent="readability"),
    ),
    aggregation="tree",
    groups=(Group("insight", 0.6), Group("readability", 0.4)),
)


def given(**values: float | None) -> list[CriterionVerdict]:
    return [CriterionVerdict(name, None if value is None else "x", value) for name, value in values.items()]


def test_race_without_reference_weighs_criteria_within_dimensions() -> None:
    got = aggregate(RACE, given(a=0.8, b=0.4, c=0.9))
    assert got.groups == pytest.approx({"insight": 0.5, "readability": 0.9})
    assert got.raw == got.score == pytest.approx(0.6 * 0.5 + 0.4 * 0.9)


def beside(missing: str = "fail") -> Rubric:
    return Rubric(
        RACE.name,
        RACE.criteria,
        aggregation="tree",
        score_map="reference_share",
        missing="fail" if missing == "fail" else "skip_with_bounds",
        groups=RACE.groups,
    )


def test_race_with_reference_is_the_share_of_both() -> None:
    got = aggregate(beside(), given(a=0.8, b=0.4, c=0.9), reference=given(a=1.0, b=1.0, c=0.7))
    assert got.reference_raw == pytest.approx(0.88)
    assert got.score == pytest.approx(0.66 / (0.66 + 0.88))
    with pytest.raises(NoScoreError, match="reference"):
        aggregate(beside(), given(a=0.8, b=0.4, c=0.9))
    with pytest.raises(NoScoreError, match="neither"):
        aggregate(beside(), given(a=0.0, b=0.0, c=0.0), reference=given(a=0.0, b=0.0, c=0.0))


def test_a_verdict_missing_on_the_reference_fails_or_widens_the_bounds() -> None:
    own, other = given(a=0.8, b=0.4, c=0.9), given(a=1.0, b=None, c=0.7)
    with pytest.raises(NoScoreError, match="missing"):
        aggregate(beside(), own, reference=other)
    got = aggregate(beside("skip"), own, reference=other)
    assert got.missing == ("reference:b",)
    assert got.low == pytest.approx(0.66 / (0.66 + 0.88))
    assert got.high == pytest.approx(0.66 / (0.66 + 0.43))
    assert got.low < got.score < got.high


def test_research_rubrics_by_hand_on_both_scales() -> None:
    ternary = Rubric(
        "rr",
        (Criterion("a", "t", weight=4), Criterion("b", "t", weight=2), Criterion("n", "t", "negative", "negative", -5)),
        aggregation="points_share",
        score_map="clip",
    )
    assert aggregate(ternary, given(a=0.5, b=1.0, n=0.0)).score == pytest.approx(4 / 6)
    got = aggregate(ternary, given(a=0.5, b=0.0, n=0.5))
    assert got.raw == pytest.approx(-0.5 / 6)
    assert got.score == 0.0
    assert aggregate(ternary, given(a=1.0, b=0.0, n=1.0)).raw == pytest.approx(-1 / 6)


def test_healthbench_cuts_the_mean_and_no_example() -> None:
    assert clipped_mean([-0.5, 1.0]) == pytest.approx(0.25)
    assert clipped_mean([-0.5, 0.1]) == 0.0
    with pytest.raises(ValueError, match="undefined"):
        clipped_mean([])


def test_an_example_without_positive_points_has_no_score() -> None:
    only_faults = (Criterion("n", "t", "negative", "negative", -5),)
    with pytest.raises(NoScoreError, match="positive points"):
        aggregate(Rubric("hb", only_faults, aggregation="points_share", score_map="clip"), given(n=0.0))


def test_an_avoided_pitfall_earns_its_tier() -> None:
    rubric = Rubric(
        "rar",
        (
            Criterion("e", "t", weight=1.0, tier="essential"),
            Criterion("o", "t", weight=0.3, tier="optional"),
            Criterion("p", "t", "negative", "negative", -0.9, tier="pitfall"),
        ),
        aggregation="tiers",
    )
    assert aggregate(rubric, given(e=1.0, o=0.0, p=0.0)).score == pytest.approx(1.9 / 2.2)
    assert aggregate(rubric, given(e=1.0, o=0.0, p=1.0)).score == pytest.approx(1.0 / 2.2)


def test_a_tree_leaves_out_what_does_not_count_and_names_no_half_known_group() -> None:
    got = aggregate(RACE, given(a=0.8, c=0.9), left_out=["b"])
    assert got.score == pytest.approx(0.6 * 0.8 + 0.4 * 0.9)
    assert got.groups == pytest.approx({"readability": 0.9})


def test_a_tree_may_be_deeper_than_the_stack() -> None:
    groups = tuple(Group(f"g{n}", 1.0, parent=f"g{n - 1}" if n else "") for n in range(5000))
    deep = Rubric("deep", (Criterion("leaf", "t", parent="g4999"),), aggregation="tree", groups=groups)
    assert aggregate(deep, given(leaf=0.5)).score == 0.5


@pytest.mark.parametrize("rule", ["weighted_mean", "strict_signed", "points_share", "tree"])
def test_losing_the_verdict_on_a_committed_fault_shows_in_the_bounds(rule: str) -> None:
    """A failed call on a fault must not pass for its absence: the score holds the penalty, the upper bound does not."""
    rubric = Rubric(
        "r",
        (Criterion("a", "t", weight=2), Criterion("n", "t", "negative", "negative", -1)),
        aggregation=rule,  # type: ignore[arg-type]
        score_map="clip" if rule == "points_share" else "affine",
        missing="skip_with_bounds",
    )
    charged = aggregate(rubric, given(a=1.0, n=1.0)).score
    forgiven = aggregate(rubric, given(a=1.0, n=0.0)).score
    lost = aggregate(rubric, given(a=1.0, n=None))
    assert (lost.low, lost.high) == pytest.approx((charged, forgiven))
    assert lost.score == pytest.approx(charged)


def test_a_fault_lost_on_the_reference_does_not_lower_the_reference() -> None:
    rubric = Rubric(
        "r",
        (Criterion("a", "t", weight=1), Criterion("n", "t", "negative", "negative", -1)),
        aggregation="tree",
        score_map="reference_share",
        missing="skip_with_bounds",
    )
    own = given(a=1.0, n=0.0)
    clean = aggregate(rubric, own, reference=given(a=1.0, n=0.0)).score
    assert aggregate(rubric, own, reference=given(a=1.0, n=None)).score == pytest.approx(clean) == 0.5
