"""Citation markers in the prose of a report: what they look like, where they stand, what they point at."""

from collections.abc import Iterator, Sequence
from re import IGNORECASE, MULTILINE
from typing import NamedTuple

from workbench.phases.lazy import Pattern
from workbench.phases.sentences import Span
from workbench.phases.urls import find_urls

_FENCE = Pattern(r"^[ \t]{0,3}(`{3,}|~{3,})", MULTILINE)
_INLINE_CODE = Pattern(r"(`+)(?!`)[^`\n]+\1(?!`)")
_NUMBERS = r"\d{1,4}(?:[ \t]*(?:[,，、;；]|[-–—~～])[ \t]*\^?\d{1,4})*"
_BRACKET = Pattern(
    rf"\[\[(?P<double>\d{{1,4}})\]\](?!\()"
    rf"|\[(?P<square>\^?{_NUMBERS})\](?!\(|:[ \t])"
    rf"|【(?P<lenticular>{_NUMBERS})(?:†[^】\n]{{0,200}})?】|［(?P<wide>{_NUMBERS})］"
    r"|\[\^(?P<note>[^\]\s]{1,60})\](?!:)"
)
_LINK = Pattern(
    r"(?P<image>!)?\[(?P<text>(?:[^\[\]\n]|\[[^\[\]\n]{0,300}\]){0,600})\]\([ \t]*<?(?=https?://)", IGNORECASE
)
_QWEN = Pattern(r"<qwen:cite\s+id=[\"'](?P<ids>[^\"'<>\n]{1,400})[\"'][^<>\n]{0,200}>", IGNORECASE)
_QWEN_END = "</qwen:cite>"
_TAG = Pattern(r"\[(?P<label>[A-Za-z_]{3,20}): ?[\"“](?P<title>[^\"”\n\]]{1,300})[\"”](?P<rest>[^\]\n\[]{0,80})\]")
_ID = Pattern(r"\d{1,4}")
_PART = Pattern(r"(\d{1,4})(?:[ \t]*[-–—~～][ \t]*\^?(\d{1,4}))?")
MAX_RANGE = 40


class Marker(NamedTuple):
    """A marker in the prose: offsets, and the labels of the entries (`1`, `12`) or the address that it gives."""

    start: int
    end: int
    labels: tuple[str, ...]
    url: str | None
    style: str


def code_spans(text: str) -> tuple[Span, ...]:
    """Fenced blocks (an open fence runs to the end) and inline code, in order."""
    blocks: list[Span] = []
    opened: tuple[int, str] | None = None
    for match in _FENCE().finditer(text):
        fence = match.group(1)
        if opened is None:
            opened = (match.start(), fence)
        elif fence[0] == opened[1][0] and len(fence) >= len(opened[1]):
            end = text.find("\n", match.end())
            blocks.append(Span(opened[0], len(text) if end < 0 else end))
            opened = None
    if opened is not None:
        blocks.append(Span(opened[0], len(text)))
    inline = [Span(match.start(), match.end()) for match in _INLINE_CODE().finditer(text)]
    return merge([*blocks, *inline])


def merge(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The union of spans, sorted and without overlaps."""
    out: list[Span] = []
    for span in sorted(spans):
        if out and span.start < out[-1].end:
            out[-1] = Span(out[-1].start, max(out[-1].end, span.end))
        else:
            out.append(span)
    return tuple(out)


def find_markers(text: str, skip: Sequence[Span], known: frozenset[str]) -> tuple[Marker, ...]:
    """All markers outside `skip` (code, reference list), in order. `known` are the labels of the reference list.

    A number in brackets that is no entry of a list and could be a year (1000 and above) is not a marker.
    """
    taken = list(merge(skip))
    found: list[Marker] = []
    for finder in (_links, _quoted_tags, _source_tags, lambda prose: _brackets(prose, known), _bare):
        fresh = list(_outside(finder(text), taken))
        found.extend(fresh)
        taken = list(merge([*taken, *(Span(m.start, m.end) for m in fresh)]))
    return tuple(sorted(found))


def _outside(markers: Iterator[Marker], taken: Sequence[Span]) -> Iterator[Marker]:
    """Those that touch no taken span; both are in order."""
    index = 0
    for marker in markers:
        while index < len(taken) and taken[index].end <= marker.start:
            index += 1
        if index == len(taken) or taken[index].start >= marker.end:
            yield marker


def _links(text: str) -> Iterator[Marker]:
    for match in _LINK().finditer(text):
        hit = next(find_urls(text[match.end() : match.end() + 4000].split("\n", 1)[0]), None)
        if hit is None or match["image"]:
            continue
        yield Marker(match.start(), _link_end(text, match.end() + hit.end), (), hit.url, "link")


def _link_end(text: str, end: int) -> int:
    """The end of a Markdown link: past an optional title and the closing bracket."""
    rest = text[end : end + 300].split("\n", 1)[0]
    close = rest.find(")")
    return end + close + 1 if close >= 0 else end


def _quoted_tags(text: str) -> Iterator[Marker]:
    """`<qwen:cite id="id_2,id_3">evidence</qwen:cite>`: the tag with the evidence that it quotes is the marker."""
    for match in _QWEN().finditer(text):
        close = text.find(_QWEN_END, match.end())
        following = text.find("<qwen:cite", match.end())
        ends = close >= 0 and (following < 0 or close < following)
        labels = tuple(str(int(number)) for number in _ID().findall(match["ids"]))
        yield Marker(match.start(), close + len(_QWEN_END) if ends else match.end(), labels, None, "tag")


def _source_tags(text: str) -> Iterator[Marker]:
    """`[long_context: "title", chunk 3]`: a source named by its title."""
    for match in _TAG().finditer(text):
        yield Marker(match.start(), match.end(), (f"title:{match['title'].strip()}",), None, "title")


def _brackets(text: str, known: frozenset[str]) -> Iterator[Marker]:
    for match in _BRACKET().finditer(text):
        if match["note"] and not match["note"].isdecimal():
            if match["note"] in known:
                yield Marker(match.start(), match.end(), (match["note"],), None, "note")
            continue
        numbers = next(group for group in match.groups() if group)
        labels = expand(numbers)
        if labels and all(label in known or int(label) < 1000 for label in labels):
            yield Marker(match.start(), match.end(), labels, None, "number")


def expand(numbers: str) -> tuple[str, ...]:
    """`1, 3-5` -> 1 3 4 5; a range that falls or is longer than 40 keeps its two ends."""
    out: list[int] = []
    for match in _PART().finditer(numbers):
        first, last = int(match[1]), int(match[2] or match[1])
        out.extend(range(first, last + 1) if 0 <= last - first < MAX_RANGE else (first, last))
    return tuple(str(number) for number in dict.fromkeys(out))


def _bare(text: str) -> Iterator[Marker]:
    for hit in find_urls(text):
        yield Marker(hit.start, hit.end, (), hit.url, "bare")
