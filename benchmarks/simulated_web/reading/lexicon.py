"""What stands in a sentence: names of entities, categories, numbers with their units, years."""

import functools
import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from benchmarks.simulated_web.graph import Graph
from benchmarks.simulated_web.ontology import entity_types
from benchmarks.simulated_web.units import UNITS


@dataclass(frozen=True, slots=True)
class Mention:
    """A name at [start, end). `entity` is empty for a name that looks like one of ours and is not."""

    start: int
    end: int
    entity: str
    type_key: str


@dataclass(frozen=True, slots=True)
class Number:
    """A written number in base units. `dimensions` are those that its unit can mean; empty for a bare number.

    `last_place` is the worth of its last written digit. `bound`: -1 for "less than", 1 for "more than", else 0.
    `bare`: without a unit, and no noun follows. `former`: what was before a change ("rose from 171,000 to ...").
    """

    start: int
    end: int
    value: float
    dimensions: frozenset[str]
    last_place: float
    approximate: bool
    bound: int
    is_year: bool
    former: bool
    bare: bool


@dataclass(frozen=True, slots=True)
class CategoryMention:
    start: int
    end: int
    relation_key: str
    category: str


Value: TypeAlias = Number | Mention | CategoryMention


def _unit_words() -> dict[str, tuple[float, frozenset[str]]]:
    """Unit word in lower case -> factor and dimensions. One word may mean several ("people")."""
    found: dict[str, tuple[float, set[str]]] = {}
    for unit in UNITS.values():
        for word in unit.words:
            factor, dimensions = found.setdefault(word.lower(), (unit.factor, set()))
            if factor == unit.factor:
                dimensions.add(unit.dimension)
    return {word: (factor, frozenset(dimensions)) for word, (factor, dimensions) in found.items()}


UNIT_WORDS = _unit_words()
_MONEY, _ROUND = UNITS["crowns"].dimension, 1e3
SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "bn": 1e9, "mn": 1e6}
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<number>\d{1,3}(?:[,\u202f\u00a0 ']\d{3})++(?:\.\d++)?|\d++(?:\.\d++)?)"
    r"(?:[ \u00a0-]?(?P<scale>thousand|million|billion|bn|mn)\b)?"
    r"(?:\s?-?(?P<unit>"
    + "|".join(sorted((re.escape(w) for w in UNIT_WORDS), key=len, reverse=True))
    + r")(?![\w/²³]))?"
    r"(?![A-Za-z])",  # a decade ("1930s") is no number; the counts above are possessive, so that it is not cut to 193
    re.IGNORECASE,
)
_ROUGHLY = re.compile(
    r"(\babout|\baround|\broughly|\bapprox(imately|\.)?|\bnearly|\balmost|\bsome|\bcirca|\bc\.|\bca\.|\bclose to|~|≈|"
    r"\bjust (over|under)|\ba little (over|under))\s*$",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(r"(\bmore than|\bover|\bat least|\babove|\bexceeding|>)\s*$", re.IGNORECASE)
_AT_MOST = re.compile(r"(\bless than|\bunder|\bat most|\bbelow|\bfewer than|<)\s*$", re.IGNORECASE)
_RANGE = re.compile(r"\s*(?:(?:-|–|—)\s*\d|to\s+\d)", re.IGNORECASE)
_DIFFERENCE = re.compile(
    r"\s+(?:longer|shorter|faster|slower|higher|lower|taller|more|less|fewer|larger|smaller|older|younger|newer|heavier|"
    r"lighter|earlier|later|apart|wider|ahead|behind)\b",
    re.IGNORECASE,
)
# What may follow a number without a unit if it is to be taken as a count of what the sentence speaks of.
_BARE_END = re.compile(
    r"\s*(?:$|[.,;:!?)(|]|(?:in|and|or|against|at|for|by|to|as|up|down|after|from|on|while|but|compared|according|today|"
    r"is|of the|(?:a|per|each|every) year)\b)",
    re.IGNORECASE,
)
_FROM = re.compile(r"\bfrom\s*$", re.IGNORECASE)
_FORMER = re.compile(
    r"\b(up|down|rose|risen|grew|grown|fell|fallen|shrank|shrunk|increased|decreased|climbed|dropped|went) from\s*$|"
    r"\b(compared (with|to)|after|previously|formerly|once|earlier)\s*$",
    re.IGNORECASE,
)


@functools.lru_cache(maxsize=16)
def lexicon_of(graph: Graph) -> "Lexicon":
    """The graph's lexicon, made once."""
    return Lexicon(graph)


class Lexicon:
    """Finds the names and categories of one graph."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._by_root = {entity.root.lower(): entity for entity in graph.entities}

    @cached_property
    def _names(self) -> re.Pattern[str]:
        roots = "|".join(sorted((re.escape(root) for root in self._by_root), key=len, reverse=True))
        tails = "|".join(sorted(_tails(), key=len, reverse=True))
        return re.compile(rf"(?:\bRiver\s+)?\b(?P<root>{roots})\b(?:'s?)?(?:\s+(?:{tails})\b)?", re.IGNORECASE)

    @cached_property
    def _foreign(self) -> re.Pattern[str]:
        tails = "|".join(sorted((tail for tail in _tails() if tail[0].isupper()), key=len, reverse=True))
        return re.compile(rf"\bRiver\s+[A-Z]\w+|\b(?!The\b|A\b|This\b|That\b)[A-Z]\w+\s+(?:{tails})\b")

    @cached_property
    def _categories(self) -> tuple[tuple[re.Pattern[str], str, str], ...]:
        found = []
        for kind in entity_types().values():
            for relation in kind.relations:
                for category in relation.categories:
                    # "a suspension bridge" is also said as "suspension", "the Amber Gulf" without its article.
                    core = re.sub(r"^the ", "", category)
                    core = re.sub(
                        r" bridge$", "(?: bridge| type| design| construction)", re.escape(core).replace(r"\ ", " ")
                    )
                    found.append((re.compile(rf"\b{core}\b", re.IGNORECASE), relation.key, category))
        return tuple(found)

    def mentions(self, text: str) -> list[Mention]:
        """Names in order of place."""
        found = [
            Mention(m.start(), m.end(), entity.id, entity.type_key)
            for m in self._names.finditer(text)
            for entity in (self._by_root[m.group("root").lower()],)
        ]
        for m in self._foreign.finditer(text):
            if not any(known.start < m.end() and m.start() < known.end for known in found):
                found.append(Mention(m.start(), m.end(), "", ""))
        return sorted(found, key=lambda mention: mention.start)

    def categories(self, text: str) -> list[CategoryMention]:
        return [
            CategoryMention(m.start(), m.end(), relation_key, category)
            for pattern, relation_key, category in self._categories
            for m in pattern.finditer(text)
        ]


def _tails() -> set[str]:
    """The common words of names: Bridge, Works, railcar ..."""
    return {
        word for kind in entity_types().values() for form in kind.name_forms for word in form.split() if "{" not in word
    } - {"River"}


def numbers(text: str, *, differences: bool = False) -> list[Number]:
    """Numbers in order of place. Both ends of a range ("1,200 to 1,300 m") are left out: a range states no value; so
    are differences ("45 km/h faster") unless asked for."""
    found: list[Number] = []
    skip_until = -1
    for m in _NUMBER.finditer(text):
        if m.start() < skip_until:
            continue
        digits, scale, unit = m.group("number"), m.group("scale"), m.group("unit")
        if not differences and _DIFFERENCE.match(text, m.end()):
            continue
        before = text[max(0, m.start() - 24) : m.start()]
        is_year = unit is None and scale is None and re.fullmatch(r"1[0-9]{3}|20[0-9]{2}", digits) is not None
        if _is_range(text, m.end(), before, is_year):
            second = _NUMBER.search(text, m.end())
            skip_until = second.end() if second else -1
            continue
        plain = re.sub(r"[,\u202f\u00a0 ']", "", digits)
        factor, dimensions = UNIT_WORDS.get((unit or "").lower(), (1.0, frozenset[str]()))
        worth = factor * SCALES.get((scale or "").lower(), 1.0)
        decimals = len(plain.split(".")[1]) if "." in plain else 0
        found.append(
            Number(
                m.start(),
                m.end(),
                float(plain) * worth,
                dimensions,
                worth / 10**decimals,
                _ROUGHLY.search(before) is not None,
                1 if _AT_LEAST.search(before) else -1 if _AT_MOST.search(before) else 0,
                is_year,
                _FORMER.search(before) is not None
                or (_FROM.search(before) is not None and re.match(r"[^.;]{0,40}?\bto\b", text[m.end() :]) is not None),
                unit is None and _BARE_END.match(text, m.end()) is not None,
            )
        )
    return _money_throughout(found)


def _money_throughout(found: list[Number]) -> list[Number]:
    """ "From 85 million crowns to 121 million": a round number beside a sum of money is one too."""
    money = next((n for n in found if _MONEY in n.dimensions and n.last_place >= _ROUND), None)
    if money is None:
        return found
    return [
        replace(number, dimensions=money.dimensions, bare=False)
        if not number.dimensions and number.last_place >= _ROUND
        else number
        for number in found
    ]


def _is_range(text: str, end: int, before: str, is_year: bool) -> bool:
    """Whether the number that ends here is the lower end of a range. "From 171,000 to 203,410" is a change."""
    if is_year:
        return False
    if re.search(r"\bbetween\s*$", before, re.IGNORECASE):
        return re.match(r"\s*and\s*\d", text[end:]) is not None
    return _RANGE.match(text, end) is not None and _FROM.search(before) is None
