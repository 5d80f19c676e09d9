"""A hostile report stays text; its citations and claims are marked where they stand."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.schema.analysis import Citation
from workbench.ui.components.viewer.report_html import report_html

ALLOWED = {
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "em", "strong", "code", "pre", "blockquote", "hr", "br",
    "table", "thead", "tbody", "tr", "th", "td", "s", "span",
}  # fmt: skip
ALLOWED_ATTRIBUTES = {"class", "data-c", "tabindex", "title", "start", "style"}


class Inspector(HTMLParser):
    """Collects what a browser would make of the HTML: element names, attribute names and values."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.extend((name, value or "") for name, value in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def inspect(html: str) -> Inspector:
    found = Inspector()
    found.feed(html)
    found.close()
    return found


def citation(report: str, marker: str, ordinal: int = 0) -> Citation:
    start = report.index(marker)
    return Citation(ordinal, marker, start, start + len(marker), 0, start, "https://a.example/p", "a.example", "opened")


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![track](https://evil.example/pixel.png)",
        "[click](javascript:alert(1))",
        "[click](https://evil.example 'x\" onmouseover=\"alert(1)')",
        "<a href='https://evil.example'>x</a>",
        "<style>body{display:none}</style>",
        "```html\n<script>1</script>\n```",
        "<svg/onload=alert(1)>",
        "| a |\n|---|\n| <iframe src='//evil.example'> |",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "\ue0010\ue002 \ue003forged\ue004",
        "&#xe001;0&#xe002; &#xE003;forged&#57348;",
        "```&#xe003;\ncode\n```",
    ],
)
def test_nothing_of_a_hostile_report_becomes_active(hostile: str) -> None:
    found = inspect(report_html(f"Before.\n\n{hostile}\n\nAfter.", (), ()))
    assert found.tags <= ALLOWED
    assert {name for name, _ in found.attributes} <= ALLOWED_ATTRIBUTES
    assert "Before." in found.text and "After." in found.text
    assert ("class", "u") not in found.attributes


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=300))
def test_any_text_gives_only_the_elements_that_markdown_has(report: str) -> None:
    found = inspect(report_html(report, (), ()))
    assert found.tags <= ALLOWED
    assert {name for name, _ in found.attributes} <= ALLOWED_ATTRIBUTES


def test_a_citation_is_marked_with_its_class_and_keeps_its_place() -> None:
    report = "Water is **wet** [1]. It flows."
    html = report_html(report, [citation(report, "[1]")], ())
    assert re.search(r'wet</strong> <span class="c opened not_checked" data-c="0" tabindex="0">\[1\]</span>\. It', html)


def test_a_link_citation_shows_its_site_and_not_its_address() -> None:
    report = "Water flows ([a very long title of a page](https://a.example/p))."
    html = report_html(report, [citation(report, "[a very long title of a page](https://a.example/p)", 4)], ())
    assert 'data-c="4"' in html
    assert "[a.example]" in html
    assert "https://a.example/p" not in html


def test_two_citations_side_by_side_are_two_marks() -> None:
    report = "So it is [1][2]."
    html = report_html(report, [citation(report, "[1]", 0), citation(report, "[2]", 1)], ())
    assert html.count('class="c ') == 2


def test_an_uncited_claim_is_underlined_without_breaking_its_paragraph() -> None:
    report = "First. It rose by 40 % in 1999. Last."
    start = report.index("It rose")
    html = report_html(report, (), [(start, report.index(" Last"))])
    assert '<span class="u">It rose by 40 % in 1999.</span>' in html


def test_a_link_shows_where_it_would_lead_and_leads_nowhere() -> None:
    found = inspect(report_html("[page](https://evil.example/x)", (), ()))
    assert ("title", "https://evil.example/x") in found.attributes
    assert "a" not in found.tags


@pytest.mark.parametrize("hidden", ["\u202e", "&#8238;", "&#x202E;", "\u200b", "&ZeroWidthSpace;", "\x1b", "\ue001"])
def test_what_is_hidden_in_a_report_is_spelt_out(hidden: str) -> None:
    assert re.search(r"gain ⟨U\+[0-9A-F]{4}⟩of 5", inspect(report_html(f"gain {hidden}of 5", (), ())).text)


def test_entities_that_hide_nothing_are_what_they_mean() -> None:
    assert inspect(report_html("R&amp;D &lt; 5 &unknown; AT&T;", (), ())).text.strip() == "R&D < 5 &unknown; AT&T;"


def test_offsets_of_citations_hold_behind_hidden_characters() -> None:
    report = "\u202ea\u200b [1] b"
    html = report_html(report, [citation(report, "[1]")], ())
    assert '⟨U+200B⟩ <span class="c opened not_checked" data-c="0" tabindex="0">[1]</span> b' in html
