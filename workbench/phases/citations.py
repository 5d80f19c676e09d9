"""Citations of a report: markers tied to the sentence they serve, the source they name, and what the run retrieved."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from re import IGNORECASE
from typing import NamedTuple

from workbench.phases.documents import Part, Retrieved
from workbench.phases.lazy import Pattern
from workbench.phases.markers import Marker, code_spans, find_markers, merge
from workbench.phases.passages import PassageFinder
from workbench.phases.provider_citations import claim_of, recorded_citations
from workbench.phases.references import ReferenceList, find_references
from workbench.phases.sentences import Lines, Span, sentences
from workbench.phases.suffixes import site_of
from workbench.schema.analysis import Citation, Retrieval
from workbench.schema.trajectory import Trajectory

# What may stand around markers in a line that says nothing itself.
_LEAD = Pattern(
    r"(?:sources?|references?|citations?|see(?: also)?|via|from|cf|e\.g|and|also"
    r"|来源|资料来源|数据来源|信息来源|引用|参考|参见|见)*",
    IGNORECASE,
)
_NUMBERED_LINK = Pattern(r"\[\[?\^?\d{1,4}\]?\]\(")
# A label before a marker is no longer than this.
LABEL_CHARS = 14
_TRIM_LABEL = " \t*_([（"
_TRIM = " \t\r\n.,;:!?()[]{}（）【】。，；：、*_-–—|/>\"'“”"


class Reading(NamedTuple):
    """A report taken apart: its code, reference list and markers, each marker with the sentence it serves."""

    code: tuple[Span, ...]
    references: ReferenceList
    markers: tuple[Marker, ...]
    sentences: tuple[Span, ...]
    claims: tuple[Span, ...]
    lines: Lines


class _Source(NamedTuple):
    """What one label of a marker names. `named`: whether the report says what it is at all."""

    url: str | None
    title: str | None
    named: bool


def read_report(report: str) -> Reading:
    """Finds code, reference list, markers and sentences of a report, and the sentence that each marker serves."""
    code = code_spans(report)
    references = find_references(report, code)
    markers = find_markers(report, [*code, *references.spans], references.labels(), references.keys())
    opaque = merge([*code, *(Span(marker.start, marker.end) for marker in markers)])
    spans = sentences(report, opaque=opaque, trailing=_trailing(report, markers))
    lines = Lines(report)
    return Reading(code, references, markers, spans, _claims(report, markers, spans, lines), lines)


def _trailing(report: str, markers: Sequence[Marker]) -> list[Span]:
    """Markers that follow a sentence and belong to it: numbers, tags, and any that stand in brackets of their own."""
    out: list[Span] = []
    for marker in markers:
        before, behind = report[marker.start - 1 : marker.start], report[marker.end : marker.end + 1]
        wrapped = (before, behind) in (("(", ")"), ("（", "）"))
        numbered = marker.style != "bare" and (marker.style != "link" or _NUMBERED_LINK().match(report, marker.start))
        if wrapped:
            out.append(Span(marker.start - 1, marker.end + 1))
        elif numbered:
            out.append(Span(marker.start, marker.end))
    return out


class Found(NamedTuple):
    """A citation, what its claim says without its markers, and all parts of the run that are text of its source."""

    citation: Citation
    said: str
    parts: Sequence[Part]


def find_citations(trajectory: Trajectory, sources: Retrieved) -> tuple[Citation, ...]:
    """Every citation of the report in order; a marker that names several entries gives one each, at the same place.

    Those that a provider recorded beside the text come in with an empty marker, at the end of what they support.
    """
    return tuple(found.citation for found in find_with_parts(trajectory, sources))


def find_with_parts(trajectory: Trajectory, sources: Retrieved, *, passages: bool = True) -> tuple[Found, ...]:
    """The citations as `find_citations` gives them, each with what it says and what there is to hold it against.

    Without `passages`, which take most of the time, none is looked up.
    """
    report = trajectory.report
    reading = read_report(report)
    finder = PassageFinder(trajectory.steps) if passages else None
    traced = has_trace(trajectory)
    hidden = bool(trajectory.meta.get("undisclosed_results"))
    table = trajectory.meta.get("sources")
    said = _Said(report, reading.markers)
    out: list[Found] = []
    for marker, claim in zip(reading.markers, reading.claims, strict=True):
        for source in _sources(marker, reading.references, table):
            parts = _parts(source, sources)
            citation = Citation(
                ordinal=len(out),
                marker=report[marker.start : marker.end],
                start=marker.start,
                end=marker.end,
                claim_start=claim.start,
                claim_end=claim.end,
                url=source.url,
                site=(site_of(source.url) or None) if source.url else None,
                retrieval=_retrieval(source, parts, traced=traced, hidden=hidden),
                passage=finder.find(said.by(claim), parts) if finder else None,
            )
            out.append(Found(citation, said.by(claim), parts))
    starts = [span.start for span in reading.sentences]
    for one in recorded_citations(trajectory.meta, len(report), reading.markers):
        source = _Source(one.url, one.title, named=True)
        parts, claim = _parts(source, sources), claim_of(one, reading.sentences, starts)
        citation = Citation(
            ordinal=len(out),
            marker="",
            start=one.end,
            end=one.end,
            claim_start=claim.start,
            claim_end=claim.end,
            url=one.url,
            site=(site_of(one.url) or None) if one.url else None,
            retrieval=_retrieval(source, parts, traced=traced, hidden=hidden),
            passage=finder.find(one.quote or said.by(claim), parts) if finder else None,
        )
        out.append(Found(citation, said.by(claim), parts))
    return _in_order(out)


def _in_order(found: Sequence[Found]) -> tuple[Found, ...]:
    """By place in the report, which numbers them."""
    placed = sorted(found, key=lambda one: (one.citation.start, one.citation.ordinal))
    return tuple(one._replace(citation=replace(one.citation, ordinal=index)) for index, one in enumerate(placed))


class _Said:
    """What a claim says without its markers, whose addresses and titles would draw a passage to themselves."""

    def __init__(self, report: str, markers: Sequence[Marker]) -> None:
        self._report = report
        self._markers = markers
        self._texts: dict[Span, str] = {}

    def by(self, claim: Span) -> str:
        if claim not in self._texts:
            index = bisect_left(self._markers, claim.start, key=lambda marker: marker.start)
            pieces, position = [], claim.start
            while index < len(self._markers) and self._markers[index].start < claim.end:
                pieces.append(self._report[position : self._markers[index].start])
                position = max(position, self._markers[index].end)
                index += 1
            pieces.append(self._report[position : claim.end])
            self._texts[claim] = " ".join(pieces)
        return self._texts[claim]


def has_trace(trajectory: Trajectory) -> bool:
    """Whether the run came with its report: something was called or answered, or an agent spoke that could have.

    A reader of bare reports gives no step, or says so by `trace: false` in the meta data.
    """
    if any(step.tool_calls or step.tool_results for step in trajectory.steps):
        return True
    return trajectory.meta.get("trace") is not False and any(step.role == "assistant" for step in trajectory.steps)


def _sources(marker: Marker, references: ReferenceList, table: object) -> list[_Source]:
    if marker.url is not None:
        return [_Source(marker.url, None, named=True)]
    if marker.style == "title":
        return [_Source(None, title, named=True) for title in marker.labels]
    found = []
    for label in marker.labels:
        entry = references.resolve(label, marker.start)
        found.append(_Source(entry.url, entry.title, named=True) if entry else _recorded(label, table))
    return found


def _recorded(label: str, table: object) -> _Source:
    """What `meta["sources"]` says a label stands for, where the report itself does not; its ids may read `id_2`."""
    entry = None
    if isinstance(table, Mapping):
        entry = table.get(label)
        entry = table.get(f"id_{label}") if entry is None else entry
    if not isinstance(entry, Mapping):
        return _Source(None, None, named=False)
    url, title = entry.get("url"), entry.get("title")
    url = url if isinstance(url, str) and url.strip() else None
    title = title if isinstance(title, str) and title.strip() else None
    return _Source(url, title, named=url is not None or title is not None)


def _parts(source: _Source, sources: Retrieved) -> Sequence[Part]:
    if source.url is not None:
        return sources.of(source.url)
    return sources.titled(source.title) if source.title else ()


def _retrieval(source: _Source, parts: Sequence[Part], *, traced: bool, hidden: bool) -> Retrieval:
    if not source.named:
        return "dangling"
    if not traced:
        return "no_trace"
    if not parts:
        # A provider that keeps to itself what its searches found leaves nothing to tell an invented source by.
        return "no_trace" if hidden else "not_retrieved"
    return "opened" if parts[0].opened else "seen"


def _claims(report: str, markers: Sequence[Marker], spans: Sequence[Span], lines: Lines) -> tuple[Span, ...]:
    """The sentence of each marker: its own, or the nearest before that says something where its own holds only markers.

    A title does not count as said: markers that open a section keep their own line.
    """
    starts = [span.start for span in spans]
    said = [_says_something(report, span, markers_in) for span, markers_in in _grouped(spans, markers)]
    anchors: list[int] = []
    for index, says in enumerate(said):
        anchors.append(index if says or not index or lines.titled(spans[index - 1].start) else anchors[index - 1])
    out = []
    for marker in markers:
        index = max(bisect_right(starts, marker.start) - 1, 0)
        out.append(spans[anchors[index]] if spans else Span(marker.start, marker.end))
    return tuple(out)


def _grouped(spans: Sequence[Span], markers: Sequence[Marker]) -> list[tuple[Span, list[Marker]]]:
    """Each sentence with the markers that begin in it."""
    out: list[tuple[Span, list[Marker]]] = []
    index = 0
    for span in spans:
        inside = []
        while index < len(markers) and markers[index].start < span.end:
            inside.append(markers[index])
            index += 1
        out.append((span, inside))
    return out


def _says_something(report: str, span: Span, markers: Sequence[Marker]) -> bool:
    """Whether a sentence holds more than markers and a label (`Source:`). An item of a list that is one link does."""
    if not markers:
        return True
    if markers[0].style == "link" and report[span.start : markers[0].start].rstrip() in ("-", "*", "+", "•"):
        return True
    rest, position = [], span.start
    for marker in markers:
        rest.append(report[position : marker.start])
        position = max(position, marker.end)
    rest.append(report[position : span.end])
    left = [piece.strip(_TRIM) for piece in rest]
    labelled = rest[0].rstrip(_TRIM_LABEL).endswith((":", "：")) and len(left[0]) <= LABEL_CHARS and not any(left[1:])
    return not labelled and _LEAD().fullmatch("".join(left)) is None
