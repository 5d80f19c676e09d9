"""Quantiles by cluster: by hand, against plain counting, and how often their intervals hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.errors import BadInputError
from workbench.stats.bootstrap import cluster_weights
from workbench.stats.estimate import Estimate, NotMeasured
from workbench.stats.quantiles import fewest_clusters, quantile_intervals


def test_median_of_an_even_and_an_odd_count_by_hand() -> None:
    (even,) = quantile_intervals([4, 1, 3, 2], [0.5], seed=0)
    (odd,) = quantile_intervals([4, 1, 3, 2, 9], [0.5], seed=0)
    assert isinstance(even, Estimate) and isinstance(odd, Estimate)
    assert (even.value, odd.value) == (2.5, 3)


@given(st.lists(st.integers(0, 5), min_size=10, max_size=60))
def test_quantiles_are_those_of_the_averaged_inverse(values: list[int]) -> None:
    found = quantile_intervals(values, [0.5, 0.9], seed=0, resamples=10)
    wanted = np.quantile(values, [0.5, 0.9], method="averaged_inverted_cdf")
    assert [e.value for e in found if isinstance(e, Estimate)] == pytest.approx(list(wanted))


def test_resampled_quantiles_are_those_of_rows_repeated_by_hand() -> None:
    values, clusters = np.array([5.0, 1, 2, 2, 8, 3, 9, 1]), [0, 0, 1, 1, 2, 2, 3, 3]
    (found,) = quantile_intervals(values, [0.5], clusters, seed=3, resamples=200, level=0.5)
    weights = np.concatenate(list(cluster_weights(4, 200, np.random.default_rng(3))))
    draws = [np.quantile(np.repeat(values, [int(row[c]) for c in clusters]), 0.5) for row in weights]
    assert isinstance(found, Estimate)
    assert min(draws) <= (found.low or 0) <= np.median(draws) <= (found.high or 0) <= max(draws)


def test_tail_beyond_the_data_is_not_measured_and_one_that_few_reach_has_no_interval() -> None:
    p90, p99 = quantile_intervals(range(30), [0.9, 0.99], seed=0)
    assert isinstance(p90, Estimate) and p90.low is None
    assert isinstance(p99, NotMeasured) and p99.reason == "30 values; this tail needs 100"
    (wide,) = quantile_intervals(range(40), [0.9], seed=0)
    assert isinstance(wide, Estimate) and wide.low is not None
    assert [fewest_clusters(q) for q in (0.5, 0.9, 0.99)] == [6, 36, 368]


def test_no_values_and_values_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(BadInputError):
        quantile_intervals([], [0.5], seed=0)
    with pytest.raises(BadInputError):
        quantile_intervals([1.0, float("nan")], [0.5], seed=0)


@pytest.mark.parametrize("quantile", [0.5, 0.9])
def test_intervals_hold_about_as_often_as_they_say(quantile: float) -> None:
    """Rows of a question share its level, so that intervals over rows would be too narrow."""
    rng = np.random.default_rng(20)
    # Sum of two independent normals: a question's level and a row's own part.
    truth = float(np.sqrt(2) * {0.5: 0.0, 0.9: 1.2815515655}[quantile])
    held = 0
    for round_ in range(200):
        level = rng.normal(size=60).repeat(4)
        (found,) = quantile_intervals(
            level + rng.normal(size=240), [quantile], np.arange(60).repeat(4), seed=round_, resamples=300
        )
        assert isinstance(found, Estimate) and found.low is not None and found.high is not None
        held += found.low <= truth <= found.high
    assert 180 <= held <= 199
