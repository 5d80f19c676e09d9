"""Text as a name is looked for in it, and where in the original each of its characters stands.

What looks alike to a reader is alike here: full-width and accented letters, Cyrillic and Greek look-alikes, entities.
What no reader sees is not there at all.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from html import unescape

# CommonMark's entities, as markdown-it shows them.
_ENTITY = re.compile(r"&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z][A-Za-z0-9]{1,31});")
# Not here: accents of Latin letters, which decompose.
_LOOK_ALIKES = {
    ord(written): latin
    for script, like in (
        ("аеорсухіјѕһԁԛԝѵкмтвнгпԍьӏАВЕЅԌНІЈКМОРСТУХԚԜѴЗ", "aeopcyxijshdqwvkmtbhrngblABESGHIJKMOPCTYXQWV3"),
        ("αοινρτυχκεωϲϳγΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ", "aoivptuxkewcjyABEZHIKMNOPTYXC"),
        ("ıɡɩʟɴɢɪʀ", "igilngir"),
        ("ᴀʙᴄᴅᴇʜᴊᴋᴍᴏᴘᴛᴜᴠᴡʏᴢꜱ", "abcdehjkmoptuvwyzs"),
        ("‐‑‒–—−", "------"),
    )
    for written, latin in zip(script, like, strict=True)
}


@dataclass(frozen=True, slots=True)
class Folded:
    """`text` keeps case and script; `plain`, of the same length, is lower case with look-alikes mapped to Latin.

    Character i of both stands for original[start[i]:end[i]].
    """

    text: str
    plain: str
    start: list[int]
    end: list[int]


def fold(original: str) -> Folded:
    """The folded view of `original`, in one pass."""
    chars: list[str] = []
    start: list[int] = []
    end: list[int] = []

    def add(piece: str, first: int, last: int) -> None:
        for char in piece:
            seen = _seen(char)
            chars.append(seen)
            start.extend([first] * len(seen))
            end.extend([last] * len(seen))

    at = 0
    for entity in _ENTITY.finditer(original):
        for i in range(at, entity.start()):
            add(original[i], i, i + 1)
        shown = unescape(entity.group(0))
        for i in range(entity.start(), entity.end() if shown == entity.group(0) else entity.start()):
            add(original[i], i, i + 1)  # no entity of that name: shown as written
        if shown != entity.group(0):
            add(shown, entity.start(), entity.end())
        at = entity.end()
    for i in range(at, len(original)):
        add(original[i], i, i + 1)
    text = "".join(chars)
    return Folded(text, "".join(map(_plain, text)), start, end)


def plain(name: str) -> str:
    """A name as it is looked for in `Folded.plain`."""
    return "".join(_plain(seen) for char in name for seen in _seen(char))


def shown(text: str) -> str:
    """`text` as it stands in `Folded.text`, entities apart: for patterns that are looked for there."""
    return "".join(_seen(char) for char in text)


@lru_cache(maxsize=8192)
def _seen(char: str) -> str:
    """What of one character a reader sees: nothing of invisible ones, marks, and private use; Latin without accent."""
    if char.isascii():
        return char if char in "\n\t\r" or char >= " " else ""
    out = ""
    for part in unicodedata.normalize("NFKC", char):
        base = unicodedata.normalize("NFD", part)[0]
        shown = base if base.isascii() else part
        if unicodedata.category(shown) not in ("Cf", "Cc", "Cs", "Co", "Cn", "Mn", "Me"):
            out += shown
    return out


@lru_cache(maxsize=8192)
def _plain(char: str) -> str:
    mapped = char.translate(_LOOK_ALIKES)
    lower = mapped.lower()
    lower = lower.translate(_LOOK_ALIKES) if len(lower) == 1 else mapped
    return lower if len(lower) == 1 else mapped
