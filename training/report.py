"""Reports from notes: what the policy's claims read like, and the frozen writer that chooses claims by majority."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.simulated_web.graph import Graph
from benchmarks.simulated_web.ontology import relations
from training.grammar import MAX_CLAIMS
from training.notes import Asked, Note, majority, same_value
from workbench.schema.canonical import content_hash

# Raised whenever the writer would choose or word anything differently.
WRITER = "majority-of-notes-1"
WRITER_HASH = content_hash(WRITER)[:16]
SOURCES_A_FACT = 2


@dataclass(frozen=True, slots=True)
class ReadPage:
    """An opened page and what was read on it."""

    url: str
    title: str
    site: str


@dataclass(frozen=True, slots=True)
class Found:
    """All that an episode read: `notes` are (note, number of its page, from 1) in the order of reading."""

    asked: Asked
    pages: tuple[ReadPage, ...]
    notes: tuple[tuple[Note, int], ...]


def choose_claims(found: Found) -> tuple[tuple[int, int], ...]:
    """The frozen writer: for every fact that was asked for, the value that most pages give, with up to two sources.

    Returns (note, page) pairs, both from 1. Facts of entities that the question neither names nor leads to are left
    out.
    """
    groups: dict[tuple[str, str], list[int]] = {}
    wanted = _entities_led_to(found)
    for place, (note, _) in enumerate(found.notes):
        if note.entity in wanted:
            groups.setdefault((note.entity, note.relation_key), []).append(place)
    claims: list[tuple[int, int]] = []
    for places in groups.values():
        value = majority([found.notes[place][0] for place in places])
        pages: set[int] = set()
        for place in places:
            note, page = found.notes[place]
            if len(pages) < SOURCES_A_FACT and page not in pages and same_value(note.value, value):
                pages.add(page)
                claims.append((place + 1, page))
    return tuple(claims[:MAX_CLAIMS])


def write_report(graph: Graph, question: str, found: Found, claims: Sequence[tuple[int, int]]) -> str:
    """The report that these claims make: a sentence a fact with its citations, comparisons that follow, references.

    Claims that say the same become one sentence. Pages are numbered as they are first cited.
    """
    sentences: list[tuple[Note, list[int]]] = []
    for number, page in claims:
        note = found.notes[number - 1][0]
        for told, pages in sentences:
            if (told.entity, told.relation_key) == (note.entity, note.relation_key) and same_value(
                told.value, note.value
            ):
                if page not in pages:
                    pages.append(page)
                break
        else:
            sentences.append((note, [page]))
    if not sentences:
        return "The research found nothing that answers the question."
    order = list(dict.fromkeys(page for _, pages in sentences for page in pages))
    marks = {page: f"[{i}]" for i, page in enumerate(order, 1)}
    lines = [f"{note.said} {''.join(marks[page] for page in pages)}." for note, pages in sentences]
    lines += _comparisons(graph, question, sentences, marks)
    references = [f"{marks[page]} {found.pages[page - 1].title}. {found.pages[page - 1].url}" for page in order]
    return "\n\n".join([" ".join(lines), "\n".join(["References:", *references])])


def _entities_led_to(found: Found) -> frozenset[str]:
    """Entities of the question, and those that an asked-for fact about one of them names."""
    named = set(found.asked.entities)
    led = {str(note.value) for note, _ in found.notes if note.entity in named and isinstance(note.value, str)}
    return frozenset(named | led)


def _comparisons(
    graph: Graph, question: str, sentences: Sequence[tuple[Note, list[int]]], marks: dict[int, str]
) -> list[str]:
    """Which of two is greater, where the question asks and both values are in the report."""
    lines: list[str] = []
    lower = question.lower()
    for key in dict.fromkeys(note.relation_key for note, _ in sentences):
        relation = relations()[key]
        told = [(n, pages) for n, pages in sentences if n.relation_key == key and isinstance(n.value, float)]
        if len({note.entity for note, _ in told}) != 2 or not relation.more or f" {relation.more}" not in lower:
            continue
        first = told[0]
        second = next(other for other in told if other[0].entity != first[0].entity)
        (high, high_pages), (low, low_pages) = sorted((first, second), key=lambda t: -float(t[0].value))
        cited = "".join(marks[page] for page in dict.fromkeys((*high_pages, *low_pages)))
        more, less = graph.entity[high.entity].phrase, graph.entity[low.entity].phrase
        said = f"{more} is {relation.more} than {less}"
        if key == "company.revenue":
            said = f"the revenue of {more} is {relation.more} than that of {less}"
        lines.append(f"{said[:1].upper()}{said[1:]} {cited}.")
    return lines
