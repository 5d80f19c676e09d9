"""Colours and the few style rules that Streamlit's theme has no option for.

Phases and citation classes keep one colour everywhere, and always a shape or a word beside it.
"""

from pathlib import Path
from typing import Final

import streamlit as st

from workbench.schema.analysis import Phase, Retrieval, Support

INK: Final = "#1d2433"
MUTE: Final = "#5f6b7d"
LINE: Final = "#e3e7ee"
BLUE: Final = "#2a6f97"
ORANGE: Final = "#b8651b"
GREEN: Final = "#2d7d46"
AMBER: Final = "#a86a00"
RED: Final = "#b3261e"
GREY: Final = "#8b95a7"

PHASE_COLOUR: Final[dict[Phase, str]] = {"plan": GREY, "research": BLUE, "synthesis": ORANGE}
RETRIEVAL_COLOUR: Final[dict[Retrieval, str]] = {
    "opened": GREEN,
    "seen": AMBER,
    "not_retrieved": RED,
    "dangling": RED,
    "no_trace": GREY,
}
RETRIEVAL_WORDS: Final[dict[Retrieval, str]] = {
    "opened": "opened",
    "seen": "seen, not opened",
    "not_retrieved": "not retrieved",
    "dangling": "dangling",
    "no_trace": "no trace to check",
}
SUPPORT_WORDS: Final[dict[Support, str]] = {
    "supported": "supported",
    "partly": "partly supported",
    "contradicted": "contradicted",
    "unrelated": "unrelated",
    "not_checked": "support not checked",
}
# For lines and bars of several runs, told apart in print and by most colour-blind readers.
SERIES: Final[tuple[str, ...]] = (BLUE, ORANGE, GREEN, "#7a4fa3", RED, "#3d8b8b", AMBER, GREY)


def plot_colours() -> tuple[str, str, str, str]:
    """Text, quiet text, lines and ground of a figure in the reader's theme: Plotly takes no name of a style sheet."""
    if st.context.theme.type == "dark":
        return "#e4e8ef", "#9aa6b8", "#323b49", "#191f29"
    return INK, MUTE, LINE, "#ffffff"


def apply() -> None:
    """Once a page run, before anything else is drawn."""
    st.html(Path(__file__).with_name("theme.css"))
