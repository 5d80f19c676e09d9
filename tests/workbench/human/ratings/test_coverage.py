"""Do 95% intervals hold the truth 95% of the time? By simulation; the long run is kept in docs/evidence."""

import pytest

from tests import ratings_coverage_study
from tests.workbench.human.ratings.covering import coverage
from tests.workbench.human.ratings.simulation import DESIGNS, Design


def design(name: str) -> Design:
    (found,) = [one for one in DESIGNS if one.name == name]
    return found


def test_intervals_hold_the_truth_where_the_naive_one_does_not() -> None:
    found = coverage(design("clustered by question"), rounds=150, seed=1, bootstrap=False)
    assert found.share("naive") < 0.92
    assert min(found.share(method) for method in ("bradley-terry", "davidson", "win score")) > 0.91


def test_intervals_are_not_too_wide_where_votes_are_independent() -> None:
    found = coverage(design("balanced, votes independent"), rounds=150, seed=1, bootstrap=False)
    assert 0.91 < found.share("bradley-terry") < 0.985
    assert 0.91 < found.share("win score") < 0.985


def test_bootstrap_over_clusters_holds_the_truth_where_votes_cluster_by_them() -> None:
    found = coverage(design("clustered by rater"), rounds=60, seed=2)
    assert found.share("bootstrap by rater") > 0.88 > found.share("sandwich, votes alone") - 0.04


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("two raters who differ", "from only 2 raters"),
        ("four raters who differ", "from only 4 raters"),
        ("three questions", "from only 3 questions"),
        ("two models, few votes", "only 30 votes"),
    ],
)
def test_rounds_of_a_kind_whose_intervals_may_miss_are_told_so(name: str, word: str) -> None:
    assert any(word in problem for problem in ratings_coverage_study.warnings_on(design(name)))


def test_round_of_a_kind_whose_intervals_hold_is_not_warned_of() -> None:
    assert ratings_coverage_study.warnings_on(design("clustered by both")) == ()


@pytest.mark.slow
def test_coverage_of_every_design_is_recorded() -> None:
    ratings_coverage_study.main([])
