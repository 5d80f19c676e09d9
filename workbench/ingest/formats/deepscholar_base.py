"""DeepScholar-base: `result.json` of a related-work run, with the table of papers that its searches found beside it.

The report is `full_report` (else the text of `final_report.md`). `paper.csv` names the query that found each paper.
"""

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Folder, Format, field_of, other_fields
from workbench.ingest.loose import mappings as _maps
from workbench.ingest.loose import text as _text
from workbench.ingest.messages import CallBook
from workbench.ingest.retrieved import Document, documents_step, documents_text
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Step, ToolCall, ToolResult

_TABLE, _REPORT = "paper.csv", "final_report.md"
_PAPERS = "papers_beside"
_MOST_PAPERS = 10_000
_COLUMNS = ("title", "url", "snippet", "query", "date", "authors")


def detect(record: Mapping[str, Any]) -> bool:
    return (
        isinstance(record.get("query"), str)
        and isinstance(record.get("paperGroups", record.get("researchGroups")), list)
        and any(isinstance(record.get(name), str) for name in ("full_report", "introduction"))
    )


def expand(record: Mapping[str, Any], folder: Folder) -> Iterable[Mapping[str, Any]]:
    """The record with the rows of `paper.csv`, and with the report where the record leaves it out."""
    beside: dict[str, Any] = {}
    if rows := _rows(folder.text(_TABLE)):
        beside[_PAPERS] = rows
    if not field_of(record, "full_report", str) and (report := folder.text(_REPORT)):
        beside["full_report"] = report
    return [{**record, **beside}] if beside else [record]


def read(record: Mapping[str, Any]) -> Draft:
    question = field_of(record, "query", str)
    if question is None:
        raise BadInputError("the query is empty; expected the task in it")
    report = (field_of(record, "full_report", str) or field_of(record, "introduction", str) or "").strip()
    steps = [Step(role="user", text=question.strip()), *_searches(record)]
    if report:
        steps.append(Step(role="assistant", text=report))
    return Draft(
        question=question.strip(),
        steps=tuple(steps),
        report=report,
        outcome="completed" if report else "truncated",
        run="deepscholar-base",
        meta=_meta(record),
    )


def _searches(record: Mapping[str, Any]) -> list[Step]:
    """A search for each query of the table; papers without one stand in a result that answers no call."""
    by_query: dict[str, list[Document]] = {}
    for row in _maps(record.get(_PAPERS)):
        said = Document(_text(row.get("title")), _text(row.get("url")), _text(row.get("snippet")))
        by_query.setdefault(_text(row.get("query")).strip(), []).append(said)
    steps: list[Step] = []
    if named := [(query, found) for query, found in by_query.items() if query]:
        book = CallBook()
        own = book.open([("", "search")] * len(named))
        calls = tuple(ToolCall(i, "search", "search", {"query": q}) for i, (q, _) in zip(own, named, strict=True))
        results = tuple(ToolResult(i, documents_text(found)) for i, (_, found) in zip(own, named, strict=True))
        steps += [Step(role="assistant", tool_calls=calls), Step(role="tool", tool_results=results)]
    rest = by_query.get("") or ([] if by_query else _grouped(record))
    return [*steps, *documents_step(rest)]


def _grouped(record: Mapping[str, Any]) -> list[Document]:
    """Papers of the groups, with what the run noted of each."""
    groups = _maps(record.get("paperGroups")) or _maps(record.get("researchGroups"))
    return [
        Document(
            _text(paper.get("title")),
            _text(paper.get("url")),
            "\n".join(part for key in ("keyIdea", "mainResult") if (part := _text(paper.get(key)))),
        )
        for group in groups
        for paper in _maps(group.get("papers"))
    ]


def _meta(record: Mapping[str, Any]) -> dict[str, JsonValue]:
    """How many papers came from where is not what `meta["sources"]` means to the phases."""
    read_names = (
        "query",
        "full_report",
        "introduction",
        "overview",
        "paperGroups",
        "researchGroups",
        "sources",
        _PAPERS,
    )
    counts: dict[str, JsonValue] = {"source_counts": record["sources"]} if "sources" in record else {}
    return other_fields(record, *read_names) | counts


def _rows(table: str | None) -> list[dict[str, str]]:
    """The columns of the table that tell what was found; none where it is no such table."""
    if not table:
        return []
    found: list[dict[str, str]] = []
    try:
        for row in csv.DictReader(io.StringIO(table, newline="")):
            found.append({key: row[key] for key in _COLUMNS if isinstance(row.get(key), str) and row[key]})
            if len(found) == _MOST_PAPERS:
                break
    except csv.Error:
        return []
    return found if any("title" in row for row in found) else []


FORMAT = Format(
    name="deepscholar-base",
    looks_like='{"query", "full_report", "paperGroups": [{"papers"}]}, with paper.csv beside it',
    detect=detect,
    read=read,
    expand=expand,
)
