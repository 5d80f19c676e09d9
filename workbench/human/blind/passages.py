"""Citation marks that open the passage they rest on: found in the run, shown inert and masked, without its address."""

import re
from collections.abc import Callable, Sequence
from html import escape

from workbench.schema.analysis import Citation, Passage
from workbench.schema.trajectory import Step

# What stands around a passage in its page, on either side.
CONTEXT_CHARS = 300
# A sign of our own before each citation: rendering moves offsets, and keeps this.
_SIGN = re.compile(r"⸨(\d+)⸩")
_BEFORE_MARK = re.compile(r'((?:⸨\d+⸩\s?)+)<span class="cite">')
_MARK = '<span class="cite">'
_URL = re.compile(r"(?:\b(?:https?|ftp)://|\bwww\.)[^\s<>\"'`|\\^{}]+", re.IGNORECASE)
_SPACE = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\s*\n\s*\n\s*")


def signed(report: str, citations: Sequence[Citation]) -> str:
    """The report with a sign before each citation's mark; signs that the report brought along are gone."""
    out: list[str] = []
    at = 0
    for number, one in enumerate(sorted(citations, key=lambda one: one.start)):
        if not at <= one.start <= len(report):
            continue
        out += [_SIGN.sub("", report[at : one.start]), f"⸨{number}⸩"]
        at = one.start
    return "".join([*out, _SIGN.sub("", report[at:])])


def with_openings(html: str, opens: Callable[[int], int | None]) -> str:
    """Rendered text with a number at every mark that a passage can be opened from, and no sign left.

    `opens`: citation number -> passage number. A mark without one gets an empty number, so that all marks look alike.
    """

    def mark(found: re.Match[str]) -> str:
        numbers = dict.fromkeys(opens(int(number)) for number in _SIGN.findall(found.group(1)))
        shown = " ".join(str(number) for number in numbers if number is not None)
        return f'<span class="cite" data-p="{shown}">'

    return _SIGN.sub("", _BEFORE_MARK.sub(mark, html)).replace(_MARK, '<span class="cite" data-p="">')


def passage_html(steps: Sequence[Step], passage: Passage, mask: Callable[[str], str]) -> str:
    """The passage, marked, and what stands around it: escaped text, names masked, addresses gone."""
    text = steps[passage.step].tool_results[passage.result].text
    start, end = max(0, passage.start - CONTEXT_CHARS), min(len(text), passage.end + CONTEXT_CHARS)
    before = inert(text[start : passage.start], mask)
    after = inert(text[passage.end : end], mask)
    lead, tail = ("… " if start else ""), (" …" if end < len(text) else "")
    return f"{lead}{before}<mark>{inert(text[passage.start : passage.end], mask)}</mark>{after}{tail}"


def inert(text: str, mask: Callable[[str], str]) -> str:
    """Escaped text of a tool result: masked, each address as ↗, runs of space and empty lines as one."""
    plain = _LINES.sub("\n", _SPACE.sub(" ", _URL.sub("↗", text)))
    return escape(mask("".join(char for char in plain if char == "\n" or char.isprintable())))
