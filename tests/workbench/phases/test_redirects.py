"""One source under many addresses, and addresses that only look alike."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.phases.redirects import unwrapped
from workbench.phases.urls import normal_url

SAME = [
    ("https://www.google.com/url?q=https%3A%2F%2Fa.example%2Fx&sa=U", "https://a.example/x"),
    ("https://web.archive.org/web/20200101000000/http://a.example/x?id=2", "https://a.example/x?id=2"),
    ("https://web.archive.org/web/2020id_/https:/a.example/x", "https://a.example/x"),
    ("https://r.jina.ai/https://a.example/x", "https://a.example/x"),
    ("https://r.jina.ai/https://web.archive.org/web/2020/http://a.example/x", "https://a.example/x"),
    ("https://www.google.com/amp/s/a.example/x", "https://a.example/x"),
    ("https://a-example.cdn.ampproject.org/c/s/a.example/x", "https://a.example/x"),
    ("https://link.zhihu.com/?target=https%3A//a.example/x", "https://a.example/x"),
    ("https://amp.news.example/x", "https://news.example/x"),
    ("https://doi.org/10.48550/arXiv.2301.00001", "https://arxiv.org/pdf/2301.00001v3.pdf"),
    ("https://dl.press.example/doi/full/10.1145/AbC.1", "http://dx.doi.org/10.1145/abc.1"),
    ("https://m.a.example/x/?utm_source=y#part", "http://www.a.example/x"),
]
APART = [
    ("https://a.example/x?id=1", "https://a.example/x?id=2"),
    ("https://a.example/x?q=1%26r%3D2", "https://a.example/x?q=1&r=2"),
    ("https://notarxiv.org/abs/2301.00001", "https://arxiv.org/abs/2301.00001"),
    ("https://a.example/url?q=https://b.example", "https://b.example"),
    ("https://p.example/doi/10.1145/1/figures", "https://doi.org/10.1145/1"),
    ("https://t.co/abc", "https://t.co/Abc"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_addresses_of_one_source_have_one_form(one: str, other: str) -> None:
    assert normal_url(one) == normal_url(other)


@pytest.mark.parametrize(("one", "other"), APART)
def test_addresses_of_different_pages_stay_apart(one: str, other: str) -> None:
    assert normal_url(one) != normal_url(other)


_PATH = st.text(alphabet="aZ09-_.~/%25&=?#+:@é中 ", max_size=40)
_HOST = st.lists(st.sampled_from(["www", "m", "amp", "a", "example"]), max_size=4).map(
    lambda x: ".".join([*x, "b.org"])
)


@settings(max_examples=300, deadline=None)
@given(_HOST, _PATH)
def test_the_form_of_a_form_is_itself(host: str, path: str) -> None:
    once = normal_url(f"https://{host}/{path}")
    assert normal_url(f"https://{once}") == once


def test_a_deep_wrapper_ends() -> None:
    assert len(unwrapped("https://r.jina.ai/" * 20_000 + "https://a.example")) > 300_000
