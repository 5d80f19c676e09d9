"""Untrusted text made safe for Streamlit's Markdown and HTML."""

import html
import re

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~$:^=])")


def plain(text: str) -> str:
    """Text as Markdown that shows exactly the text: no link, image, formula, colour or icon of it takes effect."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def escaped(text: str) -> str:
    """Text for `st.html`."""
    return html.escape(text, quote=True)


def short(text: str, limit: int) -> str:
    """One line of at most `limit` characters, with an ellipsis where it was cut."""
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"
