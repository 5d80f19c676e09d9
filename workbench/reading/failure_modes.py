"""Texts that fail alike, found by their words: reports, or what a judge said of them.

TF-IDF of words and of pairs of words, k-means on the unit sphere of its first components, each group named by the terms
that set it apart. A term counts only where several questions have it: what reports of one question share is its
subject, and not a way of failing.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any, Final

import numpy as np

from workbench.phases.text import prose_words
from workbench.stats.estimate import FloatMatrix, IntVector

FEWEST_TEXTS: Final = 20
MOST_GROUPS: Final = 8
# Of a text its first characters: a failure shows in the words that recur, and a report of 3 MB must not decide alone.
MOST_CHARS: Final = 20_000
COMPONENTS: Final = 30
# Silhouettes (cosine) within this of the best count as equal, and the fewer groups are taken.
SILHOUETTE_TIE: Final = 0.02
# By how much the best must exceed that of the same terms shuffled over the texts, which have no groups to find: k-means
# always finds some.
LEAST_GAIN: Final = 0.05
_TERMS: Final = 5
_JUDGED: Final = 1500  # texts that the silhouette is computed on
# Words that make a failure ("not cited") stay.
_NEGATIONS: Final = frozenset({"no", "not", "nor", "none", "never", "without", "nothing", "cannot", "only", "few"})
_MOST_TERMS: Final = 8_000


@dataclass(frozen=True, slots=True)
class FailureMode:
    """A group: its terms, the indices of its texts, and the one nearest to its middle."""

    terms: tuple[str, ...]
    members: tuple[int, ...]
    typical: int


@dataclass(frozen=True, slots=True)
class FailureModes:
    """Groups from the largest to the smallest, and what made them. `silhouettes`: the mean for each k that was tried.

    `unused`: texts without any term that counts. `modes` is empty where `reason` says why there are none.
    """

    modes: tuple[FailureMode, ...]
    silhouettes: dict[int, float]
    n_texts: int
    n_terms: int
    unused: int
    cut: int
    seed: int
    reason: str = ""


def failure_modes(texts: Sequence[str], questions: Sequence[str], *, seed: int) -> FailureModes:
    """Groups of `texts`; `questions` says which question each is about. The same input gives the same groups."""
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    cut = sum(len(text) > MOST_CHARS for text in texts)

    def none(reason: str, *, terms: int = 0, unused: int = 0, tried: dict[int, float] | None = None) -> FailureModes:
        return FailureModes((), tried or {}, len(texts), terms, unused, cut, seed, reason)

    if len(texts) < FEWEST_TEXTS:
        return none(f"{len(texts)} texts; groups are looked for from {FEWEST_TEXTS} on")
    documents = [terms_of(text[:MOST_CHARS]) for text in texts]
    vocabulary = _vocabulary(documents, questions)
    used = [n for n, document in enumerate(documents) if any(term in vocabulary for term in document)]
    unused = len(texts) - len(used)
    if len(vocabulary) < 2 or len(used) < FEWEST_TEXTS:
        alike = len({tuple(document) for document in documents}) <= len(texts) / 10
        words = "nearly all of the texts say the same" if alike else "texts of different questions share too few words"
        return none(words, unused=unused)
    weights = _weights([documents[n] for n in used], vocabulary)
    # Small matrices: several threads wait for each other longer than they work, most of all on a busy machine.
    with threadpool_limits(1):
        points = _points(weights, seed)
        labels, tried = _grouped(points, seed)
        by_chance = max(_grouped(_points(_shuffled(weights, seed), seed), seed)[1].values(), default=0.0)
    best = max(tried.values(), default=0.0)
    if best < by_chance + LEAST_GAIN:
        words = f"the texts lie as one cloud: silhouette {best:.2f}, and {by_chance:.2f} with their words shuffled"
        return none(words, terms=len(vocabulary), unused=unused, tried=tried)
    modes = [_mode(int(label), labels, weights, points, vocabulary, used) for label in np.unique(labels)]
    modes.sort(key=lambda mode: (-len(mode.members), mode.members))
    return FailureModes(tuple(modes), tried, len(texts), len(vocabulary), unused, cut, seed)


def terms_of(text: str) -> list[str]:
    """Words and neighbouring pairs of a text, without stop words and numbers; bigrams of characters for Chinese."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    stop = ENGLISH_STOP_WORDS - _NEGATIONS
    kept = [word for word in prose_words(text) if word not in stop and not word[0].isdigit() and not _short(word)]
    pairs = [f"{a} {b}" for a, b in pairwise(kept) if a.isascii() and b.isascii() and a != b]
    return kept + pairs


def _short(word: str) -> bool:
    return len(word) == 1 and word.isascii()


def _vocabulary(documents: Sequence[Sequence[str]], questions: Sequence[str]) -> dict[str, int]:
    """Terms of three questions or more (two where there are under ten), in at most nine of ten texts."""
    about: dict[str, set[str]] = defaultdict(set)
    count: dict[str, int] = defaultdict(int)
    for document, question in zip(documents, questions, strict=True):
        for term in set(document):
            about[term].add(question)
            count[term] += 1
    fewest = 3 if len(set(questions)) >= 10 else min(2, len(set(questions)))
    # What all texts say tells none apart; what most say may be the commonest way to fail.
    most = 0.9 * len(documents)
    kept = sorted(term for term, places in about.items() if len(places) >= fewest and 2 <= count[term] <= most)
    # The most frequent where there are very many: the rest hardly moves a group.
    kept = sorted(sorted(kept, key=lambda term: -count[term])[:_MOST_TERMS])
    return {term: n for n, term in enumerate(kept)}


def _weights(documents: Sequence[Sequence[str]], vocabulary: dict[str, int]) -> Any:
    from sklearn.feature_extraction.text import TfidfVectorizer

    maker = TfidfVectorizer(analyzer=list, vocabulary=vocabulary, sublinear_tf=True)
    return maker.fit_transform(documents)


def _points(weights: Any, seed: int) -> FloatMatrix:
    """Texts on the unit sphere of the first components."""
    from sklearn.decomposition import TruncatedSVD

    size = min(COMPONENTS, weights.shape[1] - 1, weights.shape[0] - 1)
    found = np.asarray(TruncatedSVD(size, random_state=seed).fit_transform(weights), dtype=np.float64)
    length = np.linalg.norm(found, axis=1, keepdims=True)
    return found / np.where(length > 0, length, 1.0)


def _shuffled(weights: Any, seed: int) -> Any:
    """Every term on as many texts as before, but on any."""
    from sklearn.preprocessing import normalize

    rng = np.random.default_rng(seed)
    columns = weights.tocsc(copy=True)
    for start, stop in pairwise(columns.indptr):
        columns.indices[start:stop] = rng.choice(columns.shape[0], stop - start, replace=False)
    columns.sort_indices()
    return normalize(columns.tocsr())


def _grouped(points: FloatMatrix, seed: int) -> tuple[IntVector, dict[int, float]]:
    """The labels of the k that is taken (one group where none could be tried), and every k's mean silhouette."""
    from sklearn.cluster import KMeans
    from sklearn.metrics import silhouette_score

    distinct = len(np.unique(points.round(9), axis=0))
    labels: dict[int, IntVector] = {}
    tried: dict[int, float] = {}
    for k in range(2, min(MOST_GROUPS, distinct, math.isqrt(len(points))) + 1):
        labels[k] = np.asarray(KMeans(k, n_init=4, random_state=seed).fit_predict(points), dtype=np.int64)
        size = min(_JUDGED, len(points))
        tried[k] = float(silhouette_score(points, labels[k], metric="cosine", sample_size=size, random_state=seed))
    best = max(tried.values(), default=0.0)
    taken = [k for k, value in tried.items() if value >= best - SILHOUETTE_TIE]
    return (labels[min(taken)] if taken else np.zeros(len(points), dtype=np.int64)), tried


def _mode(
    label: int, labels: IntVector, weights: Any, points: FloatMatrix, vocabulary: dict[str, int], used: Sequence[int]
) -> FailureMode:
    inside = np.flatnonzero(labels == label)
    outside = np.flatnonzero(labels != label)
    apart = np.asarray(weights[inside].mean(axis=0)).ravel() - np.asarray(weights[outside].mean(axis=0)).ravel()
    names = list(vocabulary)
    # Of terms that tell it apart alike, pairs of words come first: they say more.
    order = sorted(np.flatnonzero(apart > 0).tolist(), key=lambda n: (-round(apart[n], 6), " " not in names[n], n))
    ranked = (names[n] for n in order)
    middle = points[inside].mean(axis=0)
    nearest = int(inside[int(np.argmax(points[inside] @ middle))])
    return FailureMode(_told_apart(list(islice(ranked, 40))), tuple(used[int(n)] for n in inside), used[nearest])


def _told_apart(ranked: Sequence[str]) -> tuple[str, ...]:
    """The first terms, none of whose words a term before it has: `never opened` makes `opened` idle."""
    found: list[str] = []
    said: set[str] = set()
    for term in ranked:
        if not said & set(term.split()):
            found.append(term)
            said |= set(term.split())
        if len(found) == _TERMS:
            break
    return tuple(found)
