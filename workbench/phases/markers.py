"""Citation markers in the prose of a report: what they look like, where they stand, what they point at."""

from collections.abc import Callable, Iterator, Sequence
from re import IGNORECASE, MULTILINE, Match
from typing import NamedTuple

from workbench.phases.author_year import author_year_marks
from workbench.phases.lazy import Pattern
from workbench.phases.sentences import Span
from workbench.phases.urls import find_urls, link_target

_FENCE = Pattern(r"^[ \t]{0,3}(`{3,}|~{3,})", MULTILINE)
_INLINE_CODE = Pattern(r"(?<!`)(`{1,4})(?!`)[^`\n]{1,2000}\1(?!`)")
_NUMBERS = r"\d{1,4}(?:[ \t]{0,2}(?:[,，、;；]|[-–—~～])[ \t]{0,2}\^?\d{1,4})*"
_BRACKET = Pattern(
    r"\[(?P<anchor>\^?\d{1,4})\]\(#[^()\s]{0,80}\)"
    rf"|\[\[(?P<double>\d{{1,4}})\]\](?!\()|\[(?P<square>\^?{_NUMBERS})\](?!\(|:[ \t])"
    rf"|【(?P<lenticular>{_NUMBERS})(?:†[^】\n]{{0,200}})?】|［(?P<wide>{_NUMBERS})］"
    rf"|<sup>[ \t]?\[?(?P<sup>{_NUMBERS})\]?[ \t]?</sup>|\[\^(?P<note>[^\]\s]{{1,60}})\](?!:)"
)
_BARE_NUMBER = Pattern(
    r"(?<=[^\W\d_]|[)”\"’%\]*]) (?P<prose>\d{1,3}(?:, ?\d{1,3})*)(?=[.,;:!?](?:\s|$))"
    r"|\| (?P<cell>\d{1,3}(?:, ?\d{1,3})*) \|"
)
_COUNTED = Pattern(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|type|level|phase|step"
    r"|chapter|section|table|figure|fig|stage|grade|version|part|day|week|month|year|age|aged|top|over|than|least|of|to"
    r"|and|or|the|in|by|from|between|until|about|around|approximately|under|above|below|is|was|are|were|equals|no|number"
    r"|question|item|class|tier|category|volume|vol|issue|page|pp|rank|ranked|scored?|only|exactly|a|an|with|for|at|on)$",
    IGNORECASE,
)
_LINK = Pattern(r"(?P<image>!)?\[(?:[^\[\]\n]|\[[^\[\]\n]{0,300}\]){0,600}\]\([ \t]{0,4}<?(?=https?://)", IGNORECASE)
_QUOTING = Pattern(r"<qwen:cite\s{1,4}id=[\"'](?P<ids>[^\"'<>\n]{1,400})[\"'][^<>\n]{0,200}>", IGNORECASE)
_QUOTING_END = "</qwen:cite>"
_LABELS = (
    r"long_context|doc|docs|document|file|pdf|image|img|video|audio|source|web|文档|文件|图片|图像|视频|音频|来源|资料"
)
_EXTENSIONS = r"pdf|docx?|xlsx?|csv|tsv|pptx?|txt|md|html?|json|jpe?g|png|gif|mp3|mp4|wav"
_TITLE = Pattern(
    rf"\[(?:{_LABELS})[:：][ \t]{{0,2}}"
    r"(?:[\"“](?P<quoted>[^\n\]]{1,300}?)[\"”](?=[ \t]{0,2}[,，;；\]])|(?P<plain>[^\"“\n\[\],，]{1,300}))"
    r"[^\]\n\[]{0,80}\](?!\()"
    rf"|\[(?P<name>[^\[\]\n:：\"“]{{1,120}}\.(?:{_EXTENSIONS}))(?:[,，;；][^\[\]\n]{{0,60}})?\](?!\()",
    IGNORECASE,
)
_LATEX = Pattern(r"\\[Cc]ite[a-z]{0,12}\*?(?:\[[^\[\]\n]{0,100}\]){0,2}\{(?P<keys>[^{}\n]{1,400})\}")
_ONE_LETTER = Pattern(r"\b[A-Za-z]$")
_ID = Pattern(r"\d{1,4}")
_PART = Pattern(r"(\d{1,4})(?:[ \t]{0,2}[-–—~～][ \t]{0,2}\^?(\d{1,4}))?")
MAX_RANGE = 40
MAX_QUOTE_CHARS = 6000
FIRST_YEAR = 1000


class Marker(NamedTuple):
    """A marker in the prose: offsets, and what it gives: labels of entries (`1`, `12`), an address, or a title.

    `style` in link tag key title number note author bare (and image while searching: a picture cites nothing).
    """

    start: int
    end: int
    labels: tuple[str, ...]
    url: str | None
    style: str


def code_spans(text: str) -> tuple[Span, ...]:
    """Fenced blocks (an open fence runs to the end) and inline code, in order, without overlaps."""
    blocks: list[Span] = []
    opened: Match[str] | None = None
    for match in _FENCE().finditer(text):
        if opened is None:
            opened = match
        elif match[1][0] == opened[1][0] and len(match[1]) >= len(opened[1]):
            end = text.find("\n", match.end())
            blocks.append(Span(opened.start(), len(text) if end < 0 else end))
            opened = None
    if opened is not None:
        blocks.append(Span(opened.start(), len(text)))
    return merge([*blocks, *(Span(match.start(), match.end()) for match in _INLINE_CODE().finditer(text))])


def merge(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The union of spans, sorted and without overlaps."""
    out: list[Span] = []
    for span in sorted(spans):
        if out and span.start < out[-1].end:
            out[-1] = Span(out[-1].start, max(out[-1].end, span.end))
        else:
            out.append(span)
    return tuple(out)


def find_markers(
    text: str, skip: Sequence[Span], known: frozenset[str], keys: frozenset[str] = frozenset()
) -> tuple[Marker, ...]:
    """All markers outside `skip` (code, reference list), in order, without overlaps.

    `known` are the labels of the reference list, `keys` its authors and years. A number in brackets that is no entry
    and could be a year (1000 and above) is no marker. Numbers without brackets count only in a report whose list is
    numbered and that uses no brackets, as Gemini writes them.
    """
    taken = list(merge(skip))
    found: list[Marker] = []
    finders: list[Callable[[str], Iterator[Marker]]] = [_links, _quoting_tags, _latex, _titles]
    finders += [lambda prose: _brackets(prose, known), lambda prose: _author_years(prose, keys), _bare]
    for finder in finders:
        taken = _take(finder(text), taken, found)
    if len(known) >= 3 and not any(marker.labels for marker in found):
        _take(_bare_numbers(text, known), taken, found)
    return tuple(sorted(marker for marker in found if marker.style != "image"))


def _take(markers: Iterator[Marker], taken: Sequence[Span], found: list[Marker]) -> list[Span]:
    """Adds the markers that touch no taken span to `found`, and returns the spans taken now. Both are in order."""
    fresh: list[Marker] = []
    index = 0
    for marker in markers:
        while index < len(taken) and taken[index].end <= marker.start:
            index += 1
        if index == len(taken) or taken[index].start >= marker.end:
            fresh.append(marker)
    found.extend(fresh)
    return list(merge([*taken, *(Span(marker.start, marker.end) for marker in fresh)]))


def _links(text: str) -> Iterator[Marker]:
    last = 0
    for match in _LINK().finditer(text):
        target = link_target(text, match.end()) if match.start() >= last else None
        if target is None:
            continue
        last = _link_end(text, target[0])
        yield Marker(match.start(), last, (), target[1], "image" if match["image"] else "link")


def _link_end(text: str, end: int) -> int:
    """Past the closing bracket of a link, and a title before it; right after the address where it is left open."""
    if text[end : end + 1] in (")", ""):
        return min(end + 1, len(text))
    rest = text[end : end + 300].split("\n", 1)[0]
    close = rest.find(")")
    return end + close + 1 if close >= 0 else end


def _quoting_tags(text: str) -> Iterator[Marker]:
    """`<qwen:cite id="id_2,id_3">evidence</qwen:cite>`: the tag with the evidence that it quotes is the marker."""
    for match in _QUOTING().finditer(text):
        limit = match.end() + MAX_QUOTE_CHARS
        close = text.find(_QUOTING_END, match.end(), limit)
        following = text.find("<qwen:cite", match.end(), limit)
        closed = close >= 0 and not 0 <= following < close
        labels = tuple(dict.fromkeys(str(int(number)) for number in _ID().findall(match["ids"])))
        if labels:
            yield Marker(match.start(), close + len(_QUOTING_END) if closed else match.end(), labels, None, "tag")


def _latex(text: str) -> Iterator[Marker]:
    """`\\cite{a,b}`, `\\citep[p. 3]{a}`: keys that a table of sources or a footnote explains."""
    for match in _LATEX().finditer(text):
        labels = tuple(dict.fromkeys(key.strip() for key in match["keys"].split(",") if key.strip()))
        if labels:
            yield Marker(match.start(), match.end(), labels, None, "key")


def _titles(text: str) -> Iterator[Marker]:
    """`[long_context: "title", chunk 3]`, `[Doc: paper.pdf]`, `[paper.pdf, page 3]`: a source named by its title."""
    for match in _TITLE().finditer(text):
        title = next(group for group in match.groups() if group).strip()
        if title:
            yield Marker(match.start(), match.end(), (title,), None, "title")


def _brackets(text: str, known: frozenset[str]) -> Iterator[Marker]:
    for match in _BRACKET().finditer(text):
        note = match["note"]
        if note and not note.isdecimal():
            if note in known:
                yield Marker(match.start(), match.end(), (note,), None, "note")
            continue
        labels = expand(next(group for group in match.groups() if group))
        listed = all(label in known for label in labels)
        # `P[8]` and `x[0]` are names, an exponent or isotope is set as `<sup>` too: those count only if listed.
        doubtful = match["sup"] or _ONE_LETTER().search(text, max(0, match.start() - 2), match.start())
        if listed or (not doubtful and all(label in known or int(label) < FIRST_YEAR for label in labels)):
            yield Marker(match.start(), match.end(), labels, None, "number")


def _author_years(text: str, keys: frozenset[str]) -> Iterator[Marker]:
    for start, end, named in author_year_marks(text, keys):
        yield Marker(start, end, named, None, "author")


def expand(numbers: str) -> tuple[str, ...]:
    """`1, 3-5` -> 1 3 4 5; a range that falls or is longer than 40 keeps its two ends."""
    out: list[int] = []
    for match in _PART().finditer(numbers):
        first, last = int(match[1]), int(match[2] or match[1])
        out.extend(range(first, last + 1) if 0 <= last - first < MAX_RANGE else (first, last))
    return tuple(str(number) for number in dict.fromkeys(out))


def _bare_numbers(text: str, known: frozenset[str]) -> Iterator[Marker]:
    """` 5.` at the end of a sentence or clause, where every number is an entry and no word before it counts things."""
    for match in _BARE_NUMBER().finditer(text):
        group = "prose" if match["prose"] else "cell"
        labels = expand(match[group])
        if all(label in known for label in labels) and not _COUNTED().search(
            text, max(0, match.start() - 20), match.start()
        ):
            yield Marker(match.start(group), match.end(group), labels, None, "number")


def _bare(text: str) -> Iterator[Marker]:
    for hit in find_urls(text):
        yield Marker(hit.start, hit.end, (), hit.url, "bare")
