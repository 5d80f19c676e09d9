"""Folding of queries, words of any script, and the estimate of tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.phases.text import estimate_tokens, fold, words


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Tide  tables", "tide tables"),
        ("ＴＩＤＥ　tables？", "tide tables"),
        ("tide-tables!", "tide tables"),
        ('"tide" tables', "tide tables"),
        ("what's the tide", "whats the tide"),
        ("潮汐 表。", "潮汐 表"),
        ("Straße", "STRASSE"),
    ],
)
def test_case_width_spacing_and_punctuation_fold_away(left: str, right: str) -> None:
    assert fold(left) == fold(right)


@pytest.mark.parametrize(("left", "right"), [("c++", "c"), ("c#", "c"), ("3.5", "35"), ("5%", "5"), ("!!!", "???")])
def test_what_carries_meaning_does_not_fold_away(left: str, right: str) -> None:
    assert fold(left) != fold(right)


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing_and_loses_no_query(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert bool(fold(text)) == bool(text.strip())


def test_words_are_folded_numbers_whole_and_chinese_in_pairs() -> None:
    assert list(words("Tides rose 1,234.5 m")) == ["tides", "rose", "1234.5", "m"]
    assert list(words("潮汐表 2024年")) == ["潮汐", "汐表", "2024", "年"]


def test_estimate_grows_with_text_and_is_nothing_for_nothing() -> None:
    assert estimate_tokens("") == 0
    assert 8 <= estimate_tokens("The tide rose by four metres in March 2024.") <= 12
    assert estimate_tokens("潮汐在三月上升了四米。") in range(5, 10)
