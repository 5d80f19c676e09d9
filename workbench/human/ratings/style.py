"""How a report is written, apart from what it says: what style control takes out of a rating."""

import re
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from workbench.human.blind.normalise import normalise, outside_code
from workbench.phases.citations import read_report
from workbench.stats.estimate import FloatMatrix

StyleCounts: TypeAlias = tuple[int, int, int, int, int]
STYLE_FEATURES: tuple[str, ...] = ("length", "citations", "headings", "bold", "lists")

_HEADING = re.compile(r"(?m)^ {0,3}#{1,6}\s+\S")
_BOLD = re.compile(r"(\*\*|__)(?=\S).+?(?<=\S)\1", re.DOTALL)
_ITEM = re.compile(r"(?m)^\s*(?:[-*+]|\d{1,3}[.)])\s+\S")


def style_of(report: str) -> StyleCounts:
    """Characters other than spaces, citation marks, headings, bold stretches and list items, in one form of markdown.

    Characters, not words: a Chinese report has no spaces between words.
    """
    text = normalise(report)
    prose: list[str] = []

    def keep(part: str) -> str:
        prose.append(part)
        return part

    outside_code(text, keep)
    shown = "".join(prose)
    return (
        len("".join(text.split())),
        len(read_report(text).markers),
        len(_HEADING.findall(shown)),
        len(_BOLD.findall(shown)),
        len(_ITEM.findall(shown)),
    )


def style_differences(left: Sequence[StyleCounts], right: Sequence[StyleCounts]) -> FloatMatrix:
    """(left - right) / (left + right) of each count, n x features in [-1, 1]; 0 where neither has any.

    Source: style control of the Chatbot Arena (2024), there for tokens, headings, bold and lists.
    """
    a, b = (np.array(rows, dtype=np.float64).reshape(len(rows), len(STYLE_FEATURES)) for rows in (left, right))
    total = a + b
    found: FloatMatrix = np.divide(a - b, total, out=np.zeros_like(total), where=total > 0)
    return found
