"""What a web surfer says that it did: `I typed 'words' into ...`, `I clicked '...'`, and the page that came of it.

Only what is certain becomes a search or a visit. A search: the page is that of a search engine's results, and the words
were typed. A visit: a click or an address that led to a page with an address of its own. Scrolling on the page that is
open, or filling in a field of it, is neither.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from workbench.schema.trajectory import ToolKind

_TYPED = re.compile(r"\s*I (?:typed|input) '(?P<words>.{1,1000}?)' in(?:to|\b)", re.DOTALL)
_WENT = re.compile(r"\s*I (?:clicked|visited|opened|navigated|went|pressed)\b")
_ADDRESS = re.compile(r"\s*Address: (?P<url>https?://\S{1,2000})")
_PAGE = re.compile(r"\]\((?P<url>https?://[^\s)]{1,2000})\)")
_HEAD_CHARS = 4000
_ENGINE = re.compile(r"(?:www\.)?(?:bing|google|duckduckgo|yahoo|baidu|startpage)\.[a-z.]{2,6}|search\.[a-z.]{4,20}")
_FAILED = re.compile(
    r"\s*(?:(?:File|Web) ?surfer encountered an error|Address: [^\n]{1,2000}\s+Title: Error)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Action:
    """What kind of call it was, and what it asked for."""

    kind: ToolKind
    arguments: Mapping[str, str]


def read_action(text: str) -> Action | None:
    """What the message says was done; None where it does not say so for certain."""
    if (read := _ADDRESS.match(text)) is not None:
        return Action("visit", {"url": read["url"]})
    page = _PAGE.search(text[:_HEAD_CHARS])
    if page is None:
        return None
    url = page["url"]
    typed = _TYPED.match(text)
    if typed is not None:
        return Action("search", {"query": typed["words"].strip()}) if _is_results(url) else None
    if _WENT.match(text) is None or _is_results(url):
        return None
    return Action("visit", {"url": url})


def failed(text: str) -> bool:
    """Whether the agent says that it could not do it."""
    return _FAILED.match(text) is not None


def _is_results(url: str) -> bool:
    """A page of a search engine that names the words it was asked for."""
    try:
        parts = urlsplit(url)
        host, asked = parts.hostname or "", parse_qs(parts.query)
    except ValueError:
        return False
    return _ENGINE.fullmatch(host) is not None and any(asked.get(key) for key in ("q", "p", "query", "wd"))
