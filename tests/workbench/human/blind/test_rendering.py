"""Reports as the rater sees them: inert, without addresses, in one form."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.human.blind.masking import Masker
from workbench.human.blind.normalise import normalise
from workbench.human.blind.rendering import render

MASKER = Masker(["Vessel-7B"])
ALLOWED = {
    "p", "ul", "ol", "li", "blockquote", "table", "thead", "tbody", "tr", "th", "td", "pre", "code", "hr", "br",
    "em", "strong", "s", "span", "div", "h3", "h4", "h5", "h6",
}  # fmt: skip


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.attributes.update(attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def read(report: str) -> Tags:
    tags = Tags()
    tags.feed(render(report, MASKER))
    return tags


HOSTILE = [
    "<script>fetch('https://evil.example')</script>",
    "<img src=x onerror=alert(1)>",
    "![pixel](https://evil.example/p.png)",
    "[click](javascript:alert(1))",
    '<a href="https://evil.example" onclick="x()">a</a>',
    "<svg onload=alert(1)>",
    "<iframe src=//evil.example></iframe>",
    "`<script>` and ```\n</code><script>alert(1)</script>\n```",
    "| a | b |\n|---|---|\n| <b onmouseover=x>1</b> | <style>*{display:none}</style> |",
    "<!-- hidden <script>alert(1)</script> -->",
    '<div style="position:fixed">over all</div>',
    "&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x&#62;",
    "[a]: https://evil.example 'title'\n\n[a]",
    "<https://evil.example>",
    '"><img src=x onerror=alert(1)>',
]


@pytest.mark.parametrize("report", HOSTILE)
def test_hostile_content_is_inert(report: str) -> None:
    tags = read(report)
    assert tags.seen <= ALLOWED
    assert tags.attributes <= {("class", "cite"), ("class", "wide")}
    assert "evil.example" not in render(report, MASKER)


@given(
    st.lists(
        st.sampled_from([*HOSTILE, "# a\n", "*b*", "\n\n", "|", "[", "](", "<", ">", "`", "&", "1. x\n"]), max_size=12
    )
)
@settings(max_examples=150, deadline=None)
def test_no_mixture_of_hostile_pieces_makes_a_foreign_tag(pieces: list[str]) -> None:
    tags = read("".join(pieces))
    assert tags.seen <= ALLOWED
    assert {name for name, _ in tags.attributes} <= {"class", "start"}


@pytest.mark.parametrize(
    ("report", "text"),
    [
        ("Rust [source](https://a.example/x).", "Rust source[1]."),
        ("One [a](https://a.example), [b](https://b.example), [c](https://a.example).", "One a[1], b[2], c[1]."),
        ("Seen at [a.example](https://a.example/x).", "Seen at [1]."),
        ("Seen at https://a.example/x?y=1, they say.", "Seen at [1], they say."),
        ("Own number [4](https://a.example) and a [link](https://b.example).", "Own number [4] and a link↗."),
        ("Fact [4].\n\n[4] https://a.example/x", "Fact [4].[4] ↗"),
        ("Fact [[7]](https://a.example).", "Fact [7]."),
        ("Fact[^2].\n\n[^2]: A title https://a.example", "Fact[2].[2] A title ↗"),
        ("Fact【3†source】 and 【1,2】.", "Fact[3] and [1,2]."),
        ("Fact :contentReference[oaicite:5]{index=5}.", "Fact [5]."),
        ("[cite_start]Fact[cite: 1, 2].", "Fact[1, 2]."),
        ("Fact [citation:3].", "Fact [3]."),
        ("Fact\ue200cite\ue202turn0search1\ue201.", "Fact."),
        ('Fact <q:cite id="id_12">as quoted</q:cite>.', "Fact [1].[1] “as quoted”"),
        ("<q:takeaway class=x>\nMain point.\n</q:takeaway>", "Main point."),
        ("![A chart](https://a.example/c.png)", "[figure: A chart]"),
        ("A\u200bB\u202eC", "ABC"),
        ("Vessel-7B and **Vessel**-7B and V*essel*-7B", "[model] and [model] and [model]"),
        ("As **Gemini**, I looked.", "As [model], I looked."),
    ],
)
def test_marks_links_and_names_take_one_form(report: str, text: str) -> None:
    assert " ".join(read(report).text.split()) == " ".join(text.split())


def test_code_is_left_as_it_is() -> None:
    code = "List<String> x = a[^1]; // <b>"
    assert code in read(f"```java\n{code}\n```").text
    assert "java" not in render(f"```java\n{code}\n```", MASKER)
    assert normalise(f"`{code}`") == f"`{code}`"


def test_heading_levels_start_below_the_page_and_lists_keep_their_numbers() -> None:
    html = render("# A\n\n###### B\n\n3. c\n4. d\n", MASKER)
    assert "<h3>A</h3>" in html and "<h6>B</h6>" in html
    assert '<ol start="3">' in html


def test_nothing_written_is_lost() -> None:
    words = [f"word{i}" for i in range(60)]
    report = (
        f"# {words[0]}\n\n{words[1]} **{words[2]}** *{words[3]}* `{words[4]}` ~~{words[5]}~~\n\n"
        f"- {words[6]}\n  - {words[7]}\n\n> {words[8]}\n\n"
        f"| {words[9]} | {words[10]} |\n|---|---|\n| {words[11]} | {words[12]} |\n\n"
        f"1. {words[13]}\n\n"
        f"    {words[14]}\n\n```\n{words[15]}\n```\n\n{words[16]}<br>{words[17]} <sub>{words[18]}</sub> "
        f"<unknown>{words[19]}</unknown> a < {words[20]} > b\n\n***\n\n[{words[21]}](https://a.example)\n"
    )
    text = read(report).text
    assert [word for word in words[:22] if not re.search(rf"{word}(?!\d)", text)] == []
    assert "<unknown>" in text
