"""The differences of two reports as HTML: rows in two columns, what is alike folded, moved sentences linked.

Everything of a report passes through `escaped`; a citation in it keeps the mark of its class.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final, TypeAlias

from workbench.phases.sentences import Span
from workbench.reading.report_diff import ReportDiff, Row, Sentence, compare_reports, without
from workbench.reading.word_diff import differing_words
from workbench.ui.components.compare.attempts import Attempt, badge
from workbench.ui.components.text import escaped
from workbench.ui.components.viewer.report_html import citation_label

# (start, end, class, label): offsets in a report; the label is shown in place of the text where there is one.
Mark: TypeAlias = tuple[int, int, str, str]

# A stretch of so many sentences that are alike is folded.
FOLD: Final = 4
_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+")


def diff_html(left: Attempt, right: Attempt) -> str:
    """The whole comparison of two reports, its counts first."""
    diff = compare_reports(left.report, right.report, markers=(_markers(left), _markers(right)))
    sides = (_Side(left, diff, first=True), _Side(right, diff, first=False))
    rows = [
        _folded(list(group), sides) if same else "".join(_row(row, sides) for row in group)
        for same, group in groupby(diff.rows, key=lambda row: row.kind == "same")
    ]
    head = f"<div>{badge(left.letter)}</div><div>{badge(right.letter)}</div>"
    return (
        f'{_counts(diff, left, right)}<div class="wbc-diff"><div class="wbc-row head">{head}</div>{"".join(rows)}</div>'
    )


def _counts(diff: ReportDiff, left: Attempt, right: Attempt) -> str:
    n = diff.counts
    return (
        '<p class="wbc-key">'
        f"<span><b>{n['same']:,}</b> sentences alike</span>"
        f'<span><b>{n["changed"]:,}</b> <span class="d">reworded</span></span>'
        f'<span><b>{n["moved"]:,}</b> <span class="wbc-moved">↕</span> stand elsewhere</span>'
        f'<span><b>{n["only_left"]:,}</b> <span class="only">only in {badge(left.letter)}</span></span>'
        f'<span><b>{n["only_right"]:,}</b> <span class="only">only in {badge(right.letter)}</span></span></p>'
    )


class _Side:
    """One report of the two, with what is needed to show a sentence of it."""

    def __init__(self, attempt: Attempt, diff: ReportDiff, *, first: bool) -> None:
        self.text = attempt.report
        self.own: Sequence[Sentence] = diff.left if first else diff.right
        self.other: Sequence[Sentence] = diff.right if first else diff.left
        self.first = first
        self.bare = without(attempt.report, _markers(attempt))
        self.citations: list[Mark] = sorted(
            (c.start, c.end, f"c {c.retrieval} {c.support}", citation_label(c))
            for c in attempt.analysis.citations
            if c.end > c.start
        )
        # Markers do not overlap, so their ends rise as their beginnings do.
        self._starts = [start for start, *_ in self.citations]
        self._ends = [end for _, end, *_ in self.citations]

    def cell(self, places: Sequence[int], other: "_Side") -> str:
        return f"<div>{''.join(self.sentence(place, other) for place in places)}</div>"

    def sentence(self, place: int, other: "_Side") -> str:
        sentence = self.own[place]
        first, last = bisect_left(self._ends, sentence.start + 1), bisect_left(self._starts, sentence.end)
        marks = self.citations[first:last]
        if sentence.kind in ("changed", "moved_changed") and sentence.partner is not None:
            marks += self._differing(sentence, other)
        heading = _HEADING.match(self.text, sentence.start, sentence.end)
        start = heading.end() if heading else sentence.start
        shown = marked_html(self.text, start, sentence.end, marks)
        kind = sentence.kind.replace("_", " ")
        name = ("l" if self.first else "r") + str(place)
        there = ("r" if self.first else "l") + str(sentence.partner)
        moved = ""
        if sentence.kind in ("moved", "moved_changed"):
            moved = f'<a class="wbc-moved" href="#wbc-{there}" title="where it stands in the other report">↕</a> '
        tag = "h5" if heading else "p"
        return f'<{tag} class="{kind}" id="wbc-{name}">{moved}{shown}</{tag}>'

    def _differing(self, sentence: Sentence, other: "_Side") -> Iterator[Mark]:
        partner = other.own[sentence.partner or 0]
        mine, _ = differing_words(self.bare[sentence.start : sentence.end], other.bare[partner.start : partner.end])
        at = sentence.start
        for piece, differs in mine:
            if differs and piece.strip():
                yield at, at + len(piece), "d", ""
            at += len(piece)


def _row(row: Row, sides: tuple[_Side, _Side]) -> str:
    left, right = sides
    return f'<div class="wbc-row {row.kind}">{left.cell(row.left, right)}{right.cell(row.right, left)}</div>'


def _folded(rows: Sequence[Row], sides: tuple[_Side, _Side]) -> str:
    shown = "".join(_row(row, sides) for row in rows)
    if len(rows) < FOLD:
        return shown
    return f'<details class="wbc-alike"><summary>{len(rows):,} sentences alike</summary>{shown}</details>'


def marked_html(text: str, start: int, end: int, marks: Sequence[Mark]) -> str:
    """`text[start:end]` escaped, each stretch in a span of the classes of all marks that cover it."""
    cuts = {start, end}
    for first, last, *_ in marks:
        cuts |= {max(start, min(first, end)), max(start, min(last, end))}
    out = []
    for a, b in pairwise(sorted(cuts)):
        over = [mark for mark in marks if mark[0] <= a and b <= mark[1]]
        label = next((mark[3] for mark in over if mark[3] and mark[:2] == (a, b)), "")
        # Signs of emphasis would be read as words that differ; the whole reports show what they make.
        piece = escaped(label or text[a:b].replace("**", ""))
        out.append(f'<span class="{" ".join(mark[2] for mark in over)}">{piece}</span>' if over else piece)
    return "".join(out)


def _markers(attempt: Attempt) -> tuple[Span, ...]:
    """Places of the citations in the text, in order and apart."""
    found: list[Span] = []
    for start, end in sorted({(c.start, c.end) for c in attempt.analysis.citations if c.end > c.start}):
        if not found or start >= found[-1].end:
            found.append(Span(start, end))
    return tuple(found)
