"""The support checker that adds sentence embeddings to words, figures and names: no key, no framework, one package."""

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import exp

import numpy as np

from graders.embeddings import Embedder, find_embedder
from rubrics.judging.entailment import REVISION, THRESHOLDS, Features, decide, measure, unreadable
from rubrics.judging.entailment_claim import Claim
from rubrics.judging.entailment_document import Document
from rubrics.judging.support import CitedClaim, SupportVerdict
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.grade import GraderKind, Usage
from workbench.stats.estimate import FloatMatrix

# Windows of a document that are embedded at most (15 to 50 ms each on one core); of more, those that share most words
# with the claims on it.
MOST_WINDOWS = 80
WINDOW_SENTENCES = 2
WINDOW_CHARS = 900


@dataclass(frozen=True, slots=True)
class Soft:
    """A logistic model of `supported` where figures, names and directions speak for or not against the claim.

    Fitted on the development worlds of the simulated web by tests/support_study/fit.py: 487 of 1,121 pairs.
    """

    intercept: float
    cover: float
    cosine: float
    figures: float
    names: float

    def chance(self, found: Features, cosine: float) -> float:
        """The model's chance in (0, 1) that the claim is supported."""
        at = self.intercept + self.cover * found.cover + self.cosine * cosine
        at += self.figures * (found.figures > 0) + self.names * (found.names > 0)
        return 1.0 / (1.0 + exp(-max(-50.0, min(50.0, at))))


SOFT = Soft(intercept=-5.511, cover=5.375, cosine=2.206, figures=3.854, names=-0.448)


class EmbeddingChecker:
    """Windows of the document against the claim, by all-MiniLM-L6-v2 or the model that WORKBENCH_EMBEDDINGS names.

    What words decide stays decided: another figure, a missing name, the opposite direction. The rest is a fitted
    balance of shared words and nearness of meaning. Raises MissingExtraError where there are no weights.
    """

    name = "embedding"
    kind: GraderKind = "learned"

    def __init__(self, embedder: Embedder | None = None, *, soft: Soft = SOFT) -> None:
        self.embedder = embedder or find_embedder()
        self.soft = soft
        self.version = content_hash(self.definition)
        self._lock = threading.Lock()

    @property
    def definition(self) -> dict[str, JsonValue]:
        """What decides a verdict: the rules by their revision, the thresholds, the balance and the weights."""
        return {
            "checker": self.name,
            "rules": REVISION,
            "thresholds": dict(asdict(THRESHOLDS)),
            "soft": dict(asdict(self.soft)),
            "windows": [MOST_WINDOWS, WINDOW_SENTENCES, WINDOW_CHARS],
            "embedder": self.embedder.version,
        }

    async def check(self, question: str, claims: Sequence[CitedClaim]) -> tuple[tuple[SupportVerdict, ...], Usage]:
        """One verdict for each claim, in order. The question decides nothing here."""
        del question
        return await asyncio.to_thread(self.check_now, claims), Usage(cost_usd=0.0)

    def check_now(self, claims: Sequence[CitedClaim]) -> tuple[SupportVerdict, ...]:
        """As `check`, without a loop. Each document is read and embedded once, whatever cites it."""
        # One at a time: the same matrices in two threads would only take one another's cores.
        with self._lock:
            return tuple(self._verdict(found) for found in self.measured(claims))

    def measured(self, claims: Sequence[CitedClaim]) -> list[tuple[Features, float] | str]:
        """Features and cosine of each claim with the nearest window, or why the two cannot be compared."""
        documents = {pair.document: Document(pair.document) for pair in claims}
        read = [Claim.read(pair.claim) for pair in claims]
        reasons = [unreadable(claim, documents[pair.document]) for claim, pair in zip(read, claims, strict=True)]
        on: dict[str, list[Claim]] = {}
        for claim, pair, reason in zip(read, claims, reasons, strict=True):
            if not reason:
                on.setdefault(pair.document, []).append(claim)
        windows = {text: self.embedder.embed(_windows(documents[text], those)) for text, those in on.items()}
        spoken = {claim.text: row for claim, row in self._rows(on)}
        return [
            reason or (measure(claim, documents[pair.document]), _nearest(spoken[claim.text], windows[pair.document]))
            for claim, pair, reason in zip(read, claims, reasons, strict=True)
        ]

    def _rows(self, on: dict[str, list[Claim]]) -> list[tuple[Claim, FloatMatrix]]:
        every = [claim for those in on.values() for claim in those]
        return list(zip(every, self.embedder.embed([claim.text for claim in every]), strict=True)) if every else []

    def _verdict(self, found: tuple[Features, float] | str) -> SupportVerdict:
        if isinstance(found, str):
            return SupportVerdict("not_checked", reason=found)
        features, cosine = found
        return judged(features, cosine, self.soft)


def judged(found: Features, cosine: float, soft: Soft) -> SupportVerdict:
    """The verdict of words, figures and names, with the soft part left to the model where nothing speaks against it."""
    by_words = decide(found)
    if hard(found):
        return by_words
    chance = soft.chance(found, cosine)
    reason = f"{found.cover:.0%} of the claim's words are there, cosine {cosine:.2f}"
    if chance >= 0.5:
        return SupportVerdict("supported", round(chance, 4), found.quote, reason)
    lower = by_words if by_words.support != "supported" else replace(by_words, support="partly")
    return replace(lower, score=round(chance, 4), reason=reason)


def hard(found: Features) -> bool:
    """Whether a figure, name, year or direction of the claim is denied or not there."""
    return bool(found.denied or found.opposed or found.year_denied or found.missing_names or found.met < found.figures)


def _windows(document: Document, claims: Sequence[Claim]) -> list[str]:
    """Each sentence with the one behind it, of a short document all of them."""
    last = len(document.spans) - 1
    places = []
    for first in range(len(document.spans)):
        end = min(first + WINDOW_SENTENCES - 1, last)
        while end > first and document.spans[end].end - document.spans[first].start > WINDOW_CHARS:
            end -= 1
        places.append((first, end))
    if len(places) > MOST_WINDOWS:
        wanted = [frozenset(claim.terms) for claim in claims]

        def shared(place: tuple[int, int]) -> int:
            bag = frozenset[str]().union(*(document.terms[i] for i in range(place[0], place[1] + 1)))
            return max(len(bag & terms) for terms in wanted)

        places = sorted(sorted(places, key=shared, reverse=True)[:MOST_WINDOWS])
    return [document.text[document.spans[a].start : document.spans[b].end] for a, b in places]


def _nearest(claim: FloatMatrix, windows: FloatMatrix) -> float:
    return float(np.max(windows @ claim))
