"""Order agreement: by hand, by property, against scipy and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau
from sklearn.metrics import roc_auc_score

from workbench.errors import BadInputError
from workbench.stats.estimate import Estimate, NotMeasured
from workbench.stats.ranking import (
    PairwiseAccuracy,
    auc,
    auc_interval,
    kendall_interval,
    kendall_tau_b,
    pairwise_accuracy,
    tie_calibrated_accuracy,
)

SMALL = st.integers(0, 4).map(float)


def accuracy(found: PairwiseAccuracy | NotMeasured) -> float:
    assert isinstance(found, PairwiseAccuracy)
    return found.accuracy


def test_tau_b_corrects_for_ties() -> None:
    x, y = [1.0, 2.0, 2.0, 3.0], [1.0, 2.0, 3.0, 4.0]
    assert kendall_tau_b(x, y) == pytest.approx(5 / np.sqrt(5 * 6))
    assert kendall_tau_b(x, y) == pytest.approx(float(kendalltau(x, y).statistic))


def test_constant_scores_have_no_order() -> None:
    assert kendall_tau_b([1.0, 1.0], [1.0, 2.0]) is None
    assert isinstance(kendall_interval([1.0, 1.0], [1.0, 2.0], seed=1), NotMeasured)


def test_tau_interval_surrounds_the_value() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=60)
    found = kendall_interval(x, x + rng.normal(size=60), seed=1, resamples=300)
    assert isinstance(found, Estimate) and found.low is not None and found.high is not None
    assert found.low < found.value < found.high


def test_pairwise_accuracy_counts_ties_as_an_answer() -> None:
    human, metric = [1.0, 1.0, 2.0], [0.5, 0.5, 0.4]
    found = pairwise_accuracy(human, metric)
    assert isinstance(found, PairwiseAccuracy)
    assert found.accuracy == pytest.approx(1 / 3)
    assert (found.n_pairs, found.n_human_ties) == (3, 1)


def test_pairs_are_taken_within_groups_only() -> None:
    human, metric = [1.0, 2.0, 5.0, 4.0], [0.1, 0.2, 0.0, 0.1]
    found = pairwise_accuracy(human, metric, ["q1", "q1", "q2", "q2"])
    assert isinstance(found, PairwiseAccuracy)
    assert (found.n_pairs, found.accuracy) == (2, 0.5)


@given(st.lists(st.tuples(SMALL, SMALL), min_size=2, max_size=12))
@settings(max_examples=100, deadline=None)
def test_calibrated_accuracy_is_the_best_over_every_threshold(rows: list[tuple[float, float]]) -> None:
    human, metric = [a for a, _ in rows], [b for _, b in rows]
    best = max(accuracy(pairwise_accuracy(human, metric, epsilon=e)) for e in (0.0, 1.0, 2.0, 3.0, 4.0))
    assert accuracy(tie_calibrated_accuracy(human, metric)) == pytest.approx(best)


def test_one_item_makes_no_pair() -> None:
    assert isinstance(pairwise_accuracy([1.0], [1.0]), NotMeasured)
    assert isinstance(tie_calibrated_accuracy([], []), NotMeasured)


@given(st.lists(st.tuples(st.booleans(), SMALL), min_size=2, max_size=30))
@settings(max_examples=60, deadline=None)
def test_auc_agrees_with_scikit_learn(rows: list[tuple[bool, float]]) -> None:
    labels, scores = [a for a, _ in rows], [b for _, b in rows]
    found = auc(labels, scores)
    if found is None:
        assert len(set(labels)) == 1
    else:
        assert found == pytest.approx(roc_auc_score(labels, scores))


def test_auc_of_one_class_is_not_measured() -> None:
    assert auc_interval([True, True], [0.1, 0.2], seed=1) == NotMeasured("only one class is present", 2)


def test_auc_interval_over_clusters_is_wider_than_over_copied_rows() -> None:
    rng = np.random.default_rng(2)
    labels = rng.random(30) < 0.5
    scores = labels + rng.normal(size=30)
    copies, groups = np.repeat(np.arange(30), 6), np.repeat(np.arange(30), 6)
    naive = auc_interval(labels[copies].tolist(), scores[copies], seed=1, resamples=300)
    clustered = auc_interval(labels[copies].tolist(), scores[copies], groups, seed=1, resamples=300)
    assert isinstance(naive, Estimate) and isinstance(clustered, Estimate)
    assert naive.low is not None and clustered.low is not None
    assert clustered.low < naive.low


def test_scores_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(BadInputError, match="not finite"):
        kendall_tau_b([1.0, float("nan")], [1.0, 2.0])
