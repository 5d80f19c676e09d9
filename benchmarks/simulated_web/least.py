"""The least research that answers a question: fewest pages that tell all its facts, fewest searches that show them."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from benchmarks.simulated_web.budget import Budget
from benchmarks.simulated_web.graph import Fact
from benchmarks.simulated_web.pages import Page
from benchmarks.simulated_web.world import World


@dataclass(frozen=True, slots=True)
class LeastResearch:
    """Searches and pages (URLs) that suffice, and the hosts of those pages. No fewer pages suffice among those that
    the searches `candidate_queries` show; for those pages no fewer of these searches do."""

    queries: tuple[str, ...]
    urls: tuple[str, ...]
    sites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A fact that research is to find, as of `year` where that is not today."""

    fact_id: str
    year: int | None = None


def as_of(fact: Fact, year: int | None) -> Fact:
    """The fact as it was in `year`, as it is for None. Raises KeyError for a year of which nothing is known."""
    return fact if year is None else Fact(fact.id, fact.entity, fact.relation_key, dict(fact.older)[year])


def saying_so(world: World, fact_id: str, year: int | None) -> tuple[Page, ...]:
    """The pages that say the fact as it is now, or as it was in `year`, that year named."""
    if year is None:
        return world.supporters[fact_id]
    return _saying_so_of_years(world).get((fact_id, year), ())


@functools.lru_cache(maxsize=8)
def _saying_so_of_years(world: World) -> Mapping[tuple[str, int], tuple[Page, ...]]:
    found: dict[tuple[str, int], dict[str, Page]] = {}
    for page in world.pages:
        for s in page.statements:
            if s.year is not None and not s.denied and (s.year, s.value) in world.graph.fact[s.fact_id].older:
                found.setdefault((s.fact_id, s.year), {})[page.url] = page
    return {key: tuple(pages.values()) for key, pages in found.items()}


def candidate_queries(world: World, wanted: Sequence[Wanted]) -> tuple[str, ...]:
    """The searches that someone who knows the names would try: each entity, alone and with each thing asked of it."""
    queries: list[str] = []
    for one in wanted:
        fact = world.graph.fact[one.fact_id]
        name = world.graph.entity[fact.entity].name
        queries += [name, f"{name} {fact.relation.noun}"]
        queries += [f"{name} {fact.relation.noun} {one.year}"] if one.year is not None else []
    return tuple(dict.fromkeys(queries))


def least_research(world: World, wanted: Sequence[Wanted]) -> LeastResearch | None:
    """None where the pages that the candidate searches show do not tell all the facts."""
    shown = {
        query: [hit.place for hit in world.index.search(query, top_k=Budget().top_k)[0]]
        for query in candidate_queries(world, wanted)
    }
    telling = [{page.url for page in saying_so(world, one.fact_id, one.year)} for one in wanted]
    tells: dict[int, int] = {}
    for place in sorted({place for places in shown.values() for place in places}):
        mask = sum(1 << i for i, urls in enumerate(telling) if world.pages[place].url in urls)
        if mask:
            tells[place] = mask
    pages = _cover(tells, (1 << len(wanted)) - 1)
    if pages is None:
        return None
    queries = _fewest_queries(shown, frozenset(pages))
    chosen = [world.pages[place] for place in pages]
    return LeastResearch(
        queries, tuple(page.url for page in chosen), tuple(dict.fromkeys(page.site for page in chosen))
    )


def _cover(tells: Mapping[int, int], full: int) -> tuple[int, ...] | None:
    """Fewest pages whose masks join to `full`; the earliest pages among equals."""
    best: dict[int, tuple[int, ...]] = {0: ()}
    for _ in range(full.bit_length()):
        step = dict(best)
        for have, pages in best.items():
            for place, mask in tells.items():
                joined = have | mask
                if joined not in step or len(step[joined]) > len(pages) + 1:
                    step[joined] = (*pages, place)
        best = step
    return best.get(full)


def _fewest_queries(shown: Mapping[str, Sequence[int]], pages: frozenset[int]) -> tuple[str, ...]:
    for n in range(1, len(shown) + 1):
        for chosen in combinations(shown, n):
            if pages <= {place for query in chosen for place in shown[query]}:
                return chosen
    raise AssertionError("pages that were shown can be found")
