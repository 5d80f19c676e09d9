"""Where the terms of a search stand in a text, in the text as it was stored: hidden characters and all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.store.text.query import LIGHT_FIELDS, Term
from workbench.store.text.tokens import placed_tokens


@dataclass(frozen=True, slots=True)
class Snippet:
    """A match: `field` question, report, query or result; `position` of the step for the last two, and which of its
    queries or results (`ordinal`, from 0). `start` and `end` are offsets in that text, `excerpt` what stands from
    `excerpt_start` on."""

    field: str
    position: int | None
    ordinal: int
    start: int
    end: int
    excerpt: str
    excerpt_start: int


def spans(body: str, terms: Sequence[Term], field: str) -> Iterator[tuple[int, int]]:
    """First and end offset of every match of a term that may stand in this field, in the order of the terms."""
    wanted = [t for t in terms if not t.excluded and t.field not in LIGHT_FIELDS and t.field in (None, field)]
    if not wanted:
        return
    placed = placed_tokens(body)
    words = [word for word, _, _ in placed]
    for term in wanted:
        n = len(term.tokens)
        for at in range(len(words) - n + 1):
            if tuple(words[at : at + n - 1]) != term.tokens[:-1]:
                continue
            last, wanted_last = words[at + n - 1], term.tokens[-1]
            if last == wanted_last:
                yield placed[at][1], placed[at + n - 1][2]
            elif term.prefix and last.startswith(wanted_last):
                _, start, end = placed[at + n - 1]
                yield placed[at][1], min(end, start + len(wanted_last))


def snippet(
    body: str, terms: Sequence[Term], field: str, around: int, *, position: int | None = None, ordinal: int = 0
) -> Snippet | None:
    """The first match with `around` characters on either side."""
    for start, end in spans(body, terms, field):
        first = max(0, start - around)
        return Snippet(field, position, ordinal, start, end, body[first : end + around], first)
    return None
