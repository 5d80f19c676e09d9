"""What a learned judge sees of a report: what its pieces are about, and how near they are to the question."""

import re
import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from graders.embeddings import Embedder
from workbench.evidence.chunks import CHUNK_CHARS, chunks_of
from workbench.evidence.documents import Document
from workbench.schema.canonical import JsonValue
from workbench.stats.estimate import FloatMatrix, FloatVector

# Raised when the same text would give other features.
REVISION = 1
MAX_CHUNKS = 128
PLAIN = ("log_chars", "log_sentences", "log_links", "log_numbers", "share_with_link")
NEARNESS = ("nearest", "mean_nearness", "farthest")

_LINK = re.compile(r"https?://|\[\d{1,3}\]")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_CACHED = 20_000


class FeatureReader:
    """Features of reports by one embedder. Keeps the newest 20,000 vectors (60 MB): changed reports share most pieces.

    Thread-safe.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._kept: OrderedDict[str, FloatVector] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def definition(self) -> dict[str, JsonValue]:
        """What decides the features."""
        return {
            "revision": REVISION,
            "embedder": self.embedder.name,
            "embedder_version": self.embedder.version,
            "chunk_chars": CHUNK_CHARS,
            "max_chunks": MAX_CHUNKS,
        }

    def features(self, question: str, report: str) -> tuple[FloatVector, dict[str, JsonValue]]:
        """The features of a report that is not blank, and what was read of it.

        Mean and greatest component over the pieces (2 x dim), three cosines to the question, five plain counts.
        """
        pieces = pieces_of(report)
        places = np.unique(np.linspace(0, len(pieces) - 1, min(MAX_CHUNKS, len(pieces))).round().astype(int))
        read = [pieces[place] for place in places]
        vectors = self._embedded([question, *read])
        asked, chunks = vectors[0], vectors[1:]
        near = chunks @ asked
        found = np.concatenate(
            [chunks.mean(axis=0), chunks.max(axis=0), [near.max(), near.mean(), near.min()], plain_counts(report)]
        )
        return found, {"pieces": len(pieces), "pieces_read": len(read)}

    def _embedded(self, texts: Sequence[str]) -> FloatMatrix:
        with self._lock:
            kept = {text: self._kept[text] for text in texts if text in self._kept}
        new = [text for text in dict.fromkeys(texts) if text not in kept]
        if new:
            kept.update(zip(new, self.embedder.embed(new), strict=True))
        with self._lock:
            for text in texts:
                self._kept[text] = kept[text]
                self._kept.move_to_end(text)
            while len(self._kept) > _CACHED:
                self._kept.popitem(last=False)
        return np.array([kept[text] for text in texts])


def pieces_of(report: str) -> list[str]:
    """The report in stretches of at most 500 characters that end where sentences do; blank ones are left out."""
    whole = Document(1, "output", None, "", 0, 0, 0, len(report))
    pieces = [report[chunk.start : chunk.end] for chunk in chunks_of(whole, report)]
    return [piece for piece in pieces if piece.strip()]


def plain_counts(report: str) -> FloatVector:
    """In the order of `PLAIN`; logarithms of one more than a count, the last a share."""
    sentences = [line for line in re.split(r"(?<=[.!?。！？])\s+|\n+", report) if line.strip()]
    linked = sum(bool(_LINK.search(line)) for line in sentences)
    counts = [len(report), len(sentences), len(_LINK.findall(report)), len(_NUMBER.findall(report))]
    return np.array([*np.log1p(counts), linked / max(1, len(sentences))])
