"""Every trace format, in the order in which a record is tried against them. A new format is one line here."""

from collections.abc import Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Format
from workbench.ingest.formats import (
    anthropic_messages,
    atif,
    deepscholar_base,
    deepscholar_contexts,
    deepscholar_storm,
    evidence_bundle,
    gpt_researcher,
    gpt_researcher_hallucination,
    inspect_log,
    langfuse,
    langgraph_thread,
    message_log,
    miroflow,
    native,
    onyx_log,
    openai_chat,
    openai_responses,
    openhands,
    otel_otlp,
    otel_spans,
    plain_report,
    provider_response,
    provider_stream,
    sharegpt,
    sse_replay,
    step_runner,
    swe_agent,
    tagged_chat,
    tau_bench,
    trainer_rollouts,
    verifiers_rollouts,
    webthinker,
    webweaver,
    whoandwhen,
    xml_chat,
)

FORMATS: tuple[Format, ...] = (
    native.FORMAT,
    atif.FORMAT,
    inspect_log.FORMAT,
    swe_agent.FORMAT,
    openhands.FORMAT,
    tau_bench.FORMAT,
    langgraph_thread.FORMAT,
    langfuse.FORMAT,
    otel_otlp.FORMAT,
    otel_spans.FORMAT,
    provider_stream.FORMAT,
    provider_response.FORMAT,
    sse_replay.FORMAT,
    miroflow.FORMAT,
    sharegpt.FORMAT,
    gpt_researcher.FORMAT,
    gpt_researcher_hallucination.FORMAT,
    verifiers_rollouts.FORMAT,
    trainer_rollouts.FORMAT,
    deepscholar_contexts.FORMAT,
    deepscholar_base.FORMAT,
    deepscholar_storm.FORMAT,
    whoandwhen.FORMAT,
    onyx_log.FORMAT,
    evidence_bundle.FORMAT,
    webweaver.FORMAT,
    webthinker.FORMAT,
    xml_chat.FORMAT,
    tagged_chat.FORMAT,
    anthropic_messages.FORMAT,
    openai_responses.FORMAT,
    openai_chat.FORMAT,
    step_runner.FORMAT,
    plain_report.FORMAT,
    message_log.FORMAT,
)


def format_named(name: str) -> Format:
    """Raises BadInputError that lists the names there are."""
    for candidate in FORMATS:
        if candidate.name == name:
            return candidate
    raise BadInputError(f"unknown format {name!r}; expected one of {known_formats()}")


def known_formats() -> str:
    return ", ".join(candidate.name for candidate in FORMATS)


def detect_format(record: object, *, first: Format | None = None) -> Format | None:
    """The format of a parsed record, None for something that is no trajectory. `first` is tried before the others."""
    if not isinstance(record, Mapping):
        return None
    found: Mapping[str, Any] = record
    order = (first, *FORMATS) if first else FORMATS
    return next((candidate for candidate in order if _detects(candidate, found)), None)


def _detects(candidate: Format, record: Mapping[str, Any]) -> bool:
    try:
        return candidate.detect(record)
    except Exception:
        # It must not raise. Where it does the record is hostile, and the other formats and records go on.
        return False
