"""How the agent searched: queries, sites, repeats, failures and sizes."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workbench.phases.calls import CallRecord, looks_like_error_page, strings_at
from workbench.phases.suffixes import site_of
from workbench.phases.text import estimate_tokens, fold
from workbench.phases.urls import find_urls, normal_url
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Step, ToolCall

QUERY_KEYS = (
    *("query", "queries", "q", "search_query", "search_queries", "search_term", "search_terms", "searchterm"),
    *("keywords", "keyword", "question", "questions", "text", "input", "search", "prompt", "topic"),
)
URL_KEYS = (
    "url",
    "urls",
    "link",
    "links",
    "href",
    "uri",
    "page_url",
    "web_url",
    "website",
    "address",
    "page",
    "source",
)
NOT_QUERIES = frozenset({"tool", "engine", "lang", "language", "country", "locale", "type", "format", "search_depth"})


@dataclass(frozen=True, slots=True)
class Opening:
    """A page that a call asked for: the address as given, and whether it came back without error."""

    record: CallRecord
    url: str
    opened: bool


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
    values = [
        str(value)
        for name, value in sorted(call.arguments.items(), key=lambda pair: str(pair[0]))
        if isinstance(value, str) and value.strip() and str(name).lower() not in NOT_QUERIES
    ]
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


def addresses_of(call: ToolCall) -> tuple[str, ...]:
    """The web addresses that a call names in its arguments, in order, without repeats."""
    found = strings_at(call.arguments, URL_KEYS)
    urls = [hit.url for text in found for hit in find_urls(text)]
    bare = [text.strip() for text in found if "://" not in text and _is_bare_address(text.strip())]
    if not urls and not bare:
        urls = [hit.url for value in call.arguments.values() if isinstance(value, str) for hit in find_urls(value)]
    return tuple(dict.fromkeys([*urls, *(f"https://{text}" for text in bare)]))


def _is_bare_address(text: str) -> bool:
    host = text.partition("/")[0]
    return "." in host and not any(char.isspace() for char in text) and not host.startswith(".") and bool(site_of(host))


def openings(records: Sequence[CallRecord]) -> tuple[Opening, ...]:
    """Every page that a visit asked for. In a batch, a page whose own part of the result is an error is not opened."""
    found: list[Opening] = []
    for record in records:
        if record.call.kind != "visit":
            continue
        urls = addresses_of(record.call)
        if record.result is None or record.failed:
            found.extend(Opening(record, url, opened=False) for url in urls)
            continue
        parts = parts_by_address(record.result.text, urls)
        found.extend(Opening(record, url, not (url in parts and _failed(parts[url]))) for url in urls)
    return tuple(found)


def _failed(part: str) -> bool:
    return looks_like_error_page(part)


def parts_by_address(text: str, urls: Sequence[str]) -> dict[str, str]:
    """Splits the result of a batch at the first mention of each address; an address never mentioned has no part."""
    if len(urls) < 2:
        return {}
    marks = sorted((place, url) for url in urls if (place := text.find(url)) >= 0)
    ends = [place for place, _ in marks[1:]] + [len(text)]
    return {url: text[place:end] for (place, url), end in zip(marks, ends, strict=True)}


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
        total += sum(estimate_tokens(json.dumps(call.arguments, ensure_ascii=False)) for call in step.tool_calls)
    return total
