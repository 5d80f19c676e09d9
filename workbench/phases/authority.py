"""Authority of sources, by a list that the user gives: the workbench has no opinion of its own on sites."""

from collections import Counter
from collections.abc import Iterable, Mapping

from workbench.phases.suffixes import site_of

UNLISTED = "unlisted"


def authority_counts(sites: Iterable[str], listed: Mapping[str, str]) -> dict[str, int]:
    """How many of `sites` (registered domains, repeats counted once) stand in each class of the user's list.

    `listed` gives a class for a site (`who.int: primary`) or for an ending with a leading dot (`.gov: official`).
    The site itself wins over an ending, a longer ending over a shorter one. Keys may be written as addresses or with
    `www.`. Sites of no entry count under `unlisted`; classes without a site are left out.
    """
    endings = {key.casefold(): name for key, name in listed.items() if key.startswith(".")}
    named = {_site(key): name for key, name in listed.items() if not key.startswith(".")}
    return dict(Counter(_class_of(site, named, endings) for site in {site.casefold() for site in sites}))


def _site(key: str) -> str:
    address = key.strip() if "://" in key else f"https://{key.strip()}"
    return (site_of(address) or key).casefold()


def _class_of(site: str, named: Mapping[str, str], endings: Mapping[str, str]) -> str:
    if site in named:
        return named[site]
    labels = site.split(".")
    for first in range(1, len(labels)):
        if (ending := "." + ".".join(labels[first:])) in endings:
            return endings[ending]
    return UNLISTED
