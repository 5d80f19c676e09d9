"""The place in a run's tool results that best carries a claim, by shared rare words and numbers."""

from collections import defaultdict
from collections.abc import Sequence
from math import log
from typing import NamedTuple

from workbench.phases.documents import Part
from workbench.phases.sentences import Span, sentences
from workbench.phases.text import prose_words
from workbench.schema.analysis import Passage
from workbench.schema.trajectory import Step

NUMBER_WEIGHT = 3.0
PASSAGE_CHARS = 600
# Two neighbours are one passage only where together they score this many times what either does alone.
WORTH_A_SECOND = 1.5
# Sentences that are scored for one claim in one part: those that share its rarest words. It bounds the time of hostile
# input (a page of one word repeated); a claim about a real page stays far below.
MAX_CANDIDATES = 2000
MAX_PART_CHARS = 400_000
# Places of one source that are looked through: its page and the first results that list it.
MAX_PARTS = 100


class _Indexed(NamedTuple):
    """The sentences of a part, their terms, and for each term the sentences that hold it."""

    spans: tuple[Span, ...]
    terms: tuple[frozenset[str], ...]
    holders: dict[str, list[int]]


class PassageFinder:
    """Looks up passages in the tool results of one run; each part is split and indexed once."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self._indexed: dict[tuple[int, int, int, int], _Indexed] = {}
        self._found: dict[tuple[str, str], Passage | None] = {}

    def find(self, claim: str, parts: Sequence[Part]) -> Passage | None:
        """The passage of a source's parts that shares most with a claim, None if none shares a word.

        Earlier parts win ties. Only the first 100 parts are looked through.
        """
        if not parts:
            return None
        key = (claim, parts[0].key)
        if key not in self._found:
            self._found[key] = self._best(frozenset(prose_words(claim)), parts[:MAX_PARTS])
        return self._found[key]

    def _best(self, claim: frozenset[str], parts: Sequence[Part]) -> Passage | None:
        best: tuple[float, Passage] | None = None
        for step, result, start, end in dict.fromkeys((part.step, part.result, part.start, part.end) for part in parts):
            scored = _best_window(claim, self._index((step, result, start, end)))
            if scored and (best is None or scored[0] > best[0]):
                best = (scored[0], Passage(step, result, *scored[1]))
        return best[1] if best else None

    def _index(self, part: tuple[int, int, int, int]) -> _Indexed:
        if part not in self._indexed:
            step, result, start, end = part
            text = self._steps[step].tool_results[result].text[start : min(end, start + MAX_PART_CHARS)]
            local = [piece for span in sentences(text) for piece in _bounded(span)]
            terms = tuple(frozenset(prose_words(text[span.start : span.end])) for span in local)
            holders: dict[str, list[int]] = defaultdict(list)
            for index, bag in enumerate(terms):
                for term in bag:
                    holders[term].append(index)
            spans = tuple(Span(span.start + start, span.end + start) for span in local)
            self._indexed[part] = _Indexed(spans, terms, dict(holders))
        return self._indexed[part]


def _bounded(span: Span) -> list[Span]:
    """Cuts a sentence without full stops into pieces that a person can read."""
    return [Span(start, min(start + PASSAGE_CHARS, span.end)) for start in range(span.start, span.end, PASSAGE_CHARS)]


def _best_window(claim: frozenset[str], indexed: _Indexed) -> tuple[float, Span] | None:
    """The sentence, or two neighbours, whose shared terms weigh most; rare terms and numbers weigh more."""
    shared = [term for term in claim if term in indexed.holders]
    weight = {
        term: log((1 + len(indexed.spans)) / len(indexed.holders[term])) * (NUMBER_WEIGHT if term[0].isdigit() else 1.0)
        for term in shared
    }
    candidates: set[int] = set()
    for term in sorted(shared, key=lambda term: (-weight[term], term)):
        candidates.update(indexed.holders[term][: MAX_CANDIDATES - len(candidates)])
        if len(candidates) >= MAX_CANDIDATES:
            break
    best: tuple[float, Span] | None = None
    for index in sorted(candidates):
        bag, span = indexed.terms[index] & claim, indexed.spans[index]
        score = _score(bag, weight)
        if index + 1 < len(indexed.spans) and indexed.spans[index + 1].end - span.start <= PASSAGE_CHARS:
            following = indexed.terms[index + 1] & claim
            both = _score(bag | following, weight)
            if both > WORTH_A_SECOND * max(score, _score(following, weight)):
                score, span = both, Span(span.start, indexed.spans[index + 1].end)
        if best is None or score > best[0]:
            best = (score, span)
    return best


def _score(terms: frozenset[str], weight: dict[str, float]) -> float:
    # Summed in one order, so that equal sets have equal sums.
    return sum(sorted(weight[term] for term in terms))
