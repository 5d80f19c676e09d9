"""Text of strangers in Markdown, in HTML and in addresses."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.ui.components.text import escaped, plain, short
from workbench.ui.session import join_names, split_names


@pytest.mark.parametrize(
    ("hostile", "live"),
    [
        ("see http://evil.example/x", r"https?://"),
        ("see www.evil.example", r"www\."),
        ("mail me@evil.example", r"\w@"),
        ("an icon :material/delete: here", r":material/\w+:"),
        ("a face :smile:", r":smile:"),
        ("\u202eevil", "\u202e"),
        ("a\u2067b", "\u2067"),
    ],
)
def test_nothing_that_streamlit_brings_to_life_is_left_whole(hostile: str, live: str) -> None:
    # Streamlit looks for these after it has undone the backslashes.
    shown = re.sub(r"\\(.)", r"\1", plain(hostile))
    assert re.search(live, shown) is None


@pytest.mark.parametrize(
    "hostile", ["&shy;&#8238;", "[a](http://x)", "![a](b)", "`code`", "$x$", "# head", "<b>", ":red[x]", "*a*"]
)
def test_markdown_of_a_stranger_is_shown_as_it_is_written(hostile: str) -> None:
    shown = plain(hostile)
    assert re.sub(r"\\(.)", r"\1", shown).replace("\u2060", "") == hostile
    assert all(shown[m.start() - 1] == "\\" for m in re.finditer(r"[\[\]()`$#<>*!&]", shown))


def test_html_of_a_stranger_is_text() -> None:
    assert escaped('<a href="x">') == "&lt;a href=&quot;x&quot;&gt;"


def test_a_cut_text_says_so() -> None:
    assert short("one two three", 8) == "one two…"
    assert short("one\n two", 20) == "one two"


@given(st.lists(st.text(st.characters(codec=None, categories=None), min_size=1), max_size=5))
def test_names_come_out_of_an_address_as_they_went_in(names: list[str]) -> None:
    joined = join_names(names)
    assert split_names(joined) == names
    joined.encode()
