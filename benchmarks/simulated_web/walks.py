"""Questions that walk through a neighbourhood: several links, things that are described and not named, more than one
part, figures of an earlier year."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from benchmarks.simulated_web.asked import Clue, RequiredFact
from benchmarks.simulated_web.english import walking
from benchmarks.simulated_web.graph import Entity, Fact, Graph
from benchmarks.simulated_web.least import saying_so
from benchmarks.simulated_web.neighbourhood import Expansion, draw_neighbourhood
from benchmarks.simulated_web.ontology import NOW, entity_types
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.units import grouped
from benchmarks.simulated_web.world import World

EXPANSION = Expansion()
MOST_HOPS = 3
MOST_CLUES = 3
DESCRIBED = 0.6  # how often the start is described where it can be
EARLIER = 0.6  # how often a figure of an earlier year is asked for, where an archive of the world tells one
COMPARISON = 0.4  # how often a comparison of two other things of the neighbourhood comes with it


@dataclass(frozen=True, slots=True)
class Walk:
    """A question's text without its closing, what it requires, and the clues to its start where that is described."""

    text: str
    required: tuple[RequiredFact, ...]
    clues: tuple[Clue, ...]


def draw_walk(world: World, rng: Rng, bounds: Expansion = EXPANSION) -> Walk | None:
    """None where the drawn neighbourhood is too small, holds no path, or its start cannot be told from others."""
    graph = world.graph
    nodes = draw_neighbourhood(graph, rng, bounds)
    paths = _paths(graph, nodes) if nodes else []
    if nodes is None or not paths:
        return None
    hops = max(2, rng.between(2, max(len(path) for path in paths)))
    path = rng.choice([path for path in paths if len(path) == hops] or paths)
    clues = _clues(graph, rng, path) if rng.chance(DESCRIBED) else ()
    start = graph.entity[path[0].entity]
    texts = [_opening(rng, start, clues), _hops_text(path, start, bool(clues))]
    required = [_link(graph, path, i, bool(clues)) for i in range(len(path))]
    for place in (len(path) - 1, len(path) - 2):
        asked = _asked(world, rng, path[place], required[place].id, rng.between(1, 2) if place == len(path) - 1 else 1)
        if asked and (place == len(path) - 1 or rng.chance(0.6)):
            texts.append(_ask_text(rng, graph, path[place], asked))
            required += asked
    hidden = {path[0].entity, *(str(fact.value) for fact in path)}
    free = [graph.entity[node] for node in nodes if node not in hidden]
    for part, share in ((_earlier_part, EARLIER), (_comparison_part, COMPARISON)):
        made = part(world, rng, free) if rng.chance(share) else None
        if made is not None:
            texts.append(made[0])
            required += made[1]
    return Walk(" ".join(texts), tuple(required), tuple(clues))


def _paths(graph: Graph, nodes: Sequence[str]) -> list[tuple[Fact, ...]]:
    """Every chain of two to MOST_HOPS links inside the neighbourhood, each from what the last one led to."""
    inside = set(nodes)
    links = {
        node: [f for f in graph.facts_of[node] if f.relation.kind == "entity" and str(f.value) in inside]
        for node in nodes
    }
    grown: list[tuple[Fact, ...]] = [(fact,) for node in nodes for fact in links[node]]
    found: list[tuple[Fact, ...]] = []
    for _ in range(MOST_HOPS - 1):
        grown = [(*path, fact) for path in grown for fact in links[str(path[-1].value)]]
        found += grown
    return found


def _clues(graph: Graph, rng: Rng, path: Sequence[Fact]) -> tuple[Clue, ...]:
    """A link to something outside the walk and as few blurred values as tell the start from all others of its type;
    none where that cannot be done, so that the start has to be named."""
    start = graph.entity[path[0].entity]
    walked = {str(fact.value) for fact in path}
    facts = graph.facts_of[start.id]
    links = [f for f in facts if f.relation_key in walking.LINK_CLUES and str(f.value) not in walked]
    if not links:
        return ()
    clues = [_link_clue(graph, rng.choice(links))]
    for fact in rng.shuffled(facts):
        alike = [e for e in graph.entities if e.type_key == start.type_key and _fits(graph, e, clues)]
        if len(alike) == 1 or len(clues) == MOST_CLUES:
            break
        clue = _blurred(fact)
        clues += [clue] if clue else []
    alone = [e.id for e in graph.entities if e.type_key == start.type_key and _fits(graph, e, clues)] == [start.id]
    return tuple(clues) if alone and len(clues) > 1 else ()


def _fits(graph: Graph, entity: Entity, clues: Sequence[Clue]) -> bool:
    return all(clue.fits(graph.of(entity.id, clue.relation_key).value) for clue in clues)


def _link_clue(graph: Graph, fact: Fact) -> Clue:
    text = walking.LINK_CLUES[fact.relation_key].replace("{V}", graph.entity[str(fact.value)].phrase)
    return Clue(fact.relation_key, text, str(fact.value))


def _blurred(fact: Fact) -> Clue | None:
    """A decade or a range around the value; None for what cannot be blurred."""
    if fact.relation_key in walking.DECADE_CLUES and fact.number >= walking.EARLIEST_DECADE:
        decade = fact.number // 10 * 10
        text = walking.DECADE_CLUES[fact.relation_key].replace("{V}", f"{decade}s")
        return Clue(fact.relation_key, text, low=decade, high=decade + 9)
    if fact.relation_key in walking.RANGE_CLUES:
        low, high = _round(fact.number * 7 // 10), _round(fact.number * 14 // 10)
        text = walking.RANGE_CLUES[fact.relation_key].replace("{V}", f"{grouped(low)} and {grouped(high)}")
        return Clue(fact.relation_key, text, low=low, high=high) if low <= fact.number <= high else None
    return None


def _round(value: int) -> int:
    """To two digits, so that a range gives nothing away."""
    step = int(10 ** max(0, len(str(value)) - 2))
    return max(1, value // step * step)


def _link(graph: Graph, path: Sequence[Fact], i: int, described: bool) -> RequiredFact:
    fact = path[i]
    part = f"{fact.relation.noun} of {graph.entity[fact.entity].phrase}"
    via = path[i - 1].id if i else ""
    return RequiredFact(fact.id, "value", part, fact.id, via=via, described=described and i == 0)


def _asked(world: World, rng: Rng, link: Fact, via: str, n: int) -> list[RequiredFact]:
    """`n` facts of what the link leads to, as of an earlier year where a page tells of one."""
    graph = world.graph
    entity = graph.entity[str(link.value)]
    chosen = rng.sample([f for f in graph.facts_of[entity.id] if f.relation.kind != "entity"], n)
    required = []
    for fact in chosen:
        told = _told_years(world, fact)
        year = rng.choice(told) if told and rng.chance(EARLIER) else None
        part = f"{_noun(fact, year)} of {entity.phrase}"
        identity = fact.id if year is None else f"{fact.id}@{year}"
        required.append(RequiredFact(identity, "value", part, fact.id, year=year, via=via))
    return required


_Part: TypeAlias = tuple[str, list[RequiredFact]]


def _told_years(world: World, fact: Fact) -> list[int]:
    return [year for year, _ in fact.older if saying_so(world, fact.id, year)]


def _earlier_part(world: World, rng: Rng, free: Sequence[Entity]) -> _Part | None:
    """What something in the neighbourhood had in an earlier year, as an archive tells it."""
    facts = [f for e in free for f in world.graph.facts_of[e.id] if _told_years(world, f)]
    if not facts:
        return None
    fact = rng.choice(facts)
    year = rng.choice(_told_years(world, fact))
    part = f"{fact.relation.noun} of {world.graph.entity[fact.entity].phrase} as of {year}"
    return f"Also state the {part}.", [RequiredFact(f"{fact.id}@{year}", "value", part, fact.id, year=year)]


def _comparison_part(world: World, rng: Rng, free: Sequence[Entity]) -> _Part | None:
    """Which of two other things of one type in the neighbourhood has more of something, and how much each."""
    graph = world.graph
    for left in rng.shuffled(free):
        relations = [r for r in left.type.relations if r.more and r.key != "company.revenue"]
        rights = [e for e in free if e.type_key == left.type_key and e.id != left.id]
        if not relations or not rights:
            continue
        right, relation = rng.choice(rights), rng.choice(relations)
        a, b = graph.of(left.id, relation.key), graph.of(right.id, relation.key)
        if abs(a.number - b.number) < (3 if relation.kind == "year" else max(a.number, b.number) // 10):
            continue
        more, less = (left, right) if a.number > b.number else (right, left)
        noun = _noun(a, None)
        text = f"Finally: which is {relation.more}, {left.phrase} or {right.phrase}? State the {noun} of both."
        part = f"which is {relation.more}, {left.phrase} or {right.phrase}"
        identity = f"more.{relation.key}.{more.id}.{less.id}"
        return text, [
            *(RequiredFact(f.id, "value", f"{noun} of {graph.entity[f.entity].phrase}", f.id) for f in (a, b)),
            RequiredFact(identity, "comparison", part, "", more.id, less.id, relation.key),
        ]
    return None


# Words


def _opening(rng: Rng, start: Entity, clues: Sequence[Clue]) -> str:
    if not clues:
        return rng.choice(walking.OPENINGS_NAMED).replace("{S}", start.phrase)
    told = [clue.text for clue in clues]
    joined = told[0] if len(told) == 1 else ", ".join(told[:-1]) + " and " + told[-1]
    return rng.choice(walking.OPENINGS_DESCRIBED).replace("{S}", f"{start.type.short} that {joined}")


def _hops_text(path: Sequence[Fact], start: Entity, described: bool) -> str:
    subjects = [f"that {start.type.short}" if described else "it"]
    subjects += [f"that {_short(fact)}" for fact in path[:-1]]
    hops = [
        walking.HOPS[fact.relation_key].replace("{S}", subject) for fact, subject in zip(path, subjects, strict=True)
    ]
    return f"Identify {', then '.join(hops)}."


def _ask_text(rng: Rng, graph: Graph, link: Fact, asked: Sequence[RequiredFact]) -> str:
    nouns = [f"the {_noun(graph.fact[fact.fact_id], fact.year)}" for fact in asked]
    verb = rng.choice(("report", "give", "find"))
    return f"Of that {_short(link)}, {verb} {' and '.join(nouns)}."


def _short(link: Fact) -> str:
    return entity_types()[link.relation.target].short


def _noun(fact: Fact, year: int | None) -> str:
    noun = fact.relation.noun
    return f"{noun} as of {year}" if year is not None else f"{noun} in {NOW}" if fact.relation.dated else noun
