"""What the harness reads on a page for the small policy: the statements on what was asked, as a few words each.

A model of a million weights cannot read prose, so the harness reads for it: the reader of `benchmarks.simulated_web`
finds which entity, relation and value a sentence speaks of, from the page's text and the language of the world alone.
It does not know what is true. What pages say wrongly is read as they say it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from benchmarks.simulated_web.graph import Graph
from benchmarks.simulated_web.ontology import NOW, Relation, relations
from benchmarks.simulated_web.reading.claims import Claim, read_claims
from benchmarks.simulated_web.reading.lexicon import Lexicon, numbers
from benchmarks.simulated_web.reading.text import read_text
from training.tokenizer import words_of

MAX_NOTES_A_PAGE = 8


@dataclass(frozen=True, slots=True)
class Note:
    """One statement read on a page. `value` compares it with others (base units, year, entity id or category);
    `said` is how the report will put it."""

    entity: str
    relation_key: str
    value: float | str
    said: str


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question names: entities by id, relations by key."""

    entities: tuple[str, ...]
    relation_keys: frozenset[str]


@dataclass
class Reader:
    """Reads questions and pages of one world's language. Pages are read once however many rollouts open them."""

    graph: Graph
    _pages: dict[str, tuple[Note, ...]] = field(default_factory=dict)

    @cached_property
    def roots(self) -> frozenset[str]:
        """The words by which names are told apart, in lower case."""
        return frozenset(entity.root.lower() for entity in self.graph.entities)

    def asked(self, question: str) -> Asked:
        """Entities and relations by their names, and by the phrase that asks for a relation."""
        mentions = Lexicon(self.graph).mentions(question)
        entities = tuple(dict.fromkeys(mention.entity for mention in mentions if mention.entity))
        lower = question.lower()
        return Asked(entities, frozenset(key for key, found in relations().items() if _asks(found, lower)))

    def notes(self, page_text: str, asked: Asked) -> tuple[Note, ...]:
        """The page's statements on what was asked, on the entities of the question first; at most eight."""
        if page_text not in self._pages:
            claims = read_claims(self.graph, read_text(page_text))
            self._pages[page_text] = tuple(self._note(claim) for claim in claims if _is_told(claim))
        wanted = [note for note in self._pages[page_text] if note.relation_key in asked.relation_keys]
        return tuple(sorted(wanted, key=lambda note: note.entity not in asked.entities)[:MAX_NOTES_A_PAGE])

    def view(self, note: Note) -> tuple[str, ...]:
        """The note in a few words: entity, relation, value. Names are whole: the episode makes pointers of them."""
        entity = self.graph.entity[note.entity].root.lower()
        relation = note.relation_key.split(".")[1]
        if isinstance(note.value, str) and note.value in self.graph.entity:
            value = [self.graph.entity[note.value].root.lower()]
        else:
            value = words_of(_coarse(note.value))[:2]
        return (entity, relation, *value)

    def _note(self, claim: Claim) -> Note:
        relation = relations()[claim.relation_key]
        noun = f"{relation.noun} in {NOW}" if relation.dated else relation.noun
        phrase = self.graph.entity[claim.entity].phrase
        value = round(claim.value, 3) if isinstance(claim.value, float) else claim.value
        said = f"The {noun} of {phrase} is {self._written(claim, relation)}"
        return Note(claim.entity, claim.relation_key, value, said)

    def _written(self, claim: Claim, relation: Relation) -> str:
        """The value as the page wrote it."""
        if isinstance(claim.value, str):
            return self.graph.entity[claim.value].phrase if relation.kind == "entity" else claim.value
        text = claim.sentence.text
        for number in numbers(text):
            if number.value == claim.value:
                return text[number.start : number.end].strip()
        return f"{claim.value:g}"


def _coarse(value: float | str) -> str:
    """A year or name as it is, a quantity to two digits, so that a conversion of units mostly looks the same."""
    if isinstance(value, str) or is_year(value):
        return str(value).removesuffix(".0")
    return f"{float(f'{value:.2g}'):f}".rstrip("0").rstrip(".")


def is_year(value: float) -> bool:
    return float(value).is_integer() and 1000 <= value <= 2100


def _is_told(claim: Claim) -> bool:
    """Said of today, neither denied nor only reported."""
    return not claim.denied and not claim.reported and claim.year in (None, NOW)


def _asks(relation: Relation, lower_question: str) -> bool:
    phrase = relation.ask.lower().replace(f" in {NOW}", "")
    pieces = [piece.strip() for piece in phrase.split("{s}")]
    return relation.noun in lower_question or all(piece in lower_question for piece in pieces)


def majority(notes: Sequence[Note]) -> float | str:
    """The value that most notes give, the earliest among equals; numbers within 1% are one value.

    Raises ValueError without notes.
    """
    if not notes:
        raise ValueError("no notes to choose from")
    votes = [sum(same_value(note.value, other.value) for other in notes) for note in notes]
    return notes[votes.index(max(votes))].value


def same_value(one: float | str, other: float | str) -> bool:
    """Whether two pages say the same: equal names and years, quantities within 1% (units are converted and rounded)."""
    if isinstance(one, str) or isinstance(other, str):
        return one == other
    if is_year(one) and is_year(other):
        return one == other
    return abs(one - other) <= 0.01 * max(abs(one), abs(other))
