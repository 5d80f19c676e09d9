"""The division of a gap between two phases, checked by hand and by its axioms."""

import random

import pytest

from workbench.diagnosis.shapley import shapley


def test_a_table_worked_by_hand() -> None:
    """v(A,a)=0.58, v(A,b)=0.73, v(B,a)=0.60, v(B,b)=0.81: research (0.02 + 0.08) / 2, writing (0.15 + 0.21) / 2."""
    shares = shapley(0.58, 0.73, 0.60, 0.81)

    assert shares.gap == pytest.approx(0.23)
    assert shares.research == pytest.approx(0.05)
    assert shares.writing == pytest.approx(0.18)
    assert shares.interaction == pytest.approx(0.06)


def test_shares_sum_to_the_gap_whatever_the_table() -> None:
    rng = random.Random(3)
    for _ in range(100):
        shares = shapley(*(rng.random() for _ in range(4)))
        assert shares.research + shares.writing == pytest.approx(shares.gap)


def test_phases_that_do_the_same_get_the_same() -> None:
    shares = shapley(0.2, 0.5, 0.5, 0.9)
    assert shares.research == pytest.approx(shares.writing)


def test_a_phase_that_changes_nothing_gets_nothing() -> None:
    shares = shapley(0.2, 0.6, 0.2, 0.6)
    assert shares.research == pytest.approx(0.0)
    assert shares.writing == pytest.approx(shares.gap)
