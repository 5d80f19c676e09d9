"""Claims made for pages of a mixed world, true and false in the same shares at every level, each with its truth.

A claim is a sentence as a report would have it: the plain wording, the full name, the exact value. One kind of false
claim stands apart, since only some pages have it: a value that the page gives for another thing, for another year, or
to deny it ("taken from the page"), as a careless reader would take it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.simulated_web.chinese_pages import ChineseWriter
from benchmarks.simulated_web.graph import Fact, wrong_value
from benchmarks.simulated_web.manner import LEVELS, Language, Level
from benchmarks.simulated_web.ontology import NOW
from benchmarks.simulated_web.pages import Page, Statement
from benchmarks.simulated_web.rendering import Claim
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.tools import page_text
from benchmarks.simulated_web.wording import fill, subject_forms, write_value
from benchmarks.simulated_web.world import World
from workbench.schema.analysis import Support

TAKEN = "taken from the page"


@dataclass(frozen=True, slots=True)
class LevelPair:
    """`source` says what is wrong with the claim, if anything; pairs of one `cluster` (an entity of a world) are not
    independent. `rounded`: the page gives the value only rounded."""

    claim: str
    document: str
    truth: Support
    level: Level
    page_language: Language
    claim_language: Language
    source: str
    rounded: bool
    cluster: str


def truth_on(page: Page, claim: Claim) -> Support:
    """What a page says to a claim: a value within the rounding of its sentence is said by it, no other is."""
    year = NOW if claim.year is None else claim.year
    said = [s for s in page.statements if s.fact_id == claim.fact.id and (NOW if s.year is None else s.year) == year]
    agreeing = [s for s in said if _agrees(s, claim.value)]
    if any(not s.denied for s in agreeing):
        return "supported"
    return "contradicted" if agreeing or any(not s.denied for s in said) else "unrelated"


def _agrees(statement: Statement, value: int | str) -> bool:
    if statement.rounding is not None and isinstance(value, int):
        return statement.rounding.holds(value)
    return statement.value == value


def level_pairs(world: World, *, pages: int) -> Iterator[LevelPair]:
    """Pairs of up to `pages` pages of each level and language; Chinese pages meet English and Chinese claims."""
    rng = Rng("level pairs", world.seed)
    for language in ("en", "zh"):
        for level in LEVELS:
            held = [p for p in world.pages if p.statements and (p.level, p.language) == (level, language)]
            for page in rng.sample(held, pages):
                yield from _of_page(world, page, rng)


def _of_page(world: World, page: Page, rng: Rng) -> Iterator[LevelPair]:
    document = page_text(world, page)
    own = [s for s in page.statements if not s.denied and world.graph.fact[s.fact_id].entity in page.about]
    # Of a dated fact the latest value: an earlier one stands there to distract.
    latest = {s.fact_id: s for s in sorted(own, key=lambda s: s.year or NOW)}
    for statement in rng.sample(list(latest.values()), 2):
        for source, claim in _claims(world, page, statement, rng):
            for language in ("en",) if page.language == "en" else ("en", "zh"):
                yield LevelPair(
                    _sentence(world, page, claim, language, rng),
                    document,
                    truth_on(page, claim),
                    page.level,
                    page.language,
                    "zh" if language == "zh" else "en",
                    source,
                    statement.rounding is not None,
                    f"{world.seed}/{claim.fact.entity}",
                )


def _claims(world: World, page: Page, statement: Statement, rng: Rng) -> Iterator[tuple[str, Claim]]:
    fact = world.graph.fact[statement.fact_id]
    when = (NOW if statement.year is None else statement.year) if fact.relation.dated else None
    yield "true", Claim(fact, statement.value, when)
    yield "value changed", Claim(fact, wrong_value(rng, world.graph, fact), when)
    taken = _taken(world, page, statement, fact)
    if taken:
        yield TAKEN, Claim(fact, rng.choice(taken), when)
    twin = _twin(world, page, fact, rng)
    yield "another entity", Claim(twin, statement.value, when)
    stated = {s.fact_id for s in page.statements}
    silent = [f for f in world.graph.facts_of[fact.entity] if f.id not in stated]
    if silent:
        absent = rng.choice(silent)
        yield "fact not there", Claim(absent, absent.value, NOW if absent.relation.dated else None)


def _taken(world: World, page: Page, statement: Statement, fact: Fact) -> list[int | str]:
    """Values of the same relation that the page gives otherwise: of another thing, denied, or of another year."""
    return [
        s.value
        for s in page.statements
        if world.graph.fact[s.fact_id].relation_key == fact.relation_key
        and truth_on(page, Claim(fact, s.value, statement.year)) != "supported"
    ]


def _twin(world: World, page: Page, fact: Fact, rng: Rng) -> Fact:
    """The same relation of another entity of the type: one that the page speaks of, where there is one."""
    told: Sequence[str] = [
        world.graph.fact[s.fact_id].entity
        for s in page.statements
        if world.graph.fact[s.fact_id].relation_key == fact.relation_key
        and world.graph.fact[s.fact_id].entity != fact.entity
    ]
    same = [e for e in world.graph.of_type[fact.relation.type_key] if e != fact.entity]
    return world.graph.of(rng.choice(told or same), fact.relation_key)


def _sentence(world: World, page: Page, claim: Claim, language: str, rng: Rng) -> str:
    if language == "zh":
        writer = ChineseWriter(rng, world.graph, world.site[page.site], "plain")
        return writer.tell(claim, "full").sentence
    relation = claim.fact.relation
    subject, owner = subject_forms(world.graph.entity[claim.fact.entity], "full")
    written = write_value(rng, world.graph, relation, claim.value)
    return fill(rng.choice(relation.templates), subject=subject, owner=owner, written=written, year=claim.year)
