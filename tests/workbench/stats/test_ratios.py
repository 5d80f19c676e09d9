"""Ratios that share one drawing of weights are those of the functions that draw their own."""

import numpy as np
import pytest

from workbench.errors import BadInputError
from workbench.stats.bootstrap import mean_interval
from workbench.stats.contrast import within_clusters
from workbench.stats.estimate import Estimate, Measured, NotMeasured
from workbench.stats.ratios import mean_part, ratio_intervals, within_part

SEED = 7


def same(found: Measured, expected: Measured) -> None:
    assert isinstance(found, Estimate) and isinstance(expected, Estimate)
    assert (found.value, found.low, found.high) == pytest.approx((expected.value, expected.low, expected.high), 1e-12)
    assert (found.n, found.n_clusters, found.method, found.seed) == (
        expected.n, expected.n_clusters, expected.method, expected.seed,
    )  # fmt: skip


def rows() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    clusters = rng.integers(0, 40, 300)
    first, second = rng.normal(size=300), rng.normal(size=300)
    second[rng.random(300) < 0.3] = np.nan
    second[clusters == 5] = np.nan  # a cluster of which nothing is known
    return clusters, first, second, rng.random(300) < 0.4


def test_means_and_differences_are_those_of_the_single_functions() -> None:
    clusters, first, second, marked = rows()
    known = ~np.isnan(second)
    parts = [mean_part(first, clusters), mean_part(second, clusters), within_part(second, marked, clusters)]
    found = ratio_intervals(parts, seed=SEED, resamples=500)
    same(found[0], mean_interval(first, clusters, seed=SEED, resamples=500))
    same(found[1], mean_interval(second[known], clusters[known], seed=SEED, resamples=500))
    same(found[2], within_clusters(second[known], marked[known], clusters[known], seed=SEED, resamples=500))


def test_what_cannot_be_measured_stays_so_in_its_place() -> None:
    clusters, first, _, _ = rows()
    parts = [
        mean_part(np.full(3, np.nan), np.arange(3)),
        within_part(first, np.zeros(300, dtype=bool), clusters),
        mean_part(np.array([2.0, 4.0]), np.array([8, 8])),
    ]
    nothing, one_kind, one_cluster = ratio_intervals(parts, seed=SEED)
    assert isinstance(nothing, NotMeasured) and isinstance(one_kind, NotMeasured)
    assert isinstance(one_cluster, Estimate)
    assert (one_cluster.value, one_cluster.low, one_cluster.n_clusters) == (3.0, None, 1)
    assert ratio_intervals([], seed=SEED) == ()


def test_lengths_that_differ_are_a_sentence() -> None:
    with pytest.raises(BadInputError, match="expected one of each"):
        within_part(np.zeros(3), np.zeros(2, dtype=bool), np.zeros(3, dtype=np.int64))
