"""Units, tolerances and drawn numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.units import CONVERTED, UNITS, close_enough, grouped, to_base
from benchmarks.simulated_web.wording import converted, money, possessive


@pytest.mark.parametrize(
    ("stated", "true", "last_place", "approximate", "same"),
    [
        (1240, 1240, 1, False, True),
        (1252, 1240, 1, False, True),  # within 1%
        (1260, 1240, 1, False, False),
        (1.2e6, 1.23e6, 1e5, False, True),  # half of the last place written
        (1.2e6, 1.27e6, 1e5, False, False),  # more than 4%
        (1280, 1240, 1, True, True),  # "about", within 4%
        (1310, 1240, 1, True, False),
        (0, 0, 1, False, True),
    ],
)
def test_rounding_is_allowed_and_no_more(
    stated: float, true: float, last_place: float, approximate: bool, same: bool
) -> None:
    assert close_enough(stated, true, last_place=last_place, approximate=approximate) is same


@given(st.sampled_from(sorted(CONVERTED)), st.integers(20, 900_000))
def test_conversion_and_back_is_within_tolerance(unit: str, number: int) -> None:
    base = to_base(number, unit)
    other = converted(base, CONVERTED[unit])
    if other >= 1:
        back = to_base(other, CONVERTED[unit])
        assert close_enough(back, base, last_place=0, approximate=False) or abs(back - base) <= 0.05 * base


def test_numbers_and_money_in_words() -> None:
    assert (grouped(1240), grouped(1240.5), grouped(0.25)) == ("1,240", "1,240.5", "0.25")
    assert (money(7_630_000_000), money(340_000_000)) == ("7.63 billion", "340 million")
    assert (possessive("Corvane Works"), possessive("the dam")) == ("Corvane Works'", "the dam's")
    assert UNITS["mi"].factor == 1609.344


@given(st.text(), st.integers(1, 50))
def test_draws_stay_in_range_and_repeat(label: str, n: int) -> None:
    assert 0 <= Rng(label).below(n) < n
    assert Rng(label, 1).sample(range(n), 3) == Rng(label, 1).sample(range(n), 3)
    assert sorted(Rng(label).shuffled(range(n))) == list(range(n))
