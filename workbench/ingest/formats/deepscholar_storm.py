"""STORM's folder: simulated conversations with an expert who searches, an outline, and the article.

`conversation_log.json` is an array with a conversation for each perspective; the article, the outline and the numbers
of its sources (`url_to_info.json`) lie beside it. Its topic stands only in the prompts of `llm_call_history.jsonl`.
A call of that history is part of the run where the conversations lie beside it, else a chat of its own. The run's
configuration is never read: it holds a key.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Folder, Format, PartOfError
from workbench.ingest.formats import openai_chat
from workbench.ingest.json_values import BrokenJsonError, parse_json
from workbench.ingest.loose import mappings as _maps
from workbench.ingest.loose import text as _text
from workbench.ingest.messages import CallBook
from workbench.ingest.retrieved import Document, documents_text
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.trajectory import Step, ToolCall, ToolResult

_LOG = "conversation_log.json"
_ARTICLES = ("storm_gen_article_polished.md", "storm_gen_article_polished.txt", "storm_gen_article.md")
_OUTLINE, _SOURCES, _HISTORY = "storm_gen_outline.txt", "url_to_info.json", "llm_call_history.jsonl"
_CALL_FIELDS = ("prompt", "messages", "response", "outputs", "usage", "cost")
_TOPIC = re.compile(
    r"^(?:Topic you are discussing about|Topic of your contribution|Topic of interest|Topic):[ \t]*(.+?)"
    r"(?=\n(?:Question|You ask|Queries|Conversation|Wiki|Outline|Page|[A-Z][^\n]{0,60}:)|\n\n|\Z)",
    re.MULTILINE | re.DOTALL,
)
_MOST_PROMPTS = 200


def detect(record: Mapping[str, Any]) -> bool:
    return _is_talk(record) or _is_call(record)


def gather(record: Mapping[str, Any]) -> str:
    """The conversations of a file are one run; a call is one of its own."""
    return "conversations" if _is_talk(record) else f"call {content_hash(dict(record))}"


def expand(record: Mapping[str, Any], folder: Folder) -> Iterable[Mapping[str, Any]]:
    """`{"conversations", "article", "outline"?, "topic", "sources"?}` of the folder."""
    records = _maps(record.get("records"))
    if not records or _is_call(records[0]):
        if _LOG in folder.names():
            raise PartOfError(f"its calls belong to the run in {_LOG}")
        return records
    article = next((text for name in _ARTICLES if (text := folder.text(name))), "")
    found: dict[str, Any] = {"conversations": records, "article": article, "topic": _topic(folder.text(_HISTORY))}
    if outline := folder.text(_OUTLINE):
        found["outline"] = outline
    if sources := _sources(folder.json(_SOURCES)):
        found["sources"] = sources
    return [found]


def read(record: Mapping[str, Any]) -> Draft:
    if _is_call(record):
        return openai_chat.read(record)
    topic, article = _text(record.get("topic")).strip(), _text(record.get("article")).strip()
    if not topic:
        raise BadInputError(f"the topic is not known; expected {_HISTORY} beside {_LOG}, whose prompts name it")
    book = CallBook()
    steps = [Step(role="user", text=topic)]
    for talk in _maps(record.get("conversations")):
        steps += _talk(talk, book)
    if outline := _text(record.get("outline")).strip():
        steps.append(Step(role="assistant", text=outline, agent="outline"))
    if article:
        steps.append(Step(role="assistant", text=article, agent="article"))
    meta: dict[str, JsonValue] = {"sources": record["sources"]} if record.get("sources") else {}
    return Draft(
        question=topic,
        steps=tuple(steps),
        report=article,
        outcome="completed" if article else "truncated",
        run="storm",
        meta=meta,
    )


def _talk(talk: Mapping[str, Any], book: CallBook) -> list[Step]:
    """The writer of one perspective asks; the expert searches, and answers."""
    writer = _text(talk.get("perspective")).partition(":")[0].strip("* ") or "writer"
    steps: list[Step] = []
    for turn in _maps(talk.get("dlg_turns")):
        if asked := _text(turn.get("user_utterance")).strip():
            steps.append(Step(role="assistant", text=asked, agent=writer))
        queries = [query for query in _list(turn.get("search_queries")) if isinstance(query, str)]
        if queries:
            own = book.open([("", "search")] * len(queries))
            calls = tuple(ToolCall(i, "search", "search", {"query": q}) for i, q in zip(own, queries, strict=True))
            steps.append(Step(role="assistant", tool_calls=calls, agent="expert"))
            if results := _results(turn, dict(zip(queries, own, strict=True))):
                steps.append(Step(role="tool", tool_results=results, agent="expert"))
        if answered := _text(turn.get("agent_utterance")).strip():
            steps.append(Step(role="assistant", text=answered, agent="expert"))
    return steps


def _results(turn: Mapping[str, Any], own: Mapping[str, str]) -> tuple[ToolResult, ...]:
    """What each query found; a hit that names none of them answers no call."""
    found: dict[str, list[Document]] = {}
    for hit in _maps(turn.get("search_results")):
        meta = hit.get("meta")
        query = _text(meta.get("query")) if isinstance(meta, Mapping) else ""
        said = "\n".join(part for part in _list(hit.get("snippets")) if isinstance(part, str))
        document = Document(_text(hit.get("title")), _text(hit.get("url")), said or _text(hit.get("description")))
        found.setdefault(own.get(query, ""), []).append(document)
    return tuple(ToolResult(call, documents_text(documents)) for call, documents in found.items())


def _topic(history: str | None) -> str:
    for line in (history or "").splitlines()[:_MOST_PROMPTS]:
        try:
            call = parse_json(line.encode())
        except BrokenJsonError:
            continue
        prompt = call.get("prompt") if isinstance(call, Mapping) else None
        # The instruction before the fields may speak of topics as well: the last one is the field.
        if isinstance(prompt, str) and (matches := _TOPIC.findall(prompt)):
            return str(matches[-1]).replace("\\n", "\n").strip()
    return ""


def _sources(table: object) -> dict[str, JsonValue]:
    """Numbers as the article uses them, each with its address and title."""
    known = table if isinstance(table, Mapping) else {}
    numbers, details = known.get("url_to_unified_index"), known.get("url_to_info")
    found: dict[str, JsonValue] = {}
    for url, number in (numbers if isinstance(numbers, Mapping) else {}).items():
        info = details.get(url) if isinstance(details, Mapping) else None
        title = _text(info.get("title")) if isinstance(info, Mapping) else ""
        found[str(number)] = {"url": url} | ({"title": title} if title else {})
    return found


def _is_talk(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("perspective"), str) and isinstance(record.get("dlg_turns"), list)


def _is_call(record: Mapping[str, Any]) -> bool:
    return all(name in record for name in _CALL_FIELDS) and openai_chat.detect(record)


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else []


FORMAT = Format(
    name="storm",
    looks_like='[{"perspective", "dlg_turns": [{"user_utterance", "search_queries", "search_results"}]}]',
    detect=detect,
    read=read,
    gather=gather,
    expand=expand,
)
