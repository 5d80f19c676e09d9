"""A simulated web, made from a seed and a size, the same on every machine."""

import functools
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property

from benchmarks.simulated_web.graph import Graph, generate_graph
from benchmarks.simulated_web.manner import PLAIN, Manner
from benchmarks.simulated_web.pages import Page
from benchmarks.simulated_web.planning import plan_pages
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.search_index import SearchIndex, Snippets
from benchmarks.simulated_web.sites import Site, generate_sites
from benchmarks.simulated_web.writing import write_pages
from workbench.errors import BadInputError
from workbench.schema.canonical import JsonObject, JsonValue, content_hash

# Raised whenever the same seed would give another world.
GENERATOR = 2


@dataclass(frozen=True, slots=True)
class WorldSize:
    """How much there is. A page about each entity on about five sites needs `pages` of six times `entities` or more."""

    entities: int = 48
    sites: int = 40
    pages: int = 480


@dataclass(frozen=True, eq=False)
class World:
    """Truth, sites and pages. `seed`, `size` and `manner` are all it takes to make it again. Compared by identity: its
    content is compared by `hash`."""

    seed: int
    size: WorldSize
    graph: Graph
    sites: tuple[Site, ...]
    pages: tuple[Page, ...]
    manner: Manner = PLAIN

    @cached_property
    def page(self) -> Mapping[str, Page]:
        """Pages by URL."""
        return {page.url: page for page in self.pages}

    @cached_property
    def site(self) -> Mapping[str, Site]:
        """Sites by host."""
        return {site.host: site for site in self.sites}

    @cached_property
    def index(self) -> SearchIndex:
        return SearchIndex([(page.title, page.text) for page in self.pages])

    @cached_property
    def snippets(self) -> Snippets:
        return Snippets([page.text for page in self.pages])

    @cached_property
    def supporters(self) -> Mapping[str, tuple[Page, ...]]:
        """By fact id: the pages that say the fact as it is now."""
        found: dict[str, list[Page]] = {fact.id: [] for fact in self.graph.facts}
        for page in self.pages:
            for fact_id in dict.fromkeys(s.fact_id for s in page.statements if s.supports(self.graph.fact[s.fact_id])):
                found[fact_id].append(page)
        return {key: tuple(pages) for key, pages in found.items()}

    @cached_property
    def hash(self) -> str:
        """SHA-256 over truth, sites and pages."""
        return content_hash(
            {
                "graph": self.graph.to_json(),
                "sites": [asdict(site) for site in self.sites],
                "pages": [page.to_json() for page in self.pages],
            }
        )

    def meta(self) -> dict[str, JsonValue]:
        """What a run records so that `world_from_meta` can make this world again."""
        # A plain world is described as before there were manners.
        manner = {} if self.manner == PLAIN else {"manner": asdict(self.manner)}
        return {"generator": GENERATOR, "seed": self.seed, **asdict(self.size), **manner, "hash": self.hash}


def generate_world(seed: int, *, size: WorldSize | None = None, manner: Manner = PLAIN) -> World:
    """The world of this seed, size and manner; truth, sites and who tells which fact are the same in every manner.

    Raises BadInputError where the size leaves no room for every fact.
    """
    size = size or WorldSize()
    if size.entities < 16 or size.sites < 20 or size.pages < 6 * size.entities:
        raise BadInputError(
            f"a simulated web of {size.entities} entities, {size.sites} sites and {size.pages} pages is too small: "
            "it needs at least 16 entities, 20 sites and 6 pages for each entity"
        )
    graph = generate_graph(Rng("graph", seed), size.entities)
    sites = generate_sites(Rng("sites", seed), graph, size.sites)
    plans = plan_pages(Rng("plan", seed), graph, sites, size.pages)
    return World(seed, size, graph, sites, tuple(write_pages(seed, graph, plans, manner)), manner)


@functools.lru_cache(maxsize=8)
def _world(seed: int, size: WorldSize, manner: Manner) -> World:
    return generate_world(seed, size=size, manner=manner)


def _manner(described: JsonValue) -> Manner:
    """Raises TypeError or ValueError where this is no manner."""
    if not isinstance(described, Mapping):
        raise ValueError(f"manner {described!r:.80}")
    return Manner(**{key: int(str(share)) for key, share in described.items()})


def world_from_meta(meta: JsonObject) -> World:
    """The world that `World.meta` described; kept for the next call. Raises BadInputError where it cannot be made."""
    try:
        size = WorldSize(*(int(str(meta[key])) for key in ("entities", "sites", "pages")))
        seed, generator = int(str(meta["seed"])), meta["generator"]
        manner = _manner(meta.get("manner", {}))
    except (KeyError, ValueError, TypeError) as error:
        raise BadInputError(f"this is no description of a simulated web ({error}): {dict(meta)!r:.200}") from error
    if generator != GENERATOR:
        raise BadInputError(
            f"the simulated web was made by generator {generator}, this is generator {GENERATOR}: "
            "its truth is gone; build the runs again"
        )
    world = _world(seed, size, manner)
    if meta.get("hash") != world.hash:
        raise BadInputError(
            f"the simulated web of seed {seed} has hash {world.hash[:12]}, the run says {meta.get('hash')!r:.14}"
        )
    return world
