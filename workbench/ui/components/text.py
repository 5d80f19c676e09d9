"""Untrusted text made safe for Streamlit's Markdown and HTML, and for Plotly's labels."""

import html
import re

from workbench.ui.components.visible import visible

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~$:^=&])")
# Streamlit links bare addresses and turns :names: into icons after it has undone the escapes, so these are split by a
# character without width.
_JOINER = "\u2060"
_LIVE = re.compile(r"(?<=:)|(?<=www)(?=\\?\.)|(?=@)")


def plain(text: str) -> str:
    """Text as Markdown that shows exactly the text: no link, image, formula, colour or icon of it takes effect."""
    return _LIVE.sub(_JOINER, _MARKDOWN.sub(r"\\\1", " ".join(visible(text).split())))


def escaped(text: str) -> str:
    """Text for `st.html` and for names in Plotly figures, which read a little HTML of their own."""
    return html.escape(visible(text), quote=True)


def short(text: str, limit: int) -> str:
    """One line of at most `limit` characters, with an ellipsis where it was cut."""
    flat = " ".join(visible(text).split())
    return flat if len(flat) <= limit else flat[: limit - 1].rstrip() + "…"
