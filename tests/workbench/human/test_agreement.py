"""Agreement of raters over votes."""

import json

import krippendorff
import numpy as np
import pytest

from tests.support.shared_data import shared
from tests.workbench.human.votes import renamed, vote
from workbench.human.agreement import rater_agreement
from workbench.schema.ballot import Vote
from workbench.stats.estimate import Estimate, NotMeasured

WINNER = {0: "tie", 1: "model_a", 2: "model_b"}


def pandalm() -> list[Vote]:
    rows = json.loads(shared("pandalm-human-pairwise/testset-v1.json").read_text())
    return [
        vote(pair[0], pair[1], WINNER[row[f"annotator{i}"]], rater=f"r{i}", question_id=str(row["idx"]))
        for row in rows
        for pair in [row["cmp_key"].split("_", 1)]
        for i in (1, 2, 3)
    ]


def test_pandalm_agreement_is_that_of_the_krippendorff_package_on_both_directions() -> None:
    votes = pandalm()
    sign = {"model_a": 1.0, "model_b": -1.0, "tie": 0.0}
    table = np.array([[sign[v.winner] for v in votes[i::3]] for i in range(3)])
    both_ways = krippendorff.alpha(reliability_data=np.hstack([table, -table]), level_of_measurement="nominal")
    found = rater_agreement(votes, seed=1)
    assert isinstance(found.verdict, Estimate)
    # The package counts each pair twice, which only touches its correction of n.
    assert found.verdict.value == pytest.approx(float(both_ways), abs=1e-3)
    assert (found.n_raters, found.n_pairs_rated_twice) == (3, 600)
    same = np.mean([a == b for row in table.T for a, b in ((row[0], row[1]), (row[0], row[2]), (row[1], row[2]))])
    assert found.same_share == pytest.approx(same)


def test_agreement_does_not_depend_on_names() -> None:
    votes = pandalm()[:90]
    names = sorted({v.model_a for v in votes} | {v.model_b for v in votes})
    other = rater_agreement(renamed(votes, dict(zip(names, reversed(names), strict=True))), seed=1)
    ours = rater_agreement(votes, seed=1)
    assert isinstance(ours.verdict, Estimate) and isinstance(other.verdict, Estimate)
    assert ours.verdict.value == pytest.approx(other.verdict.value)


def test_raters_who_shared_no_pair_are_not_measured() -> None:
    found = rater_agreement([vote("a", "b", rater="r1", question_id="q1")], seed=1)
    assert found.verdict == NotMeasured("no pair was judged by two raters")
    assert found.same_share is None
    assert found.to_json()["alpha"] is None


def test_sides_shown_swapped_are_the_same_answer() -> None:
    votes = [
        vote(pair[0], pair[1], winner, rater=rater, question_id=f"q{i}")
        for i in range(6)
        for rater, pair, winner in (
            ("r1", ("a", "b"), "model_a" if i % 2 else "model_b"),
            ("r2", ("b", "a"), "model_b" if i % 2 else "model_a"),
        )
    ]
    found = rater_agreement(votes, seed=1)
    assert isinstance(found.verdict, Estimate)
    assert (found.verdict.value, found.same_share) == (1.0, 1.0)


def test_last_vote_of_a_rater_on_a_pair_counts() -> None:
    votes = [
        vote("a", "b", winner, rater=rater, question_id=f"q{i}")
        for i in range(4)
        for rater, winner in (("r1", "model_b"), ("r1", "model_a"), ("r2", "model_a"))
    ]
    assert rater_agreement(votes, seed=1).same_share == 1.0


def test_dimension_scores_follow_the_model_whichever_side_it_was_shown_on() -> None:
    votes = [
        vote("a", "b", rater="r1", question_id=f"q{i}", scores={"depth": (1 + i % 5, 5 - i % 4)}) for i in range(8)
    ] + [
        vote("b", "a", "model_b", rater="r2", question_id=f"q{i}", scores={"depth": (5 - i % 4, 1 + i % 5)})
        for i in range(8)
    ]
    depth = rater_agreement(votes, seed=1).dimensions["depth"]
    assert isinstance(depth, Estimate)
    assert (depth.value, depth.n) == (1.0, 16)
