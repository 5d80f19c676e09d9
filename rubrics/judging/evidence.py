"""What a run retrieved as a judge is shown it: passages by document, and every other document accounted for.

Which passages are worth the room is not decided here (`workbench.evidence` does); this is the form and its price.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from rubrics.judging.fence import left_out_mark, make_visible
from rubrics.judging.text import estimate_tokens

LABEL_CHARS = 300
NO_NONCE = "0" * 12  # as long as a nonce, so that prices are right before one is drawn

Reason: TypeAlias = Literal["budget", "duplicate", "failed", "blank"]
# How documents that are not shown are told: each with its address, as numbers, or by their count alone.
Account: TypeAlias = Literal["lines", "numbers", "counts"]
REASONS: dict[Reason, str] = {
    "budget": "no room",
    "duplicate": "the same text as another document",
    "failed": "the call failed",
    "blank": "empty",
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A passage of a document: its place in the document's own text, and that text with nothing hidden in it."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class ShownDocument:
    """A document of which something is shown. `label` says what it is; `chars` is the length of the whole."""

    number: int
    label: str
    chars: int
    stretches: tuple[Stretch, ...]

    @property
    def shown(self) -> int:
        return sum(stretch.end - stretch.start for stretch in self.stretches)


@dataclass(frozen=True, slots=True)
class UnshownDocument:
    """A document of which nothing is shown, and why; `of` is the one with the same text."""

    number: int
    label: str
    chars: int
    reason: Reason
    of: int | None = None


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """Every document of a run in exactly one of two places, in the order of the run."""

    shown: tuple[ShownDocument, ...]
    unshown: tuple[UnshownDocument, ...]
    account: Account = "counts"

    @property
    def documents(self) -> tuple[ShownDocument | UnshownDocument, ...]:
        return (*self.shown, *self.unshown)

    @property
    def chars(self) -> tuple[int, int]:
        """Characters shown, and of all documents; a text that came twice counts twice."""
        shown = sum(document.shown for document in self.shown)
        return shown, sum(document.chars for document in self.documents)

    @property
    def complete(self) -> bool:
        return all(d.shown == d.chars for d in self.shown) and not any(d.reason == "budget" for d in self.unshown)

    @property
    def counts(self) -> dict[str, int]:
        """Documents by what became of them; the values sum to the number of documents of the run."""
        whole = sum(document.shown == document.chars for document in self.shown)
        found = {"whole": whole, "shortened": len(self.shown) - whole}
        return found | {reason: sum(d.reason == reason for d in self.unshown) for reason in REASONS}

    @property
    def texts(self) -> list[str]:
        """All text of others that is shown: what a nonce must not stand in."""
        labels = [document.label for document in self.documents]
        return [*labels, *(stretch.text for document in self.shown for stretch in document.stretches)]


class Evidence(Protocol):
    """What a run retrieved, ready to be shown in any room."""

    @property
    def need(self) -> int:
        """Tokens that everything would take, roughly; 0 where nothing was retrieved."""

    def within(self, tokens: int | None) -> EvidenceView:
        """The most useful of it in so much room, None for everything. The summary of `render` is not charged."""


def label_of(text: str) -> str:
    """A label on one line with nothing hidden in it, cut where an address is endless."""
    return make_visible(" ".join(text.split())[:LABEL_CHARS]).text


def render(view: EvidenceView, nonce: str) -> str:
    """The block that a judge reads: first how much there is, then passages by document, then what is not shown.

    Our own lines carry the nonce, so no page can begin another document or close an account.
    """
    return "\n".join([_summary(view, nonce), *_documents(view, nonce), *_unshown(view, nonce)])


def header(number: int, label: str, nonce: str = NO_NONCE) -> str:
    """The line that begins a document."""
    return f"<<<DOCUMENT {number} {nonce}: {label}>>>"


def price_of_account(documents: Sequence[UnshownDocument], account: Account) -> int:
    """The most tokens that telling of any part of these documents takes, whichever part it is.

    The summary is not in it: its `SUMMARY_TOKENS` are spent whatever else there is room for.
    """
    if account == "lines":
        return sum(estimate_tokens(_line(document, NO_NONCE)) + 1 for document in documents)
    if account == "numbers":
        heads = sum(estimate_tokens(f"<<<NOT SHOWN {NO_NONCE}: {word}: >>>") + 1 for word in REASONS.values())
        return heads + sum(estimate_tokens(f"{document.number}, ") for document in documents)
    return 0


def _summary(view: EvidenceView, nonce: str) -> str:
    counts, (shown, total) = view.counts, view.chars
    left_out = "; ".join(f"{REASONS[reason]}: {counts[reason]}" for reason in REASONS if counts[reason])
    return (
        f"<<<ACCOUNT {nonce}: {len(view.documents)} documents; whole: {counts['whole']}; "
        f"in part: {counts['shortened']}{f'; {left_out}' if left_out else ''}; "
        f"{shown} of {total} characters are shown>>>"
    )


def _documents(view: EvidenceView, nonce: str) -> Iterator[str]:
    for document in view.shown:
        yield header(document.number, document.label, nonce)
        at = 0
        for stretch in document.stretches:
            if stretch.start > at:
                yield left_out_mark(stretch.start - at, nonce)
            yield stretch.text
            at = stretch.end
        if document.chars > at:
            yield left_out_mark(document.chars - at, nonce)


def _unshown(view: EvidenceView, nonce: str) -> Iterator[str]:
    if view.account == "lines":
        yield from (_line(document, nonce) for document in view.unshown)
    elif view.account == "numbers":
        for reason, words in REASONS.items():
            numbers = [document.number for document in view.unshown if document.reason == reason]
            if numbers:
                yield f"<<<NOT SHOWN {nonce}: {words}: {_ranges(numbers)}>>>"


def _line(document: UnshownDocument, nonce: str) -> str:
    why = REASONS[document.reason] if document.of is None else f"the same text as {document.of}"
    return f"<<<NOT SHOWN {nonce}: {document.number} {document.label}: {why}>>>"


def _ranges(numbers: Sequence[int]) -> str:
    """`3, 5-9, 12`: numbers that follow each other as a range."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{first}-{last}" if last > first else str(first) for first, last in runs)


_EXAMPLE = (
    (ShownDocument(1, "page", 10**9, (Stretch(0, 1, "."),)),),
    tuple(UnshownDocument(2, "hit", 10**9, reason) for reason in REASONS),
)
_ACCOUNTS: tuple[Account, ...] = ("lines", "numbers", "counts")
# The form in full, so that who hashes the words of a prompt can hash it too.
FORM = "\n".join(render(EvidenceView(*_EXAMPLE, account), NO_NONCE) for account in _ACCOUNTS)
# Counts of many digits take a few tokens more than these.
SUMMARY_TOKENS = estimate_tokens(_summary(EvidenceView(*_EXAMPLE), NO_NONCE)) + 20
