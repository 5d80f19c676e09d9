"""The evidence of a run as a judge of research reads it: within tokens, fenced, every document accounted for."""

from dataclasses import replace
from functools import cached_property

from rubrics.judging.evidence import (
    NO_NONCE,
    Account,
    EvidenceView,
    ShownDocument,
    Stretch,
    UnshownDocument,
    header,
    label_of,
    price_of_account,
)
from rubrics.judging.fence import left_out_mark, make_visible
from rubrics.judging.material import Material, material_of
from rubrics.judging.text import estimate_tokens
from workbench.evidence.chunks import Chunk
from workbench.evidence.documents import Document
from workbench.evidence.rank import LeftOut, Ranking, rank, text_of
from workbench.phases.calls import Place, call_records
from workbench.schema.analysis import Passage
from workbench.schema.trajectory import Trajectory

# Addresses of what is not shown may take this share of the room; where they would take more, numbers stand for them.
ACCOUNT_SHARE = 0.25
_ACCOUNTS: tuple[Account, ...] = ("lines", "numbers")
_MARK_TOKENS = estimate_tokens(left_out_mark(10**9, NO_NONCE)) + 1


def judged_material(
    question: str, report: str, trajectory: Trajectory | None, *, reference: str | None = None
) -> Material:
    """All that a judge may read of a case: grading here and an exported job call this one function.

    Evidence is ranked for this question and this report, whatever the trajectory itself holds, and only once a judge
    asks for it.
    """
    evidence = None if trajectory is None else RunEvidence(replace(trajectory, question=question, report=report))
    return material_of(question, report, trajectory, evidence=evidence, reference=reference)


class RunEvidence:
    """Evidence of a run (`rubrics.judging.evidence.Evidence`): passages of what the report cites and of pages that were
    opened come first, by their bearing on question and report."""

    def __init__(self, trajectory: Trajectory) -> None:
        self._trajectory = trajectory
        self._prices: dict[Chunk, int] = {}

    @cached_property
    def need(self) -> int:
        left_out = [self._unshown[item.document.number] for item in self._ranking.left_out]
        return price_of_account(left_out, "lines") + sum(
            estimate_tokens(header(document.number, self._unshown[document.number].label))
            + estimate_tokens(self._stretch(document, _whole(document)).text)
            + 2
            for document in self._ranking.usable
        )

    def within(self, tokens: int | None) -> EvidenceView:
        """The view that `render` makes at most `tokens` (and its summary) of; None shows everything once.

        The same run and room give the same view.
        """
        if tokens is None or self.need <= tokens:
            return self._view({d.number: (_whole(d),) for d in self._ranking.usable}, "lines")
        everything = [*self._unshown.values()]
        account: Account = next(
            (way for way in _ACCOUNTS if price_of_account(everything, way) <= ACCOUNT_SHARE * tokens), "counts"
        )
        told = price_of_account(everything, account)
        chosen = self._ranking.choose(
            tokens - told, price=self._price, opening=lambda document: self._opening(document, account)
        )
        return self._view(chosen, account)

    @cached_property
    def _ranking(self) -> Ranking:
        return rank(self._trajectory)

    @cached_property
    def _unshown(self) -> dict[int, UnshownDocument]:
        """Every document of the run as one that is not shown, by number."""
        calls = {
            record.place: number
            for number, record in enumerate(call_records(self._trajectory), start=1)
            if record.place is not None
        }
        ranking = self._ranking
        found = [*ranking.left_out, *(LeftOut(document, "budget") for document in ranking.usable)]
        return {
            item.document.number: UnshownDocument(
                item.document.number, _label(item.document, calls), _chars(item.document), item.reason, item.of
            )
            for item in sorted(found, key=lambda item: item.document.number)
        }

    def _price(self, chunk: Chunk) -> int:
        if chunk not in self._prices:
            document = self._documents[chunk.document]
            text = text_of(self._trajectory, document)[chunk.start : chunk.end]
            self._prices[chunk] = estimate_tokens(make_visible(text).text) + 1 + _MARK_TOKENS
        return self._prices[chunk]

    @cached_property
    def _documents(self) -> dict[int, Document]:
        return {document.number: document for document in self._ranking.usable}

    def _opening(self, document: Document, account: Account) -> int:
        """Its header and a gap at its end, less what telling that it is not shown would have cost."""
        unshown = self._unshown[document.number]
        saved = price_of_account([unshown], account) - price_of_account([], account)
        return estimate_tokens(header(document.number, unshown.label)) + 1 + _MARK_TOKENS - saved

    def _view(self, chosen: dict[int, tuple[Passage, ...]], account: Account) -> EvidenceView:
        shown = [
            ShownDocument(
                number,
                self._unshown[number].label,
                self._unshown[number].chars,
                tuple(self._stretch(self._documents[number], passage) for passage in chosen[number]),
            )
            for number in sorted(chosen)
        ]
        unshown = tuple(item for number, item in self._unshown.items() if number not in chosen)
        return EvidenceView(tuple(shown), unshown, account)

    def _stretch(self, document: Document, passage: Passage) -> Stretch:
        text = text_of(self._trajectory, document)[passage.start : passage.end]
        return Stretch(passage.start - document.start, passage.end - document.start, make_visible(text).text)


def _whole(document: Document) -> Passage:
    return Passage(document.step, document.result, document.start, document.end)


def _chars(document: Document) -> int:
    return document.end - document.start


def _label(document: Document, calls: dict[Place, int]) -> str:
    what = f"{document.kind} {document.url}" if document.url else f"answer of {document.tool or 'a tool'}"
    call = calls.get(Place(document.step, document.result))
    return label_of(what) + (f" (call {call})" if call is not None else "")
