"""Do 95% intervals hold the truth 95% of the time? By simulation; the long run is kept in docs/evidence."""

import time

import pytest

from tests.support.evidence import write_evidence
from tests.workbench.human.ratings.simulation import DESIGNS, coverage

ROUNDS = 4000
SEED = 20261129
GOAL = (0.935, 0.965)


def test_intervals_hold_the_truth_where_the_naive_one_does_not() -> None:
    (design,) = [one for one in DESIGNS if one.name == "clustered by question"]
    found = coverage(design, rounds=250, seed=1)
    assert found["naive"] < 0.90
    assert found["question"] > 0.91
    assert found["auto"] > 0.91


def test_intervals_are_not_too_wide_where_votes_are_independent() -> None:
    found = coverage(DESIGNS[0], rounds=250, seed=1)
    assert 0.91 < found["none"] < 0.98
    assert 0.91 < found["auto"] < 0.995


@pytest.mark.slow
def test_coverage_of_every_design_is_recorded() -> None:
    began = time.monotonic()
    table = {design.name: dict(coverage(design, rounds=ROUNDS, seed=SEED)) for design in DESIGNS}
    inside = {name: GOAL[0] <= row["auto"] <= GOAL[1] for name, row in table.items()}
    result = {
        "what": "share of 95% intervals that hold the true strength",
        "coverage": table,
        "goal": GOAL,
        "auto_in_goal": inside,
    }
    write_evidence("ratings-coverage", result, seed=SEED, n=ROUNDS, seconds=time.monotonic() - began)
    # What is promised today: the default is never far below its level; where it is above, the interval is too wide.
    assert all(row["auto"] > 0.925 for row in table.values())
