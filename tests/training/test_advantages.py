"""Advantages: by hand, by property, and against what TRL computes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.advantages import EPS, Scaling, advantages, reward_matrix

SCALINGS: tuple[Scaling, ...] = ("group", "batch", "none", "rloo")
groups = st.integers(1, 5).flatmap(
    lambda size: st.lists(
        st.lists(st.one_of(st.none(), st.floats(-5, 5).map(lambda x: round(x, 3))), min_size=size, max_size=size),
        min_size=1,
        max_size=4,
    )
)


def test_grpo_by_hand_uses_n_minus_one() -> None:
    result = advantages(reward_matrix([[1.0, 2.0, 3.0]]), scaling="group")
    np.testing.assert_allclose(result.values, [[-1 / (1 + EPS), 0, 1 / (1 + EPS)]])


def test_dr_grpo_and_rloo_by_hand() -> None:
    rewards_QG = reward_matrix([[0.0, 0.0, 0.9]])
    np.testing.assert_allclose(advantages(rewards_QG, scaling="none").values, [[-0.3, -0.3, 0.6]])
    # Leave one out: the last against the mean of the others (0), the others against 0.45.
    np.testing.assert_allclose(advantages(rewards_QG, scaling="rloo").values, [[-0.45, -0.45, 0.9]])


def test_batch_scaling_divides_by_the_spread_of_all_rewards() -> None:
    result = advantages(reward_matrix([[0.0, 1.0], [4.0, 6.0]]), scaling="batch")
    std = np.std([0.0, 1.0, 4.0, 6.0], ddof=1) + EPS
    np.testing.assert_allclose(result.values, np.array([[-0.5, 0.5], [-1.0, 1.0]]) / std)


def test_dropped_rollout_leaves_the_statistics_of_its_group_and_the_loss() -> None:
    result = advantages(reward_matrix([[1.0, None, 2.0, 3.0]]), scaling="group")
    without = advantages(reward_matrix([[1.0, 2.0, 3.0]]), scaling="group")
    np.testing.assert_allclose(result.values[0, [0, 2, 3]], without.values[0])
    assert result.kept.tolist() == [[True, False, True, True]]
    assert result.dropped_share == 0.25


def test_lone_survivor_of_a_group_has_no_advantage() -> None:
    result = advantages(reward_matrix([[None, 0.9, None], [0.1, 0.2, 0.3]]), scaling="none")
    assert result.values[0].tolist() == [0.0, 0.0, 0.0]
    assert not result.kept[0].any()
    assert result.zero_spread_share == 0.5


def test_group_without_spread_gives_zero_even_where_sums_differ_in_the_last_bit() -> None:
    result = advantages(reward_matrix([[0.1 + 0.2, 0.3, 0.3]]), scaling="group")
    assert result.values.tolist() == [[0.0, 0.0, 0.0]]
    assert result.zero_spread_share == 1.0


@pytest.mark.parametrize("scaling", SCALINGS)
@given(rewards=groups)
def test_kept_advantages_of_a_group_sum_to_zero_and_follow_the_order_of_rewards(
    scaling: Scaling, rewards: list[list[float | None]]
) -> None:
    rewards_QG = reward_matrix(rewards)
    result = advantages(rewards_QG, scaling=scaling)
    assert np.isfinite(result.values).all()
    np.testing.assert_allclose(result.values.sum(axis=1), 0, atol=1e-6)
    for row, kept, values in zip(rewards_QG, result.kept, result.values, strict=True):
        order = np.argsort(row[kept], kind="stable")
        assert (np.diff(values[kept][order]) >= -1e-9).all()


@given(rewards=groups, shift=st.floats(-3, 3), factor=st.floats(0.5, 4))
def test_group_scaling_ignores_shift_and_nearly_ignores_scale(
    rewards: list[list[float | None]], shift: float, factor: float
) -> None:
    before = advantages(reward_matrix(rewards), scaling="group", eps=0.0)
    moved = [[None if r is None else r * factor + shift for r in group] for group in rewards]
    after = advantages(reward_matrix(moved), scaling="group", eps=0.0)
    np.testing.assert_allclose(before.values, after.values, atol=1e-5)


def test_ragged_groups_and_infinite_rewards_are_refused() -> None:
    with pytest.raises(ValueError, match="one size"):
        reward_matrix([[1.0], [1.0, 2.0]])
    with pytest.raises(ValueError, match="finite"):
        reward_matrix([[1.0, float("inf")]])
    with pytest.raises(ValueError, match="finite"):
        reward_matrix([[1.0, float("nan")]])
