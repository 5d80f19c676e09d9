"""Colours and the few style rules that Streamlit's theme has no option for.

Phases and citation classes keep one colour everywhere, and always a shape or a word beside it.
"""

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

CSS: Final = """
<style>
.stMainBlockContainer{padding-top:3.6rem;padding-bottom:4rem;max-width:1500px}
h1{font-size:1.55rem!important;padding:.2rem 0 .1rem!important}
h2{font-size:1.12rem!important;padding:.9rem 0 .1rem!important}
h3{font-size:.8rem!important;letter-spacing:.05em;text-transform:uppercase;color:#5f6b7d!important;font-weight:600!important;padding:.6rem 0 .2rem!important}
.wb-strip{display:flex;flex-wrap:wrap;gap:.5rem 1.8rem;margin:.1rem 0 .6rem}
.wb-strip div{color:#5f6b7d;font-size:.86rem;line-height:1.35}
.wb-strip b{display:block;color:#1d2433;font-size:1.18rem;font-weight:600;font-variant-numeric:tabular-nums}
.wb-note{border-left:4px solid #2a6f97;background:#fff;border-radius:4px;padding:.6rem .9rem;margin:.2rem 0 .7rem;line-height:1.5}
.wb-note.warn{border-color:#b8651b}.wb-note.bad{border-color:#b3261e}.wb-note.good{border-color:#2d7d46}
.wb-note small,.wb-mute{color:#5f6b7d;font-size:.86rem}
.wb-sim{display:inline-block;border:1px solid #b8651b;color:#8a4a10;border-radius:10px;padding:0 .55rem;font-size:.78rem;background:#fdf5ec}
</style>
"""


def apply() -> None:
    """Once a page run, before anything else is drawn."""
    st.html(CSS)
