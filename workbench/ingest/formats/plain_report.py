"""A question and the report on it, without the trace, as DeepResearch Bench publishes them: {id, prompt, article}."""

from collections.abc import Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Format, field_of, fields_of, other_fields

_QUESTION_FIELDS = ("prompt", "question", "query")
_REPORT_FIELDS = ("article", "report", "final_report")


def detect(record: Mapping[str, Any]) -> bool:
    return _text_field(record, _QUESTION_FIELDS) is not None and _text_field(record, _REPORT_FIELDS) is not None


def read(record: Mapping[str, Any]) -> Draft:
    """No steps: citations of such a report have no trace. An empty report is a failed attempt, and counts as one."""
    question, report = _text_field(record, _QUESTION_FIELDS), _text_field(record, _REPORT_FIELDS)
    if question is None or report is None:
        raise BadInputError(
            f"found {fields_of(record)}; expected texts under one of {', '.join(_QUESTION_FIELDS)} "
            f"and one of {', '.join(_REPORT_FIELDS)}"
        )
    model = field_of(record, "model", str)
    return Draft(
        question=record[question],
        steps=(),
        report=record[report],
        outcome="completed" if record[report].strip() else "failed",
        model=model,
        meta=other_fields(record, question, report, *(["model"] if model else [])),
    )


def _text_field(record: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if isinstance(record.get(name), str)), None)


FORMAT = Format(
    name="plain-report",
    looks_like='{"prompt", "article"}: a question and its report, without the trace',
    detect=detect,
    read=read,
    model_from_file=True,
)
