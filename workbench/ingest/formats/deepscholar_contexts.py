"""Answers kept with the passages that they were written from, as the systems of DeepScholar-Bench write them.

`{question | query, ctxs: [...], output}`; a rollout may stand beside (`messages`, DeepResearcher), or earlier drafts
with the critique between them (OpenScholar, where `answer` is empty and `output` holds the text). Passages that name
the query that found them give a search; others stand in a result that answers no call.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Format, field_of, other_fields
from workbench.ingest.loose import text as _text
from workbench.ingest.messages import CallBook, read_message
from workbench.ingest.retrieved import Document, documents_step, documents_text
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Step, ToolCall, ToolResult

_QUESTIONS = ("question", "raw_query", "query", "input")
_DRAFT = re.compile(r"edited_answer_(\d{1,3})")
_READ = ("ctxs", "output", "answer", "messages", "tool_calls", "tool_response", "initial_result", "feedbacks")
_COPIES = ("original_ctxs", "final_passages", "ranked_results", "id_mapping")


def detect(record: Mapping[str, Any]) -> bool:
    passages = record.get("ctxs")
    if not isinstance(passages, list) or not isinstance(record.get("output"), str):
        return False
    return _question(record) is not None


def read(record: Mapping[str, Any]) -> Draft:
    asked = _question(record)
    if asked is None:
        raise BadInputError(f"no question; expected a text in one of {', '.join(_QUESTIONS)}")
    question = record[asked].strip()
    report = next((found for name in ("output", "answer") if (found := field_of(record, name, str))), "").strip()
    messages = record.get("messages")
    meta: dict[str, JsonValue] = {}
    if isinstance(messages, list) and messages:
        steps = list(_rollout(messages))
        last = messages[-1]
        if report and isinstance(last, Mapping) and _text(last.get("content")).strip() == report:
            # Its report may hold the end of a thought: what the source took for the report stands whole.
            steps[-1] = Step(role="assistant", text=report)
        system = "deepresearcher" if "tool_response" in record else None
    else:
        steps = [Step(role="user", text=question), *_passages(record)]
        steps += _drafts(record, report)
        system = "openscholar" if "initial_result" in record else None
        if sources := _sources(record):
            meta["sources"] = sources
    if report and not any(step.role == "assistant" and step.text.strip() == report for step in steps[-1:]):
        steps.append(Step(role="assistant", text=report))
    own = [name for name in record if _DRAFT.fullmatch(name)]
    return Draft(
        question=question,
        steps=tuple(steps),
        report=report,
        outcome="completed" if report else "truncated",
        run=field_of(record, "run", str) or system,
        model=field_of(record, "model", str),
        meta=other_fields(record, *_QUESTIONS, *_READ, *_COPIES, *own, "model", "run") | meta,
    )


def _question(record: Mapping[str, Any]) -> str | None:
    return next((name for name in _QUESTIONS if isinstance(record.get(name), str) and record[name].strip()), None)


def _rollout(messages: Sequence[Any]) -> Iterator[Step]:
    """The chat, where a tool message lists the queries of the turn before it with what each found."""
    book = CallBook()
    read_steps = [read_message(position, message, book) for position, message in enumerate(messages)]
    for position, step in enumerate(read_steps):
        behind = read_steps[position + 1] if position + 1 < len(read_steps) else None
        searches = _searches(behind) if step.role == "assistant" and behind is not None else []
        before = read_steps[position - 1] if position else None
        if searches and not step.tool_calls:
            yield Step(role="assistant", text=step.text, reasoning=step.reasoning, tool_calls=_calls(searches, book))
        elif before is not None and not before.tool_calls and (found := _searches(step)):
            yield Step(role="tool", tool_results=tuple(_result(hits, book) for _, hits in found))
        else:
            yield step


def _searches(step: Step) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """(query, what it found) of each search that a tool message lists."""
    if step.role != "tool" or len(step.tool_results) != 1 or not step.tool_results[0].text.lstrip().startswith("["):
        return []
    try:
        listed = json.loads(step.tool_results[0].text)
    except (ValueError, RecursionError):
        return []
    found = []
    for each in listed if isinstance(listed, list) else []:
        if not isinstance(each, Mapping) or not isinstance(each.get("search_query"), str):
            return []
        hits = each.get("web_page_info_list")
        found.append((each["search_query"], [hit for hit in (hits if isinstance(hits, list) else []) if _is_map(hit)]))
    return found


def _calls(searches: Sequence[tuple[str, object]], book: CallBook) -> tuple[ToolCall, ...]:
    own = book.open([("", "search")] * len(searches))
    return tuple(
        ToolCall(each, "search", "search", {"query": query}) for each, (query, _) in zip(own, searches, strict=True)
    )


def _result(hits: Sequence[Mapping[str, Any]], book: CallBook) -> ToolResult:
    return ToolResult(book.answer("", "search"), documents_text(_document(hit) for hit in hits))


def _passages(record: Mapping[str, Any]) -> Iterator[Step]:
    """The passages as the writer saw them where the record says so, else each with its title and address."""
    by_query: dict[str, list[Document]] = {}
    for each in record["ctxs"]:
        if _is_map(each):
            by_query.setdefault(_text(each.get("search_query")), []).append(_document(each))
    named = [(query, found) for query, found in by_query.items() if query]
    if named:
        book = CallBook()
        yield Step(role="assistant", tool_calls=_calls(named, book))
        results = tuple(ToolResult(book.answer("", "search"), documents_text(found)) for _, found in named)
        yield Step(role="tool", tool_results=results)
    shown = record.get("final_passages")
    if isinstance(shown, str) and shown.strip():
        yield Step(role="tool", tool_results=(ToolResult("", shown.strip()),))
    else:
        yield from documents_step(by_query.get("", ()))


def _drafts(record: Mapping[str, Any], report: str) -> Iterator[Step]:
    """The first draft and its revisions. The critique came in one piece, before the first revision."""
    first = _text(record.get("initial_result")).strip()
    if first and first != report:
        yield Step(role="assistant", text=first)
    given = record.get("feedbacks")
    critique = "\n".join(
        text
        for each in (given if isinstance(given, list) else [])
        if (text := _text(each[0] if isinstance(each, list) and each else each))
    )
    numbered = sorted((int(found[1]), name) for name in record if (found := _DRAFT.fullmatch(name)))
    for _, name in numbered:
        text = _text(record[name]).strip()
        if text:
            yield Step(role="assistant", text=text, reasoning=critique)
            critique = ""


def _sources(record: Mapping[str, Any]) -> dict[str, JsonValue]:
    """Numbers of passages shown as `[0] ...` count from 0; those of passages in a list alone from 1."""
    first = 0 if _text(record.get("final_passages")).lstrip().startswith("[0]") else 1
    found: dict[str, JsonValue] = {}
    for number, each in enumerate(record["ctxs"], first):
        if not _is_map(each):
            continue
        named: dict[str, JsonValue] = {key: each[key] for key in ("url", "title") if _text(each.get(key)).strip()}
        if named:
            found[str(number)] = named
    return found


def _document(hit: Mapping[str, Any]) -> Document:
    keys = ("text", "quick_summary", "content", "snippet", "retrieval text")
    text = next((found for key in keys if (found := _text(hit.get(key)))), "")
    return Document(_text(hit.get("title")), _text(hit.get("url")), text)


def _is_map(value: object) -> bool:
    return isinstance(value, Mapping)


FORMAT = Format(
    name="deepscholar-contexts",
    looks_like='{"query", "ctxs": [{"title", "text", "url"?}], "output"}: an answer with the passages behind it',
    detect=detect,
    read=read,
)
