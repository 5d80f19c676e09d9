"""The table of ratings: what it says, what it refuses to say, and what it must not depend on."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.shared_data import shared
from tests.workbench.human.votes import llmfao_votes, renamed, results, sides_swapped, vote
from workbench.errors import BadInputError
from workbench.human.ratings import ModelRating, RatingTable, rate
from workbench.human.ratings.table import RATING_METHODS, RatingMethod
from workbench.schema.ballot import Vote
from workbench.schema.canonical import canonical_json

MODELS = ("ant", "bee", "cat", "dog")
VOTES = st.lists(
    st.builds(
        lambda pair, winner, rater, question: vote(pair[0], pair[1], winner, rater=rater, question_id=question),
        st.sampled_from([(a, b) for a in MODELS for b in MODELS if a != b]),
        st.sampled_from(["model_a", "model_b", "tie", "both_bad", "both_good"]),
        st.sampled_from(["r1", "r2", "r3"]),
        st.sampled_from(["q1", "q2", "q3", "q4"]),
    ),
    min_size=1,
    max_size=60,
)


def figures(table: RatingTable, names: dict[str, str] | None = None) -> dict[str, tuple[float | None, ...]]:
    return {
        (names or {}).get(row.name, row.name): (row.rating, row.ci_low, row.ci_high, row.wins, row.losses)
        for row in table.ratings
    }


def assert_same(first: dict[str, tuple[float | None, ...]], second: dict[str, tuple[float | None, ...]]) -> None:
    assert first.keys() == second.keys()
    for name, row in first.items():
        for ours, theirs in zip(row, second[name], strict=True):
            assert (ours is None) == (theirs is None)
            if ours is not None and theirs is not None:
                assert ours == pytest.approx(theirs, abs=1e-5)


@pytest.mark.parametrize("method", ["bradley-terry", "davidson"])
@given(votes=VOTES)
@settings(max_examples=40, deadline=None)
def test_table_depends_neither_on_names_nor_on_order_nor_on_sides(method: RatingMethod, votes: list[Vote]) -> None:
    table = rate(votes, method=method)
    names = dict(zip(MODELS, ("z", "y", "x", "w"), strict=True))
    other = rate(renamed(votes, names), method=method)
    assert_same(figures(table, names), figures(other))
    shuffled = random.Random(1).sample(votes, len(votes))
    assert_same(figures(table), figures(rate(shuffled, method=method)))
    assert_same(figures(table), figures(rate(sides_swapped(votes), method=method)))
    ours, theirs = table.agreement.verdict, other.agreement.verdict
    assert getattr(ours, "value", None) == pytest.approx(getattr(theirs, "value", None))


@given(VOTES)
@settings(max_examples=60, deadline=None)
def test_every_table_is_finite_and_says_why_where_it_has_no_number(votes: list[Vote]) -> None:
    for method in RATING_METHODS:
        table = rate(votes, method=method)
        canonical_json(table.to_json())  # refuses NaN and infinities
        for row in table.ratings:
            assert row.wins + row.ties + row.losses > 0
            if row.rating is None:
                assert table.problems


def width(row: ModelRating) -> float:
    assert row.ci_low is not None and row.ci_high is not None
    return row.ci_high - row.ci_low


def test_ratings_average_to_1000_and_intervals_hold_them() -> None:
    votes = llmfao_votes(shared("llmfao-pairwise-elo-golden/llmfao.csv"))
    table = rate(votes)
    assert np.mean([row.rating for row in table.ratings if row.rating is not None]) == pytest.approx(1000)
    assert table.interval == "sandwich, clustered by rater and question"
    assert (table.n_ballots, table.n_clusters, len(table.ratings)) == (8931, 13, 59)
    for row in table.ratings:
        assert row.rating is not None and row.ci_low is not None and row.ci_high is not None
        assert row.ci_low < row.rating < row.ci_high
    alone = {row.name: row for row in rate(votes, cluster="none").ratings}
    # Votes share raters and questions here: 13 questions carry the 8,931 votes.
    wider = [width(row) / width(alone[row.name]) for row in table.ratings]
    assert min(wider) > 0.99 and np.mean(wider) > 1.5


def test_groups_that_never_met_get_no_numbers() -> None:
    table = rate(results(("a", "b", 3), ("b", "a", 2), ("c", "d", 4), ("d", "c", 1)))
    assert table.groups == (("a", "b"), ("c", "d"))
    assert all(row.rating is None and row.ci_low is None and row.running_elo is None for row in table.ratings)
    assert "no common scale" in table.problems[0]
    assert {row.name: row.win_score for row in table.ratings} == {"a": 0.6, "b": 0.4, "c": 0.8, "d": 0.2}


def test_model_that_won_everything_gets_a_finite_rating_no_interval_and_a_reason() -> None:
    table = rate(results(("a", "b", 30), ("b", "c", 3), ("c", "b", 3)))
    best = table.ratings[0]
    assert best.name == "a" and best.rating is not None and math.isfinite(best.rating)
    assert best.ci_low is None and best.ci_high is None
    assert any("went one way" in problem for problem in table.problems)
    assert table.prior == 1.0


def test_all_ties_leave_davidson_without_numbers_and_bradley_terry_with_equal_ones() -> None:
    votes = [vote("a", "b", "both_good", rater=f"r{i}") for i in range(30)]
    table = rate(votes)
    assert {(row.rating, row.ci_low, row.ci_high) for row in table.ratings} == {(1000.0, None, None)}
    assert any("nothing but ties" in problem for problem in table.problems)
    davidson = rate(votes, method="davidson")
    assert all(row.rating is None for row in davidson.ratings)
    assert any("every vote is a tie" in problem for problem in davidson.problems)


def test_kinds_of_tie_are_kept_apart() -> None:
    table = rate([vote("a", "b", "both_good"), vote("a", "b", "both_bad"), vote("a", "b", "tie"), vote("a", "b")])
    assert table.verdicts == {"both_good": 1, "both_bad": 1, "tie": 1, "model_a": 1}


def test_win_score_is_wins_and_half_the_ties() -> None:
    # REFERENCE.md section 2: 30 wins and 21 losses of 70 have a win score of 0.564.
    votes = [*results(("ours", "theirs", 30), ("theirs", "ours", 21)), *[vote("ours", "theirs", "tie")] * 19]
    found = {row.name: row.win_score for row in rate(votes).ratings}
    assert found["ours"] == pytest.approx(0.564, abs=5e-4)


def test_votes_of_a_model_against_itself_are_said_and_not_counted() -> None:
    table = rate([vote("a", "a"), vote("a", "b"), vote("b", "a")])
    assert [(row.name, row.n) for row in table.ratings] == [("a", 2), ("b", 2)]
    assert "1 votes compare a model with itself" in table.problems[0]


def test_no_votes_give_an_empty_table_with_a_reason() -> None:
    table = rate([])
    assert (table.ratings, table.n_ballots) == ((), 0)
    assert table.problems == ("there is no vote between two models",)


def test_running_elo_has_no_interval_and_says_that_it_depends_on_order() -> None:
    table = rate(results(("a", "b", 3), ("b", "a", 2)), method="elo")
    assert table.depends_on_order
    assert all(row.ci_low is None and row.rating == row.running_elo for row in table.ratings)


def test_bootstrap_over_clusters_agrees_with_the_sandwich() -> None:
    rng = np.random.default_rng(4)
    votes = [
        vote("a", "b", "model_a" if rng.random() < 0.6 else "model_b", rater=f"r{i % 40}", question_id="q")
        for i in range(400)
    ]
    by_sandwich = rate(votes, cluster="rater").ratings[0]
    table = rate(votes, cluster="rater", interval="bootstrap", seed=3)
    by_bootstrap = table.ratings[0]
    assert table.interval == "bootstrap over raters, 1000 resamples"
    assert by_bootstrap.ci_low == pytest.approx(by_sandwich.ci_low, abs=8)
    assert by_bootstrap.ci_high == pytest.approx(by_sandwich.ci_high, abs=8)


def test_copies_of_each_vote_by_one_rater_add_no_certainty() -> None:
    rng = np.random.default_rng(4)
    votes = [vote("a", "b", "model_a" if rng.random() < 0.6 else "model_b", rater=f"r{i}") for i in range(50)]
    once = rate([*votes, *votes[:1]], cluster="rater").ratings[0]  # one repeat, so that raters are a grouping
    copied = rate(votes * 10, cluster="rater").ratings[0]
    assert copied.ci_low == pytest.approx(once.ci_low, abs=5)


def test_few_raters_are_said() -> None:
    votes = [vote("a", "b", "model_a" if i % 3 else "model_b", rater=f"r{i % 2}") for i in range(40)]
    assert any("from only 2 raters" in problem for problem in rate(votes).problems)


@pytest.mark.parametrize("prior", [-1.0, math.nan])
def test_prior_that_is_no_number_is_refused(prior: float) -> None:
    with pytest.raises(BadInputError, match="expected a number >= 0"):
        rate([], prior=prior)
