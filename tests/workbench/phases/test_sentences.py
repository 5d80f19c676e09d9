"""Sentences and their offsets."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.phases.sentences import Span, sentences


def _texts(text: str) -> list[str]:
    return [text[span.start : span.end] for span in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rose. It fell!", ["It rose.", "It fell!"]),
        ("Dr. Smith et al. saw 3.5 m, i.e. much, in the U.S. in 2024. Then none.", None),
        ('He asked "why?" and left. She stayed.', ['He asked "why?" and left.', "She stayed."]),
        ("See e.g. Fig. 3 for it.", ["See e.g. Fig. 3 for it."]),
        ("潮汐上升了四米。随后下降！为什么？", ["潮汐上升了四米。", "随后下降！", "为什么？"]),
        ("他说：“上升了。”然后下降。", ["他说：“上升了。”", "然后下降。"]),
        ("- one. two\n- three", ["- one. two", "- three"]),
        ("1. First thing. Second.", ["1. First thing.", "Second."]),
        ("**1\\. Title of it**", ["**1\\. Title of it**"]),
        ("| A. b | C. d |\n| E | F |", ["| A. b | C. d |", "| E | F |"]),
        ("Wait... what? Yes.", ["Wait... what?", "Yes."]),
        ("\n\n  \n", []),
    ],
)
def test_text_is_split_where_a_reader_would(text: str, expected: list[str] | None) -> None:
    if expected is None:
        expected = ["Dr. Smith et al. saw 3.5 m, i.e. much, in the U.S. in 2024.", "Then none."]
    assert _texts(text) == expected


def test_stops_inside_opaque_spans_end_nothing() -> None:
    text = "See https://a.example/x. y for it. Then."
    assert len(sentences(text)) == 2
    opaque = [Span(4, 26)]
    assert text[slice(*sentences(text, opaque=opaque)[0])] == "See https://a.example/x. y for it."


@given(st.text(alphabet="ab. \n!?。，A|\"'[]()1\\#*", max_size=120))
def test_sentences_are_in_order_apart_trimmed_and_lose_no_letter(text: str) -> None:
    spans = sentences(text)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(left.end <= right.start for left, right in pairwise(spans))
    assert all(text[span.start : span.end] == text[span.start : span.end].strip() for span in spans)
    kept = "".join(text[span.start : span.end] for span in spans)
    assert [char for char in kept if not char.isspace()] == [char for char in text if not char.isspace()]
