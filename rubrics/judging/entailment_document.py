"""A document taken apart once, so that many claims can be held against it."""

import re
from collections import defaultdict
from functools import cached_property
from itertools import islice, pairwise
from math import log

from rubrics.judging.entailment_lists import CALENDAR, STOP
from rubrics.judging.entailment_numbers import Figure, figures, says
from rubrics.judging.entailment_words import CJK_CHAR, LATIN_CHAR, plain, raw_words, terms_of
from rubrics.judging.text import Sentence, sentences

# What is read of a document, the longest piece taken for a sentence, and how many sentences a claim is held against.
MOST_CHARS = 1_000_000
PIECE_CHARS = 600
MOST_CANDIDATES = 300
MOST_FIGURES = 20_000
WINDOW_CHARS = 900
# The title and what stands below it: a page says there whom it is about.
HEAD_CHARS = 200
# A pronoun is traced back no further than this many sentences.
LOOK_BACK = 12
LONGEST_TABLE = 200
LABEL_CHARS = 50
_OPENING_WORDS = 6
_UNIT_STOP = re.compile(r"\d\s?[a-zA-Z]{1,2}\.\s+(?=[A-Z])")
_DIGIT = re.compile(r"\d")
_SPELLED = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|t?[fswne]\w{3,4}ty)\b|[两三四五六七八九十]"
)


class Document:
    """Sentences of a document with the terms, figures and proper names that stand in each."""

    def __init__(self, text: str) -> None:
        self.text = plain(text[:MOST_CHARS])
        self.spans: tuple[Sentence, ...] = tuple(p for s in sentences(self.text) for p in _pieces(s))
        self._words = [raw_words(span.text) for span in self.spans]
        self.terms = [frozenset(t for word, _ in words for t in terms_of(word)) for words in self._words]
        self.holders: dict[str, list[int]] = defaultdict(list)
        for index, bag in enumerate(self.terms):
            for term in bag:
                self.holders[term].append(index)
        self._figures: dict[int, tuple[Figure, ...]] = {}
        self._saying: dict[Figure, tuple[int, ...]] = {}

    def rarity(self, term: str) -> float:
        """A factor about 1: up to 1.5 for what few sentences or none hold, down to 0.5 for what all of them hold.

        In a document of few sentences every word is common, so the factor stays near 1 there.
        """
        n = len(self.spans)
        held = len(self.holders.get(term, ()))
        rare = log((1 + n) / (1 + held)) / log(1 + n)
        return 1.0 + (rare - 0.5) * min(1.0, n / 10)

    def figures(self, index: int) -> tuple[Figure, ...]:
        """The figures of one sentence."""
        if index not in self._figures:
            text = self.spans[index].text
            some = _DIGIT.search(text) or _SPELLED.search(text)
            self._figures[index] = figures(text) if some else ()
        return self._figures[index]

    def saying(self, claimed: Figure) -> tuple[int, ...]:
        """The sentences with a figure that says a claimed one; the first MOST_FIGURES figures are looked at."""
        if claimed not in self._saying:
            found = [index for index, figure in self._all_figures if says(figure, claimed)]
            self._saying[claimed] = tuple(dict.fromkeys(found))
        return self._saying[claimed]

    @cached_property
    def _all_figures(self) -> tuple[tuple[int, Figure], ...]:
        every = ((index, figure) for index in range(len(self.spans)) for figure in self.figures(index))
        return tuple(islice(every, MOST_FIGURES))

    @cached_property
    def lower(self) -> frozenset[str]:
        """Words that stand in lower case somewhere: no proper names, wherever else they have a capital."""
        return frozenset(word for words in self._words for word, _ in words if word.islower())

    @cached_property
    def proper(self) -> frozenset[str]:
        """Folded words that have a capital inside a sentence and never stand in lower case."""
        inside = {
            _bare(word) for words in self._words for word, at in words if at and word[0].isupper() and len(word) > 2
        }
        return frozenset(inside) - self.lower - STOP - CALENDAR

    @cached_property
    def acronyms(self) -> frozenset[str]:
        """Folded words of three or more capitals, a plural's s taken off."""
        found = (word.removesuffix("s") for words in self._words for word, _ in words)
        return frozenset(word.casefold() for word in found if len(word) >= 3 and word.isupper())

    @cached_property
    def initials(self) -> str:
        """First letters of all words, to find what an acronym stands for."""
        return "".join(word[0] for words in self._words for word, _ in words).casefold()

    @cached_property
    def head(self) -> frozenset[str]:
        """Terms of the title and of what stands directly below it."""
        near = [bag for span, bag in zip(self.spans, self.terms, strict=True) if span.start < HEAD_CHARS]
        return frozenset[str]().union(*near[:3])

    def opening(self, index: int) -> frozenset[str]:
        """Terms of the proper names among a sentence's first words: whom it is about.

        A line `label: value` has none: behind the colon stands what is said of somebody.
        """
        _, colon, value = self.spans[index].text[:LABEL_CHARS].partition(":")
        if colon and value.strip():
            return frozenset()
        names = [word for word, _ in self._words[index][:_OPENING_WORDS] if _bare(word) in self.proper]
        return frozenset(term for name in names for term in terms_of(name))

    def subject(self, index: int) -> frozenset[str]:
        """Whom a sentence is about: its own opening names, else the nearest sentence's before it, else the head's."""
        for place in range(index, max(index - LOOK_BACK, -1), -1):
            found = self.opening(place)
            if found:
                return found
        return self.head

    def rows(self, first: int, last: int) -> bool:
        """Whether rows of a table are among these sentences: what stands in two rows is said of two things."""
        return any(self.spans[place].text.startswith("|") for place in range(first, last + 1))

    def table_head(self, index: int) -> frozenset[str]:
        """Terms of the first row of the table that a row stands in; none elsewhere."""
        if not self.rows(index, index):
            return frozenset()
        first = index
        while first and index - first < LONGEST_TABLE and self.rows(first - 1, first - 1):
            first -= 1
        return self.terms[first]

    @cached_property
    def script(self) -> str:
        """`cjk` or `latin`, whichever most letters belong to; empty where there are none."""
        return script_of(self.text[:20_000])


def _bare(word: str) -> str:
    return word.casefold().removesuffix("'s").removesuffix("’s")


def script_of(text: str) -> str:
    """`cjk` or `latin`, whichever says more of a text (a Chinese character says about as much as three letters)."""
    cjk, latin = len(CJK_CHAR.findall(text)), len(LATIN_CHAR.findall(text))
    if not cjk and not latin:
        return ""
    return "cjk" if 3 * cjk > latin else "latin"


def _pieces(sentence: Sentence) -> list[Sentence]:
    """Cuts behind a unit of one letter, whose stop was taken for that of an initial, and where no stop comes."""
    cuts = [match.end() for match in _UNIT_STOP.finditer(sentence.text)]
    out: list[Sentence] = []
    for start, end in pairwise((0, *cuts, len(sentence.text))):
        for at in range(start, end, PIECE_CHARS):
            piece = sentence.text[at : min(at + PIECE_CHARS, end)].rstrip()
            if piece:
                out.append(Sentence(piece, sentence.start + at, sentence.start + at + len(piece)))
    return out
