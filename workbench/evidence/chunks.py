"""Documents cut into chunks of a few sentences, and how much each chunk has to do with a query."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import log
from typing import NamedTuple

from workbench.evidence.documents import Document
from workbench.phases.sentences import sentences
from workbench.phases.text import prose_words

CHUNK_CHARS = 500
NUMBER_WEIGHT = 3.0
# Long chunks hold more words by chance alone; this many characters are added before the length is discounted.
LENGTH_PRIOR = 200


class Chunk(NamedTuple):
    """A stretch of a document by offsets in the tool result. The chunks of a document cover it without gap."""

    document: int
    start: int
    end: int
    terms: frozenset[str]


def chunks_of(document: Document, text: str) -> list[Chunk]:
    """Cuts `text` (of the whole result) at ends of sentences, into chunks of at most 500 characters."""
    edges = [document.start]
    body = text[document.start : document.end]
    for span in sentences(body):
        stop = document.start + span.end
        while stop - edges[-1] > CHUNK_CHARS:
            last = _last_edge(edges[-1], document.start + span.start)
            edges.append(last)
        if stop - edges[-1] >= CHUNK_CHARS // 2:
            edges.append(stop)
    while document.end - edges[-1] > CHUNK_CHARS:
        edges.append(edges[-1] + CHUNK_CHARS)
    if edges[-1] < document.end or len(edges) == 1:
        edges.append(document.end)
    return [
        Chunk(document.number, start, end, frozenset(prose_words(text[start:end]))) for start, end in pairwise(edges)
    ]


def _last_edge(edge: int, sentence_start: int) -> int:
    """Where to cut before a sentence that does not fit: at its beginning, or after 500 characters of a long one."""
    return sentence_start if edge < sentence_start <= edge + CHUNK_CHARS else edge + CHUNK_CHARS


def relevance(chunks: Sequence[Chunk], query: Iterable[str]) -> list[float]:
    """For each chunk the weight of the query's words that it holds, rare ones and numbers weighing more; 0 if none."""
    wanted = frozenset(query)
    shared = [chunk.terms & wanted for chunk in chunks]
    counts = Counter(term for bag in shared for term in bag)
    weight = {
        term: log((1 + len(chunks)) / count) * (NUMBER_WEIGHT if term[0].isdigit() else 1.0)
        for term, count in counts.items()
    }
    return [
        sum(sorted(weight[term] for term in bag)) / (chunk.end - chunk.start + LENGTH_PRIOR) ** 0.5
        for chunk, bag in zip(chunks, shared, strict=True)
    ]
