"""WebWeaver's reports: `{question, answer, language}`, or the Markdown alone, with `<qwen:cite id="id_2">` tags.

The tags stand in the report as they are. What an id means is in the reference list at its end (`[2]. address`), and
stands in `meta["sources"]` under the id. The Markdown alone does not say what was asked: its question says so, with
the report's first heading, and `meta["question_recorded"]` is false.
"""

import re
from collections.abc import Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Format, field_of, other_fields
from workbench.schema.canonical import JsonValue, content_hash

_CITE = re.compile(r"<qwen:cite\b[^<>]{0,2000}\bid=")
_TAKEAWAY = "<qwen:takeaway"
# A text about such reports may show a tag or two.
_LEAST_CITATIONS = 3
_ENTRY = re.compile(r"^[ \t]{0,3}\[(\d{1,4})\]\.?[ \t]{1,4}(https?://\S{1,2000})[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^[ ]{0,3}#{1,6}[ \t]+(\S[^\n]{0,300})", re.MULTILINE)
_IDS = re.compile(r"\bid_(\d{1,4})\b")
# An answer without tags is held to be a report where it is this long and has headings: shorter ones are references.
_LEAST_REPORT_CHARS = 4000


def detect(record: Mapping[str, Any]) -> bool:
    if isinstance(text := record.get("markdown"), str):
        return _is_report(text)
    answer = record.get("answer")
    if not isinstance(answer, str) or not isinstance(record.get("question"), str) or "language" not in record:
        return False
    long = len(answer) >= _LEAST_REPORT_CHARS and _HEADING.search(answer) is not None
    return long or _is_report(answer)


def read(record: Mapping[str, Any]) -> Draft:
    report = (field_of(record, "markdown", str) or field_of(record, "answer", str) or "").strip()
    if not report:
        raise BadInputError("the report is empty; expected a text")
    question = field_of(record, "question", str)
    meta = other_fields(record, "markdown", "answer", "question")
    if sources := _sources(report):
        meta["sources"] = sources
    question_id = None
    if question is None:
        title = _HEADING.search(report)
        question = f"[question not recorded] {title[1].strip() if title else 'report without a heading'}"
        question_id = f"report-{content_hash(report)[:20]}"
        meta["question_recorded"] = False
    return Draft(
        question=question.strip(),
        steps=(),
        report=report,
        outcome="completed",
        question_id=question_id,
        meta=meta,
    )


def _is_report(text: str) -> bool:
    return text.lstrip().startswith(_TAKEAWAY) or len(_CITE.findall(text)) >= _LEAST_CITATIONS


def _sources(report: str) -> dict[str, JsonValue]:
    """By id as the tags have it, for those that the report cites and its list resolves."""
    entries = dict(_ENTRY.findall(report))
    cited = dict.fromkeys(_IDS.findall(report))
    return {f"id_{number}": {"url": entries[number]} for number in cited if number in entries}


FORMAT = Format(
    name="webweaver",
    looks_like='{"question", "answer", "language"} or Markdown with <qwen:cite id="id_2"> tags',
    detect=detect,
    read=read,
)
