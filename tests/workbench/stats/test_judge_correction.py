"""Corrected means: by hand, by property, and how often the intervals hold."""

import numpy as np
import pytest

from tests.judge_correction_study.designs import Design
from tests.judge_correction_study.study import run_design
from workbench.errors import BadInputError
from workbench.stats.estimate import Estimate, Measured, NotMeasured
from workbench.stats.judge_correction import prediction_powered_mean, rogan_gladen


def value(found: Measured) -> float:
    assert isinstance(found, Estimate)
    return found.value


def bounds(found: Measured) -> tuple[float, float]:
    assert isinstance(found, Estimate) and found.low is not None and found.high is not None
    return found.low, found.high


def test_rogan_gladen_by_hand() -> None:
    labels = [True] * 10 + [False] * 10
    judged = [True] * 9 + [False] + [True] * 2 + [False] * 8
    rest = [True] * 45 + [False] * 55
    found = rogan_gladen(labels, judged, rest, list(range(20)), list(range(100, 200)))
    assert value(found.prevalence) == pytest.approx((0.45 + 0.8 - 1) / (0.9 + 0.8 - 1))
    assert (found.sensitivity, found.specificity, found.apparent) == (0.9, 0.8, 0.45)


def test_a_share_below_zero_is_shown_as_zero_and_the_formulas_value_beside() -> None:
    labels = [True] * 10 + [False] * 10
    judged = [True] * 9 + [False] + [True] * 2 + [False] * 8
    found = rogan_gladen(labels, judged, [True] * 15 + [False] * 85, list(range(20)), list(range(100, 200)))
    assert found.unclipped == pytest.approx((0.15 - 0.2) / 0.7)
    assert value(found.prevalence) == 0.0
    assert bounds(found.prevalence)[0] == 0.0


def test_a_rest_that_no_share_explains_is_not_measured() -> None:
    labels, judged = [True] * 100 + [False] * 100, [True] * 90 + [False] * 10 + [True] * 30 + [False] * 70
    found = rogan_gladen(labels, judged, [False] * 1000, list(range(200)), list(range(200, 1200)))
    assert isinstance(found.prevalence, NotMeasured)
    assert "random part" in found.prevalence.reason


def test_a_judge_no_better_than_chance_corrects_nothing() -> None:
    found = rogan_gladen([True, False] * 4, [False, True] * 4, [True] * 5, list(range(8)), list(range(8, 13)))
    assert isinstance(found.prevalence, NotMeasured)


def test_a_judge_hardly_better_than_chance_leaves_every_share_open() -> None:
    labels = [True] * 10 + [False] * 10
    judged = [True] * 6 + [False] * 4 + [True] * 5 + [False] * 5
    found = rogan_gladen(labels, judged, [True, False] * 50, list(range(20)), list(range(20, 120)))
    assert bounds(found.prevalence) == (0.0, 1.0)


def test_prediction_powered_mean_by_the_papers_formula() -> None:
    rng = np.random.default_rng(3)
    y = rng.random(40)
    f, u = y + rng.normal(0, 0.1, 40), rng.random(400)
    found = prediction_powered_mean(y, f, u, list(range(40)), list(range(40, 440)))
    tuned = np.cov(y, f, bias=True)[0, 1] / (f.var() + 40 / 400 * u.var())
    assert found.power == pytest.approx(min(1.0, tuned))
    assert value(found.mean) == pytest.approx(y.mean() + found.power * (u.mean() - f.mean()))


def test_the_jackknife_is_what_leaving_each_question_out_gives() -> None:
    rng = np.random.default_rng(9)
    y, f, u = rng.random(24), rng.random(24), rng.random(60)
    labelled, rest = np.repeat(np.arange(8), 3).tolist(), np.repeat(np.arange(8, 28), 3).tolist()
    found = prediction_powered_mean(y, f, u, labelled, rest).classical
    keep = [np.asarray(labelled) != one for one in range(8)]
    without = np.array([y[rows].mean() for rows in keep] + [y.mean()] * 20)
    variance = ((without - without.mean()) ** 2).sum() * 7 / 8
    trials, z = y.mean() * (1 - y.mean()) / variance, 2.364624  # Student's t with 7 degrees of freedom
    half = z / (1 + z * z / trials) * np.sqrt(y.mean() * (1 - y.mean()) / trials + z * z / (4 * trials**2))
    low, high = bounds(found)
    assert high - low == pytest.approx(2 * half, rel=1e-6)


def test_labels_that_are_all_zero_still_leave_room_above() -> None:
    rng = np.random.default_rng(1)
    found = prediction_powered_mean([0.0] * 20, rng.random(20), rng.random(50), list(range(20)), list(range(20, 70)))
    low, high = bounds(found.mean)
    assert low == 0.0
    assert high == pytest.approx(2.093024**2 / (20 + 2.093024**2), rel=1e-6)  # Wilson for 0 of 20, t with 19


def test_labels_out_of_range_are_refused() -> None:
    with pytest.raises(BadInputError, match=r"expected numbers in \[0, 1\]"):
        prediction_powered_mean([0.0, 3.0], [0.1, 0.2], [0.3], [1, 2], [3])


@pytest.mark.parametrize("clustered", [False, True])
def test_intervals_hold_as_often_as_they_say_and_the_judge_alone_does_not(clustered: bool) -> None:
    """A small share of the long study; 400 rounds know a coverage of 0.95 to +-0.03 (p < 0.01)."""
    cells = run_design(Design("yes or no", 0.5, "good", 100, clustered, "items"), rounds=400, seed=20261130)
    assert 0.92 <= cells["rogan_gladen"]["coverage"] <= 0.985
    assert 0.92 <= cells["ppi"]["coverage"] <= 0.985
    assert cells["judge_alone"]["coverage"] < 0.85


def test_rare_labels_are_held_too() -> None:
    cells = run_design(Design("score, mostly zero", 0.1, "weak", 100), rounds=400, seed=20261130)
    assert 0.92 <= cells["ppi"]["coverage"] <= 0.985
    assert cells["judge_alone"]["coverage"] < 0.2


def test_error_rates_carry_over_to_a_part_with_other_shares_and_a_mean_does_not() -> None:
    cells = run_design(Design("yes or no", 0.1, "good", 100, enriched=True), rounds=300, seed=20261130)
    assert cells["rogan_gladen"]["coverage"] >= 0.92
    assert cells["ppi"]["coverage"] < 0.5
