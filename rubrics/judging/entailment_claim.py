"""A claim taken apart: its weighted terms, names, figures and assertions."""

import re
from dataclasses import dataclass
from functools import cached_property

from rubrics.judging.entailment_document import Document, script_of
from rubrics.judging.entailment_lists import CALENDAR
from rubrics.judging.entailment_numbers import Figure, figures
from rubrics.judging.entailment_words import CJK_CHAR, base_weight, plain_claim, raw_words, terms_of

# Longer claims are no sentences; what stands behind is not read.
MOST_CLAIM_CHARS = 4000
MOST_CLAIM_FIGURES = 24
NAME_WEIGHT = 1.5
# A part of a sentence is an assertion of its own from so many terms on.
LEAST_TERMS = 3
_PART = re.compile(
    r"[;；，]\s*|\s[–—]\s|,\s+(?:and|but|while|whereas|although|though|which|with|as well as|making|allowing)\s+"
    r"|\s+(?:while|whereas|although)\s+"
)
_JOIN = re.compile(r"[ \u00a0]{1,2}(?:(?:of|the|de|van|von) )?")


@dataclass(frozen=True)
class Claim:
    """A claim as comparison reads it. `text` is without markers and phrases that only point at the source."""

    text: str

    @classmethod
    def read(cls, text: str) -> "Claim":
        return cls(plain_claim(text[:MOST_CLAIM_CHARS]))

    @cached_property
    def words(self) -> list[tuple[str, int]]:
        """Words and where they start; those of figures and their units are left to the figures."""
        spans = [(figure.start, figure.end) for figure in self.figures if not figure.spelled]
        return [found for found in raw_words(self.text) if not any(a <= found[1] < b for a, b in spans)]

    @cached_property
    def terms(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(term for word, _ in self.words for term in terms_of(word)))

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        return figures(self.text)[:MOST_CLAIM_FIGURES]

    @cached_property
    def script(self) -> str:
        return script_of(self.text)

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """Names as the terms of each: capitals inside the sentence, or several in a row, or capitals within a word.

        None in a line that is a title, where most words have a capital.
        """
        long = [word for word, _ in self.words if len(word) > 3 and not CJK_CHAR.match(word)]
        if len(long) >= 6 and sum(word[0].isupper() for word in long) > 0.8 * len(long):
            return ()
        out: list[tuple[str, ...]] = []
        run: list[tuple[str, int]] = []
        for word, start in [*self.words, ("", len(self.text))]:
            apart = not run or not _JOIN.fullmatch(self.text[run[-1][1] + len(run[-1][0]) : start])
            capital = word[:1].isupper() and word.casefold() not in CALENDAR
            if run and (apart or not capital):
                out += _name(run)
                run = []
            if capital and terms_of(word):
                run.append((word, start))
        return tuple(out)

    @cached_property
    def asserts(self) -> bool:
        """Whether there is enough of it to be an assertion: words, or a figure or name beside one."""
        return len(self.terms) >= LEAST_TERMS or (bool(self.terms) and bool(self.figures or self.names))

    @cached_property
    def parts(self) -> tuple["Claim", ...]:
        """The assertions of the sentence; a fragment stays with the part before it."""
        out: list[str] = []
        start = 0
        for match in _PART.finditer(self.text):
            piece = self.text[start : match.start()]
            if Claim(piece).asserts and Claim(self.text[match.end() :]).asserts:
                out.append(piece)
                start = match.end()
            if len(out) == 8:
                break
        out.append(self.text[start:])
        return tuple(Claim(piece) for piece in out) if len(out) > 1 else (self,)

    def weights(self, document: Document) -> dict[str, float]:
        """The weight of each term: more for names and for what the document seldom says."""
        named = {term for name in self.names for term in name}
        return {
            term: base_weight(term) * (NAME_WEIGHT if term in named else 1.0) * document.rarity(term)
            for term in self.terms
        }

    def known_by_initials(self, document: Document) -> frozenset[str]:
        """Terms that the document writes as an acronym, or whose acronym it writes out."""
        found: set[str] = set()
        for word, _ in self.words:
            bare = word.removesuffix("s")
            if len(bare) >= 3 and bare.isupper() and bare.isascii() and bare.casefold() in document.initials:
                found.update(terms_of(word))
        for size in (3, 4, 5):
            for at in range(len(self.words) - size + 1):
                row = [word for word, _ in self.words[at : at + size]]
                if "".join(word[0] for word in row).casefold() in document.acronyms:
                    found.update(term for word in row for term in terms_of(word))
        return frozenset(found)


def _name(run: list[tuple[str, int]]) -> list[tuple[str, ...]]:
    word, start = run[0]
    if len(run) == 1 and start == 0 and not any(c.isupper() or c.isdigit() or c in "'’" for c in word[1:]):
        # The first word of a sentence has its capital anyway.
        return []
    return [tuple(dict.fromkeys(term for word, _ in run for term in terms_of(word)))]
