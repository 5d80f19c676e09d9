"""Many tables fitted side by side give what each gives alone."""

import numpy as np
import pytest

from workbench.human.ratings.comparisons import compare_columns
from workbench.human.ratings.many_fits import maximise_many
from workbench.human.ratings.paired_choice import BRADLEY_TERRY, DAVIDSON, from_matrices, maximise
from workbench.human.ratings.resampling import resampled_strengths
from workbench.human.ratings.strengths import fit_bradley_terry
from workbench.stats.estimate import FloatMatrix


@pytest.mark.parametrize("features", [BRADLEY_TERRY, DAVIDSON])
def test_each_table_has_the_maximum_that_it_has_alone(features: FloatMatrix) -> None:
    rng = np.random.default_rng(3)
    wins, ties = rng.integers(2, 20, (5, 5)).astype(float), np.zeros((5, 5))
    np.fill_diagonal(wins, 0)
    counts = from_matrices(wins, ties + np.triu(np.full((5, 5), 4.0), 1) + np.tril(np.full((5, 5), 4.0), -1), features)
    tables = counts.counts * rng.uniform(0.3, 2.0, (40, *counts.counts.shape))
    together, reached = maximise_many(counts, tables, maximise(counts).parameters)
    assert reached.all()
    for row, table in enumerate(tables):
        alone = maximise(type(counts)(5, counts.first, counts.second, table, features)).parameters
        assert together[row] == pytest.approx(alone, abs=1e-7)


def test_resample_whose_results_are_one_way_is_counted_and_left_out() -> None:
    # One rater gave the only win of the weaker: resamples without that rater have no finite strengths.
    left, right = ["a"] * 12, ["b"] * 12
    said = ["model_a"] * 11 + ["model_b"]
    data = compare_columns(left, right, said, [f"r{i}" for i in range(12)], ["q"] * 12)
    strengths = fit_bradley_terry(data.wins(), data.ties())
    assert data.raters is not None
    draws, undefined = resampled_strengths(data, strengths, data.raters, resamples=400, seed=1)
    assert len(draws) + undefined == 400
    assert undefined / 400 == pytest.approx((11 / 12) ** 12, abs=0.08)
    assert np.isfinite(draws).all() and draws.mean(axis=1) == pytest.approx(0, abs=1e-9)
