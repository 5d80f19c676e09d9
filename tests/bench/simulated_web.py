"""The simulated web at 300 and 30,000 pages: what it costs to make, to search and to take a step in."""

import resource
import time
from typing import Any

from benchmarks.simulated_web.environment import Episode
from benchmarks.simulated_web.questions import make_questions
from benchmarks.simulated_web.tools import KINDS, OPEN_PAGE, SEARCH, Budget
from benchmarks.simulated_web.world import World, WorldSize, generate_world
from workbench.schema.trajectory import ToolCall

SEED = 20261203
SIZES = (WorldSize(48, 40, 300), WorldSize(3000, 40, 30_000))
QUERIES = 2000
TOP_K = 5


def measure() -> dict[str, Any]:
    """By pages: seconds to make and to index, queries a CPU second, milliseconds of CPU a step, MiB of peak memory."""
    return {str(size.pages): _of(size) for size in SIZES}


def _of(size: WorldSize) -> dict[str, float]:
    start = time.process_time()
    world = generate_world(SEED, size=size)
    made = time.process_time() - start
    start = time.process_time()
    _ = world.index
    indexed = time.process_time() - start
    queries = _queries(world)
    start = time.process_time()
    for query in queries:
        world.index.search(query, top_k=TOP_K)
    searched = time.process_time() - start
    return {
        "make_s": round(made, 2),
        "index_s": round(indexed, 2),
        "queries_a_cpu_second": round(len(queries) / searched),
        "step_ms": round(_step_ms(world, queries), 4),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def _queries(world: World) -> list[str]:
    """As agents ask: a name and what of it, in three forms."""
    entities, facts = world.graph.entity, world.graph.facts
    forms = ("{name} {noun}", "{noun} of {phrase}", "{name} facts {noun} 2025")
    out = []
    for number in range(QUERIES):
        fact = facts[number * 7919 % len(facts)]
        entity = entities[fact.entity]
        form = forms[number % len(forms)]
        out.append(form.format(name=entity.name, phrase=entity.phrase, noun=fact.relation.noun))
    return out


def _step_ms(world: World, queries: list[str]) -> float:
    """A search or a page opened, in turns, with everything recorded as an agent's episode records it."""
    episode = Episode(world, make_questions(world, 1, SEED)[0], Budget(calls=len(queries) + 1))
    calls = [
        ToolCall(str(n), SEARCH, KINDS[SEARCH], {"query": query})
        if n % 2
        else ToolCall(str(n), OPEN_PAGE, KINDS[OPEN_PAGE], {"url": world.pages[n * 31 % len(world.pages)].url})
        for n, query in enumerate(queries)
    ]
    start = time.process_time()
    for call in calls:
        episode.act(call)
    return (time.process_time() - start) / len(calls) * 1000
