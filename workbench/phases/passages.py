"""The place in a run's tool results that best carries a claim, by shared rare words and numbers."""

from collections.abc import Sequence
from math import log

from workbench.phases.documents import Part
from workbench.phases.sentences import Span, sentences
from workbench.phases.text import words
from workbench.schema.analysis import Passage
from workbench.schema.trajectory import Step

NUMBER_WEIGHT = 3.0
PASSAGE_CHARS = 600


class PassageFinder:
    """Looks up passages in the parts of one run; each part is split and indexed once."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self._indexed: dict[tuple[int, int, int, int], tuple[tuple[Span, ...], tuple[frozenset[str], ...]]] = {}

    def find(self, claim: str, parts: Sequence[Part]) -> Passage | None:
        """The best passage of the parts for a claim, None if no part shares a word with it. Earlier parts win ties."""
        terms = frozenset(words(claim))
        best: tuple[float, Passage] | None = None
        for part in parts:
            spans, bags = self._index(part)
            scored = _best_window(terms, spans, bags)
            if scored and (best is None or scored[0] > best[0]):
                score, span = scored
                best = (score, Passage(part.place.step, part.place.result, span.start, span.end))
        return best[1] if best else None

    def _index(self, part: Part) -> tuple[tuple[Span, ...], tuple[frozenset[str], ...]]:
        key = (part.place.step, part.place.result, part.start, part.end)
        if key not in self._indexed:
            text = self._steps[part.place.step].tool_results[part.place.result].text[part.start : part.end]
            local = [piece for span in sentences(text) for piece in _bounded(span)]
            spans = tuple(Span(span.start + part.start, span.end + part.start) for span in local)
            self._indexed[key] = (spans, tuple(frozenset(words(text[span.start : span.end])) for span in local))
        return self._indexed[key]


def _bounded(span: Span) -> list[Span]:
    """Cuts a sentence without full stops into pieces that a person can read."""
    return [Span(start, min(start + PASSAGE_CHARS, span.end)) for start in range(span.start, span.end, PASSAGE_CHARS)]


def _best_window(
    terms: frozenset[str], spans: Sequence[Span], bags: Sequence[frozenset[str]]
) -> tuple[float, Span] | None:
    """The sentence, or two neighbours, whose shared terms weigh most; rare terms and numbers weigh more."""
    shared = [terms & bag for bag in bags]
    counts: dict[str, int] = {}
    for bag in shared:
        for term in bag:
            counts[term] = counts.get(term, 0) + 1
    weight = {
        term: log(1 + len(bags) / count) * (NUMBER_WEIGHT if term[0].isdigit() else 1.0)
        for term, count in counts.items()
    }
    best: tuple[float, Span] | None = None
    for index, bag in enumerate(shared):
        if not bag:
            continue
        score, span = sum(weight[term] for term in bag), spans[index]
        if index + 1 < len(spans):
            both = sum(weight[term] for term in bag | shared[index + 1])
            if both > score * 1.25 and spans[index + 1].end - span.start <= PASSAGE_CHARS:
                score, span = both, Span(span.start, spans[index + 1].end)
        if best is None or score > best[0]:
            best = (score, span)
    return best
