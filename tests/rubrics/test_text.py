"""Sentences, folding and word edges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrics.judging.text import fold, holds, sentences


@given(st.text())
def test_sentences_stand_where_they_say_and_lose_only_space(text: str) -> None:
    found = sentences(text)
    assert all(text[piece.start : piece.end] == piece.text for piece in found)
    assert "".join("".join(piece.text.split()) for piece in found) == "".join(text.split())


def test_sentences_end_at_stops_but_not_inside_numbers_or_abbreviations() -> None:
    text = "The bridge is 3.5 km long. [1] Dr. Ode e.g. agrees! 它建于1932年。它很长。\nA last line"
    assert [piece.text for piece in sentences(text)] == [
        "The bridge is 3.5 km long. [1]",
        "Dr. Ode e.g. agrees!",
        "它建于1932年。",
        "它很长。",
        "A last line",
    ]


@pytest.mark.parametrize(
    ("sentence", "phrase", "expected"),
    [
        ("It cost 12 million.", "12", True),
        ("It cost 1200 million.", "12", False),
        ("It cost 3.12 million.", "12", False),
        ("It cost 12.5 million.", "12", False),
        ("It cost 12, as planned.", "12", True),
        ("It was in Norsewick", "Norse", False),
        ("建于1932年", "1932", True),
        ("ＷＩＤＥ letters", "wide", True),
        ("zero\u200bwidth", "zerowidth", True),
        ("anything", "", False),
    ],
)
def test_a_phrase_is_held_as_words_of_its_own(sentence: str, phrase: str, expected: bool) -> None:
    assert holds(fold(sentence), fold(phrase)) is expected
