"""How well a search engine regards the sites of a world: by what it can see of them, never by the truth."""

import functools

import numpy as np
from numpy.typing import NDArray

from benchmarks.simulated_web.world import World

# What an engine has learnt of such sites elsewhere. It cannot know which of them is right here: an archive counts for
# much and is out of date, and a listing with many pages is well known for all its errors.
REGARD = {
    "official": 0.9,
    "registry": 0.85,
    "encyclopedia": 0.8,
    "newspaper": 0.65,
    "archive": 0.6,
    "travel": 0.35,
    "listing": 0.3,
    "forum": 0.2,
}
UNKNOWN = 0.3
SIZE_SHARE = 0.3  # of the regard is how much a site has, against the largest


@functools.lru_cache(maxsize=8)
def authority_of(world: World) -> NDArray[np.float64]:
    """By place of the page: the regard of its site, in [0, 1], from the kind of site and how many pages it has."""
    pages = {site.host: 0 for site in world.sites}
    for page in world.pages:
        pages[page.site] += 1
    most = max(pages.values())
    regard = {
        site.host: (1 - SIZE_SHARE) * REGARD.get(site.kind, UNKNOWN) + SIZE_SHARE * pages[site.host] / most
        for site in world.sites
    }
    return np.array([regard[page.site] for page in world.pages])
