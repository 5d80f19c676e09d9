"""Runs kept as an evidence bundle: a report, claims with the quotes that carry them, and frozen sources.

There are no messages. `scheduler_checkpoints.json` beside the bundle tells what each researcher did, in the order in
which they ended: its queries, the pages it read, and the claims it kept. Quotes stand as results: under the page's
visit where the page was read, else in a result that answers no call, since no query is tied to what it found.
The question is not recorded; what the researchers were given to do stands in its place (`question_recorded` false).
`meta["sources"]` resolves numbers and claims (`task:NN`). A bare `claim 02` is relative to a task that the report
does not name, and stays open.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from workbench.ingest.format import Draft, Folder, Format, PartOfError, Record, checked
from workbench.ingest.loose import mapping as _map
from workbench.ingest.loose import mappings as _maps
from workbench.ingest.loose import text as _text
from workbench.ingest.messages import CallBook
from workbench.ingest.retrieved import Document, documents_step, documents_text
from workbench.ingest.tool_kinds import tool_kind
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Step, ToolCall, ToolKind, ToolResult

_CHECKPOINTS = "scheduler_checkpoints.json"
_BESIDE = "checkpoints"
_FETCH = "fetch_page"


class _Bundle(Record):
    report_markdown: str
    sources: list[dict[str, Any]]


def detect(record: Mapping[str, Any]) -> bool:
    return _is_bundle(record) or _is_checkpoint(record)


def expand(record: Mapping[str, Any], folder: Folder) -> Iterable[Mapping[str, Any]]:
    """The bundle with its checkpoints. A checkpoint is part of the bundle, whose report it does not hold whole."""
    if not _is_bundle(record):
        raise PartOfError("a checkpoint is read with the bundle beside it, which holds the report and its claims")
    found = folder.json(_CHECKPOINTS)
    return [{**record, _BESIDE: found}] if isinstance(found, list) and found else [record]


def read(record: Mapping[str, Any]) -> Draft:
    bundle = checked(_Bundle, record)
    places = {_text(_map(source.get("metadata")).get("document_version_id")): source for source in bundle.sources}
    checkpoints = sorted(_maps(record.get(_BESIDE)), key=_sequence)
    question, recorded = _question(record, checkpoints)
    report = bundle.report_markdown.strip()
    steps: list[Step] = [Step(role="user", text=question)]
    book = CallBook()
    for checkpoint in checkpoints:
        steps += _researcher(checkpoint, places, book)
    if not checkpoints:
        steps += documents_step(_quoted(_claims(record), places).values())
    if report:
        steps.append(Step(role="assistant", text=report, agent="critic" if checkpoints else ""))
    manifest = _map(record.get("run_manifest"))
    meta: dict[str, JsonValue] = {"sources": _sources(bundle.sources, _claims(record), places)}
    meta |= {"job_id": manifest["job_id"]} if manifest.get("job_id") else {}
    counts = {name: len(_maps(record.get(name))) for name in ("accepted_claims", "qualified_claims")}
    meta |= {"claims": counts} | ({} if recorded else {"question_recorded": False})
    return Draft(
        question=question,
        steps=tuple(steps),
        report=report,
        outcome="completed" if report and manifest.get("status", "completed") == "completed" else "truncated",
        meta=meta,
    )


def _researcher(checkpoint: Mapping[str, Any], places: Mapping[str, Mapping[str, Any]], book: CallBook) -> list[Step]:
    """What one researcher searched and read, what it quoted, and what it claims."""
    output, result = _map(checkpoint.get("output")), _map(checkpoint.get("result"))
    agent = _text(checkpoint.get("task_id"))
    packets = _maps(result.get("evidence_packets"))
    claims = [claim for packet in packets for claim in _maps(packet.get("claims"))]
    own = dict(places) | {
        _text(_map(artifact.get("metadata")).get("document_version_id")): artifact
        for packet in packets
        for artifact in _maps(packet.get("artifacts"))
    }
    # An address stands again for each further part of its page; the quotes stand under the first.
    pages = [url for url in _list(output.get("page_urls")) if isinstance(url, str)]
    asked: list[tuple[str, ToolKind, dict[str, JsonValue]]] = []
    for each in _maps(output.get("queries")):
        tool = _text(each.get("tool")) or "search"
        kind = tool_kind(tool)
        asked.append((tool, kind if kind != "other" else "search", {"query": _text(each.get("query"))}))
    asked += [(_FETCH, "visit", {"url": url}) for url in pages]
    steps: list[Step] = []
    objective = _text(output.get("objective"))
    if asked:
        ids = book.open([("", name) for name, _, _ in asked])
        calls = tuple(ToolCall(i, name, kind, given) for i, (name, kind, given) in zip(ids, asked, strict=True))
        steps.append(Step(role="assistant", text=objective, tool_calls=calls, agent=agent))
        quoted = _quoted(claims, own)
        results = [
            ToolResult(call.id, documents_text([quoted.pop(url)]))
            for call in calls
            if call.kind == "visit" and isinstance(url := call.arguments.get("url"), str) and url in quoted
        ]
        if rest := documents_text(quoted.values()):
            results.append(ToolResult("", rest))
        if results:
            steps.append(Step(role="tool", tool_results=tuple(results), agent=agent))
    said = "\n".join(f"- {_label(claim)}: {_text(claim.get('claim'))}" for claim in claims)
    if said:
        steps.append(Step(role="assistant", text=said, agent=agent))
    return steps


def _quoted(claims: Sequence[Mapping[str, Any]], places: Mapping[str, Mapping[str, Any]]) -> dict[str, Document]:
    """By address: the source's title and all quotes taken from it, each once."""
    texts: dict[str, dict[str, None]] = {}
    titles: dict[str, str] = {}
    for claim in claims:
        for span in _maps(claim.get("evidence_spans")):
            source = places.get(_text(span.get("document_version_id")), {})
            url = _text(source.get("uri"))
            if url:
                titles.setdefault(url, _title(source))
                texts.setdefault(url, {})[_text(span.get("quote")).strip()] = None
    return {url: Document(titles[url], url, "\n\n".join(filter(None, quotes))) for url, quotes in texts.items()}


def _question(record: Mapping[str, Any], checkpoints: Sequence[Mapping[str, Any]]) -> tuple[str, bool]:
    """(question, whether the record says it)."""
    manifest = _map(record.get("run_manifest"))
    for holder in (record, manifest):
        for name in ("question", "query", "topic"):
            if said := _text(holder.get(name)).strip():
                return said, True
    tasks = [said for each in checkpoints if (said := _text(_map(each.get("output")).get("objective")).strip())]
    if tasks:
        return "[question not recorded] Tasks of the run:\n" + "\n".join(f"- {task}" for task in sorted(tasks)), False
    return f"[question not recorded: run {_text(manifest.get('job_id')) or 'without id'}]", False


def _sources(
    sources: Sequence[Mapping[str, Any]], claims: Sequence[Mapping[str, Any]], places: Mapping[str, Mapping[str, Any]]
) -> dict[str, JsonValue]:
    """Numbers of sources from 1, and claims by `task:NN`."""
    found: dict[str, JsonValue] = {str(number): _named(source) for number, source in enumerate(sources, 1)}
    for claim in claims:
        span = next(iter(_maps(claim.get("evidence_spans"))), {})
        source = places.get(_text(span.get("document_version_id")))
        if source is not None and (label := _label(claim)):
            found[label] = _named(source)
    return found


def _named(source: Mapping[str, Any]) -> dict[str, JsonValue]:
    return {name: value for name, value in (("url", _text(source.get("uri"))), ("title", _title(source))) if value}


def _title(source: Mapping[str, Any]) -> str:
    return _text(_map(source.get("metadata")).get("source_title"))


def _label(claim: Mapping[str, Any]) -> str:
    """`job:claim:task:NN` as the report names it: `task:NN`."""
    return _text(claim.get("claim_id")).rpartition(":claim:")[2]


def _claims(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [*_maps(record.get("accepted_claims")), *_maps(record.get("qualified_claims"))]


def _sequence(checkpoint: Mapping[str, Any]) -> float:
    number = checkpoint.get("sequence")
    return number if isinstance(number, int | float) else float("inf")


def _is_bundle(record: Mapping[str, Any]) -> bool:
    return all(name in record for name in ("report_markdown", "accepted_claims", "sources"))


def _is_checkpoint(record: Mapping[str, Any]) -> bool:
    return "checkpoint_id" in record and "evidence_packets" in _map(record.get("result"))


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else []


FORMAT = Format(
    name="evidence-bundle",
    looks_like='{"report_markdown", "accepted_claims": [{"claim", "evidence_spans"}], "sources": [{"uri"}]}',
    detect=detect,
    read=read,
    expand=expand,
)
