"""Spread, leverage, saturation and rank flips by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workbench.reward.examples import facts, seed_spec
from workbench.reward.columns import Rollouts, rollouts_of
from workbench.reward.signal import pooled_sigma, rank_flips, signal_of
from workbench.reward.vector import evaluate
from workbench.schema.reward import QuestionTarget

GOALS = {name: QuestionTarget(name, 10, 10, n_references=1) for name in ("q1", "q2", "q3")}


def columns(rows: list[tuple[str, float | None, int]]) -> Rollouts:
    """Rows of (question, quality, count of both queries and sites); ids t0, t1, ..."""
    named = [
        (f"t{i}", facts(question_id=question, distinct_queries=count, sites_opened=count))
        for i, (question, _, count) in enumerate(rows)
    ]
    return rollouts_of(named, {f"t{i}": quality for i, (_, quality, _) in enumerate(rows)}, GOALS)


def test_share_of_groups_without_spread() -> None:
    rollouts = columns([("q1", 0.5, 2), ("q1", 0.5, 2), ("q2", 0.5, 2), ("q2", 0.6, 2), ("q3", 0.1, 1)])
    signal = signal_of(seed_spec(), rollouts, evaluate(seed_spec(), rollouts))
    assert signal.n_groups == 2  # q3 has one rollout: nothing to compare
    assert signal.zero_spread_share == 0.5


def test_dropped_rollout_belongs_to_no_group() -> None:
    rollouts = columns([("q1", 0.5, 2), ("q1", None, 9), ("q2", 0.5, 2), ("q2", 0.6, 2)])
    signal = signal_of(seed_spec(), rollouts, evaluate(seed_spec(), rollouts))
    assert (signal.n_groups, signal.n_rollouts, signal.n_dropped) == (1, 3, 1)
    assert signal.zero_spread_share == 0.0


def test_leverage_is_lambda_sigma_shaping_over_sigma_quality() -> None:
    # One group: G 0.4, 0.6 (sigma 0.1 sqrt 2), S 0.2, 0.6 (sigma 0.2 sqrt 2): leverage 0.5 * 0.2 / 0.1 = 1
    rollouts = columns([("q1", 0.4, 2), ("q1", 0.6, 6)])
    signal = signal_of(seed_spec(), rollouts, evaluate(seed_spec(), rollouts))
    assert signal.leverage == pytest.approx(1.0)
    # Weighted sigmas: quality 0.1, queries 0.5*0.4*0.2 = 0.04, sites 0.5*0.6*0.2 = 0.06
    assert signal.shares == pytest.approx({"quality": 0.5, "distinct_queries": 0.2, "distinct_sites": 0.3})


def test_leverage_is_unknown_where_quality_has_no_spread() -> None:
    rollouts = columns([("q1", 0.5, 2), ("q1", 0.5, 6)])
    assert signal_of(seed_spec(), rollouts, evaluate(seed_spec(), rollouts)).leverage is None


def test_saturation_is_the_share_with_full_credit() -> None:
    rollouts = columns([("q1", 0.5, 10), ("q1", 0.5, 9), ("q2", 0.5, 30), ("q2", 0.5, 0)])
    saturation = signal_of(seed_spec(), rollouts, evaluate(seed_spec(), rollouts)).saturation
    assert saturation == {"distinct_queries": 0.5, "distinct_sites": 0.5}


def test_nothing_scored_says_so() -> None:
    rollouts = columns([("q1", None, 2), ("q1", None, 3)])
    signal = signal_of(seed_spec(), rollouts, evaluate(seed_spec(), rollouts))
    assert (signal.n_groups, signal.n_rollouts, signal.zero_spread_share, signal.leverage) == (0, 0, None, None)
    assert signal.saturation == {}


def test_pooled_sigma_of_two_groups() -> None:
    # Deviations: 1, 1 and 2, 0, 2 around means 2 and 7: (2 + 8) / (1 + 2)
    assert pooled_sigma(np.array([1.0, 3, 5, 7, 9]), np.array([0, 0, 1, 1, 1])) == pytest.approx(math.sqrt(10 / 3))


def test_flips_count_reversed_tied_and_untied_pairs() -> None:
    rollouts = columns([("q1", 0.5, 1)] * 3)
    flips = rank_flips(rollouts, np.array([0.1, 0.2, 0.2]), np.array([0.3, 0.1, 0.3]))
    # pairs: (0,1) order reversed, (0,2) order lost, (1,2) order gained
    assert (flips.n_groups, flips.n_pairs, flips.reversed, flips.tied, flips.untied) == (1, 3, 1, 1, 1)


def test_first_changed_names_both_rollouts() -> None:
    rollouts = columns([("q1", 0.9, 1), ("q1", 0.5, 9), ("q2", 0.9, 5), ("q2", 0.5, 5)])
    baseline, value = rollouts.quality, np.array([0.4, 0.6, 0.9, 0.5])
    (changed,) = rank_flips(rollouts, baseline, value).first_changed
    assert (changed.group, changed.was_first, changed.now_first) == ("q1", "t0", "t1")


@pytest.mark.parametrize(
    ("before", "after", "changed", "untied"),
    [
        ([0.5, 0.5, 0.1], [0.4, 0.6, 0.1], [], 1),  # both were first, the second alone is
        ([0.5, 0.5, 0.1], [0.6, 0.4, 0.6], [], 1),  # the newcomer shares with one of the two
        ([0.5, 0.5, 0.1], [0.4, 0.3, 0.6], [("t0", "t2")], 0),  # both lost it to one that stood below
        ([0.5, 0.4, 0.1], [0.4, 0.5, 0.1], [("t0", "t1")], 0),
        ([0.5, 0.5, 0.1], [0.7, 0.7, 0.2], [], 0),  # still tied
        ([0.5, 0.4, 0.1], [0.6, 0.6, 0.1], [], 0),  # a tie made
        ([0.5, 0.5 - 1e-12, 0.1], [0.4, 0.6, 0.1], [], 1),  # rounding is no order
    ],
)
def test_broken_tie_for_first_place_is_no_other_best(
    before: list[float], after: list[float], changed: list[tuple[str, str]], untied: int
) -> None:
    flips = rank_flips(columns([("q1", 0.5, 1)] * 3), np.array(before), np.array(after))
    assert [(item.was_first, item.now_first) for item in flips.first_changed] == changed
    assert flips.first_untied == untied


def test_best_that_only_shares_its_place_is_no_change() -> None:
    rollouts = columns([("q1", 0.9, 1), ("q1", 0.5, 9)])
    assert rank_flips(rollouts, np.array([0.5, 0.9]), np.array([0.7, 0.7])).first_changed == ()


values = st.lists(st.tuples(st.sampled_from(["q1", "q2", "q3"]), st.integers(0, 3), st.integers(0, 3)), max_size=20)


@given(values)
def test_flips_equal_a_loop_over_pairs(rows: list[tuple[str, int, int]]) -> None:
    rollouts = columns([(question, 0.5, 1) for question, _, _ in rows])
    before, after = np.array([float(b) for _, b, _ in rows]), np.array([float(a) for _, _, a in rows])
    flips = rank_flips(rollouts, before, after)
    n = reversed_ = 0
    for i in range(len(rows)):
        for j in range(i):
            if rows[i][0] == rows[j][0]:
                n += 1
                reversed_ += (before[i] - before[j]) * (after[i] - after[j]) < 0
    assert (flips.n_pairs, flips.reversed) == (n, reversed_)
