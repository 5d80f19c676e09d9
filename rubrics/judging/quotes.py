"""Whether a quote stands in a text, whatever a model did to its marks, spacing and letters' case."""

import re

from rubrics.judging.text import fold

_ELLIPSIS = re.compile(r"\[?(?:\.\s?\.\s?\.+|…)\]?")
# Tool results are often JSON: the text shows escapes where a quote has what they stand for.
_ESCAPED = re.compile(r"\\u([0-9a-f]{4})")
_ESCAPE = re.compile(r'\\+[nrtbf"/]|\\\\')
# All that is no letter and no figure, but a stop or comma within a number: 3.5 is not 35.
_MARKS = re.compile(r"(?<!\d)[.,]|[.,](?!\d)|[^\w.,]|_")
# A shorter quote stands anywhere.
LEAST_CHARS = 4


def stands_in(quote: str, text: str) -> bool:
    """True if the words of the quote stand in the text in this order, each part between ellipses unbroken."""
    pieces = [piece for piece in (_bare(part) for part in _ELLIPSIS.split(quote)) if piece]
    if sum(len(piece) for piece in pieces) < LEAST_CHARS:
        return False
    bare, at = _bare(text), 0
    for piece in pieces:
        found = bare.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _bare(text: str) -> str:
    folded = _ESCAPED.sub(lambda match: chr(int(match.group(1), 16)), fold(text))
    return _MARKS.sub("", _ESCAPE.sub(" ", folded))
