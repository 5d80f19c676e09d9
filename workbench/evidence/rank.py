"""What of a run's evidence is worth the room: its documents told apart and their chunks in order of use."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from workbench.evidence.chunks import Chunk, chunks_of, relevance
from workbench.evidence.documents import Document, DocumentKind, documents_of
from workbench.phases.citations import read_report
from workbench.phases.text import prose_words
from workbench.phases.urls import normal_url
from workbench.schema.analysis import Passage
from workbench.schema.canonical import text_hash
from workbench.schema.trajectory import Trajectory

# What the report cites is what a judge must check; a page that was read says more than the snippet of a search.
CITED_WEIGHT = 2.0
KIND_WEIGHT: dict[DocumentKind, float] = {"page": 1.5, "output": 1.2, "hit": 1.0}

Reason: TypeAlias = Literal["budget", "duplicate", "failed", "blank"]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A document that is not in the pack, and why.

    `budget`: no room; `duplicate`: the same text as document `of`; `failed`: the call failed; `blank`: no text.
    """

    document: Document
    reason: Reason
    of: int | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Documents that may be shown, those set aside, and the chunks of the former from the most to the least useful."""

    usable: tuple[Document, ...]
    left_out: tuple[LeftOut, ...]
    chunks: tuple[Chunk, ...]

    def choose(
        self, room: int, *, price: Callable[[Chunk], int], opening: Callable[[Document], int]
    ) -> dict[int, tuple[Passage, ...]]:
        """Takes chunks while they fit: by number of a document its passages in order, neighbours joined.

        `price` is of a chunk with a gap before it, so that joining neighbours only saves; `opening` is what the first
        chunk of a document costs besides.
        """
        documents = {document.number: document for document in self.usable}
        chosen: dict[int, list[Chunk]] = {}
        for chunk in self.chunks:
            new = chunk.document not in chosen
            cost = price(chunk) + (opening(documents[chunk.document]) if new else 0)
            if cost <= room:
                room -= cost
                chosen.setdefault(chunk.document, []).append(chunk)
        return {number: _joined(documents[number], chunks) for number, chunks in chosen.items()}


def rank(trajectory: Trajectory, *, query: str | None = None) -> Ranking:
    """Ranks what a run retrieved by its use for `query`, by default the question and the report."""
    left_out, usable = _set_aside(trajectory, documents_of(trajectory))
    chunks = [chunk for document in usable for chunk in chunks_of(document, text_of(trajectory, document))]
    purpose = f"{trajectory.question}\n{trajectory.report}" if query is None else query
    ranked = _ranked(chunks, {document.number: document for document in usable}, trajectory, purpose)
    return Ranking(tuple(usable), tuple(left_out), tuple(ranked))


def text_of(trajectory: Trajectory, document: Document) -> str:
    """The whole tool result that a document is a stretch of."""
    return trajectory.steps[document.step].tool_results[document.result].text


def _set_aside(trajectory: Trajectory, documents: Sequence[Document]) -> tuple[list[LeftOut], list[Document]]:
    """Documents that are no evidence or say nothing new, and the rest."""
    left_out: list[LeftOut] = []
    usable: list[Document] = []
    first: dict[str, int] = {}
    for document in documents:
        body = text_of(trajectory, document)[document.start : document.end]
        key = text_hash(" ".join(body.split()))
        if document.failed:
            left_out.append(LeftOut(document, "failed"))
        elif not body.strip():
            left_out.append(LeftOut(document, "blank"))
        elif key in first:
            left_out.append(LeftOut(document, "duplicate", first[key]))
        else:
            first[key] = document.number
            usable.append(document)
    return left_out, usable


def _ranked(
    chunks: Sequence[Chunk], by_number: Mapping[int, Document], trajectory: Trajectory, purpose: str
) -> list[Chunk]:
    """Chunks from the most to the least useful; equal ones in the order of the run."""
    reading = read_report(trajectory.report)
    urls = [marker.url for marker in reading.markers] + [entry.url for entry in reading.references.entries]
    cited = {normal_url(url) for url in urls if url}
    scores = relevance(chunks, prose_words(purpose))
    keyed = []
    for order, (chunk, score) in enumerate(zip(chunks, scores, strict=True)):
        document = by_number[chunk.document]
        weight = KIND_WEIGHT[document.kind]
        if document.url is not None and normal_url(document.url) in cited:
            weight *= CITED_WEIGHT
        keyed.append((-score * weight, -weight, order, chunk))
    return [chunk for _, _, _, chunk in sorted(keyed, key=lambda key: key[:3])]


def _joined(document: Document, chunks: Sequence[Chunk]) -> tuple[Passage, ...]:
    """The chunks as passages in the order of the text, neighbours joined."""
    spans: list[list[int]] = []
    for chunk in sorted(chunks, key=lambda chunk: chunk.start):
        if spans and spans[-1][1] == chunk.start:
            spans[-1][1] = chunk.end
        else:
            spans.append([chunk.start, chunk.end])
    return tuple(Passage(document.step, document.result, start, end) for start, end in spans)
