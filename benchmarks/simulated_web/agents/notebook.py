"""What an agent has read, and what it makes of sources that disagree."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.simulated_web.asked import Clue, Question, RequiredFact
from benchmarks.simulated_web.graph import Graph
from benchmarks.simulated_web.ontology import NOW, Relation, relations
from benchmarks.simulated_web.pages import Page


@dataclass(frozen=True, slots=True)
class Reading:
    """One value read on one page; `year` where the page names it."""

    value: int | str
    year: int | None
    url: str
    site: str


@dataclass(frozen=True, slots=True)
class Finding:
    """The value that an agent goes by, the pages that give it, and readings that give another one."""

    value: int | str
    year: int | None
    urls: tuple[str, ...]
    rivals: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Need:
    """A required value as the agent sees it: what of whom, as of which year where that is not today. `via` is the need
    whose answer is the entity, for questions that name an entity only through another; `clues` tell which entity it is
    where the question describes it. The agent never uses `fact` to learn a value."""

    fact: RequiredFact
    relation: Relation
    entity: str
    via: "Need | None" = None
    clues: tuple[Clue, ...] = ()

    @property
    def year(self) -> int | None:
        return self.fact.year


def needs_of(graph: Graph, question: Question) -> tuple[Need, ...]:
    """The required values of a question in its order, linked where the question links them."""
    needs: list[Need] = []
    for fact in question.required:
        if fact.kind != "value":
            continue
        held = graph.fact[fact.fact_id]
        if question.kind == "walk":
            via = next((need for need in needs if need.fact.id == fact.via), None)
            clues = question.clues if fact.described else ()
            needs.append(Need(fact, held.relation, "" if via or clues else held.entity, via, clues))
            continue
        first = needs[0] if needs and question.kind == "linked" else None
        linked = first is not None and first.relation.kind == "entity" and held.entity != first.entity
        needs.append(Need(fact, held.relation, "" if linked else held.entity, first if linked else None))
    return tuple(needs)


class Notebook:
    """Readings by entity and relation."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._readings: dict[tuple[str, str], list[Reading]] = {}
        self.pages: list[Page] = []

    def read(self, page: Page) -> None:
        """Notes everything that the page states, except what it denies."""
        self.pages.append(page)
        for statement in page.statements:
            if not statement.denied:
                fact = self._graph.fact[statement.fact_id]
                reading = Reading(statement.value, statement.year, page.url, page.site)
                self._readings.setdefault((fact.entity, fact.relation_key), []).append(reading)

    def readings(self, entity: str, relation: Relation, year: int | None = None) -> Sequence[Reading]:
        """Those for today; those for earlier years only where there is nothing newer. With a year those for it."""
        found = self._readings.get((entity, relation.key), [])
        if year is not None:
            return [r for r in found if r.year == year]
        return [r for r in found if r.year in (None, NOW)] or found

    def all_readings(self, entity: str, relation: Relation) -> Sequence[Reading]:
        """Those for any year."""
        return self._readings.get((entity, relation.key), [])

    def finding(self, entity: str, relation: Relation, year: int | None = None) -> Finding | None:
        """The value that most sites give, the first read among equals."""
        found = self.readings(entity, relation, year)
        if not found:
            return None
        sites: dict[int | str, set[str]] = {}
        for reading in found:
            sites.setdefault(reading.value, set()).add(reading.site)
        value = max(sites, key=lambda candidate: len(sites[candidate]))
        agreeing = [r for r in found if r.value == value]
        rivals = tuple(r for r in found if r.value != value)
        return Finding(value, agreeing[0].year, tuple(dict.fromkeys(r.url for r in agreeing)), rivals)

    def sites_on(self, entity: str, relation: Relation, year: int | None = None) -> int:
        """How many sites have said something on it."""
        return len({reading.site for reading in self.readings(entity, relation, year)})

    def entity_of(self, need: Need) -> str | None:
        """Whom a need is about, as far as the agent knows: None while the link is not read or the clues fit no one."""
        if need.clues:
            return self.fitting(need.relation.type_key, need.clues)
        if need.via is None:
            return need.entity
        linked = self.entity_of(need.via)
        finding = self.finding(linked, need.via.relation) if linked is not None else None
        return str(finding.value) if finding else None

    def fitting(self, type_key: str, clues: Sequence[Clue]) -> str | None:
        """The one thing of this type of which the pages read say what all the clues say; None for none or several."""
        found = []
        for entity in self._graph.entities:
            if entity.type_key == type_key:
                told = [self.finding(entity.id, relations()[clue.relation_key]) for clue in clues]
                if all(one is not None and clue.fits(one.value) for one, clue in zip(told, clues, strict=True)):
                    found.append(entity.id)
        return found[0] if len(found) == 1 else None
