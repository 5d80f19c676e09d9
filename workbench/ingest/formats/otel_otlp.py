"""OTLP JSON: batches of spans of several traces, as collectors' file exporters write them.

A trace may be spread over the batches of a file: spans are gathered by trace.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from workbench.ingest.format import Draft, Format
from workbench.ingest.formats import otel_spans
from workbench.ingest.spans.otel import is_span, trace_of

_RESOURCES = ("resourceSpans", "resource_spans")
_SCOPES = ("scopeSpans", "scope_spans", "instrumentationLibrarySpans")


def detect(record: Mapping[str, Any]) -> bool:
    return any(isinstance(record.get(name), list) for name in _RESOURCES)


def gather(record: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """The batch's spans by trace, whose other spans may stand in other batches of the file."""
    return [(trace_of(span), span) for span in spans_of(record)]


def read(record: Mapping[str, Any]) -> Draft:
    spans = [*spans_of(record)]
    return otel_spans.read({"records": spans} if spans else record)


def spans_of(batch: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Spans of one batch that name their trace."""
    for resource in _lists(batch, _RESOURCES):
        for scope in _lists(resource, _SCOPES):
            yield from (span for span in _lists(scope, ("spans",)) if is_span({"attributes": [], **span}))


def _lists(record: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[Mapping[str, Any]]:
    for name in names:
        found = record.get(name)
        yield from (item for item in (found if isinstance(found, list) else ()) if isinstance(item, Mapping))


FORMAT = Format(
    name="otlp",
    looks_like='{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId", "spanId", "attributes"}]}]}]}',
    detect=detect,
    read=read,
    gather=gather,
)
