"""Citations that a provider recorded as offsets beside the report (`meta["source_citations"]`, decision 0013)."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from workbench.phases.markers import Marker
from workbench.phases.sentences import Span
from workbench.phases.urls import normal_url
from workbench.schema.canonical import JsonValue

# A marker in the text may stand in brackets that the recorded span leaves out, or the other way round.
_SLACK = 3


class Recorded(NamedTuple):
    """One of them: the span of the report that it supports, the source, and what the provider quoted from it."""

    start: int
    end: int
    url: str | None
    title: str | None
    quote: str


def recorded_citations(meta: Mapping[str, JsonValue], length: int, markers: Sequence[Marker]) -> tuple[Recorded, ...]:
    """The recorded citations within a report of this length, in order, each once.

    One whose span is a marker that the text itself shows for the same address counts there, not again here.
    Entries of another shape are passed over: the record is the provider's, and the report stands without it.
    """
    raw = meta.get("source_citations")
    if not isinstance(raw, Sequence) or isinstance(raw, str):
        return ()
    starts = [marker.start for marker in markers]
    found: set[Recorded] = set()
    for entry in raw:
        one = _entry(entry, length)
        if one is not None and not _shown(one, markers, starts):
            found.add(one)
    return tuple(sorted(found, key=lambda one: (one.end, one.start, one.url or "", one.title or "", one.quote)))


def _entry(entry: JsonValue, length: int) -> Recorded | None:
    if not isinstance(entry, Mapping):
        return None
    start, end = entry.get("start"), entry.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start <= end <= length:
        return None
    url, title, quote = (_text(entry.get(name)) for name in ("url", "title", "cited_text"))
    return Recorded(start, end, url or None, title or None, quote) if url or title else None


def _text(value: JsonValue) -> str:
    return value.strip() if isinstance(value, str) else ""


def _shown(one: Recorded, markers: Sequence[Marker], starts: Sequence[int]) -> bool:
    index = bisect_right(starts, one.end + _SLACK) - 1
    while index >= 0 and markers[index].start >= one.start - _SLACK:
        url = markers[index].url
        if url is not None and one.url is not None and normal_url(url) == normal_url(one.url):
            return True
        index -= 1
    return False


def claim_of(one: Recorded, sentences: Sequence[Span], starts: Sequence[int]) -> Span:
    """The span that it supports; the sentence around it where the span is empty or a few characters."""
    if one.end - one.start >= 12:
        return Span(one.start, one.end)
    index = bisect_right(starts, max(one.end - 1, 0)) - 1
    return sentences[index] if index >= 0 else Span(one.start, one.end)
