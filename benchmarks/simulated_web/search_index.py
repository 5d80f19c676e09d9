"""BM25 over the pages of a world: an inverted index of arrays, thousands of queries a second over 30,000 pages.

Source of the formula: Robertson and Zaragoza, 2009, "The Probabilistic Relevance Framework: BM25 and Beyond", with the
idf of Lucene, log(1 + (N - n + 0.5) / (n + 0.5)), which is never negative.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from benchmarks.simulated_web.spelling import Speller

K1 = 1.2
B = 0.75
TITLE_REPEATS = 2  # a word of the title counts as if the text had it twice more
SNIPPET_CHARS = 160
_ROUNDED = 1e-6
_FEW = 50

_SENTENCE_END = re.compile(r"[.!?] |\| ")
_WORD = re.compile(r"[a-z0-9]+(?:[.,][0-9]+)*")
STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by did do does for from had has have how in into is it its of on or so that the to was "
        "were what when where which who with",
    )
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A page by its place in the world, with its score."""

    place: int
    score: float


def words_of(text: str) -> list[str]:
    """Words in lower case without accents and stop words; a plural -s is dropped."""
    plain = text.lower()
    if not plain.isascii():
        plain = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
    return [_stem(word) for word in _WORD.findall(plain) if word not in STOP_WORDS]


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


class SearchIndex:
    """`documents` are (title, text); a document's place in them is its name here. Safe to share between threads."""

    def __init__(self, documents: Sequence[tuple[str, str]]) -> None:
        counts = [Counter(words_of(title) * TITLE_REPEATS + words_of(f"{title}\n{text}")) for title, text in documents]
        lengths = [sum(count.values()) for count in counts]
        mean = sum(lengths) / len(lengths) if lengths else 1.0
        frequency = Counter(word for count in counts for word in count)
        listed: dict[str, tuple[list[int], list[float]]] = {word: ([], []) for word in frequency}
        for place, count in enumerate(counts):
            norm = K1 * (1 - B + B * lengths[place] / mean)
            for word, n in count.items():
                idf = math.log(1 + (len(counts) - frequency[word] + 0.5) / (frequency[word] + 0.5))
                places, weights = listed[word]
                places.append(place)
                weights.append(idf * n * (K1 + 1) / (n + norm))
        self._n = len(counts)
        self._postings: dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]] = {
            word: (np.array(places, dtype=np.int64), np.array(weights)) for word, (places, weights) in listed.items()
        }

    @cached_property
    def speller(self) -> Speller:
        """Over the words of the documents."""
        return Speller({word: places.size for word, (places, _) in self._postings.items()})

    def search(
        self, query: str, *, top_k: int, skip: int = 0, raised: NDArray[np.float64] | None = None
    ) -> tuple[list[Hit], int]:
        """The best `top_k` after the first `skip`, best first, and how many documents hold any word of the query.

        `raised`: by place, what the score is multiplied with, above zero. Scores are compared after rounding to six
        decimals and ties go by place, so that the last digits of a machine's logarithm cannot change an order.
        """
        scores = np.zeros(self._n)
        for word in dict.fromkeys(words_of(query)):
            if word in self._postings:
                places, weights = self._postings[word]
                np.add.at(scores, places, weights)
        found = int(np.count_nonzero(scores))  # every weight is above zero
        if raised is not None:
            scores *= raised
        wanted = min(skip + top_k, found)
        if wanted <= skip:
            return [], found
        last = _nth_largest(scores, wanted)
        near = np.flatnonzero(scores >= max(last - _ROUNDED, np.finfo(np.float64).tiny)).tolist()
        ranked = sorted((-round(float(scores[place]), 6), place) for place in near)
        return [Hit(place, -score) for score, place in ranked[skip:wanted]], found


def _nth_largest(scores: NDArray[np.float64], n: int) -> float:
    if n > _FEW:
        return float(np.partition(scores, scores.size - n)[scores.size - n])
    # For the few results of a search, looking for the maximum again and again is a tenth of the time.
    left = scores.copy()
    for _ in range(n - 1):
        left[left.argmax()] = 0.0
    return float(left.max())


class Snippets:
    """Extracts of pages for lists of results: the stretch of a text that holds most words of a query, on one line.

    A text is cut into stretches once, at its first appearance in a result.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._cut: dict[int, tuple[tuple[str, frozenset[str]], ...]] = {}

    def extract(self, place: int, query: str) -> str:
        """Of the text at `place`; the earliest stretch among equals."""
        if place not in self._cut:
            self._cut[place] = tuple((cut, frozenset(words_of(cut))) for cut in _stretches(self._texts[place]))
        wanted = frozenset(words_of(query))
        return max(self._cut[place], key=lambda stretch: len(wanted & stretch[1]))[0]


def _stretches(text: str) -> list[str]:
    """From the start and from each sentence, SNIPPET_CHARS long, cut at a word; dots mark what is left out."""
    flat = " ".join(text.split())
    found = []
    for start in [0] + [match.end() for match in _SENTENCE_END.finditer(flat)]:
        cut = flat[start : start + SNIPPET_CHARS]
        if start + SNIPPET_CHARS < len(flat):
            cut = cut.rsplit(" ", 1)[0] + " ..."
        found.append(("... " if start else "") + cut)
    return found
