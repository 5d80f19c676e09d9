"""Sites are classed by the user's list alone."""

from workbench.phases.authority import authority_counts

LISTED = {"www.who.int": "primary", ".gov": "official", ".gov.uk": "foreign", "https://blog.com/x": "weak"}


def test_sites_are_counted_once_by_site_then_by_the_longest_ending() -> None:
    sites = ["who.int", "who.int", "nasa.gov", "ons.gov.uk", "BLOG.com", "other.org"]
    assert authority_counts(sites, LISTED) == {"primary": 1, "official": 1, "foreign": 1, "weak": 1, "unlisted": 1}


def test_without_a_list_or_sites_nothing_is_claimed() -> None:
    assert authority_counts(["nasa.gov"], {}) == {"unlisted": 1}
    assert authority_counts([], LISTED) == {}
