"""Addresses in text and one form for comparison."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.phases.urls import find_urls, link_target, normal_url


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("see https://a.example/x.", "https://a.example/x"),
        ("(https://a.example/x)", "https://a.example/x"),
        (
            "https://en.wikipedia.org/wiki/Tide_(disambiguation), too",
            "https://en.wikipedia.org/wiki/Tide_(disambiguation)",
        ),
        ('{"url": "https:\\/\\/a.example\\/x\\u0026y=1"}', "https://a.example/x&y=1"),
        ("<https://a.example/x?a=1&amp;b=2>", "https://a.example/x?a=1&b=2"),
        ("**https://a.example/x**", "https://a.example/x"),
        ("见https://a.example/b的报告", "https://a.example/b"),
        ("来源：https://a.example/b。下一句", "https://a.example/b"),
        ("https://zh.wikipedia.org/wiki/潮汐", "https://zh.wikipedia.org/wiki/潮汐"),
        ("[https://a.example/x](https://a.example/x)", "https://a.example/x"),
        ("https://zh.example/wiki/PPP模式 - PPP", "https://zh.example/wiki/PPP模式"),
        ("https://a.example/道德經_(王弼本)", "https://a.example/道德經_(王弼本)"),
        ("see https://a.example/Athena's_Saints", "https://a.example/Athena's_Saints"),
        ("['https://a.example/x', 'https://b.example/y']", "https://a.example/x"),
        ("https://a.example/f?id=d&noteId=1", "https://a.example/f?id=d&noteId=1"),
        ("https://a.example/docs/_89_ here", "https://a.example/docs/_89_"),
        ("HTTPS://A.example/X", "HTTPS://A.example/X"),
    ],
)
def test_address_is_found_without_what_surrounds_it(text: str, url: str) -> None:
    hit = next(find_urls(text))
    assert hit.url == url
    assert text[hit.start : hit.end].lower().startswith("http")


@pytest.mark.parametrize("text", ["http://", "https:// x", "ftp://a.example", "a.example/x", "https:/a"])
def test_what_is_no_address_is_not_found(text: str) -> None:
    assert list(find_urls(text)) == []


def test_a_link_keeps_brackets_that_its_address_holds() -> None:
    text = "[t](https://a.example/x_(y)) and more"
    found = link_target(text, 4)
    assert found is not None
    assert found[1] == "https://a.example/x_(y)"
    assert text[found[0]] == ")"


def test_a_link_that_is_not_closed_ends_as_a_bare_address_does() -> None:
    assert link_target("[t](https://a.example/x]. Next", 4) == (23, "https://a.example/x")


SAME = [
    ("http://www.a.example/x/", "https://a.example/x"),
    ("https://a.example/x?utm_source=n&b=2&a=1", "https://a.example/x?a=1&b=2"),
    ("https://a.example:443/x#part", "https://a.example/x"),
    ("https://a.example/%7Ejo/caf%C3%A9", "https://a.example/~jo/café"),
    ("https://m.a.example/x", "https://www.a.example/x"),
    ("https://en.m.wikipedia.org/wiki/Tide", "https://en.wikipedia.org/wiki/Tide"),
    ("https://arxiv.org/pdf/2404.01234v2.pdf", "https://arxiv.org/abs/2404.01234"),
    ("https://dx.doi.org/10.1000/ABC", "https://doi.org/10.1000/abc"),
    ("https://www.google.com/url?q=https://a.example/x&sa=U", "https://a.example/x"),
    ("https://xn--mnchen-3ya.de/a", "https://münchen.de/a"),
]
DIFFERENT = [
    ("https://a.example/x", "https://a.example/X"),
    ("https://a.example/x?id=1", "https://a.example/x?id=2"),
    ("https://a.example/x", "https://b.example/x"),
    ("https://a.example/a%2Fb", "https://a.example/a/b"),
    ("https://a.example/#!/one", "https://a.example/#!/two"),
    ("https://a.example:8080/x", "https://a.example/x"),
    ("https://arxiv.org/abs/2404.01234", "https://arxiv.org/abs/2404.01235"),
    ("https://a.example/%ff", "https://a.example/%fe"),
]


@pytest.mark.parametrize(("left", "right"), SAME)
def test_spellings_of_one_page_have_one_form(left: str, right: str) -> None:
    assert normal_url(left) == normal_url(right)


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_different_pages_keep_different_forms(left: str, right: str) -> None:
    assert normal_url(left) != normal_url(right)


@given(st.text(max_size=80))
def test_the_form_of_any_text_is_made_without_raising_and_is_stable(tail: str) -> None:
    form = normal_url("https://a.example/" + tail)
    assert normal_url("https://www.a.example/" + tail) == form
    normal_url(tail)
