"""Packing leaves out whole paragraphs and accounts for them."""

import re

from hypothesis import given
from hypothesis import strategies as st

from rubrics.judging.pack import pack
from rubrics.judging.text import estimate_tokens

NONCE = "0123456789ab"
PARAGRAPHS = [f"Paragraph {n} is about topic{n} and says little besides that." for n in range(40)]
LONG = "\n\n".join(PARAGRAPHS)


def test_a_text_that_fits_is_left_whole() -> None:
    packed = pack("short", budget_tokens=50, focus="", nonce=NONCE)
    assert packed is not None
    assert (packed.text, packed.complete) == ("short", True)


def test_first_last_and_relevant_paragraphs_are_kept_in_order_with_gaps_marked() -> None:
    packed = pack(LONG, budget_tokens=220, focus="what about topic17?", nonce=NONCE)
    assert packed is not None
    kept = [n for n, paragraph in enumerate(PARAGRAPHS) if paragraph in packed.text]
    assert kept == sorted(kept)
    assert {0, 17, 39} <= set(kept)
    assert len(kept) < 40


@given(st.text(alphabet=st.sampled_from("ab c.\n中。"), max_size=3000), st.integers(1, 400))
def test_packed_text_keeps_the_budget_and_counts_every_character(text: str, budget: int) -> None:
    packed = pack(text, budget_tokens=budget, focus="ab", nonce=NONCE)
    if packed is None:
        assert estimate_tokens(text) > budget
        return
    assert estimate_tokens(packed.text) <= budget
    left_out = sum(int(count) for count in re.findall(rf"<<<LEFT OUT {NONCE}: (\d+) characters>>>", packed.text))
    trailing_space = len(text) - packed.shown - left_out
    assert packed.complete or 0 <= trailing_space <= len(text) - len(text.rstrip()) + len(text) - len(text.lstrip())


def test_nothing_is_packed_where_not_one_paragraph_fits() -> None:
    assert pack(LONG, budget_tokens=15, focus="", nonce=NONCE) is None


def test_a_tight_budget_shows_pieces_of_long_lines() -> None:
    line = "1. search: " + "words about the bridge in the north " * 40
    packed = pack("\n".join([line] * 10), budget_tokens=150, focus="bridge", nonce=NONCE)
    assert packed is not None
    assert 0 < packed.shown < packed.total
