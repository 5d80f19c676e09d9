"""From sentences to claims: this entity, this relation, this value; asserted, denied or only reported.

Within one type of entity every relation has a dimension of its own (metres are a bridge's length, crowns its cost), so
a number's unit and its subject decide the relation, and words ("long", "opened") settle what the unit leaves open.
"""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from benchmarks.simulated_web.graph import Graph
from benchmarks.simulated_web.ontology import NOW, Relation, entity_types
from benchmarks.simulated_web.reading.context import Focus
from benchmarks.simulated_web.reading.lexicon import Lexicon, Mention, Number, Value, lexicon_of, numbers
from benchmarks.simulated_web.reading.polarity import is_denied, is_reported, is_uncertain, takes_back
from benchmarks.simulated_web.reading.text import ReportText, Sentence
from benchmarks.simulated_web.reading.years import gap, past_years
from benchmarks.simulated_web.units import UNITS


@dataclass(frozen=True, slots=True)
class Claim:
    """What a sentence says of one fact. `value` is in base units, a year, an entity id or a category.

    `denied`: it says that this is not so. `reported`: it says that others say so. `year`: the past year it holds for,
    0 for one that is not named.
    """

    entity: str
    relation_key: str
    value: float | str
    sentence: Sentence
    last_place: float = 0.0
    approximate: bool = False
    bound: int = 0
    year: int | None = None
    denied: bool = False
    reported: bool = False


@dataclass(frozen=True, slots=True)
class _Reading:
    """A value with a subject and a relation that it may belong to; the lower `cost`, the likelier."""

    value: Value
    entity: str
    relation: Relation
    cost: float


NO_CUE = 60.0  # as if the nearest cue stood this many characters away
NEAR_CUE = 15.0
CONTEXT = 45.0  # cost of a subject that the sentence does not name
UNCUED_MONEY = 40.0  # crowns are paid for much: without a word that says what for, they are weak evidence
_PLACED = re.compile(r"\s*(?:, an? (?:[\w-]+ ){1,3})?\s*in ", re.IGNORECASE)
_OF_IT = re.compile(r"\s*(?:at|for|of|in|on|(?:is )?that of)\s+(?:the\s+)?", re.IGNORECASE)
_RESPECTIVELY = re.compile(r"\brespectively\b", re.IGNORECASE)
_LISTED = re.compile(r"(?:\s|,|\b(?:and|both|the|as well as)\b)+", re.IGNORECASE)


def read_claims(graph: Graph, report: ReportText, *, topics: Sequence[str] = ()) -> tuple[Claim, ...]:
    """All claims of a report. `topics` are entities that a sentence without a name may be about, if none is nearer."""
    lexicon = lexicon_of(graph)
    focus = Focus(graph, topics)
    claims: list[Claim] = []
    for sentence, following in itertools.zip_longest(report.sentences, report.sentences[1:]):
        mentions = lexicon.mentions(sentence.text)
        focus.enter(sentence, lexicon.mentions(sentence.heading))
        told = _SentenceReader(lexicon, sentence, mentions, focus).claims()
        if following is not None and following.block == sentence.block and takes_back(following.text):
            told = [replace(claim, denied=True) for claim in told]
        claims += told
        focus.leave(mentions)
    return tuple(claims)


class _SentenceReader:
    def __init__(self, lexicon: Lexicon, sentence: Sentence, mentions: list[Mention], focus: Focus) -> None:
        self.graph, self.sentence, self.text = lexicon.graph, sentence, sentence.text
        self.mentions, self.focus = mentions, focus
        self.numbers = numbers(self.text)
        self.categories = lexicon.categories(self.text)
        self._cues: dict[str, list[tuple[int, int]]] = {}

    def claims(self) -> list[Claim]:
        if is_uncertain(self.text):
            return []
        readings = [*self._of_numbers(), *self._of_mentions(), *self._of_categories()]
        chosen = self._settle([*self._in_parallel(readings), *readings])
        chosen += [shared for reading in chosen for shared in self._shared(reading, chosen)]
        dated = [reading.value for reading in chosen if reading.relation.dated]
        taken = {id(reading.value) for reading in chosen}
        years = past_years(self.text, [n for n in self.numbers if id(n) not in taken], dated)
        return [self._claim(reading, years.get(id(reading.value))) for reading in chosen]

    # What each value may mean

    def _of_numbers(self) -> Iterable[_Reading]:
        for number in self.numbers:
            for kind in entity_types().values():
                for relation in kind.relations:
                    if relation.kind == "year" and number.is_year:
                        if number.value == NOW and not self._is_near(relation, number):
                            continue  # the year of another figure: "founded in 1886, employed 20,380 people in 2025"
                        yield from self._subjects(number, relation, need_cue=True)
                    elif relation.kind == "quantity":
                        dimension = UNITS[relation.unit].dimension
                        if dimension in number.dimensions:
                            yield from self._subjects(number, relation, need_cue=False)
                        elif number.bare and not number.is_year and number.value >= 10:
                            yield from self._subjects(number, relation, need_cue=True)

    def _is_near(self, relation: Relation, number: Number) -> bool:
        cue = self._nearest_cue(relation, number.start, number.end)
        return cue is not None and cue <= NEAR_CUE

    def _of_mentions(self) -> Iterable[_Reading]:
        for mention in self.mentions:
            for kind in entity_types().values():
                for relation in kind.relations:
                    if relation.kind == "entity" and relation.target == mention.type_key:
                        yield from self._subjects(mention, relation, need_cue=not self._directly_in(mention))

    def _of_categories(self) -> Iterable[_Reading]:
        for category in self.categories:
            for kind in entity_types().values():
                for relation in kind.relations:
                    if relation.key == category.relation_key:
                        yield from self._subjects(category, relation, need_cue=False)

    def _directly_in(self, place: Mention) -> bool:
        """ "the Velda Bridge, a suspension bridge in Marnholt": the place follows with little but "in" between."""
        return place.type_key == "city" and any(
            _PLACED.fullmatch(self.text[m.end : place.start])
            for m in self.mentions
            if m.type_key in ("bridge", "institute", "museum")
        )

    def _subjects(self, value: Value, relation: Relation, *, need_cue: bool) -> Iterable[_Reading]:
        cue = self._nearest_cue(relation, value.start, value.end)
        if cue is None and need_cue:
            return
        cost = cue if cue is not None else NO_CUE + (UNCUED_MONEY if relation.unit == "crowns" else 0.0)
        named = [m for m in self.mentions if m.type_key == relation.type_key and m.entity]
        for mention in named:
            yield _Reading(value, mention.entity, relation, cost + self._away(value, mention))
        if not named and not any(not m.entity for m in self.mentions):
            subject = self.focus.subject(self.text, relation.type_key, [m.type_key for m in self.mentions])
            if subject is not None:
                yield _Reading(value, subject, relation, cost + CONTEXT)

    def _nearest_cue(self, relation: Relation, start: int, end: int) -> float | None:
        """Characters to the nearest cue, boundaries of clauses counted as many."""
        if relation.key not in self._cues:
            found = [m.span() for cue in relation.cues for m in re.finditer(cue, self.text, re.IGNORECASE)]
            # A name's own word is no cue: "Velda Bridge" does not speak of a type of bridge.
            self._cues[relation.key] = [
                span for span in found if not any(m.start <= span[0] < m.end for m in self.mentions)
            ]
        # Of two cues equally near the longer says more: "exhibition area" is a museum's, "area" could be a city's.
        gaps = [gap(self.text, span, (start, end)) - 0.1 * (span[1] - span[0]) for span in self._cues[relation.key]]
        return min(gaps, default=None)

    def _away(self, value: Value, subject: Mention) -> float:
        if _OF_IT.fullmatch(self.text[value.end : subject.start]):
            return 0.0
        away = gap(self.text, (subject.start, subject.end), (value.start, value.end)) * 0.5
        low, high = sorted((subject.end, value.start))
        between = [
            m for m in self.mentions if low <= m.start < high and m.type_key == subject.type_key and m != subject
        ]
        # A name usually stands before what is said of it.
        return away + 30.0 * len(between) + (8.0 if subject.start > value.start else 0.0)

    def _in_parallel(self, readings: Sequence[_Reading]) -> list[_Reading]:
        """As many values of one relation as subjects ("A and B are 10 m and 20 m long"): paired in their order."""
        paired: list[_Reading] = []
        for relation in {reading.relation.key: reading.relation for reading in readings}.values():
            subjects = list(
                dict.fromkeys(m.entity for m in self.mentions if m.type_key == relation.type_key and m.entity)
            )
            of_relation = [r for r in readings if r.relation.key == relation.key]
            values: list[Value] = list({id(r.value): r.value for r in of_relation}.values())
            if len(subjects) < 2 or len(values) != len(subjects):
                continue
            if relation.kind == "entity" and not _RESPECTIVELY.search(self.text):
                continue
            values.sort(key=_start)
            if not _alternate_or_grouped(values, [m for m in self.mentions if m.entity in subjects]):
                continue
            for subject, value in zip(subjects, values, strict=True):
                # A tenth of the cost: where the pattern holds, no distance should break it.
                cost = min(r.cost for r in of_relation if r.value is value) / 10
                paired.append(_Reading(value, subject, relation, cost))
        return paired

    def _settle(self, readings: Sequence[_Reading]) -> list[_Reading]:
        """Each value means one thing, cheapest first; a fact takes one year, unless the other is denied or reported."""
        chosen: list[_Reading] = []
        for reading in sorted(readings, key=lambda reading: reading.cost):
            if any(_overlap(reading.value, other.value) for other in chosen):
                continue
            same = [r for r in chosen if (r.entity, r.relation.key) == (reading.entity, reading.relation.key)]
            if same and reading.relation.kind == "year" and not self._disowned(same[0].value):
                continue
            chosen.append(reading)
        return chosen

    def _shared(self, reading: _Reading, chosen: Sequence[_Reading]) -> Iterable[_Reading]:
        """A value that stands alone is also said of the names listed with its subject ("both A and B")."""
        if sum(r.relation.key == reading.relation.key for r in chosen) > 1:
            return
        subjects = [m for m in self.mentions if m.type_key == reading.relation.type_key and m.entity]
        gaps = [self.text[a.end : b.start] for a, b in itertools.pairwise(subjects)]
        if gaps and all(_LISTED.fullmatch(gap) for gap in gaps) and "and" in gaps[-1] + gaps[0]:
            for entity in dict.fromkeys(m.entity for m in subjects if m.entity != reading.entity):
                yield _Reading(reading.value, entity, reading.relation, reading.cost)

    def _disowned(self, value: Value) -> bool:
        return is_reported(self.text, value.start) or self._denied(value)

    def _denied(self, value: Value) -> bool:
        starts = [number.start for number in self.numbers] + [category.start for category in self.categories]
        after = max((start for start in starts if start < value.start), default=0)
        return is_denied(self.text, value.start, value.end, after=after)

    # What is said of it

    def _claim(self, reading: _Reading, year: int | None) -> Claim:
        value, relation = reading.value, reading.relation
        said: float | str
        last_place, approximate, bound = 0.0, False, 0
        if isinstance(value, Number):
            said, last_place, approximate, bound = value.value, value.last_place, value.approximate, value.bound
        else:
            said = value.entity if isinstance(value, Mention) else value.category
        return Claim(
            reading.entity,
            relation.key,
            said,
            self.sentence,
            last_place,
            approximate,
            bound,
            year if relation.dated else None,
            self._denied(value),
            is_reported(self.text, value.start),
        )


def _alternate_or_grouped(values: Sequence[Value], subjects: Sequence[Mention]) -> bool:
    """Whether names and values stand as N V N V, V N V N, N N V V or V V N N."""
    first = {m.entity: m for m in reversed(subjects)}
    order = sorted([(m.start, "N") for m in first.values()] + [(v.start, "V") for v in values])
    pattern = "".join(letter for _, letter in order)
    n = len(values)
    return pattern in ("NV" * n, "VN" * n, "N" * n + "V" * n, "V" * n + "N" * n)


def _start(value: Value) -> int:
    return value.start


def _overlap(one: Value, other: Value) -> bool:
    return one.start < other.end and other.start < one.end
