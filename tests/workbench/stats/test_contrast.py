"""Difference of means between kinds of rows: by hand, and how often its interval holds."""

import numpy as np
import pytest

from workbench.errors import BadInputError
from workbench.stats.contrast import mean_contrast, within_clusters
from workbench.stats.estimate import Estimate, NotMeasured


def test_difference_is_that_of_the_means() -> None:
    found = mean_contrast([1, 2, 9, 4], [True, True, False, False], [0, 1, 2, 3], seed=0)
    assert isinstance(found, Estimate) and found.value == -5.0 and found.n == 4


def test_kind_that_no_row_or_every_row_has_is_not_measured() -> None:
    assert mean_contrast([1, 2], [False, False], seed=0) == NotMeasured("no row is of this kind", 2)
    assert mean_contrast([1, 2], [True, True], seed=0) == NotMeasured("every row is of this kind", 2)


def test_kind_of_one_question_alone_has_no_interval() -> None:
    found = mean_contrast([1, 2, 3, 4], [True, False, False, False], [0, 1, 2, 3], seed=0)
    assert isinstance(found, Estimate) and found.low is None and "undefined on" in found.method


def test_marks_of_another_length_are_refused() -> None:
    with pytest.raises(BadInputError):
        mean_contrast([1, 2], [True], seed=0)


def test_interval_holds_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(11)
    held = 0
    for round_ in range(300):
        marked = rng.random(160) < 0.3
        values = rng.normal(size=40).repeat(4) + rng.normal(size=160) + 0.5 * marked
        found = mean_contrast(values, marked, np.arange(40).repeat(4), seed=round_, resamples=300)
        assert isinstance(found, Estimate) and found.low is not None and found.high is not None
        held += found.low <= 0.5 <= found.high
    assert 270 <= held <= 298


def test_difference_within_questions_leaves_out_what_the_question_does() -> None:
    # Question 0 is long and hard, question 1 short and easy; within each the marked row is shorter by 2.
    found = within_clusters([8, 10, 10, 1, 3, 99], [True, False, False, True, False, False], [0, 0, 0, 1, 1, 2], seed=0)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(-2.0) and (found.n, found.n_clusters) == (5, 2)


def test_no_question_with_both_kinds_is_not_measured() -> None:
    found = within_clusters([1, 2, 3], [True, False, False], [0, 1, 1], seed=0)
    assert found == NotMeasured("no question has rows of both kinds", 3)


def test_interval_within_questions_holds_though_marks_follow_the_question() -> None:
    rng = np.random.default_rng(5)
    held = 0
    for round_ in range(300):
        level = rng.normal(size=50).repeat(4) * 3
        marked = rng.random(200) < 1 / (1 + np.exp(-level))  # hard questions are marked more often
        values = level + rng.normal(size=200) + 0.5 * marked
        found = within_clusters(values, marked, np.arange(50).repeat(4), seed=round_, resamples=300)
        assert isinstance(found, Estimate) and found.low is not None and found.high is not None
        held += found.low <= 0.5 <= found.high
    assert 270 <= held <= 298
