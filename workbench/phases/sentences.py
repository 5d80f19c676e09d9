"""Sentences of a report with their offsets, in Latin and in Chinese or Japanese punctuation."""

from bisect import bisect_right
from collections.abc import Sequence
from re import IGNORECASE, Match
from typing import NamedTuple

from workbench.phases.lazy import Pattern

# The look-behind lets a run of stops be tried once, from its beginning: tried from each stop it would cost its square.
_END = Pattern(r"(?<![.!?])[.!?]+[\"'”’)\]*_]*(?=\s|$|[\[(<【［（])|[。！？…]+[”’」』）\"'*_]*|\n+")
_ABBREVIATION = Pattern(
    r"(?:\b(?:e\.g|i\.e|etc|cf|vs|al|dr|mr|mrs|ms|prof|st|no|nos|fig|figs|eq|sec|ch|vol|pp?|ed|eds|inc|ltd|corp|co|jr|sr"
    r"|approx|est|dept|univ|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|u\.s|u\.k|e\.u|u\.n|d\.c|a\.m|p\.m)"
    r"|(?:^|[\s(])[A-Z]|(?:^|\n)[ \t]{0,8}\d{1,3})\.$",
    IGNORECASE,
)
_BREAK = Pattern(r"\n")
_TITLE = Pattern(r"[ \t]{0,3}#{1,6}[ \t]")
_ROW = Pattern(r"[ \t]{0,8}\|")
OPENERS = "[(<【［（"


class Span(NamedTuple):
    """Character offsets, end excluded."""

    start: int
    end: int


def sentences(text: str, *, opaque: Sequence[Span] = (), trailing: Sequence[Span] = ()) -> tuple[Span, ...]:
    """Sentences in order, trimmed of white space; a line break ends one, blank lines make none, a table row is one.

    `opaque` are spans (addresses, code, markers) whose full stops end nothing; `trailing` are markers that belong to
    the sentence that ends right before them. Both sorted and without overlaps.
    """
    walls = _Walls(opaque)
    after = {span.start: span.end for span in trailing}
    found: list[Span] = []
    start = 0
    in_row = _ROW().match(text) is not None
    for match in _END().finditer(text):
        if match.group()[0] == "\n":
            _add(found, text, start, match.end())
            start = match.end()
            in_row = _ROW().match(text, start) is not None
        elif match.start() >= start and not in_row and not walls.hold(match.start()):
            end = _with_trailing(text, match.end(), after)
            if end == match.end() and (text[end : end + 1] or " ") in OPENERS and match.group()[0] in ".!?":
                continue
            if (end == match.end() and _is_abbreviation(text, start, match)) or _goes_on(text, end):
                continue
            _add(found, text, start, end)
            start = end
    _add(found, text, start, len(text))
    return tuple(found)


class Lines:
    """Where the lines of a text begin, found once: asked of every sentence it would cost the square of the text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in _BREAK().finditer(text))]

    def start(self, position: int) -> int:
        """The beginning of the line that holds a position."""
        return self._starts[bisect_right(self._starts, position) - 1]

    def titled(self, position: int) -> bool:
        """Whether a position lies in a Markdown heading."""
        return _TITLE().match(self._text, self.start(position)) is not None


class _Walls:
    """Tells whether a position lies in one of sorted spans; positions are asked in order."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self._index = 0

    def hold(self, position: int) -> bool:
        while self._index < len(self._spans) and self._spans[self._index].end <= position:
            self._index += 1
        return self._index < len(self._spans) and self._spans[self._index].start <= position


def _with_trailing(text: str, end: int, after: dict[int, int]) -> int:
    """The end of a sentence, past the markers that follow it on its line and a stop that stands behind them."""
    place = end
    while True:
        while text[place : place + 1] in (" ", "\t"):
            place += 1
        if place not in after:
            return end
        place = end = after[place]
        if text[end : end + 1] in (".", "。"):
            place = end = end + 1


def _goes_on(text: str, end: int) -> bool:
    """Whether what stands behind a stop cannot begin a sentence: a comma, or a lower-case letter on the same line."""
    following = text[end : end + 2].lstrip(" \t")[:1]
    return following in (",", ";") or following.islower()


def _is_abbreviation(text: str, start: int, match: Match[str]) -> bool:
    if match.group() != ".":
        return False
    if text[match.start() - 1 : match.start()] == "\\":  # `1\. First`: Markdown's way not to begin a list
        return True
    return _ABBREVIATION().search(text[max(start, match.start() - 12) : match.end()]) is not None


def _add(found: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if stripped:
        offset = start + len(piece) - len(piece.lstrip())
        found.append(Span(offset, offset + len(stripped)))
