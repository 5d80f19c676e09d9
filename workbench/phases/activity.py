"""How the agent searched: queries, pages opened, sites seen, repeats and sizes."""

import json
from collections.abc import Iterable, Sequence
from re import IGNORECASE, MULTILINE
from typing import NamedTuple

from workbench.phases.calls import CallRecord, argument_text, looks_like_error_page, strings_at
from workbench.phases.lazy import Pattern
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
# Fields of a search that say how to search and not what for.
SETTINGS = frozenset({"tool", "engine", "lang", "language", "country", "locale", "type", "format", "search_depth"})

_LABELLED = Pattern(
    r"^\W{0,4}(?:url(?: source)?|source|link|address|网址|链接)\W{0,4}(?=https?:)", IGNORECASE | MULTILINE
)
LABEL_CHARS = 400


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


def addresses_of(record: CallRecord) -> tuple[str, ...]:
    """The web addresses that a call names, in order, without repeats.

    A call that names none (it opens result 3, or follows a link) has the address that its result gives on a line of
    its own near the beginning, if any.
    """
    arguments = record.call.arguments
    found = strings_at(arguments, URL_KEYS)
    urls = [hit.url for text in found for hit in find_urls(text)]
    urls += [f"https://{text.strip()}" for text in found if "://" not in text and _is_bare_address(text.strip())]
    if not urls:
        urls = [hit.url for value in arguments.values() if isinstance(value, str) for hit in find_urls(value)]
    if not urls and record.result is not None:
        label = _LABELLED().search(record.result.text[:LABEL_CHARS])
        urls = [hit.url for hit in find_urls(record.result.text[label.end() : label.end() + 2000])][:1] if label else []
    return tuple(dict.fromkeys(urls))


def _is_bare_address(text: str) -> bool:
    host = text.partition("/")[0]
    return "." in host.strip(".") and not any(char.isspace() for char in text) and bool(site_of(host))


def openings(records: Sequence[CallRecord]) -> tuple[Opening, ...]:
    """Every page that a visit asked for. In a batch, a page whose own part of the result is an error is not opened."""
    found: list[Opening] = []
    for record in records:
        if record.call.kind != "visit":
            continue
        urls = addresses_of(record)
        text = record.result.text if record.result is not None else ""
        parts = parts_by_address(text, urls) if len(urls) > 1 else {}
        for url in urls:
            start, end = parts.get(url, (0, len(text)))
            good = record.result is not None and not record.failed
            if good and url in parts:
                good = not looks_like_error_page(text[start:end])
            found.append(Opening(record, url, good, start, end))
    return tuple(found)


def parts_by_address(text: str, urls: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Offsets of each page's part of a batch: from the first mention of its address to that of the next page.

    A page that the text never mentions has no part: nothing can be told of it apart from the rest.
    """
    wanted = {normal_url(url): url for url in reversed(urls)}
    marks: dict[str, int] = {}
    for hit in find_urls(text):
        url = wanted.get(normal_url(hit.url))
        if url is not None:
            marks.setdefault(url, hit.start)
    ordered = sorted((place, url) for url, place in marks.items())
    ends = [place for place, _ in ordered[1:]] + [len(text)]
    return {url: (place, end) for (place, url), end in zip(ordered, ends, strict=False)}


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
