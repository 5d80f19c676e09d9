"""Where a document best carries a claim, and what of the claim is and is not there."""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from rubrics.judging.entailment_claim import Claim
from rubrics.judging.entailment_document import MOST_CANDIDATES, WINDOW_CHARS, Document
from rubrics.judging.entailment_numbers import Figure, comparable, says
from rubrics.judging.entailment_opposites import opposed
from rubrics.judging.entailment_words import terms_of

FigureState: TypeAlias = Literal["met", "denied", "elsewhere", "missing"]

FIGURE_WEIGHT = 2.0
# A window must win this much of the claim's weight for each sentence that it is longer.
WORTH_A_SENTENCE = 0.04
# What a word counts where it stands not in the window but with whom the window is about, or elsewhere in the document.
SUBJECT_SHARE = 0.9
ELSEWHERE_SHARE = 0.35
# A clause is about the same thing as the claim's where it holds this share of the words; a met figure says so too.
SAME_BY_WORDS = 0.6
SAME_BY_FIGURE = 0.3
COMMON_ENDINGS = ("s", "ing", "ed", "ly", "ion", "al", "ent", "ive", "ity", "ful", "ous", "ic", "ance", "ence")


@dataclass(frozen=True)
class Match:
    """A window of sentences `first` to `last` (included) held against a claim."""

    claim: Claim
    document: Document
    weights: dict[str, float]
    initials: frozenset[str]
    first: int
    last: int

    @property
    def places(self) -> range:
        return range(self.first, self.last + 1)

    @property
    def quote(self) -> str:
        return self.document.text[self.document.spans[self.first].start : self.document.spans[self.last].end]

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset[str]().union(*(self.document.terms[place] for place in self.places)) | self.initials

    @cached_property
    def subject(self) -> frozenset[str]:
        """Whom the window is about, where its own words do not say, and over a row the head of its table."""
        return self.document.subject(self.first) | self.document.table_head(self.first)

    def share_of(self, term: str) -> float:
        """How far a term is there, in [0, 1]."""
        if term in self.terms:
            return 1.0
        if term in self.subject:
            return SUBJECT_SHARE
        return ELSEWHERE_SHARE if term in self.document.holders else 0.0

    @cached_property
    def cover(self) -> float:
        """The share of the weight of the claim's words that is there, in [0, 1]; 0 where it has none."""
        total = sum(self.weights.values())
        return sum(weight * self.share_of(term) for term, weight in self.weights.items()) / total if total else 0.0

    @cached_property
    def figures(self) -> tuple[tuple[Figure, FigureState], ...]:
        """Each figure of the claim and what the document says to it."""
        return tuple((figure, self._state(figure)) for figure in self.claim.figures)

    def _state(self, claimed: Figure) -> FigureState:
        near = [(place, figure) for place in self.places for figure in self.document.figures(place)]
        if any(says(given, claimed) for _, given in near):
            return "met"
        # In a row of a table another year may be another column's.
        rival = [
            f
            for place, f in near
            if comparable(f, claimed) and not (f.kind == "year" and self.document.rows(place, place))
        ]
        if rival:
            return "denied"
        return "elsewhere" if self.document.saying(claimed) else "missing"

    @cached_property
    def missing_names(self) -> tuple[tuple[str, ...], ...]:
        """Names whose most telling word is neither in the window nor in what it is about, or less than half of them."""
        return tuple(name for name in self.claim.names if not self._named(name))

    @cached_property
    def core(self) -> int:
        """The sentence of the window that says most of the claim: one with its figures, else with most of its words."""

        def said(place: int) -> float:
            bag = self.document.terms[place]
            return sum(weight for term, weight in self.weights.items() if term in bag)

        return max(self.met_places or tuple(self.places), key=lambda place: (said(place), -place))

    def _named(self, name: tuple[str, ...]) -> bool:
        if self._of_another:
            # A neighbour's subject is not its own.
            shares = [float(term in self.document.terms[self.core] | self.initials) for term in name]
        else:
            shares = [self.share_of(term) for term in name]
        telling = max(self.weights[term] for term in name)
        rarest = [share for term, share in zip(name, shares, strict=True) if self.weights[term] > 0.95 * telling]
        return max(rarest) >= SUBJECT_SHARE and sum(shares) >= 0.5 * len(name)

    @cached_property
    def _of_another(self) -> bool:
        """Whether the core opens with a name that the claim does not speak of."""
        return bool(self.document.opening(self.core) - set(self.claim.terms))

    @cached_property
    def first_word_missing(self) -> bool:
        """Whether the claim opens with what may be a name and the core is about somebody else.

        The first word of a sentence has its capital anyway: it is taken for a name only where its ending is none of a
        common word's and other names stand in its place.
        """
        if not self.claim.words or self.claim.words[0][1] > 1:
            return False
        word = self.claim.words[0][0]
        if not word[0].isupper() or word.endswith(COMMON_ENDINGS) or word.casefold() in self.document.lower:
            return False
        own, about = terms_of(word), self.document.subject(self.core)
        here = self.document.terms[self.core] | about | self.initials
        return bool(own) and here.isdisjoint(own) and bool(about - set(self.claim.terms))

    @cached_property
    def met_places(self) -> tuple[int, ...]:
        """The sentences of the window that hold a figure of the claim."""
        met = [figure for figure, state in self.figures if state == "met"]
        return tuple(p for p in self.places if any(says(g, f) for g in self.document.figures(p) for f in met))

    @cached_property
    def opposed(self) -> str:
        """Why the window says the opposite of the claim, empty where it does not.

        Figures that are met say which of its sentences are about the claim.
        """
        told = [self.document.spans[place].text for place in self.met_places or self.places]
        return opposed(self.claim.text, told, same_thing=SAME_BY_FIGURE if self.met_places else SAME_BY_WORDS)


def best_match(claim: Claim, document: Document) -> Match | None:
    """The window of one to three sentences that carries most of a claim; None where no word and figure is shared.

    The first among equals. At most MOST_CANDIDATES sentences are looked at: those with the claim's figures and its
    rarest words.
    """
    weights = claim.weights(document)
    initials = claim.known_by_initials(document)
    met: dict[int, set[int]] = {}
    for number, figure in enumerate(claim.figures):
        for index in document.saying(figure):
            met.setdefault(index, set()).add(number)
    candidates = _candidates(weights, met, document)
    if not candidates:
        return None
    total = sum(weights.values()) + FIGURE_WEIGHT * len(claim.figures)
    best: tuple[float, int, int] | None = None
    for index in sorted(candidates):
        for first, last in _windows(index, document):
            bag = frozenset[str]().union(*(document.terms[place] for place in range(first, last + 1)))
            subject = document.subject(first) | document.table_head(first)
            score = sum(
                weight * (1.0 if term in bag else SUBJECT_SHARE if term in subject else 0.0)
                for term, weight in weights.items()
            )
            told = frozenset[int]().union(*(met.get(place, ()) for place in range(first, last + 1)))
            score += FIGURE_WEIGHT * len(told) - WORTH_A_SENTENCE * total * (last - first)
            if best is None or score > best[0] + 1e-9:
                best = (score, first, last)
    assert best is not None
    return Match(claim, document, weights, initials, best[1], best[2])


def _candidates(weights: dict[str, float], met: dict[int, set[int]], document: Document) -> set[int]:
    found: set[int] = set(sorted(met)[:MOST_CANDIDATES])
    shared = [term for term in weights if term in document.holders]
    for term in sorted(shared, key=lambda term: (len(document.holders[term]) / weights[term], term)):
        if len(found) >= MOST_CANDIDATES:
            break
        found.update(document.holders[term][: MOST_CANDIDATES - len(found)])
    return found


def _windows(index: int, document: Document) -> list[tuple[int, int]]:
    spans, last = document.spans, len(document.spans) - 1
    pairs = ((index, index), (index, index + 1), (index - 1, index), (index - 1, index + 1))
    return [
        (a, b)
        for a, b in pairs
        if a == b
        or (a >= 0 and b <= last and spans[b].end - spans[a].start <= WINDOW_CHARS and not document.rows(a, b))
    ]
