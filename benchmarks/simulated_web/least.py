"""The least research that answers a question: fewest pages that tell all its facts, fewest searches that show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from benchmarks.simulated_web.tools import Budget
from benchmarks.simulated_web.world import World


@dataclass(frozen=True, slots=True)
class LeastResearch:
    """Searches and pages (URLs) that suffice, and the hosts of those pages. No fewer pages suffice among those that
    the searches `candidate_queries` show; for those pages no fewer of these searches do."""

    queries: tuple[str, ...]
    urls: tuple[str, ...]
    sites: tuple[str, ...]


def candidate_queries(world: World, fact_ids: Sequence[str]) -> tuple[str, ...]:
    """The searches that someone who knows the names would try: each entity, alone and with each thing asked of it."""
    queries: list[str] = []
    for fact_id in fact_ids:
        fact = world.graph.fact[fact_id]
        name = world.graph.entity[fact.entity].name
        queries += [name, f"{name} {fact.relation.noun}"]
    return tuple(dict.fromkeys(queries))


def least_research(world: World, fact_ids: Sequence[str]) -> LeastResearch | None:
    """None where the pages that the candidate searches show do not tell all the facts."""
    shown = {
        query: [hit.place for hit in world.index.search(query, top_k=Budget().top_k)[0]]
        for query in candidate_queries(world, fact_ids)
    }
    tells: dict[int, int] = {}
    for place in sorted({place for places in shown.values() for place in places}):
        page = world.pages[place]
        mask = sum(1 << i for i, fact_id in enumerate(fact_ids) if page in world.supporters[fact_id])
        if mask:
            tells[place] = mask
    pages = _cover(tells, (1 << len(fact_ids)) - 1)
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
