"""A simulated web, made from a seed and a size, the same on every machine."""

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

from benchmarks.simulated_web.graph import Graph, generate_graph
from benchmarks.simulated_web.ontology import NOW
from benchmarks.simulated_web.pages import Page
from benchmarks.simulated_web.planning import PagePlan, plan_pages
from benchmarks.simulated_web.rendering import PageWriter
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.search_index import SearchIndex, Snippets
from benchmarks.simulated_web.sites import Site, generate_sites
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
    """Truth, sites and pages. `seed` and `size` are all it takes to make it again. Compared by identity: its content
    is compared by `hash`."""

    seed: int
    size: WorldSize
    graph: Graph
    sites: tuple[Site, ...]
    pages: tuple[Page, ...]

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
        return {"generator": GENERATOR, "seed": self.seed, **asdict(self.size), "hash": self.hash}


def generate_world(seed: int, *, size: WorldSize | None = None) -> World:
    """The world of this seed and size. Raises BadInputError where the size leaves no room for every fact."""
    size = size or WorldSize()
    if size.entities < 16 or size.sites < 20 or size.pages < 6 * size.entities:
        raise BadInputError(
            f"a simulated web of {size.entities} entities, {size.sites} sites and {size.pages} pages is too small: "
            "it needs at least 16 entities, 20 sites and 6 pages for each entity"
        )
    graph = generate_graph(Rng("graph", seed), size.entities)
    sites = generate_sites(Rng("sites", seed), graph, size.sites)
    plans = plan_pages(Rng("plan", seed), graph, sites, size.pages)
    return World(seed, size, graph, sites, tuple(_write(Rng("pages", seed), graph, plans)))


@functools.lru_cache(maxsize=8)
def _world(seed: int, size: WorldSize) -> World:
    return generate_world(seed, size=size)


def world_from_meta(meta: JsonObject) -> World:
    """The world that `World.meta` described; kept for the next call. Raises BadInputError where it cannot be made."""
    try:
        size = WorldSize(*(int(str(meta[key])) for key in ("entities", "sites", "pages")))
        seed, generator = int(str(meta["seed"])), meta["generator"]
    except (KeyError, ValueError) as error:
        raise BadInputError(f"this is no description of a simulated web ({error}): {dict(meta)!r:.200}") from error
    if generator != GENERATOR:
        raise BadInputError(
            f"the simulated web was made by generator {generator}, this is generator {GENERATOR}: "
            "its truth is gone; build the runs again"
        )
    world = _world(seed, size)
    if meta.get("hash") != world.hash:
        raise BadInputError(
            f"the simulated web of seed {seed} has hash {world.hash[:12]}, the run says {meta.get('hash')!r:.14}"
        )
    return world


def _write(rng: Rng, graph: Graph, plans: Sequence[PagePlan]) -> list[Page]:
    taken: set[str] = set()
    pages: list[Page] = []
    for plan in plans:
        writer = PageWriter(rng, graph, plan.site)
        if plan.form == "other":
            draft = writer.other()
        elif plan.form == "table":
            draft = writer.table(plan.entities, plan.claims)
        elif plan.form == "ranking":
            draft = writer.ranking(plan.entities, plan.claims)
        else:
            draft = writer.profile(plan.entities[0], plan.claims)
        published = f"{plan.year if plan.year != NOW else NOW}-{rng.between(1, 12):02d}-{rng.between(1, 28):02d}"
        url = _address(plan.site, draft.title, published, taken)
        about = tuple(entity.id for entity in plan.entities)
        pages.append(Page(url, plan.site.host, draft.title, published, draft.text, about, draft.statements))
    return pages


PREFIX = {"registry": "entry/", "encyclopedia": "wiki/", "forum": "t/", "travel": "posts/", "listing": ""}


def _address(site: Site, title: str, published: str, taken: set[str]) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    prefix = PREFIX.get(site.kind, published.replace("-", "/")[:8] if site.kind in ("newspaper", "archive") else "")
    base = f"https://{site.host}/{prefix}{slug}"
    url, number = base, 2
    while url in taken:
        url, number = f"{base}-{number}", number + 1
    taken.add(url)
    return url
