"""Fits a long text into a budget by leaving out whole paragraphs, openly, and counting every character left out."""

import re
from dataclasses import dataclass

from rubrics.judging.fence import left_out_mark
from rubrics.judging.text import estimate_tokens, fold, sentences

_WORD = re.compile(r"\w+")
_LONGEST_BLOCK = 900
_SHORTEST_CUT = 90


@dataclass(frozen=True, slots=True)
class Packed:
    """The text as it goes into a prompt. `shown` and `total` count characters of the original text."""

    text: str
    shown: int
    total: int

    @property
    def complete(self) -> bool:
        return self.shown == self.total


@dataclass(frozen=True, slots=True)
class _Block:
    text: str
    start: int
    end: int


def pack(text: str, *, budget_tokens: int, focus: str, nonce: str) -> Packed | None:
    """The whole text if it fits, else its first and last paragraphs and those that share most words with `focus`.

    Kept paragraphs stand in their order, each gap is marked with its size. None where not even one paragraph fits.
    """
    if estimate_tokens(text) <= budget_tokens:
        return Packed(text, len(text), len(text))
    # A tight budget takes smaller pieces, so that it shows several places rather than one or none.
    blocks = _blocks(text, longest=max(_SHORTEST_CUT, min(_LONGEST_BLOCK, budget_tokens * 3 // 4)))
    mark_cost = estimate_tokens(left_out_mark(len(text), nonce)) + 1
    kept: set[int] = set()
    left = budget_tokens - mark_cost
    for index in _by_relevance(blocks, focus):
        # Each kept paragraph may open one more gap, which must be marked too.
        cost = estimate_tokens(blocks[index].text) + mark_cost + 1
        if cost <= left:
            kept.add(index)
            left -= cost
    if not kept:
        return None
    return _joined(text, [blocks[index] for index in sorted(kept)], nonce)


def _joined(text: str, blocks: list[_Block], nonce: str) -> Packed:
    parts: list[str] = []
    at = shown = 0
    for block in blocks:
        gap = text[at : block.start]
        if gap.strip():
            parts.append(left_out_mark(len(gap), nonce))
        else:
            shown += len(gap)
        parts.append(block.text)
        shown += block.end - block.start
        at = block.end
    if text[at:].strip():
        parts.append(left_out_mark(len(text) - at, nonce))
    return Packed("\n".join(parts), shown, len(text))


def _blocks(text: str, longest: int) -> list[_Block]:
    """Paragraphs; those over `longest` characters cut at sentences, and longer sentences cut hard."""
    blocks: list[_Block] = []
    for line in re.finditer(r"[^\n]+", text):
        if not line.group().strip():
            continue
        if len(line.group()) <= longest:
            blocks.append(_Block(line.group(), line.start(), line.end()))
            continue
        for sentence in sentences(line.group()):
            for cut in range(0, len(sentence.text), longest):
                piece = sentence.text[cut : cut + longest]
                start = line.start() + sentence.start + cut
                blocks.append(_Block(piece, start, start + len(piece)))
    return blocks


def _by_relevance(blocks: list[_Block], focus: str) -> list[int]:
    wanted = set(_WORD.findall(fold(focus)))

    def relevance(index: int) -> tuple[int, float, int]:
        if index in (0, len(blocks) - 1):
            return (0, 0.0, index)
        words = set(_WORD.findall(fold(blocks[index].text)))
        return (1, -len(words & wanted) / (len(words) + 8) ** 0.5, index)

    return sorted(range(len(blocks)), key=relevance)
