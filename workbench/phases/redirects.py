"""Addresses that only lead to another: search redirects, archives, readers and AMP caches, undone from their text."""

from re import IGNORECASE

from workbench.phases.lazy import Pattern

# Wrappers that carry the target in a parameter: (path, parameters in order), by host without `www.`.
_BY_PARAMETER = {
    "google.com": ("/url", ("q", "url")),
    "duckduckgo.com": ("/l", ("uddg",)),
    "l.facebook.com": ("/l.php", ("u",)),
    "link.zhihu.com": ("", ("target",)),
}
_ARCHIVED = Pattern(r"https?://web\.archive\.org/web/(?:\d{1,14}|\*)?(?:[a-z]{2}_)?/(.+)", IGNORECASE)
_READER = Pattern(r"https?://r\.jina\.ai/(https?:/.+)", IGNORECASE)
_AMP_VIEWER = Pattern(r"https?://(?:www\.)?google\.com/amp/(s/)?([^/?#]+\.[^/?#]+.*)", IGNORECASE)
_AMP_CACHE = Pattern(r"https?://[^/?#]+\.cdn\.ampproject\.org/[cv]/(s/)?([^/?#]+\.[^/?#]+.*)", IGNORECASE)
_SCHEME = Pattern(r"(https?):/{1,2}(?=[^/])", IGNORECASE)
# A wrapper in a wrapper in a wrapper is real (a reader of an archived redirect); more is hostile.
MAX_DEPTH = 4


def unwrapped(url: str) -> str:
    """The address that a wrapper names in its own text, up to four deep; any other address as it is. Never raises.

    Redirects that hide their target (`t.co`, `vertexaisearch.cloud.google.com/grounding-api-redirect`) stay: what they
    lead to is not in the text, and a guess would join two sources. An archived page counts as the page it archives,
    since a report may cite either for what it read.
    """
    for _ in range(MAX_DEPTH):
        inner = _inner(url)
        if inner is None:
            break
        url = inner
    return url


def _inner(url: str) -> str | None:
    archived = _ARCHIVED().fullmatch(url)
    if archived:
        target = archived[1]
        return _SCHEME().sub(r"\1://", target, count=1) if _SCHEME().match(target) else f"http://{target}"
    reader = _READER().fullmatch(url)
    if reader:
        return _SCHEME().sub(r"\1://", reader[1], count=1)
    amp = _AMP_VIEWER().fullmatch(url) or _AMP_CACHE().fullmatch(url)
    if amp:
        return f"http{'s' if amp[1] else ''}://{amp[2]}"
    return _parameter(url)


def _parameter(url: str) -> str | None:
    from urllib.parse import parse_qsl, urlsplit

    try:
        parts = urlsplit(url)
        path, names = _BY_PARAMETER[(parts.hostname or "").removeprefix("www.")]
        if parts.path.rstrip("/") != path:
            return None
        given = dict(parse_qsl(parts.query))
    except (KeyError, ValueError):
        return None
    target = next((given[name].strip() for name in names if given.get(name)), "")
    return target if target.lower().startswith(("http://", "https://")) else None
