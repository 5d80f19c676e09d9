"""Sentences of a report with their offsets, in Latin and in Chinese or Japanese punctuation."""

from collections.abc import Iterable
from re import IGNORECASE, Match
from typing import NamedTuple

from workbench.phases.lazy import Pattern

_END = Pattern(r"[.!?]+[\"'”’)\]*_]*(?=\s|$)|[。！？…]+[”’」』）\"'*_]*|\n+")
_ABBREVIATION = Pattern(
    r"(?:\b(?:e\.g|i\.e|etc|cf|vs|al|dr|mr|mrs|ms|prof|st|no|nos|fig|figs|eq|sec|ch|vol|pp?|ed|eds|inc|ltd|corp|co|jr|sr"
    r"|approx|est|dept|univ|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|u\.s|u\.k|e\.u|u\.n|d\.c|a\.m|p\.m)"
    r"|(?:^|[\s(])[A-Z]|(?:^|\n)\s{0,8}\d{1,3})\.$",
    IGNORECASE,
)


class Span(NamedTuple):
    """Character offsets, end excluded."""

    start: int
    end: int


def sentences(text: str, *, opaque: Iterable[Span] = ()) -> tuple[Span, ...]:
    """Sentences in order, trimmed of surrounding white space; a line break ends one, blank lines make none.

    `opaque` are spans (addresses, citation markers) whose full stops end nothing; they must not overlap.
    """
    walls = sorted(opaque)
    wall = 0
    found: list[Span] = []
    start = 0
    for match in _END().finditer(text):
        while wall < len(walls) and walls[wall].end <= match.start():
            wall += 1
        inside = wall < len(walls) and walls[wall].start <= match.start()
        if (inside and not match.group().startswith("\n")) or _is_abbreviation(text, start, match):
            continue
        _add(found, text, start, match.end())
        start = match.end()
    _add(found, text, start, len(text))
    return tuple(found)


def _is_abbreviation(text: str, start: int, match: Match[str]) -> bool:
    if match.group()[0] != "." or match.end() - match.start() != 1:
        return False
    return _ABBREVIATION().search(text[max(start, match.start() - 12) : match.end()]) is not None


def _add(found: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        offset = start + len(piece) - len(piece.lstrip())
        found.append(Span(offset, offset + len(stripped)))
