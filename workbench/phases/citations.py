"""Citations of a report: markers tied to the sentence they serve, the source they name, and what the run retrieved."""

from bisect import bisect_right
from collections.abc import Sequence

from workbench.phases.documents import Retrieved
from workbench.phases.markers import Marker, code_spans, find_markers
from workbench.phases.passages import PassageFinder
from workbench.phases.references import ReferenceList, find_references
from workbench.phases.sentences import Span, sentences
from workbench.phases.suffixes import site_of
from workbench.schema.analysis import Citation, Retrieval
from workbench.schema.trajectory import Trajectory


def find_citations(trajectory: Trajectory, sources: Retrieved) -> tuple[Citation, ...]:
    """Every citation of the report in order; a marker that names several entries gives one each, at the same place."""
    report = trajectory.report
    code = code_spans(report)
    references = find_references(report, code)
    markers = find_markers(report, [*code, *references.spans], references.labels())
    claims = claim_spans(report, markers)
    finder = PassageFinder(trajectory.steps)
    traced = any(step.role == "assistant" for step in trajectory.steps)
    out: list[Citation] = []
    for marker, claim in zip(markers, claims, strict=True):
        for url, known in _targets(marker, references):
            retrieval = _retrieval(url, known, traced, sources)
            passage = None
            if url is not None and retrieval in ("opened", "seen"):
                passage = finder.find(report[claim.start : claim.end], sources.of(url))
            out.append(
                Citation(
                    ordinal=len(out),
                    marker=report[marker.start : marker.end],
                    start=marker.start,
                    end=marker.end,
                    claim_start=claim.start,
                    claim_end=claim.end,
                    url=url,
                    site=(site_of(url) or None) if url else None,
                    retrieval=retrieval,
                    passage=passage,
                )
            )
    return tuple(out)


def _targets(marker: Marker, references: ReferenceList) -> list[tuple[str | None, bool]]:
    """(address, whether the source is named at all) for each label of a marker."""
    if marker.url is not None:
        return [(marker.url, True)]
    found: list[tuple[str | None, bool]] = []
    for label in marker.labels:
        entry = references.resolve(label, marker.start)
        found.append((entry.url if entry else None, entry is not None or marker.style == "title"))
    return found


def _retrieval(url: str | None, known: bool, traced: bool, sources: Retrieved) -> Retrieval:
    if not known:
        return "dangling"
    if not traced:
        return "no_trace"
    if url is None:
        return "not_retrieved"
    if sources.opened(url):
        return "opened"
    return "seen" if sources.seen(url) else "not_retrieved"


def claim_spans(report: str, markers: Sequence[Marker]) -> list[Span]:
    """The sentence that each marker serves: its own, or the one before where its own holds nothing but markers."""
    opaque = [Span(marker.start, marker.end) for marker in markers]
    spans = sentences(report, opaque=opaque)
    starts = [span.start for span in spans]
    bare = _only_markers(report, spans, opaque)
    out = []
    for marker in markers:
        index = max(bisect_right(starts, marker.start) - 1, 0)
        while index > 0 and bare[index]:
            index -= 1
        out.append(spans[index] if spans else Span(marker.start, marker.end))
    return out


def _only_markers(report: str, spans: Sequence[Span], opaque: Sequence[Span]) -> list[bool]:
    """For each sentence, whether it is nothing but markers, brackets and words like `Source:`."""
    out = []
    index = 0
    for span in spans:
        rest = []
        position = span.start
        while index < len(opaque) and opaque[index].start < span.end:
            rest.append(report[position : opaque[index].start])
            position = max(position, opaque[index].end)
            index += 1
        rest.append(report[position : span.end])
        left = "".join(rest).strip(" \t\n.,;:()（）。，；：*_-[]|")
        out.append(
            position > span.start and left.casefold() in ("", "source", "sources", "来源", "资料来源", "see", "参见")
        )
    return out
