"""Intervals of means and of any statistic: by hand, by property, by coverage."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.errors import BadInputError
from workbench.stats.bootstrap import bootstrap, expanded_tails, mean_interval, paired_difference
from workbench.stats.estimate import Estimate, IntVector, NotMeasured
from workbench.stats.proportion import proportion_interval

VALUES = st.lists(st.floats(-100, 100), min_size=2, max_size=30)


@given(VALUES)
@settings(max_examples=50, deadline=None)
def test_interval_holds_the_mean_and_stays_within_the_data(values: list[float]) -> None:
    found = mean_interval(values, seed=1, resamples=200)
    assert found.value == pytest.approx(float(np.mean(values)), abs=1e-9)
    assert found.low is not None and found.high is not None
    assert min(values) - 1e-9 <= found.low <= found.high <= max(values) + 1e-9


@given(VALUES, st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_value_does_not_depend_on_the_order_of_rows(values: list[float], random: Any) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)
    assert mean_interval(shuffled, seed=1, resamples=10).value == mean_interval(values, seed=1, resamples=10).value


def test_same_seed_gives_the_same_interval_and_the_result_says_which() -> None:
    values = np.random.default_rng(0).normal(size=40)
    first, second = mean_interval(values, seed=7), mean_interval(values, seed=7)
    assert first == second
    assert (first.seed, first.n, first.n_clusters, first.method) == (7, 40, 40, "bootstrap")


def test_copies_of_a_row_in_one_cluster_add_no_certainty() -> None:
    values = np.random.default_rng(0).normal(size=30)
    once = mean_interval(values, seed=1)
    copied = mean_interval(np.repeat(values, 10), np.repeat(np.arange(30), 10), seed=1)
    naive = mean_interval(np.repeat(values, 10), seed=1)
    assert once.low is not None and once.high is not None
    assert copied.low == pytest.approx(once.low) and copied.high == pytest.approx(once.high)
    assert naive.low is not None and naive.low > once.low
    assert (copied.n, copied.n_clusters, copied.method) == (300, 30, "clustered bootstrap")


def test_one_cluster_has_a_value_and_no_interval() -> None:
    found = mean_interval([1.0, 2.0, 3.0], ["q", "q", "q"], seed=1)
    assert (found.value, found.low, found.high) == (2.0, None, None)
    assert found.text() == "2.000 [not measured] n=3"
    assert not found.above(0.0) and not found.below(9.0)


def test_paired_difference_is_the_mean_of_differences() -> None:
    before = np.array([0.1, 0.5, 0.9, 0.3])
    found = paired_difference(before + 0.2, before, seed=1)
    assert found.value == pytest.approx(0.2)
    assert found.low == pytest.approx(0.2)  # the pairs differ by one constant: all noise cancels
    assert found.method == "paired bootstrap"


@pytest.mark.parametrize("values", [[], [1.0, math.nan], [math.inf]])
def test_values_that_are_no_numbers_are_refused(values: list[float]) -> None:
    with pytest.raises(BadInputError):
        mean_interval(values, seed=1)


def test_wrong_number_of_cluster_labels_is_refused() -> None:
    with pytest.raises(BadInputError, match="2 cluster labels for 3 values"):
        mean_interval([1.0, 2.0, 3.0], ["a", "b"], seed=1)


def test_percentiles_are_widened_for_few_clusters() -> None:
    assert expanded_tails(5, 0.95)[0] < 0.002  # plain: 0.025
    assert expanded_tails(100_000, 0.95)[0] == pytest.approx(0.025, abs=1e-5)


def test_general_bootstrap_of_the_mean_agrees_with_the_fast_one() -> None:
    values = np.random.default_rng(3).gamma(2.0, size=200)
    slow = bootstrap(lambda rows: float(values[rows].mean()), 200, seed=1, resamples=2000)
    fast = mean_interval(values, seed=1)
    assert isinstance(slow, Estimate)
    assert slow.low == pytest.approx(fast.low, abs=0.03) and slow.high == pytest.approx(fast.high, abs=0.03)


def test_statistic_that_is_undefined_everywhere_is_not_measured() -> None:
    assert isinstance(bootstrap(lambda rows: None, 10, seed=1), NotMeasured)  # noqa: ARG005


def test_statistic_undefined_on_many_resamples_has_no_interval_and_says_so() -> None:
    def needs_row_zero(rows: IntVector) -> float | None:
        return float(rows.mean()) if 0 in rows else None

    found = bootstrap(needs_row_zero, 10, seed=1, resamples=500)
    assert isinstance(found, Estimate)
    assert found.low is None
    assert "undefined on" in found.method


def test_wilson_by_hand() -> None:
    found = proportion_interval([True] * 8 + [False] * 2)
    assert found.low == pytest.approx(0.4902, abs=1e-4)  # Wilson 1927 for 8 of 10, as in statistics tables
    assert found.high == pytest.approx(0.9433, abs=1e-4)


def test_rate_of_one_still_has_an_uncertainty() -> None:
    found = proportion_interval([True] * 30)
    assert found.value == 1.0 and found.high == 1.0
    assert found.low == pytest.approx(0.8865, abs=1e-4)


def test_clustered_rate_counts_clusters_where_all_came_out_the_same() -> None:
    found = proportion_interval([True] * 100, np.repeat(np.arange(10), 10))
    alone = proportion_interval([True] * 10)
    assert found.low is not None and alone.low is not None
    assert found.low < alone.low  # ten clusters, and Student's t in place of the normal


def test_mean_interval_covers_the_mean_of_clustered_data_where_the_naive_one_does_not() -> None:
    rng, held, naive_held, rounds = np.random.default_rng(5), 0, 0, 300
    for trial in range(rounds):
        effect = rng.normal(size=20)
        values = np.repeat(effect, 5) + rng.normal(size=100) * 0.5
        labels = np.repeat(np.arange(20), 5)
        found = mean_interval(values, labels, seed=trial, resamples=400)
        naive = mean_interval(values, seed=trial, resamples=400)
        held += not (found.above(0.0) or found.below(0.0))
        naive_held += not (naive.above(0.0) or naive.below(0.0))
    assert held / rounds > 0.91
    assert naive_held / rounds < 0.80
