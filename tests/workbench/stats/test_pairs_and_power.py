"""Pairs, confusion, calibration and power: by hand, by property, by simulation."""

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss, confusion_matrix

from workbench.stats.calibration import Calibrated, calibrate, reliability
from workbench.stats.confusion import confusion
from workbench.stats.estimate import Estimate, Measured, NotMeasured
from workbench.stats.pairs import ordered_alike, pairs_of, pairs_within, pairwise_figures
from workbench.stats.power import PairedDesign, paired_variance
from workbench.stats.ranking import PairwiseAccuracy, tie_calibrated_accuracy


def value(found: Measured) -> float:
    assert isinstance(found, Estimate)
    return found.value


def test_a_tie_of_the_score_counts_half_where_the_reference_orders() -> None:
    pairs = pairs_of([1, 1, -1, 0], [0.2, 0.0, 0.3, 0.0], ["a", "a", "b", "b"])
    assert value(ordered_alike(pairs, seed=1)) == pytest.approx(0.5)  # (1 + 1/2 + 0) / 3
    assert value(pairwise_figures(pairs, seed=1).three_way) == pytest.approx(0.5)  # right on the first and the last


def test_calibrated_ties_agree_with_the_search_over_every_epsilon() -> None:
    rng = np.random.default_rng(4)
    human, metric = rng.integers(0, 3, 60).astype(float), rng.integers(0, 9, 60).astype(float)
    groups = np.repeat(np.arange(10), 6).tolist()
    expected = tie_calibrated_accuracy(human, metric, groups)
    assert isinstance(expected, PairwiseAccuracy)
    found = pairwise_figures(pairs_within(human, metric, groups), seed=1, resamples=200)
    assert value(found.calibrated) == pytest.approx(expected.accuracy)
    assert found.epsilon == expected.epsilon
    assert value(found.held_out) <= value(found.calibrated) + 1e-12


def test_no_ordered_pair_is_not_measured() -> None:
    assert isinstance(ordered_alike(pairs_of([0.0], [1.0], ["q"]), seed=1), NotMeasured)


def test_confusion_agrees_with_scikit_learn() -> None:
    rng = np.random.default_rng(2)
    first, second = rng.integers(0, 3, 50).tolist(), rng.integers(0, 3, 50).tolist()
    found = confusion(first, second, categories=[0, 1, 2])
    assert found.counts.tolist() == confusion_matrix(first, second).tolist()
    assert value(found.accuracy) == pytest.approx(np.mean(np.array(first) == second))


@pytest.mark.parametrize("method", ["isotonic", "platt"])
def test_calibration_helps_a_skewed_score_on_questions_it_was_not_fitted_on(method: str) -> None:
    rng = np.random.default_rng(8)
    truth = rng.random(600)
    labels = (rng.random(600) < truth).astype(float)
    found = calibrate(truth**4, labels, np.repeat(np.arange(120), 5).tolist(), method=method, seed=1)  # type: ignore[arg-type]
    assert isinstance(found, Calibrated)
    assert isinstance(found.brier_gain, Estimate) and found.brier_gain.above(0.0)
    assert value(found.after.brier) == pytest.approx(brier_score_loss(labels, found.predictions))
    assert isinstance(found.before.ece, Estimate) and found.before.ece.above(found.before.ece_floor)
    assert value(found.after.ece) < value(found.before.ece)


def test_floor_of_ece_is_what_a_calibrated_grader_shows() -> None:
    rng = np.random.default_rng(5)
    found = []
    for _ in range(40):
        p = rng.random(300)
        found.append(reliability(p, (rng.random(300) < p).astype(float), seed=1, resamples=10))
    assert np.mean([value(one.ece) for one in found]) == pytest.approx(
        np.mean([one.ece_floor for one in found]), rel=0.1
    )


def test_power_is_the_same_in_every_direction() -> None:
    design = PairedDesign(0.04, 0.02, 0.02, 4, 4)
    n = design.questions_for(0.05)
    assert n == 157  # (1.95996 + 0.84162)^2 * 0.05 / 0.0025 = 156.98
    assert design.detectable(n) <= 0.05 < design.detectable(n - 1)
    assert design.power_at(n, 0.05) == pytest.approx(0.8, abs=0.01)
    assert design.with_attempts(1).attempts_for(n, 0.05) == 4


def test_variance_components_and_power_hold_in_a_simulation() -> None:
    rng = np.random.default_rng(7)
    design, n, delta = PairedDesign(0.03, 0.04, 0.02, 3, 3), 80, 0.06
    seen, omegas = 0, []
    for _ in range(400):
        true = rng.normal(delta, np.sqrt(0.03), n)
        a = true[:, None] + rng.normal(0, 0.2, (n, 3))
        b = rng.normal(0, np.sqrt(0.02), (n, 3))
        d = a.mean(axis=1) - b.mean(axis=1)
        seen += d.mean() / (d.std(ddof=1) / np.sqrt(n)) > 1.96
        found = paired_variance(a.tolist(), b.tolist())
        assert found.design is not None
        omegas.append(found.design.omega2)
    assert seen / 400 == pytest.approx(design.power_at(n, delta), abs=0.06)
    assert np.mean(omegas) == pytest.approx(0.03, rel=0.05)
