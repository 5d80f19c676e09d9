"""A part of the graph around one thing: what a hard question is drawn from.

Source: Step-DeepResearch (arXiv 2512.20491), 3.2.1: seed nodes of degree 3 to 10, breadth-first subgraphs of 10 to 40
nodes, nodes over a degree limit as leaves; OpenSeeker-v2 calls the number of nodes the expansion budget.
"""

import functools
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.simulated_web.graph import Graph
from benchmarks.simulated_web.rng import Rng


@dataclass(frozen=True, slots=True)
class Expansion:
    """Bounds of a neighbourhood. `leaf_degree`: a node with more links is kept and not gone through, since everything
    is near it and a question through it is about nothing."""

    seed_degree: tuple[int, int] = (3, 10)
    nodes: tuple[int, int] = (10, 40)
    leaf_degree: int = 10


@functools.lru_cache(maxsize=16)
def links_of(graph: Graph) -> Mapping[str, tuple[str, ...]]:
    """By entity id: the entities that a fact of either names, in the graph's order."""
    found: dict[str, dict[str, None]] = {entity.id: {} for entity in graph.entities}
    for fact in graph.facts:
        if fact.relation.kind == "entity":
            found[fact.entity][str(fact.value)] = None
            found[str(fact.value)][fact.entity] = None
    return {entity: tuple(others) for entity, others in found.items()}


def draw_neighbourhood(graph: Graph, rng: Rng, bounds: Expansion) -> tuple[str, ...] | None:
    """Entity ids, breadth first from a drawn seed node; None where too few can be reached from it."""
    links = links_of(graph)
    low, high = bounds.seed_degree
    seeds = [entity for entity, others in links.items() if low <= len(others) <= high]
    if not seeds:
        return None
    seed, most = rng.choice(seeds), rng.between(*bounds.nodes)
    reached, open_ends = {seed: None}, deque([seed])
    while open_ends:
        node = open_ends.popleft()
        if node != seed and len(links[node]) > bounds.leaf_degree:
            continue
        for other in rng.shuffled(links[node]):
            if other not in reached and len(reached) < most:
                reached[other] = None
                open_ends.append(other)
    return tuple(reached) if len(reached) >= bounds.nodes[0] else None
