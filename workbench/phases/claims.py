"""Sentences of a report that state a figure, a date or a name and carry no citation."""

from bisect import bisect_right
from collections.abc import Sequence
from re import IGNORECASE
from typing import Literal, NamedTuple, TypeAlias

from workbench.phases.citations import Reading, read_report
from workbench.phases.lazy import Pattern
from workbench.phases.markers import merge
from workbench.phases.sentences import Span

ClaimKind: TypeAlias = Literal["figure", "date", "name"]

_FIGURE = Pattern(
    r"[$€£¥￥]\s?\d|\d(?:[\d.,]*\d)?\s?(?:%|％|percent|per cent|million|billion|trillion|thousand|bn\b|times\b|fold\b"
    r"|万|亿|千|百|倍|元|美元|人|家|个|项|次|吨|公里|kg\b|km\b|mg\b|ms\b|nm\b|mm\b|cm\b|kw|mw|gw|usd|eur)"
    r"|(?<![\w.])\d+[.,]\d+(?![\w.])|(?<![\w.\-])\d{2,}(?![\w.\-]|[)）、])",
    IGNORECASE,
)
_DATE = Pattern(
    r"(?<!\d)(?:1[5-9]|20)\d{2}(?!\d)(?:\s?年)?|\d{1,2}\s?月\s?\d{1,2}\s?日"
    r"|\b(?:january|february|march|april|june|july|august|september|october|november|december)\s+\d{1,2}\b",
    IGNORECASE,
)
_NAME = Pattern(
    r"(?<=[a-z0-9,;)] )(?:[A-Z][a-zA-Z&.\-]+|[A-Z]{2,})(?: (?:of|the|and|for|de|van|von) (?=[A-Z])| (?=[A-Z]))"
    r"[A-Z][a-zA-Z&\-]+|《[^》\n]{2,40}》|[\u4e00-\u9fff]{2,12}(?:大学|公司|集团|研究院|研究所|委员会|银行|部门|协会|教授|博士)"
)
_TITLE_LINE = Pattern(r"(?:[*_]{2,3}[^*\n]{1,300}[*_]{2,3}[ \t]*)+[:：]?")
_PICTURE = Pattern(r"!\[[^\]\n]{0,300}\]\([^)\n]{0,2000}\)")
_EMPHASIS = Pattern(r"\*\*[^*\n]{1,200}\*\*|`[^`\n]{1,200}`")
_LETTER = Pattern(r"[^\W\d_]")
# Below this many letters a line is a label or a fragment.
MIN_LETTERS = 12


class UncitedClaim(NamedTuple):
    """A sentence by its offsets in the report, and what it states that a reader could want to check."""

    start: int
    end: int
    kinds: tuple[ClaimKind, ...]


def uncited_claims(
    report: str, *, paragraph_covers: bool = True, names_alone: bool = False
) -> tuple[UncitedClaim, ...]:
    """Sentences with a figure, a date or a name that no citation serves, in order.

    A citation serves its own sentence. Where it stands behind the last stop of a paragraph it serves the whole
    paragraph, as many reports mean it; `paragraph_covers=False` counts only that sentence. A name makes a claim only
    beside a figure or a date: alone it marks more instructions and remarks than claims (`names_alone=True` takes them
    all the same). Titles, questions, code,
    the reference list and the first row of a table are no claims.
    """
    reading = read_report(report)
    served = {claim.start for claim in reading.claims} | {span.start for span in _marked(reading)}
    covered = _covered_paragraphs(report, reading) if paragraph_covers else ()
    silent = merge([*reading.code, *reading.references.spans])
    out = []
    for span in reading.sentences:
        if (
            _in(silent, span.start)
            or span.start in served
            or _in(covered, span.start)
            or reading.lines.titled(span.start)
            or not _states(report, span)
        ):
            continue
        kinds = _kinds(_PICTURE().sub(" ", report[span.start : span.end]))
        if kinds and (names_alone or kinds != ("name",)):
            out.append(UncitedClaim(span.start, span.end, kinds))
    return tuple(out)


def _marked(reading: Reading) -> list[Span]:
    """Sentences that hold a marker, also one that serves the sentence before."""
    starts = [span.start for span in reading.sentences]
    return [reading.sentences[max(bisect_right(starts, marker.start) - 1, 0)] for marker in reading.markers if starts]


def _kinds(sentence: str) -> tuple[ClaimKind, ...]:
    dated = _DATE().search(sentence) is not None
    rest = _DATE().sub(" ", sentence)
    found: list[ClaimKind] = []
    if _FIGURE().search(rest):
        found.append("figure")
    if dated:
        found.append("date")
    if _NAME().search(_EMPHASIS().sub(" ", sentence)):
        found.append("name")
    return tuple(found)


def _states(report: str, span: Span) -> bool:
    """Whether a sentence can be a claim at all: no title, question, label or head of a table."""
    text = report[span.start : span.end]
    if text.startswith(("#", "|--", "| --", "|:", "| :")) or text.endswith(("?", "？", ":", "：")):
        return False
    if _TITLE_LINE().fullmatch(text) or len(_LETTER().findall(text[:400])) < MIN_LETTERS:
        return False
    if text.startswith("|"):
        following = report[span.end : span.end + 80].lstrip()
        return not following.startswith(("|--", "| --", "|:", "| :", "|-", "| -"))
    return True


def _covered_paragraphs(report: str, reading: Reading) -> Sequence[Span]:
    """Paragraphs that end with a marker behind their last stop."""
    out: list[Span] = []
    for marker in reading.markers:
        rest = report[marker.end : marker.end + 400].partition("\n")[0]
        if rest.strip(" \t*_)]）】.。") and not rest.lstrip().startswith(("[", "【", "(", "<")):
            continue
        before = report[max(0, marker.start - 6) : marker.start].rstrip(" \t[]()（【")
        if before.endswith((".", "。", "!", "！", "?", "？", "”", '"')):
            out.append(Span(reading.lines.start(marker.start), marker.end))
    return out


def _in(spans: Sequence[Span], position: int) -> bool:
    index = bisect_right(spans, position, key=lambda span: span.start) - 1
    return index >= 0 and position < spans[index].end
