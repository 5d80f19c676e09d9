"""Fences around untrusted text, closed by a word that the text cannot contain, with nothing hidden inside."""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rubrics.judging.text import fold, is_hidden
from workbench.schema.canonical import JsonValue, canonical_json

NONCE_DIGITS = 12

# Marks by which chat templates change the speaker. A server that renders a template may read them inside a message.
_ROLE_MARK = re.compile(
    r"<(?=[|｜][^|｜<>\n]{1,40}[|｜]>|/?(?:start_of_turn|end_of_turn|s|system|assistant|user)>|<SYS>>|</SYS>>)"
    r"|\[(?=/?INST\])",
    re.IGNORECASE,
)
_VARIATION = re.compile("[\ufe00-\ufe0e\U000e0100-\U000e01ef]")  # U+FE0F stays: emoji carry it in honest text


@dataclass(frozen=True, slots=True)
class Visible:
    """A text with its hidden characters spelt out, and how many places were changed."""

    text: str
    changed: int


def make_visible(text: str) -> Visible:
    """Spells out what a reader would not see (zero-width, bidirectional, tag characters) and breaks role marks.

    `⟨U+200B⟩` stands where the character stood; `<·|im_start|>` where a chat template would have changed the speaker.
    """
    text = text.replace("\r\n", "\n")
    changed = 0

    def spell(char: str) -> str:
        nonlocal changed
        changed += 1
        return f"⟨U+{ord(char):04X}⟩"

    if not text.isascii() or any(char < " " and char not in "\n\t" for char in text):
        text = "".join(spell(char) if is_hidden(char) or _VARIATION.match(char) else char for char in text)
    text, marks = _ROLE_MARK.subn(lambda match: match.group() + "·", text)
    return Visible(text, changed + marks)


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def draw_nonce(texts: Sequence[str], *, digest: Callable[[bytes], str] = _sha256) -> str:
    """A word of 12 hexadecimal digits that none of the texts contains, the same for the same texts.

    Being a hash of the texts it cannot be written into them beforehand, and it is drawn again if it stands there
    anyway. Deterministic, so that an equal request is an equal cache key.
    """
    folded = [fold(text) for text in texts]
    for attempt in range(1000):
        key: list[JsonValue] = [attempt, list(texts)]
        nonce = digest(canonical_json(key))[:NONCE_DIGITS]
        if not any(nonce in text for text in folded):
            return nonce
    raise ValueError("no nonce could be drawn in 1000 tries: the digest is not one")


def fence(label: str, text: str, nonce: str) -> str:
    """The text between an opening and a closing line that both carry the nonce. `text` must be visible already."""
    return f"<<<{label} {nonce}>>>\n{text}\n<<<END {label} {nonce}>>>"


def left_out_mark(chars: int, nonce: str) -> str:
    """What stands in a packed text where some of it was left out; the nonce says that it is ours."""
    return f"<<<LEFT OUT {nonce}: {chars} characters>>>"
