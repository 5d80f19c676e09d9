"""OpenTelemetry spans, one a record: what the SDK's console exporter, Monocle and many collectors' files hold.

Spans come in the order in which they ended; a trace is gathered from its whole file.
"""

from collections.abc import Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Format
from workbench.ingest.spans.assemble import told
from workbench.ingest.spans.otel import is_span, span_of, trace_of


def gather(record: Mapping[str, Any]) -> str | None:
    return trace_of(record) or None


def read(record: Mapping[str, Any]) -> Draft:
    """A gathered trace, or one span that stands alone. `meta`: the trace's id, its spans and model calls."""
    records = record["records"] if isinstance(record.get("records"), list) else [record]
    spans = [found for found in records if isinstance(found, Mapping) and is_span(found)]
    if not spans:
        raise BadInputError("there is no span in it; expected a name, a trace id, a start time and attributes")
    found = told([span_of(span) for span in spans])
    return Draft(
        question=found.question,
        steps=found.steps,
        report=found.report,
        outcome="completed" if found.report else "unknown",
        model=found.model or None,
        meta={"trace_id": trace_of(spans[0]), "spans": len(spans), "llm_calls": found.llm_calls},
    )


FORMAT = Format(
    name="otel-spans",
    looks_like='{"name", "context": {"trace_id", "span_id"}, "start_time", "attributes", "events"}',
    detect=is_span,
    read=read,
    gather=gather,
)
