"""Claims made for a page at a stated difficulty, true and false ones."""

from collections.abc import Iterator, Sequence

from benchmarks.simulated_web.graph import Entity, Fact, wrong_value
from benchmarks.simulated_web.ontology import NOW
from benchmarks.simulated_web.pages import Page, Statement
from benchmarks.simulated_web.reading.claims import read_claims
from benchmarks.simulated_web.reading.text import read_text
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.tools import page_text
from benchmarks.simulated_web.units import CONVERTED
from benchmarks.simulated_web.wording import fill, subject_forms, write_value
from benchmarks.simulated_web.world import World
from tests.support_study.pairs import StudyPair, truth_of

# From words alone to what words alone can hardly tell.
LEVELS = ("as written", "reworded", "by pronoun", "from a table", "other units", "two facts")


def planted_pairs(world: World, *, pages: int) -> Iterator[StudyPair]:
    """Of each page: true claims, then each with another value, about another entity, and for the present where the page
    speaks of the past; facts that the page does not give. What gold's matcher does not read is left out."""
    rng = Rng("planted claims", world.seed)
    about = [page for page in world.pages if page.statements]
    for page in rng.sample(about, pages):
        yield from _of_page(world, page, rng)


def _of_page(world: World, page: Page, rng: Rng) -> Iterator[StudyPair]:
    document = page_text(world, page)
    current = [s for s in page.statements if not s.denied]
    for statement in rng.sample(current, 2):
        fact = world.graph.fact[statement.fact_id]
        level = _level(world, page, statement, rng)
        cluster = f"{world.seed}/{fact.entity}"
        for source, claim in _claims(world, statement, fact, level, current, rng):
            read = read_claims(world.graph, read_text(claim), topics=(fact.entity,))
            if read:
                truth = truth_of(world, read, page.statements)
                yield StudyPair(claim, document, truth, level, source, cluster)
    denied = [s for s in page.statements if s.denied]
    for statement in denied[:1]:
        fact = world.graph.fact[statement.fact_id]
        claim = _sentence(world, fact, statement.value, rng)
        yield StudyPair(claim, document, "contradicted", "denied there", "denied", f"{world.seed}/{fact.entity}")


def _level(world: World, page: Page, statement: Statement, rng: Rng) -> str:
    relation = world.graph.fact[statement.fact_id].relation
    root = world.graph.entity[world.graph.fact[statement.fact_id].entity].root
    if "| --- |" in page.text or statement.sentence.startswith("- ") or ": " in statement.sentence[:40]:
        return "from a table"
    if rng.chance(0.2) and len(page.statements) > 1:
        return "two facts"
    if relation.kind == "quantity" and relation.unit in CONVERTED and rng.chance(0.4):
        return "other units"
    if root not in statement.sentence:
        return "by pronoun"
    return rng.choice(("as written", "reworded"))


def _claims(
    world: World, statement: Statement, fact: Fact, level: str, told: Sequence[Statement], rng: Rng
) -> Iterator[tuple[str, str]]:
    """The true claim, and the false ones by the name of what is wrong with them."""
    year = statement.year

    def said(value: int | str, of: Fact = fact, when: int | None = year) -> str:
        return _sentence(
            world,
            of,
            value,
            rng,
            year=when,
            like=statement.sentence if level == "as written" else "",
            imperial=level == "other units" and "feet" not in statement.sentence,
        )

    if level == "two facts":
        other = [s for s in told if s.fact_id != fact.id and world.graph.fact[s.fact_id].entity == fact.entity]
        if other:
            second = rng.choice(other)
            true = _sentence(world, world.graph.fact[second.fact_id], second.value, rng, year=second.year)
            second_fact = world.graph.fact[second.fact_id]
            false = _sentence(world, second_fact, wrong_value(rng, world.graph, second_fact), rng, year=second.year)
            yield "true", _both(said(statement.value), true)
            yield "one value changed", _both(said(statement.value), false)
            absent = _absent(world, fact, told, rng)
            if absent:
                yield "one fact not there", _both(said(statement.value), absent)
        return
    yield "true", said(statement.value)
    yield "value changed", said(wrong_value(rng, world.graph, fact))
    twin = _twin(world, fact, told, rng)
    if twin is not None:
        yield "another entity", said(statement.value, twin)
    absent = _absent(world, fact, told, rng)
    if absent:
        yield "fact not there", absent
    if fact.relation.dated and year is not None and year != NOW:
        yield "of another year", said(statement.value, fact, NOW)


def _sentence(
    world: World,
    fact: Fact,
    value: int | str,
    rng: Rng,
    *,
    year: int | None = None,
    like: str = "",
    imperial: bool = False,
) -> str:
    """A sentence about a fact with the full name of its entity; in the template of `like` where that has one."""
    relation = fact.relation
    subject, owner = subject_forms(world.graph.entity[fact.entity], "full")
    written = write_value(rng, world.graph, relation, value, imperial=imperial)
    templates = (*relation.templates, *relation.chatty)
    when = year if year is not None else NOW
    made = [fill(t, subject=subject, owner=owner, written=written, year=when) for t in templates]
    same = [text for text in made if like and _frame(text) == _frame(like)]
    return rng.choice(same) if same else rng.choice(made[: len(relation.templates)])


def _frame(text: str) -> str:
    return " ".join(word for word in text.lower().split() if word.isalpha())[:40]


def _both(first: str, second: str) -> str:
    return (
        f"{first.rstrip('.')}, and {second[:1].lower() + second[1:] if second.startswith(('The ', 'In ')) else second}"
    )


def _twin(world: World, fact: Fact, told: Sequence[Statement], rng: Rng) -> Fact | None:
    """The same relation of another entity of the type; one that the page names too where there is one."""
    own = world.graph.entity[fact.entity]
    same = [e for e in world.graph.entities if e.type_key == own.type_key and e.id != own.id]
    near = [e for e in same if any(world.graph.fact[s.fact_id].entity == e.id for s in told)]
    chosen: Entity | None = rng.choice(near or same) if same else None
    return None if chosen is None else world.graph.of(chosen.id, fact.relation_key)


def _absent(world: World, fact: Fact, told: Sequence[Statement], rng: Rng) -> str:
    """A true sentence about the same entity that the page does not say."""
    stated = {s.fact_id for s in told}
    silent = [f for f in world.graph.facts_of[fact.entity] if f.id not in stated]
    if not silent:
        return ""
    chosen = rng.choice(silent)
    return _sentence(world, chosen, chosen.value, rng)
