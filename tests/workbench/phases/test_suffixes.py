"""Registered domains: equal to tldextract offline, and sites for hosts that it does not know."""

import random

import pytest
import tldextract

from workbench.phases.suffixes import registered_domain, site_of, suffix_rules

LABELS = ("www", "a", "blog", "xn--fiqs8s", "m", "münchen", "北京", "xn--mnchen-3ya", "UPPER", "city", "a-b", "_dmarc")
ODD_LABELS = ("1", "*", "!www", "", "xn--zzzz--", "xn--a")


@pytest.fixture(scope="module")
def peer() -> tldextract.TLDExtract:
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)


def _addresses(count: int, seed: int) -> list[str]:
    rng = random.Random(seed)
    rules = sorted(suffix_rules())
    labels = LABELS + ODD_LABELS
    out = []
    for _ in range(count):
        rule = [rng.choice(labels) if label == "*" else label for label in rng.choice(rules).lstrip("!").split(".")]
        host = ".".join([rng.choice(labels) for _ in range(rng.randrange(4))] + rule)
        if rng.random() < 0.2:
            host = ".".join(_punycode(label) for label in host.split("."))
        host = rng.choice((host, host, host + ".", host.replace(".", "。", 1), host.upper()))
        if rng.random() < 0.5:
            scheme = rng.choice(("http://", "https://", "//", "ftp://", "HTTP://"))
            user = rng.choice(("", "user:pw@", "u@", "a@b@"))
            tail = rng.choice(("", "/p", "?q=a.b", "#f", "/x@y.com", ":8080", ":", ":80/"))
            host = f"{scheme}{user}{host}{tail}"
        out.append(host)
    return out


def _punycode(label: str) -> str:
    try:
        return label.encode("idna").decode() if label else label
    except UnicodeError:
        return label


def test_registered_domains_equal_tldextract_on_six_thousand_hosts(peer: tldextract.TLDExtract) -> None:
    addresses = _addresses(6000, seed=5)
    differing = [
        (address, registered_domain(address), peer(address).top_domain_under_public_suffix)
        for address in addresses
        if registered_domain(address) != peer(address).top_domain_under_public_suffix
    ]
    assert differing == []
    assert sum(bool(registered_domain(address)) for address in addresses) > 3000


ODD = """localhost|http://[::1]/|http://[2001:db8::1]:80/|[::1||.|..|http://|1.2.3.4:80|http://1.2.3.4|999.1.1.1|com
|co.uk|*.ck|www.ck|foo.ck|x.foo.ck|a.github.io|http://a_b.com| space.com |http://ex ample.com|example.com..|a.b.kobe.jp
|http://user@[::1]:8/|x.city.kobe.jp|http://xn--fiqs8s|食狮.公司.cn|shishi.xn--55qx5d.cn"""


@pytest.mark.parametrize("address", ODD.replace("\n", "").split("|"))
def test_odd_hosts_equal_tldextract(address: str, peer: tldextract.TLDExtract) -> None:
    assert registered_domain(address) == peer(address).top_domain_under_public_suffix


@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("https://www.BBC.co.uk/news", "bbc.co.uk"),
        ("https://a.github.io/x", "github.io"),
        ("http://127.0.0.1:8000/x", "127.0.0.1"),
        ("http://[::1]/x", "[::1]"),
        ("http://localhost:3000/", "localhost"),
        ("https://library.tides.example/page", "tides.example"),
        ("https://tides.example/page", "tides.example"),
        ("https://co.uk/", "co.uk"),
        ("not an address", ""),
        ("", ""),
    ],
)
def test_site_falls_back_to_what_stands_closest_to_a_registered_domain(address: str, site: str) -> None:
    assert site_of(address) == site


def test_one_site_has_one_spelling_in_punycode_and_in_letters() -> None:
    assert site_of("https://www.xn--mnchen-3ya.de/") == site_of("https://MÜNCHEN.de/")
