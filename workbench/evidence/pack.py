"""Evidence packed into a budget of characters: the most useful chunks first, every document accounted for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from workbench.errors import BadInputError
from workbench.evidence.chunks import Chunk, chunks_of, relevance
from workbench.evidence.documents import Document, DocumentKind, documents_of
from workbench.phases.citations import read_report
from workbench.phases.text import prose_words
from workbench.phases.urls import normal_url
from workbench.schema.analysis import Passage
from workbench.schema.canonical import text_hash
from workbench.schema.trajectory import Trajectory

GAP = "\n[…]\n"
END = "\n\n"
# What the report cites is what a judge must check; a page that was read says more than the snippet of a search.
CITED_WEIGHT = 2.0
KIND_WEIGHT: dict[DocumentKind, float] = {"page": 1.5, "output": 1.2, "hit": 1.0}

Reason: TypeAlias = Literal["budget", "duplicate", "failed", "blank"]


@dataclass(frozen=True, slots=True)
class PackedDocument:
    """A document in the pack and the passages of it that are there, in order, verbatim at their offsets."""

    document: Document
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A document that is not in the pack, and why.

    `budget`: no room; `duplicate`: the same text as document `of`; `failed`: the call failed; `blank`: no text.
    """

    document: Document
    reason: Reason
    of: int | None = None


@dataclass(frozen=True, slots=True)
class EvidencePack:
    """`text` is at most `budget_chars` long. Every document of the run is in exactly one of the three lists.

    `kept`: whole; `shortened`: the passages that fitted; `left_out`: with the reason. All in the order of the run.
    """

    text: str
    budget_chars: int
    kept: tuple[PackedDocument, ...]
    shortened: tuple[PackedDocument, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def n_documents(self) -> int:
        return len(self.kept) + len(self.shortened) + len(self.left_out)


def pack(trajectory: Trajectory, budget_chars: int, *, query: str | None = None) -> EvidencePack:
    """Packs what a run retrieved. The same trajectory, budget and query give the same pack.

    `query` says what the evidence is for; by default the question and the report. Chunks go in by their relevance to
    it, those of cited and of opened pages first, until the budget (in characters, headers included) is used. Raises
    BadInputError for a negative budget.
    """
    if budget_chars < 0:
        raise BadInputError(f"the evidence budget is {budget_chars} characters; expected 0 or more")
    documents = documents_of(trajectory)
    left_out, usable = _set_aside(trajectory, documents)
    chunks = [chunk for document in usable for chunk in chunks_of(document, _text(trajectory, document))]
    purpose = f"{trajectory.question}\n{trajectory.report}" if query is None else query
    ranked = _ranked(chunks, {document.number: document for document in usable}, trajectory, purpose)
    chosen = _choose(ranked, {document.number: len(_header(document)) for document in usable}, budget_chars)
    kept: list[PackedDocument] = []
    shortened: list[PackedDocument] = []
    pieces: list[str] = []
    for document in usable:
        passages = _joined(document, chosen.get(document.number, []))
        if not passages:
            left_out.append(LeftOut(document, "budget"))
            continue
        whole = len(passages) == 1 and (passages[0].start, passages[0].end) == (document.start, document.end)
        (kept if whole else shortened).append(PackedDocument(document, passages))
        body = _text(trajectory, document)
        pieces.append(_header(document) + GAP.join(body[p.start : p.end] for p in passages) + END)
    left_out.sort(key=lambda item: item.document.number)
    return EvidencePack("".join(pieces), budget_chars, tuple(kept), tuple(shortened), tuple(left_out))


def _text(trajectory: Trajectory, document: Document) -> str:
    return trajectory.steps[document.step].tool_results[document.result].text


def _header(document: Document) -> str:
    source = document.url or f"answer of {document.tool or 'a tool'}"
    return f"[{document.number}] {document.kind}: {source} (step {document.step})\n"


def _set_aside(trajectory: Trajectory, documents: Sequence[Document]) -> tuple[list[LeftOut], list[Document]]:
    """Documents that are no evidence or say nothing new, and the rest."""
    left_out: list[LeftOut] = []
    usable: list[Document] = []
    first: dict[str, int] = {}
    for document in documents:
        body = _text(trajectory, document)[document.start : document.end]
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
    chunks: Sequence[Chunk], by_number: dict[int, Document], trajectory: Trajectory, purpose: str
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


def _choose(ranked: Sequence[Chunk], headers: dict[int, int], budget_chars: int) -> dict[int, list[Chunk]]:
    """Takes chunks while they fit. A chunk is charged a gap before it, so that joining neighbours only saves."""
    chosen: dict[int, list[Chunk]] = {}
    left = budget_chars
    for chunk in ranked:
        new = chunk.document not in chosen
        cost = chunk.end - chunk.start + (headers[chunk.document] + len(END) if new else len(GAP))
        if cost <= left:
            left -= cost
            chosen.setdefault(chunk.document, []).append(chunk)
    return chosen


def _joined(document: Document, chunks: Sequence[Chunk]) -> tuple[Passage, ...]:
    """The chunks as passages in the order of the text, neighbours joined."""
    spans: list[list[int]] = []
    for chunk in sorted(chunks, key=lambda chunk: chunk.start):
        if spans and spans[-1][1] == chunk.start:
            spans[-1][1] = chunk.end
        else:
            spans.append([chunk.start, chunk.end])
    return tuple(Passage(document.step, document.result, start, end) for start, end in spans)
