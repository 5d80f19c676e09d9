"""gpt-researcher's hallucination records: a report, the pages that it was written from, and a judgement.

Two shapes stand in one file: `{query, report, source_text, evaluation}`, and the inner
`{input, output, source, is_hallucination, ...}` alone. The pages stand in a result that answers no call. A judgement
that was skipped (null) is none: `recorded_scores` is left out, and never false.
"""

from collections.abc import Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Format, fields_of, other_fields
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Step, ToolResult

_NO_SOURCE = "no source text available"
_NESTED, _FLAT = ("query", "report", "source_text"), ("input", "output", "source")


def detect(record: Mapping[str, Any]) -> bool:
    if isinstance(record.get("evaluation"), Mapping) and "is_hallucination" in record["evaluation"]:
        return all(isinstance(record.get(name), str) for name in _NESTED)
    return "is_hallucination" in record and all(isinstance(record.get(name), str) for name in _FLAT)


def read(record: Mapping[str, Any]) -> Draft:
    nested = isinstance(record.get("evaluation"), Mapping)
    names, judged = (_NESTED, record["evaluation"]) if nested else (_FLAT, record)
    if not detect(record):
        raise BadInputError(f"found {fields_of(record)}; expected texts in {', '.join(names)} and is_hallucination")
    question, report, source = (record[name].strip() for name in names)
    steps: tuple[Step, ...] = ()
    if source and source.lower() != _NO_SOURCE:
        steps = (
            Step(role="user", text=question),
            Step(role="tool", tool_results=(ToolResult("", source),)),
            *([Step(role="assistant", text=report)] if report else []),
        )
    meta: dict[str, JsonValue] = {"evaluation": other_fields(judged, *_FLAT)}
    if isinstance(judged["is_hallucination"], bool):
        meta["recorded_scores"] = {"is_hallucination": judged["is_hallucination"]}
    rest = other_fields(record, *names, "evaluation") if nested else {}
    return Draft(
        question=question,
        steps=steps,
        report=report,
        outcome="completed" if report else "failed",
        meta=rest | meta,
    )


FORMAT = Format(
    name="gpt-researcher-hallucination",
    looks_like='{"query", "report", "source_text", "evaluation": {"is_hallucination"}}, or the inner record alone',
    detect=detect,
    read=read,
)
