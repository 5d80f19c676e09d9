"""Reliability, accuracy, order effects and rerun noise by hand."""

import numpy as np
import pytest

from workbench.errors import BadInputError
from workbench.stats.estimate import Estimate, Measured, NotMeasured
from workbench.stats.verdicts import judge_accuracy, majority, order_agreement, pass_hat_k, rerun_spread


def value(measured: Measured) -> float:
    assert isinstance(measured, Estimate)
    return measured.value


def test_pass_hat_k_counts_subsets_without_a_failure() -> None:
    trials = [[True, True, True, False], [True] * 4, [False, True, True, False]]
    assert value(pass_hat_k(trials, 1)) == pytest.approx((0.75 + 1 + 0.5) / 3)
    assert value(pass_hat_k(trials, 2)) == pytest.approx((0.5 + 1 + 1 / 6) / 3)
    assert value(pass_hat_k(trials, 4)) == pytest.approx(1 / 3)


def test_pass_hat_k_refuses_too_few_trials() -> None:
    with pytest.raises(BadInputError, match="fewer"):
        pass_hat_k([[True]], 2)
    with pytest.raises(BadInputError, match="k >= 1"):
        pass_hat_k([[True]], 0)
    assert isinstance(pass_hat_k([], 1), NotMeasured)


def test_majority_needs_more_than_half() -> None:
    assert majority([1, 1, 2]) == 1
    assert majority([1, 2, 0]) is None
    assert majority([1, 1, 2, 2]) is None


def test_an_unreadable_verdict_is_not_taken_for_a_wrong_one_unseen() -> None:
    got = judge_accuracy(["a", None, "b", "a"], ["a", "a", "b", "b"])
    assert value(got.answered) == pytest.approx(2 / 3)
    assert value(got.failures_wrong) == pytest.approx(0.5)
    assert got.n_unreadable == 1
    assert isinstance(judge_accuracy([None], ["a"]).answered, NotMeasured)


def test_order_agreement_leaves_out_pairs_without_both_verdicts() -> None:
    got = order_agreement(["1", "2", "1", None], ["1", "2", "2", "1"])
    assert value(got.equal) == pytest.approx(2 / 3)
    assert value(got.kappa) == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))
    assert got.n_unreadable == 1
    with pytest.raises(BadInputError, match="as many"):
        order_agreement(["1"], [])


def test_rerun_spread_by_hand() -> None:
    got = rerun_spread(np.array([[0.4, 0.6], [0.6, 0.6]]))
    assert got.run_means == pytest.approx((0.5, 0.6))
    assert got.sd_of_means == pytest.approx(0.1 / 2**0.5)
    assert got.sd_within == pytest.approx(0.1)
    with pytest.raises(BadInputError, match="two runs"):
        rerun_spread(np.array([[0.4, 0.6]]))
    with pytest.raises(BadInputError, match="finite"):
        rerun_spread(np.array([[0.4], [np.nan]]))
