"""From the name of a tool to what it is for. Standard library only: an exported training job runs this same code."""

import re
from functools import lru_cache

from workbench.schema.trajectory import ToolKind

SEARCH_WORDS = frozenset(
    {"search", "google", "bing", "duckduckgo", "serper", "serpapi", "tavily", "searxng", "lookup", "retrieve"}
    | {"retriever", "retrieval", "wikipedia", "arxiv", "scholar", "pubmed", "rag", "exa", "brave", "websearch"}
    | {"googlesearch", "searches"}
)
VISIT_WORDS = frozenset(
    {"visit", "browse", "browser", "browsing", "scrape", "scraper", "crawl", "crawler", "navigate", "goto"}
    | {"webfetch", "firecrawl", "jina", "scraping", "crawling", "webpage", "openurl"}
)
CODE_WORDS = frozenset(
    {"python", "ipython", "code", "interpreter", "jupyter", "bash", "shell", "terminal", "repl", "sandbox", "sql"}
    | {"command", "cmd"}
)
# "read" or "open" alone says little (a file, a reservation); with a page or an address it is a visit.
OPENING_VERBS = frozenset(
    {"open", "fetch", "get", "read", "load", "view", "click", "go", "download", "extract", "access", "find"}
)
PAGE_WORDS = frozenset({"url", "urls", "page", "pages", "web", "webpage", "website", "site", "link", "html"})
VISIT_NAMES = frozenset({"open", "fetch", "click"})

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@lru_cache(maxsize=1024)
def tool_kind(name: str) -> ToolKind:
    """What a tool of this name does, by the words of its name: `webSearch` and `duckduckgo_search` are searches.

    A search wins over a visit (`browser.search`). `research` is not `search`.
    """
    words = {word.lower() for word in _WORD.findall(name)}
    if words & SEARCH_WORDS or any(word.endswith("search") and word != "research" for word in words):
        return "search"
    if words & VISIT_WORDS or (words & OPENING_VERBS and words & PAGE_WORDS) or name.lower() in VISIT_NAMES:
        return "visit"
    return "code" if words & CODE_WORDS else "other"
