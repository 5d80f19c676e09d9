"""Kappa and alpha: by hand, against published figures and the krippendorff package, by property."""

import json

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from tests.support.shared_data import shared
from workbench.errors import BadInputError
from workbench.stats.agreement import AlphaLevel, KappaWeights, cohen_kappa, interval_alpha, krippendorff_alpha
from workbench.stats.estimate import Estimate, Measured, NotMeasured

# Krippendorff 2011, section C: 4 observers, 12 units, missing data.
KRIPPENDORFF_TABLE = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, np.nan, np.nan, np.nan],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, np.nan, 3],
        [np.nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, np.nan],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, np.nan],
    ]
)


def value(found: Measured) -> float:
    assert isinstance(found, Estimate)
    return found.value


def test_kappa_by_hand() -> None:
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert value(cohen_kappa(first, second)) == pytest.approx(0.4)  # observed 0.7, by chance 0.5


def test_kappa_of_pandalm_annotators_holds_the_published_one() -> None:
    rows = json.loads(shared("pandalm-human-pairwise/testset-v1.json").read_text())
    columns = [[row[f"annotator{i}"] for row in rows] for i in (1, 2, 3)]
    # Published over all 999 items; the copy holds 600 of them.
    for a, b, published in ((0, 1, 0.8520), (0, 2, 0.8789), (1, 2, 0.8617)):
        found = cohen_kappa(columns[a], columns[b], seed=1)
        assert value(found) == pytest.approx(cohen_kappa_score(columns[a], columns[b]), abs=1e-12)
        assert isinstance(found, Estimate) and found.low is not None and found.high is not None
        assert found.low < published < found.high


@given(
    st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=5, max_size=60),
    st.sampled_from(["none", "linear", "quadratic"]),
)
@settings(max_examples=60, deadline=None)
def test_kappa_agrees_with_scikit_learn(pairs: list[tuple[int, int]], weights: KappaWeights) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    found = cohen_kappa(first, second, categories=[1, 2, 3, 4, 5], weights=weights, resamples=10)
    if isinstance(found, NotMeasured):
        assert len({*first, *second}) == 1
    else:
        theirs = cohen_kappa_score(
            first, second, labels=[1, 2, 3, 4, 5], weights=None if weights == "none" else weights
        )
        assert found.value == pytest.approx(theirs, abs=1e-9)


def test_kappa_of_one_category_is_not_measured() -> None:
    assert cohen_kappa(["a", "a"], ["a", "a"]) == NotMeasured("both raters used one category only", 2)


def test_weighted_kappa_needs_an_order() -> None:
    with pytest.raises(BadInputError, match="in their order"):
        cohen_kappa([1, 2], [2, 1], weights="quadratic")


def test_rating_outside_the_categories_is_refused() -> None:
    with pytest.raises(BadInputError, match="ratings 9 are not among"):
        cohen_kappa([1, 9], [1, 2], categories=[1, 2])


@pytest.mark.parametrize(("scale", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_is_the_published_one(scale: AlphaLevel, published: float) -> None:
    assert value(krippendorff_alpha(KRIPPENDORFF_TABLE, scale=scale)) == pytest.approx(published, abs=5e-4)


@given(
    st.lists(st.lists(st.sampled_from([1.0, 2.0, 3.0, 5.0, np.nan]), min_size=8, max_size=8), min_size=2, max_size=4),
    st.sampled_from(["nominal", "ordinal", "interval"]),
)
@settings(max_examples=60, deadline=None)
def test_alpha_agrees_with_the_krippendorff_package(rows: list[list[float]], scale: AlphaLevel) -> None:
    table = np.array(rows)
    found = krippendorff_alpha(table, scale=scale, resamples=10)
    if isinstance(found, NotMeasured):
        rated_twice = (~np.isnan(table)).sum(axis=0) >= 2
        assert not rated_twice.any() or np.unique(table[:, rated_twice][~np.isnan(table[:, rated_twice])]).size == 1
    else:
        theirs = krippendorff.alpha(reliability_data=table, level_of_measurement=scale)
        assert found.value == pytest.approx(float(theirs), abs=1e-9)


def test_alpha_interval_is_over_units_that_were_rated_twice() -> None:
    found = krippendorff_alpha(KRIPPENDORFF_TABLE, seed=3)
    assert isinstance(found, Estimate)
    assert (found.n, found.seed) == (11, 3)
    assert found.low is not None and found.low < found.value <= (found.high or 0.0)


def test_raters_who_never_met_have_no_alpha() -> None:
    table = np.array([[1.0, np.nan], [np.nan, 2.0]])
    assert krippendorff_alpha(table) == NotMeasured("no unit was rated twice", 0)


def test_alpha_of_two_from_sums_is_alpha_of_two_from_coincidences() -> None:
    rng = np.random.default_rng(6)
    first = rng.integers(0, 7, 60) / 6
    second = np.clip(first + rng.normal(0, 0.2, 60).round(1), 0, 1)
    clusters = np.repeat(np.arange(12), 5).tolist()
    by_table = krippendorff_alpha(np.stack([first, second]), clusters, scale="interval", seed=3)
    by_sums = interval_alpha(first, second, clusters, seed=3)
    assert isinstance(by_table, Estimate) and isinstance(by_sums, Estimate)
    assert (by_sums.value, by_sums.low, by_sums.high) == pytest.approx((by_table.value, by_table.low, by_table.high))
    assert isinstance(interval_alpha([0.3, 0.3], [0.3, 0.3]), NotMeasured)
