"""What exists in the simulated web: types of entities, their relations, and how English speaks of each."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

RelationKind: TypeAlias = Literal["quantity", "year", "entity", "category"]

# The year in which the simulated web is read: "current" values hold for it, older editions for OLD_YEARS.
NOW = 2025
OLD_YEARS: tuple[int, ...] = (2016, 2019)


@dataclass(frozen=True, slots=True)
class Relation:
    """One kind of fact about one type of entity.

    `noun` names it ("length"), `ask` asks for it with {S} for the subject, `cues` are words (regular expressions,
    lower case) by which a text speaks of it. `target` is the entity type of an entity relation, `categories` the values
    of a category relation. `low`, `high`, `step` bound a quantity or year. `more`/`less` are its comparatives.
    `dated` relations change from year to year. `templates` are sentences: {S} subject, {P} possessive, {V} value
    with its unit, {N} the number alone, {Y} year of a dated value.
    """

    key: str
    kind: RelationKind
    noun: str
    ask: str
    cues: tuple[str, ...]
    templates: tuple[str, ...]
    chatty: tuple[str, ...]
    unit: str = ""
    low: int = 0
    high: int = 0
    step: int = 1
    dated: bool = False
    target: str = ""
    categories: tuple[str, ...] = ()
    more: str = ""
    less: str = ""

    @property
    def type_key(self) -> str:
        return self.key.split(".")[0]


@dataclass(frozen=True, slots=True)
class EntityType:
    """`short` is the noun that later sentences use ("the bridge"); `article` whether the name takes "the"."""

    key: str
    short: str
    plural: str
    article: bool
    name_forms: tuple[str, ...]
    relations: tuple[Relation, ...]


@functools.cache
def entity_types() -> Mapping[str, EntityType]:
    """All types in the order in which a world makes them: what others refer to comes first."""
    from benchmarks.simulated_web.english import places, works

    return {kind.key: kind for kind in (*places.TYPES, *works.TYPES)}


@functools.cache
def relations() -> Mapping[str, Relation]:
    """All relations by key (`bridge.length`)."""
    return {relation.key: relation for kind in entity_types().values() for relation in kind.relations}
