"""Figures: how they are read, and when one says another."""

import pytest

from rubrics.judging.entailment_numbers import MOST_FIGURES, comparable, figures, says


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("12 km", 12_000, "length"),
        ("1.2 million", 1_200_000, ""),
        ("120万人", 1_200_000, "people"),
        ("5.6亿元", 560_000_000, "cny"),
        ("$3.2bn", 3.2e9, "usd"),
        ("45 per cent", 45, "percent"),
        ("3.5个百分点", 3.5, "points"),
        ("1,240 m²", 1240, "area"),
        ("300 m³/s", 300, "flow"),
        ("in 1987", 1987, "year"),
        ("二零 5月3日", 503, "day"),
        ("3 May", 503, "day"),
        ("twelve dams", 12, ""),
    ],
)
def test_a_figure_is_read_in_the_base_unit_of_its_kind(text: str, value: float, kind: str) -> None:
    found = figures(text)
    assert [(round(figure.value, 6), figure.kind) for figure in found] == [(value, kind)]


@pytest.mark.parametrize("text", ["GPT-4", "COVID-19", "1. The first point", "version v2b", "| 3 | name | 08/05/21 |"])
def test_digits_of_names_and_lists_are_no_figures(text: str) -> None:
    assert figures(text) == ()


@pytest.mark.parametrize(
    ("given", "claimed", "expected"),
    [
        ("12,000 m", "12 km", True),
        ("125 miles", "201 km", True),
        ("1,243,000", "1.2 million", True),
        ("1.3 million", "1.2 million", False),
        ("45%", "more than 40%", True),
        ("39%", "more than 40%", False),
        ("45%", "about 44%", True),
        ("45%", "44%", False),
        ("1987", "1988", False),
        ("500 km", "500 kg", False),
        ("seats: 120", "120 km/h", False),
        ("185 km²", "extends over 171 km²", False),
    ],
)
def test_when_one_figure_says_another(given: str, claimed: str, expected: bool) -> None:
    assert says(figures(given)[0], figures(claimed)[0]) is expected


def test_only_figures_of_one_kind_can_contradict() -> None:
    length, width, share = figures("12 km")[0], figures("300 m")[0], figures("12%")[0]
    assert comparable(length, width)
    assert not comparable(length, share)
    assert not comparable(figures("three methods")[0], figures("five data")[0])


def test_a_page_of_digits_gives_a_bounded_number_of_figures() -> None:
    assert len(figures("12 km, " * 10_000)) == MOST_FIGURES
