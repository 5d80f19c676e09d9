"""What is hidden in a text, spelt out: one rule for every page, by which what is shown is compared with the store."""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

_Kind: TypeAlias = Literal["shown", "hidden", "mark", "joiner", "selector"]

# Format characters that have a shape of their own: signs that enclose Arabic, Syriac and Kaithi numbers.
_SHAPED: Final = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
# Letters, marks and signs that are drawn as nothing though their category says otherwise.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc")
# More marks than this on one letter climb over the lines above it; no script in use needs as many.
MARKS: Final = 5
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_SYMBOL: Final = "#*0-9\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff"
_JOINING: Final = "\u0600-\u06ff\u0750-\u077f\u08a0-\u08ff\u0900-\u0dff"
# A joiner stays where writing needs it: between two letters of a joining script, and in an emoji of several; the
# selectors of a picture's form stay behind a symbol.
_LOOSE_JOINER: Final = re.compile(
    f"(?<![{_JOINING}{_SYMBOL}\ufe0f])[\u200c\u200d]|[\u200c\u200d](?![{_JOINING}{_SYMBOL}])"
)
_LOOSE_SELECTOR: Final = re.compile(f"(?<![{_SYMBOL}])[\ufe0e\ufe0f]")


def visible(text: str) -> str:
    """The text with every character that a reader would not see as `⟨U+200B⟩`: controls, zero-width, bidirectional,
    tag, private and filler characters, halves of surrogate pairs.

    Marks beyond the fifth on one letter stand on circles of their own. Line breaks and tabs stay, `\\r\\n` is one
    break. Idempotent; the same words as a judge is shown (`rubrics.judging.fence`).
    """
    if text.isascii() and _CONTROL.search(text) is None:
        return text
    text = text.replace("\r\n", "\n")
    # Only what stands in the text is looked for: a class of all that could be hidden is forty times slower.
    kinds: dict[_Kind, list[str]] = {}
    for char in set(text):
        kinds.setdefault(_kind(char), []).append(char)
    if hidden := kinds.get("hidden"):
        text = re.sub(_class_of(hidden), _spelt, text)
    if "joiner" in kinds:
        text = _LOOSE_JOINER.sub(_spelt, text)
    if "selector" in kinds:
        text = _LOOSE_SELECTOR.sub(_spelt, text)
    if marks := kinds.get("mark"):
        one = _class_of(marks)
        text = re.sub(f"({one}{{{MARKS}}})(?={one})", "\\1\u25cc", text)
    return text


def visible_json(value: Any) -> Any:
    """A JSON value with every name and text in it made visible."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {visible(str(name)): visible_json(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [visible_json(item) for item in value]
    return value


@lru_cache(maxsize=8192)
def _kind(char: str) -> _Kind:
    code, category = ord(char), unicodedata.category(char)
    if char in "\n\t" or char in _SHAPED:
        return "shown"
    if char in "\u200c\u200d":
        return "joiner"
    if char in "\ufe0e\ufe0f":
        return "selector"
    # What is not assigned is drawn as a box, but for the places that Unicode keeps for characters without a shape.
    shapeless = 0xFDD0 <= code <= 0xFDEF or code & 0xFFFE == 0xFFFE or 0xE0000 <= code <= 0xE0FFF
    variation = 0xFE00 <= code <= 0xFE0D
    if char in _BLANK or shapeless or variation or category in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp"):
        return "hidden"
    return "mark" if category in ("Mn", "Me") else "shown"


def _class_of(chars: list[str]) -> str:
    return f"[{''.join(map(re.escape, chars))}]"


def _spelt(match: re.Match[str]) -> str:
    return f"⟨U+{ord(match.group()):04X}⟩"
