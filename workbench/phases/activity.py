"""How the agent searched: queries, pages opened, sites seen, repeats and sizes."""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from workbench.phases.arguments import argument_text, strings_at
from workbench.phases.calls import CallRecord
from workbench.phases.pages import addresses_of, looks_like_error_page, parts_by_address
from workbench.phases.suffixes import site_of
from workbench.phases.text import estimate_tokens, fold
from workbench.phases.urls import find_urls, normal_url
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Step, ToolCall

QUERY_KEYS = (
    *("query", "queries", "q", "search_query", "search_queries", "search_term", "search_terms", "searchterm"),
    *("keywords", "keyword", "question", "questions", "text", "input", "search", "prompt", "topic"),
)
# Fields of a search that say how to search and not what for.
SETTINGS = frozenset({"tool", "engine", "lang", "language", "country", "locale", "type", "format", "search_depth"})


class Opening(NamedTuple):
    """A page that a visit asked for, and whether it came back without error.

    `start`/`end` are offsets of its part of the result, the whole where the call asked for one page.
    """

    record: CallRecord
    url: str
    opened: bool
    start: int
    end: int


def queries_of(call: ToolCall) -> tuple[str, ...]:
    """The queries of one search call, in order; empty for a call of another kind.

    Read under any usual key, from a string, a list, a list of objects or a list written as JSON text. A search by
    fields (origin, destination, date) without such a key is one query: its values in the order of their names.
    """
    if call.kind != "search":
        return ()
    found = strings_at(call.arguments, QUERY_KEYS)
    if found:
        return tuple(query for text in found for query in _listed(text))
    fields = sorted((str(name), value) for name, value in call.arguments.items() if isinstance(value, str))
    values = [value for name, value in fields if value.strip() and name.lower() not in SETTINGS]
    return (" ".join(values),) if values else ()


def _listed(text: str) -> list[str]:
    """The items of a list that a model wrote as text, else the text."""
    stripped = text.strip()
    if stripped.startswith("[") and stripped.endswith("]"):
        try:
            value: JsonValue = json.loads(stripped)
        except (ValueError, RecursionError):
            return [text]
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            return [str(item) for item in value if str(item).strip()]
    return [text]


def distinct_queries(queries: Iterable[str]) -> tuple[str, ...]:
    """The queries that differ by more than case, width, spacing and punctuation, each as first written."""
    first: dict[str, str] = {}
    for query in queries:
        first.setdefault(fold(query), query)
    return tuple(first.values())


def openings(records: Sequence[CallRecord]) -> tuple[Opening, ...]:
    """Every page that a visit asked for. In a batch, a page whose own part of the result is an error is not opened."""
    found: list[Opening] = []
    for record in records:
        if record.call.kind != "visit":
            continue
        text = record.result.text if record.result is not None else ""
        urls = addresses_of(record.call, text)
        parts = parts_by_address(text, urls) if len(urls) > 1 else {}
        for url in urls:
            start, end = parts.get(url, (0, len(text)))
            good = record.result is not None and not record.failed
            if good and url in parts:
                good = not looks_like_error_page(text[start:end])
            found.append(Opening(record, url, good, start, end))
    return tuple(found)


def sites(urls: Iterable[str]) -> frozenset[str]:
    """The sites of addresses."""
    return frozenset(site for url in urls if (site := site_of(url)))


def seen_urls(records: Sequence[CallRecord]) -> frozenset[str]:
    """Addresses that stood in the results of searches."""
    return frozenset(
        hit.url
        for record in records
        if record.call.kind == "search" and record.result is not None
        for hit in find_urls(record.result.text)
    )


def repeated_opens(found: Sequence[Opening]) -> int:
    """How many openings were of a page already opened."""
    opened = [normal_url(opening.url) for opening in found if opening.opened]
    return len(opened) - len(set(opened))


def step_tokens(step: Step) -> int:
    """Tokens that the agent wrote or its tools gave back; none for the words of a system or user message.

    Exact where the step has a token trace, else estimated.
    """
    if step.tokens is not None:
        return len(step.tokens.ids)
    total = sum(estimate_tokens(result.text) for result in step.tool_results)
    if step.role in ("assistant", "tool"):
        total += estimate_tokens(step.text) + estimate_tokens(step.reasoning)
        total += sum(estimate_tokens(f"{call.name} {argument_text(call.arguments)}") for call in step.tool_calls)
    return total
