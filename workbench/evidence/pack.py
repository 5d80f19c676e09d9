"""Evidence packed into a budget of characters: the most useful chunks first, every document accounted for."""

from dataclasses import dataclass

from workbench.errors import BadInputError
from workbench.evidence.documents import Document
from workbench.evidence.rank import LeftOut, rank, text_of
from workbench.schema.analysis import Passage
from workbench.schema.trajectory import Trajectory

GAP = "\n[…]\n"
END = "\n\n"


@dataclass(frozen=True, slots=True)
class PackedDocument:
    """A document in the pack and the passages of it that are there, in order, verbatim at their offsets."""

    document: Document
    passages: tuple[Passage, ...]


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
    ranking = rank(trajectory, query=query)
    chosen = ranking.choose(
        budget_chars,
        price=lambda chunk: chunk.end - chunk.start + len(GAP),
        opening=lambda document: len(_header(document)) + len(END) - len(GAP),
    )
    left_out, usable = list(ranking.left_out), ranking.usable
    kept: list[PackedDocument] = []
    shortened: list[PackedDocument] = []
    pieces: list[str] = []
    for document in usable:
        passages = chosen.get(document.number, ())
        if not passages:
            left_out.append(LeftOut(document, "budget"))
            continue
        whole = len(passages) == 1 and (passages[0].start, passages[0].end) == (document.start, document.end)
        (kept if whole else shortened).append(PackedDocument(document, passages))
        body = text_of(trajectory, document)
        pieces.append(_header(document) + GAP.join(body[p.start : p.end] for p in passages) + END)
    left_out.sort(key=lambda item: item.document.number)
    return EvidencePack("".join(pieces), budget_chars, tuple(kept), tuple(shortened), tuple(left_out))


def _header(document: Document) -> str:
    source = document.url or f"answer of {document.tool or 'a tool'}"
    return f"[{document.number}] {document.kind}: {source} (step {document.step})\n"
