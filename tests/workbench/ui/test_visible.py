"""What is hidden in a text is spelt out, by the rule that judges are shown it by, and honest writing stays as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubrics.judging.fence import make_visible
from rubrics.judging.text import is_hidden
from workbench.ui.components.visible import MARKS, visible, visible_json

HIDDEN = "\x00\x1b\x7f\x85\u00ad\u061c\u180e\u200b\u200e\u202e\u2028\u2060\u2067\u3164\ufeff"
HIDDEN += "\ud800\ue001\ufdd0\U000e0041\U000e0101"


@pytest.mark.parametrize("char", HIDDEN)
def test_a_hidden_character_is_shown_by_its_number(char: str) -> None:
    assert visible(f"a{char}b") == f"a⟨U+{ord(char):04X}⟩b"


@pytest.mark.parametrize(
    "honest",
    [
        "plain\n\ttext",
        "中文，很长。",
        "👩\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3",
        "می\u200cخواهم",
        "क्\u200dष",
        "e\u0301 ế",
        "עִבְרִית",
    ],
)
def test_honest_writing_stays_as_it_is(honest: str) -> None:
    assert visible(honest) == honest


@pytest.mark.parametrize("loose", ["a\u200db", "\u200c\u200c", "pay\u200cpal", "a\ufe0f"])
def test_joiners_that_join_nothing_are_shown(loose: str) -> None:
    assert "⟨U+" in visible(loose)


def test_a_pile_of_marks_is_spread_over_circles_and_none_is_lost() -> None:
    shown = visible("z" + "\u0301" * 23)
    assert shown.count("\u0301") == 23
    assert max(map(len, shown[1:].split("\u25cc"))) == MARKS


def test_a_line_break_of_two_characters_is_one() -> None:
    assert visible("a\r\nb\rc") == "a\nb⟨U+000D⟩c"


def test_names_and_texts_of_json_are_made_visible() -> None:
    assert visible_json({"a\u200b": ["\x1b[31m", 1, None]}) == {"a⟨U+200B⟩": ["⟨U+001B⟩[31m", 1, None]}


@given(st.text(st.characters(codec=None, categories=None) | st.sampled_from(HIDDEN)))
def test_nothing_hidden_is_left_and_doing_it_again_changes_nothing(text: str) -> None:
    shown = visible(text)
    left = {char for char in shown if is_hidden(char) and char not in "\u200c\u200d"}
    # A box is drawn for what is not assigned, and these signs of Arabic and Syriac have a shape.
    assert all(visible(char) == char for char in left)
    assert visible(shown) == shown
    shown.encode()


@pytest.mark.parametrize("char", HIDDEN.replace("\u3164", "").replace("\x7f", ""))
def test_people_and_judges_are_shown_the_same_words(char: str) -> None:
    assert visible(f"a{char}b") == make_visible(f"a{char}b").text
