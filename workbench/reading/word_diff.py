"""Which words of two versions of one sentence differ."""

from difflib import SequenceMatcher
from re import compile as pattern
from typing import Final, TypeAlias

from workbench.phases.text import CJK

# (text, whether it is only in this version)
Pieces: TypeAlias = tuple[tuple[str, bool], ...]

# Chinese is compared by the character: it has no spaces to cut at. A number with its sign and separators is one word.
_PIECES = pattern(rf"[+\-−]?\d+(?:[.,:]\d+)*%?|[{CJK}]|[^\W\d_{CJK}]+|\s+|.")
# The matcher's cost is the product of the lengths at worst; beyond this the whole sentence is shown as differing.
MOST_CELLS: Final = 1_000_000


def differing_words(left: str, right: str) -> tuple[Pieces, Pieces]:
    """Both versions cut into stretches that the other has too and stretches that it has not; nothing is left out."""
    a, b = _PIECES.findall(left.replace("\n", " ")), _PIECES.findall(right.replace("\n", " "))
    if len(a) * len(b) > MOST_CELLS:
        return ((left, True),), ((right, True),)
    matcher = SequenceMatcher(
        None, [piece.casefold() for piece in a], [piece.casefold() for piece in b], autojunk=False
    )
    first: list[tuple[str, bool]] = []
    second: list[tuple[str, bool]] = []
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        _add(first, "".join(a[a0:a1]), tag != "equal")
        _add(second, "".join(b[b0:b1]), tag != "equal")
    return tuple(_joined(first)), tuple(_joined(second))


def _add(pieces: list[tuple[str, bool]], text: str, differs: bool) -> None:
    if text:
        pieces.append((text, differs))


def _joined(pieces: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """A space between two words that differ is part of what differs: one mark instead of a dotted line."""
    found: list[tuple[str, bool]] = []
    for place, (text, differs) in enumerate(pieces):
        between = 0 < place < len(pieces) - 1 and pieces[place - 1][1] and pieces[place + 1][1]
        marked = differs or (between and not text.strip())
        if found and found[-1][1] == marked:
            found[-1] = (found[-1][0] + text, marked)
        else:
            found.append((text, marked))
    return found
