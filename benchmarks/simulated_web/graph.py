"""The truth of a simulated web: entities and the facts about them."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from benchmarks.simulated_web.english.names import ENDS, LONGER, MIDDLES, REFUSED, STARTS
from benchmarks.simulated_web.ontology import OLD_YEARS, EntityType, Relation, entity_types, relations
from benchmarks.simulated_web.rng import Rng
from workbench.schema.canonical import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Entity:
    """`root` is the part of the name that no other entity of the graph shares."""

    id: str
    type_key: str
    name: str
    root: str

    @property
    def type(self) -> EntityType:
        return entity_types()[self.type_key]

    @property
    def phrase(self) -> str:
        """The name as a sentence uses it: with "the" where English wants it."""
        return f"the {self.name}" if self.type.article else self.name


@dataclass(frozen=True, slots=True)
class Fact:
    """What holds of `entity` under `relation`: a number in the relation's unit, a year, an entity id or a category.

    `older` are earlier values of a dated relation, by year; `value` holds for ontology.NOW.
    """

    id: str
    entity: str
    relation_key: str
    value: int | str
    older: tuple[tuple[int, int], ...] = ()

    @property
    def relation(self) -> Relation:
        return relations()[self.relation_key]

    @property
    def number(self) -> int:
        """The value of a quantity or year. Raises TypeError for other relations."""
        if not isinstance(self.value, int):
            raise TypeError(f"fact {self.id} has no number but {self.value!r}")
        return self.value


@dataclass(frozen=True, eq=False)
class Graph:
    """All entities and facts, in one fixed order. Compared by identity."""

    entities: tuple[Entity, ...]
    facts: tuple[Fact, ...]

    @cached_property
    def entity(self) -> Mapping[str, Entity]:
        return {entity.id: entity for entity in self.entities}

    @cached_property
    def fact(self) -> Mapping[str, Fact]:
        return {fact.id: fact for fact in self.facts}

    @cached_property
    def facts_of(self) -> Mapping[str, tuple[Fact, ...]]:
        """Facts by entity id."""
        found: dict[str, list[Fact]] = {entity.id: [] for entity in self.entities}
        for fact in self.facts:
            found[fact.entity].append(fact)
        return {key: tuple(facts) for key, facts in found.items()}

    @cached_property
    def of_type(self) -> Mapping[str, tuple[str, ...]]:
        """Entity ids by type."""
        found: dict[str, list[str]] = {}
        for entity in self.entities:
            found.setdefault(entity.type_key, []).append(entity.id)
        return {key: tuple(ids) for key, ids in found.items()}

    def of(self, entity_id: str, relation_key: str) -> Fact:
        return self.fact[f"{entity_id}.{relation_key.split('.')[1]}"]

    @staticmethod
    def from_json(value: JsonObject) -> "Graph":
        """Inverse of `to_json`. Trusts its input."""
        raw: Any = value
        entities = tuple(Entity(i, i.rsplit("-", 1)[0], name, root) for i, name, root in raw["entities"])
        facts = []
        for fact_id, held, older in raw["facts"]:
            entity, relation = fact_id.split(".")
            key = f"{entity.rsplit('-', 1)[0]}.{relation}"
            facts.append(Fact(fact_id, entity, key, held, tuple((year, number) for year, number in older)))
        return Graph(entities, tuple(facts))

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "entities": [[e.id, e.name, e.root] for e in self.entities],
            "facts": [[f.id, f.value, [list(pair) for pair in f.older]] for f in self.facts],
        }


def generate_graph(rng: Rng, n_entities: int) -> Graph:
    """`n_entities` spread evenly over the types; every relation of an entity holds a value.

    Facts that refer to each other agree: a builder is older than its bridge, a bridge crosses a city that was there.
    """
    kinds = list(entity_types().values())
    names = _NameGiver(rng)
    entities: list[Entity] = []
    for i, kind in enumerate(kinds):
        count = n_entities // len(kinds) + (1 if i < n_entities % len(kinds) else 0)
        entities += [names.entity(kind, f"{kind.key}-{k + 1}") for k in range(count)]
    ids = {kind.key: [e.id for e in entities if e.type_key == kind.key] for kind in kinds}
    facts = [_fact(rng, entity, relation, ids) for entity in entities for relation in entity.type.relations]
    return Graph(tuple(entities), tuple(_settle_industries(facts, ids)))


class _NameGiver:
    """Roots of names, no two alike but for the first letter; in small graphs no two begin alike."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        self._heads: set[str] = set()
        self._tails: set[str] = set()

    def entity(self, kind: EntityType, entity_id: str) -> Entity:
        root = self._root(kind.key)
        name = self._rng.choice(kind.name_forms).replace("{R}", root)
        return Entity(entity_id, kind.key, name, root)

    def _root(self, type_key: str) -> str:
        tries = 0
        while True:
            # Large graphs run out of short names that differ early: after a while a syllable more, and less distance.
            crowded = tries > 60
            middle = self._rng.choice(MIDDLES) + (self._rng.choice(LONGER) if crowded else "")
            root = self._rng.choice(STARTS) + middle + self._rng.choice(ENDS[type_key])
            key = root.lower()
            tries += 1
            if key in REFUSED or _clumsy(key) or key[1:] in self._tails or (key[:5] in self._heads and not crowded):
                continue
            self._heads.add(key[:5])
            self._tails.add(key[1:])
            return root


def _clumsy(key: str) -> bool:
    return any(a == b for a, b in itertools.pairwise(key)) or any(key.count(pair) > 1 for pair in ("or", "ar", "an"))


def _fact(rng: Rng, entity: Entity, relation: Relation, ids: Mapping[str, list[str]]) -> Fact:
    fact_id = f"{entity.id}.{relation.key.split('.')[1]}"
    if relation.kind == "entity":
        return Fact(fact_id, entity.id, relation.key, rng.choice(_suited(relation, ids)))
    if relation.kind == "category":
        return Fact(fact_id, entity.id, relation.key, rng.choice(relation.categories))
    value = draw_number(rng, relation)
    return Fact(fact_id, entity.id, relation.key, value, _history(rng, relation, value) if relation.dated else ())


def _history(rng: Rng, relation: Relation, value: int) -> tuple[tuple[int, int], ...]:
    """Earlier values, growing or shrinking all along, so that no two years are within rounding of each other."""
    grows = rng.chance(0.75)
    earlier: list[tuple[int, int]] = []
    for year in reversed(OLD_YEARS):
        change = rng.between(110, 124)
        value = value * 100 // change if grows else value * change // 100
        earlier.append((year, max(relation.step, value // relation.step * relation.step)))
    return tuple(reversed(earlier))


def draw_number(rng: Rng, relation: Relation) -> int:
    """Years evenly, quantities so that small and large values are about as common (no logarithm: it may differ by
    machine in the last digit)."""
    low, high = relation.low, relation.high
    if relation.kind == "quantity" and high > 8 * low:
        while high > 2 * low and rng.chance(0.55):
            high //= 2
        high = max(high, 2 * low)
    value = rng.between(low, high)
    return max(relation.step, value // relation.step * relation.step)


def _suited(relation: Relation, ids: Mapping[str, list[str]]) -> list[str]:
    """Companies keep to one trade: the first third builds, the second makes vehicles, the third runs power stations."""
    found = ids[relation.target]
    if relation.target != "company" or len(found) < len(TRADES):
        return found
    place = TRADES.index(relation.key)
    return [company for i, company in enumerate(found) if i % len(TRADES) == place]


TRADES = ("bridge.builder", "vehicle.maker", "dam.operator")


def _settle_industries(facts: list[Fact], ids: Mapping[str, list[str]]) -> list[Fact]:
    """A company's line of business is the one that its bridges, railcars or dams show."""
    trades = relations()["company.industry"].categories
    place = {company: i % len(TRADES) for i, company in enumerate(ids["company"])}
    return [
        Fact(f.id, f.entity, f.relation_key, trades[place[f.entity]]) if f.relation_key == "company.industry" else f
        for f in facts
    ]


def wrong_value(rng: Rng, graph: Graph, fact: Fact) -> int | str:
    """A value that is false of the fact and of its past: at least 6% or one year off, or another name."""
    relation = fact.relation
    if relation.kind == "entity":
        return rng.choice([e.id for e in graph.entities if e.type_key == relation.target and e.id != fact.value])
    if relation.kind == "category":
        return rng.choice([category for category in relation.categories if category != fact.value])
    if relation.kind == "year":
        off = rng.between(2, 14)
        return fact.number - off if rng.chance(0.5) else fact.number + off
    held = [fact.number, *(value for _, value in fact.older)]
    while True:
        percent = rng.choice((62, 71, 83, 88, 92, 109, 114, 121, 136, 160))
        wrong = fact.number * percent // 100 // relation.step * relation.step
        if wrong > 0 and all(abs(wrong - value) * 100 >= 6 * value for value in held):
            return wrong
