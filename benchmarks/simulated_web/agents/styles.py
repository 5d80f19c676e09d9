"""Ways to write from what was read, each with one failing that is the writer's, whoever did the research."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from benchmarks.simulated_web.agents.notebook import Finding, Need, needs_of
from benchmarks.simulated_web.agents.writer import PLAIN, Manner, Material, write_report
from benchmarks.simulated_web.graph import wrong_value
from benchmarks.simulated_web.ontology import NOW
from benchmarks.simulated_web.questions import Question, RequiredFact
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.world import World

Write: TypeAlias = Callable[[World, Question, Material, Rng], str]

_SOURCES = "\n\n## Sources"
_VERBOSE = (
    "This point deserves a closer look, and the reader is asked for some patience.",
    "It may help to say once more what was asked and how the answer was reached.",
    "Put differently, and in somewhat plainer words, the matter stands as just described.",
    "A careful reader will want to keep this in mind for what follows.",
    "There is, of course, more than one way to put this.",
    "Before going on it is worth pausing here for a moment.",
)
_SURE = ("There is no doubt whatever about this.", "This is beyond question.", "All of this is certain.")


def in_manner(manner: Manner) -> Write:
    """The plain writer in this manner: every value as it was read."""

    def write(world: World, question: Question, material: Material, rng: Rng) -> str:
        return write_report(world, question, material, rng=rng, manner=manner)

    return write


def verbose(world: World, question: Question, material: Material, rng: Rng) -> str:
    """All of it right, at two to three times the length."""
    body, sources = _apart(write_report(world, question, material, rng=rng))
    blocks = [
        block if block.startswith("#") else f"{block} {' '.join(rng.sample(_VERBOSE, rng.between(3, 5)))}"
        for block in body.split("\n\n")
    ]
    return "\n\n".join(blocks) + sources


def off_question(world: World, question: Question, material: Material, rng: Rng) -> str:
    """What was read about the right things, and not what was asked of them."""
    if question.kind == "no_search":
        return f"# Answer\n\n{' '.join(rng.sample(_VERBOSE, 3))}"
    asked = {fact.fact_id for fact in question.required}
    entities = dict.fromkeys(filter(None, (material.entity_of(need) for need in needs_of(world.graph, question))))
    others = [
        RequiredFact(f"other-{fact.id}", "value", fact.relation.noun, fact.id)
        for fact in world.graph.facts
        if fact.entity in entities
        and fact.id not in asked
        and material.notebook.finding(fact.entity, fact.relation) is not None
    ]
    other = replace(question, kind="survey", required=tuple(others))
    return write_report(world, other, Material(material.notebook), rng=rng)


def overconfident(world: World, question: Question, material: Material, rng: Rng) -> str:
    """Never says what is missing or disputed: guesses the one, passes over the other, and is certain of both."""
    sure = replace(material, invented=dict(material.invented))
    for need in needs_of(world.graph, question):
        # Of an entity that it could not name it says nothing; elsewhere it guesses.
        if material.finding(need) is None and material.entity_of(need) is not None:
            guess = wrong_value(rng, world.graph, world.graph.fact[need.fact.fact_id])
            sure.invented[need.fact.id] = Finding(guess, None, (), ())
    body, sources = _apart(
        write_report(world, question, sure, rng=rng, manner=replace(PLAIN, disagreements=False, gaps=False))
    )
    blocks = [block if block.startswith("#") else f"{block} {rng.choice(_SURE)}" for block in body.split("\n\n")]
    return "\n\n".join(blocks) + sources


def contradicting(world: World, question: Question, material: Material, rng: Rng) -> str:
    """A right report whose conclusion gives other values for one or two of the points."""
    body, sources = _apart(write_report(world, question, material, rng=rng))
    found = [need for need in needs_of(world.graph, question) if material.finding(need) is not None and not need.via]
    turned = rng.sample(found, min(len(found), rng.between(1, 2)))
    if not turned:
        return body + sources
    said = Material(material.notebook)
    for need in turned:
        false = wrong_value(rng, world.graph, world.graph.fact[need.fact.fact_id])
        said.invented[need.fact.id] = Finding(false, None, (), ())
    part = replace(question, kind="survey", required=tuple(need.fact for need in turned))
    bare = Manner(summary=False, headings=False, disagreements=False, gaps=False, short_names=0)
    _, _, concluded = write_report(world, part, said, rng=rng, manner=bare).partition("\n\n")
    return f"{body}\n\n## In conclusion\n\n{concluded}{sources}"


def stale(world: World, question: Question, material: Material, rng: Rng) -> str:
    """Goes by the page that was published first, and gives values of earlier years as if they held today."""
    old = replace(material, invented=dict(material.invented))
    for need in needs_of(world.graph, question):
        entity = material.entity_of(need)
        readings = material.notebook.all_readings(entity, need.relation) if entity is not None else ()
        if readings:
            first = min(readings, key=lambda r: (r.year or NOW, world.page[r.url].published))
            old.invented[need.fact.id] = Finding(first.value, None, (first.url,), ())
    return write_report(world, question, old, rng=rng)


def fabricating_citations(world: World, question: Question, material: Material, rng: Rng) -> str:
    """Every value as it was read, cited to addresses that do not exist."""

    def invented(need: Need, _: Finding) -> tuple[str, ...]:
        root = world.graph.entity[material.entity_of(need) or need.entity].root.lower()
        return (f"https://www.{root}-review.example/{need.relation.type_key}/{rng.between(100, 999)}",)

    return write_report(world, question, _cited_to(world, question, material, invented), rng=rng)


def swapped_citations(world: World, question: Question, material: Material, rng: Rng) -> str:
    """Every value as it was read, cited to another page that was opened and does not give it."""

    def another(need: Need, finding: Finding) -> tuple[str, ...]:
        silent = [
            page.url
            for page in material.notebook.pages
            if page.url not in finding.urls and all(s.fact_id != need.fact.fact_id for s in page.statements)
        ]
        return (rng.choice(silent),) if silent else finding.urls

    return write_report(world, question, _cited_to(world, question, material, another), rng=rng)


def copying(world: World, question: Question, material: Material, rng: Rng) -> str:
    """Whole paragraphs of the pages that were read, each with its source, instead of an answer."""
    if question.kind == "no_search":
        return write_report(world, question, material, rng=rng)
    wanted = {need.fact.fact_id for need in needs_of(world.graph, question)}
    pasted: dict[str, int] = {}
    blocks: list[str] = []
    for page in material.notebook.pages:
        told = [s.sentence for s in page.statements if s.fact_id in wanted]
        for block in page.text.split("\n\n"):
            if "|" not in block and block not in pasted and any(sentence in block for sentence in told):
                pasted[block] = 1
                number = [p.url for p in material.notebook.pages].index(page.url) + 1
                blocks.append(f"{block.strip()} [{number}]")
    if not blocks:
        return write_report(world, question, material, rng=rng)
    listed = [f"[{n}] {page.title}. {page.url}" for n, page in enumerate(material.notebook.pages, 1)]
    return "\n\n".join(["# Findings", *blocks]) + f"{_SOURCES}\n\n" + "\n".join(listed)


def _cited_to(
    world: World, question: Question, material: Material, source: Callable[[Need, Finding], tuple[str, ...]]
) -> Material:
    """The same values with other sources."""
    moved = replace(material, invented=dict(material.invented))
    for need in needs_of(world.graph, question):
        finding = material.finding(need)
        if finding is not None:
            moved.invented[need.fact.id] = replace(finding, urls=source(need, finding), rivals=())
    return moved


def _apart(report: str) -> tuple[str, str]:
    """The text, and the list of sources with what stands before it."""
    body, mark, sources = report.partition(_SOURCES)
    return body, mark + sources


LIST_ONLY = Manner(summary=False, headings=False, disagreements=False, gaps=False, bullets=True)

STYLES: Mapping[str, Write] = {
    "good": in_manner(PLAIN),
    "verbose": verbose,
    "list_only": in_manner(LIST_ONLY),
    "off_question": off_question,
    "overconfident": overconfident,
    "contradicting": contradicting,
    "stale": stale,
    "fabricating_citations": fabricating_citations,
    "swapped_citations": swapped_citations,
    "copying": copying,
}
