"""Pages that a visit asks for: their addresses, their parts of the answer, and whether a part is an error page."""

from collections.abc import Sequence
from re import IGNORECASE, MULTILINE

from workbench.phases.arguments import strings_at
from workbench.phases.lazy import Pattern
from workbench.phases.suffixes import site_of
from workbench.phases.urls import find_urls, normal_url
from workbench.schema.trajectory import ToolCall

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
# How much of an answer is read for signs of failure, and how long a page may be that says it could not be found.
HEAD_CHARS = 600
ERROR_PAGE_CHARS = 1500

_LABELLED = Pattern(
    r"^\W{0,4}(?:url(?: source)?|source|link|address|网址|链接)\W{0,4}(?=https?:)", IGNORECASE | MULTILINE
)
LABEL_CHARS = 400
_FAILED_PAGE = Pattern(
    r"could not be (?:accessed|fetched|loaded|retrieved|opened)"
    r"|(?:failed|unable) to (?:read|fetch|load|open|retrieve|access|crawl|scrape)"
    r"|(?:page|url|file|resource|document|site) (?:was |is |could )?not (?:be )?found"
    r"|access (?:is |was )?denied|(?:request|connection|page|fetch) timed out|timeout (?:error|exceeded)"
    r"|\b(?:http|status|error|code)[ :=]{1,3}(?:40[0134]|410|429|451|5\d\d)\b"
    r"|\b(?:403 forbidden|404 not found|not found 404|error 404|50[234] (?:bad gateway|service|gateway))"
    r"|connection (?:refused|reset)|无法(?:访问|打开|获取|读取)|页面不存在|访问(?:被拒绝|失败)|抓取失败|请求超时",
    IGNORECASE,
)


def addresses_of(call: ToolCall, answer: str) -> tuple[str, ...]:
    """The web addresses that a call names, in order, without repeats.

    A call that names none (it opens result 3, or follows a link) has the address that its `answer` gives on a line of
    its own near the beginning, if any.
    """
    arguments = call.arguments
    found = strings_at(arguments, URL_KEYS)
    urls = [hit.url for text in found for hit in find_urls(text)]
    urls += [f"https://{text.strip()}" for text in found if "://" not in text and _is_bare_address(text.strip())]
    if not urls:
        urls = [hit.url for value in arguments.values() if isinstance(value, str) for hit in find_urls(value)]
    if not urls:
        label = _LABELLED().search(answer[:LABEL_CHARS])
        urls = [hit.url for hit in find_urls(answer[label.end() : label.end() + 2000])][:1] if label else []
    return tuple(dict.fromkeys(urls))


def _is_bare_address(text: str) -> bool:
    host = text.partition("/")[0]
    return "." in host.strip(".") and not any(char.isspace() for char in text) and bool(site_of(host))


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


def looks_like_error_page(text: str) -> bool:
    """Conservative: a page counts as failed only where it is empty, or short and says so near its beginning."""
    stripped = text.strip()
    if not stripped:
        return True
    return len(stripped) <= ERROR_PAGE_CHARS and _FAILED_PAGE().search(stripped[:HEAD_CHARS]) is not None
