"""Wins, ties and losses against a baseline."""

import pytest

from tests.workbench.human.votes import results, sides_swapped, vote
from workbench.errors import BadInputError
from workbench.human.ratings.baseline import against_baseline
from workbench.human.ratings.by_dimension import dimensions_in, votes_on


def test_published_win_score_of_thirty_wins_and_twenty_one_losses_of_seventy() -> None:
    # REFERENCE.md section 2: a win score of 0.564.
    votes = [*results(("ours", "base", 30), ("base", "ours", 21)), *[vote("ours", "base", "both_good")] * 19]
    (found,) = against_baseline(votes, "base")
    assert (found.name, found.wins, found.losses, found.ties, found.n) == ("ours", 30, 21, {"both_good": 19}, 70)
    assert found.win_score.value == pytest.approx(0.564, abs=5e-4)
    assert found.win_score.low is not None and found.win_score.high is not None
    assert found.win_score.low < 0.5 < found.win_score.high


def test_pairs_without_the_baseline_play_no_part_and_kinds_of_tie_stay_apart() -> None:
    votes = [
        *results(("a", "base", 4), ("base", "a", 2), ("b", "base", 1), ("base", "b", 5)),
        vote("a", "base", "both_bad"), vote("base", "a", "both_good"), *results(("a", "b", 50)),
    ]  # fmt: skip
    best, worst = against_baseline(votes, "base")
    assert (best.name, best.ties, best.n) == ("a", {"both_good": 1, "both_bad": 1}, 8)
    assert best.win_score.value == pytest.approx(5 / 8)
    assert worst.name == "b" and worst.win_score.value == pytest.approx(1 / 6)


def test_names_and_sides_do_not_matter() -> None:
    votes = [vote("a", "base", ("model_a", "model_b", "tie")[i % 3], rater=f"r{i % 5}", question_id=f"q{i % 7}")
             for i in range(60)]  # fmt: skip
    (one,), (other,) = against_baseline(votes, "base"), against_baseline(sides_swapped(votes), "base")
    assert one.win_score.low == pytest.approx(other.win_score.low)
    assert (one.wins, one.losses, one.ties) == (other.wins, other.losses, other.ties)


def test_copies_of_a_vote_by_one_rater_add_no_certainty() -> None:
    once = [vote("a", "base", "model_a" if i % 3 else "model_b", rater=f"r{i}") for i in range(30)]
    (alone,) = against_baseline([*once, once[0]], "base")
    (copied,) = against_baseline(once * 8, "base")
    assert alone.win_score.low is not None and copied.win_score.low is not None
    assert copied.win_score.low == pytest.approx(alone.win_score.low, abs=0.03)


def test_model_that_won_every_vote_has_an_interval_that_counts_raters_not_votes() -> None:
    votes = [vote("a", "base", "model_a", rater=f"r{i % 4}") for i in range(40)]
    (found,) = against_baseline(votes, "base")
    assert found.win_score.value == 1.0 and found.win_score.low is not None and found.win_score.low < 0.6


def test_baseline_that_nobody_met_is_refused() -> None:
    with pytest.raises(BadInputError, match="baseline 'c' is in no vote; models are a, b"):
        against_baseline(results(("a", "b", 2)), "c")


def test_votes_on_a_dimension_are_won_by_the_higher_score() -> None:
    votes = [vote("a", "b", "model_b", scores={"depth": (4, 2), "style": (3, 3)}), vote("a", "b")]
    assert dimensions_in(votes) == ("depth", "style")
    assert [one.winner for one in votes_on(votes, "depth")] == ["model_a"]
    assert [one.winner for one in votes_on(votes, "style")] == ["tie"]
