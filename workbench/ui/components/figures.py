"""Figures with their uncertainty and n, verdict sentences, and the mark of a simulated store."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from workbench.ui.components.text import escaped


@dataclass(frozen=True, slots=True)
class Figure:
    """A number as it is shown: already formatted, with what it is and what qualifies it (interval, n, target)."""

    value: str
    label: str
    qualifier: str = ""


def strip(figures: Sequence[Figure]) -> None:
    """A row of figures, each with its label and its qualifier beneath."""
    cells = "".join(
        f"<div>{escaped(figure.label)}<b>{escaped(figure.value)}</b>{escaped(figure.qualifier)}</div>"
        for figure in figures
    )
    st.html(f'<div class="wb-strip">{cells}</div>')


def verdict(
    sentence: str, *, rest: str = "", small: str = "", tone: Literal["plain", "good", "warn", "bad"] = "plain"
) -> None:
    """The sentence a page is read for, with what qualifies it in small print."""
    tail = f" {escaped(rest)}" if rest else ""
    fine = f"<br><small>{escaped(small)}</small>" if small else ""
    st.html(f'<div class="wb-note {tone}"><b>{escaped(sentence)}</b>{tail}{fine}</div>')


def simulated_mark(simulated: bool) -> None:
    """Everything that comes from the simulated web says so."""
    if simulated:
        st.html('<span class="wb-sim">simulated data</span>')


def interval(value: float | None, low: float | None, high: float | None, *, digits: int = 2) -> str:
    """`0.61 [0.58, 0.64]`; a missing value is said, never shown as zero."""
    if value is None:
        return "not measured"
    if low is None or high is None:
        return f"{value:.{digits}f}"
    return f"{value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def nothing_here(what: str, *, remedy: str) -> None:
    """An empty page says what would be here and how to get it."""
    commands = re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped(remedy))
    st.html(f'<div class="wb-note">{escaped(what)}<br><small>{commands}</small></div>')
