"""Text of trajectories on a terminal: hostile, so nothing of it may steer the terminal or hide."""

import re

from rich.text import Text

# Controls (escape sequences begin with one), bidirectional overrides, lone surrogates, invisible separators.
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ud800-\udfff]"
)
_BREAKS = re.compile(r"\s+")


def inert(text: str) -> str:
    """The text with every character that could steer a terminal shown as its number. Line breaks and tabs stay."""
    return _STEERING.sub(lambda match: f"<{ord(match.group()):04x}>", text)


def line(text: str, width: int | None = None) -> Text:
    """On one line, cut to `width` characters with an ellipsis; no markup of it is read."""
    flat = inert(_BREAKS.sub(" ", text)).strip()
    return Text(flat if width is None or len(flat) <= width else flat[: width - 1] + "…")
