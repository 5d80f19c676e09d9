"""Web addresses in text, and one form of each for comparison."""

from collections.abc import Iterator
from functools import lru_cache
from re import IGNORECASE
from typing import TYPE_CHECKING, NamedTuple

from workbench.phases.lazy import Pattern
from workbench.phases.redirects import unwrapped
from workbench.phases.suffixes import decoded_label

if TYPE_CHECKING:
    from urllib.parse import SplitResult

# Brackets are allowed inside and trimmed at the end; an apostrophe only within a word, a backslash only as JSON's
# escaped slash or ampersand, or Markdown's escaped underscore.
_ADDRESS = Pattern(
    r"https?:(?:\\?/){2}(?:[^\s<>\"'`\\^{}|\x00-\x1f，。；、！？：（）【】《》「」“”‘’]|(?<=\w)'(?=\w)|\\[/_]|\\u0026)+",
    IGNORECASE,
)
_TARGET = Pattern(r"https?://(?:[^\s<>()]|\([^\s<>()]{0,300}\)){1,2048}", IGNORECASE)
_CJK_LETTER = Pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_PERCENT = Pattern(r"(?:%[0-9A-Fa-f]{2})+")
_ARXIV = Pattern(r"(?:abs|pdf|html)/((?:\d{4}\.\d{4,5}|[a-z.\-]+/\d{7}))(?:v\d+)?(?:\.pdf)?")

_STRAY_PERCENT = Pattern(r"%(?![0-9A-Fa-f]{2})")
_ARXIV_DOI = Pattern(r"/10\.48550/arxiv\.(\d{4}\.\d{4,5})(?:v\d+)?", IGNORECASE)
# A publisher's page for one DOI; supplements and figures below it are pages of their own.
_PUBLISHED_DOI = Pattern(r"/doi/(?:(?:abs|full|pdf|epdf|pdfdirect)/)?(10\.\d{4,9}/[^/?#]+)", IGNORECASE)

TRACKING = frozenset(
    (
        "gclid",
        "fbclid",
        "msclkid",
        "yclid",
        "dclid",
        "gbraid",
        "wbraid",
        "mc_cid",
        "mc_eid",
        "igshid",
        "srsltid",
        "_hsenc",
        "_hsmi",
        "mkt_tok",
        "ref_src",
        "oly_anon_id",
        "oly_enc_id",
        "vero_id",
        "wickedid",
    )
)
# Encyclopaedias whose paths are titles in the language of the page.
NATIVE_PATHS = ("/wiki/", "/item/", "wikipedia.org/")
OPENING = {")": "(", "]": "["}


class FoundUrl(NamedTuple):
    """An address and where it stands: character offsets in the text. `url` has JSON and HTML escapes undone."""

    start: int
    end: int
    url: str


def find_urls(text: str) -> Iterator[FoundUrl]:
    """Every http(s) address in a text of any kind (prose, Markdown, JSON), in order, without overlaps."""
    for match in _ADDRESS().finditer(text):
        raw = _trimmed(_until_prose(match.group()))
        if len(raw) > len("https://"):
            yield FoundUrl(match.start(), match.start() + len(raw), _unescaped(raw))


def link_target(text: str, start: int) -> tuple[int, str] | None:
    """The address of a Markdown link that begins at `start`, right after the bracket: (its end, address), or None.

    Runs to the closing bracket of the link, so that it may hold brackets and letters that a bare address may not.
    """
    match = _TARGET().match(text, start)
    if match is None:
        return None
    # A link that is not closed ends where a bare address would: `[tables](https://a.example/x]. Next`.
    raw = match.group() if text[match.end() : match.end() + 1] == ")" else _trimmed(match.group())
    return start + len(raw), _unescaped(raw)


def _until_prose(raw: str) -> str:
    """Cuts where Chinese or Japanese prose goes on right after an address; a path may begin with such letters."""
    if raw.isascii():
        return raw
    if any(mark in raw for mark in NATIVE_PATHS):
        return raw
    for match in _CJK_LETTER().finditer(raw):
        before = raw[match.start() - 1]
        if before not in "/=_-%+&?(" and not _CJK_LETTER().match(before):
            return raw[: match.start()]
    return raw


def _trimmed(raw: str) -> str:
    """Drops closing punctuation that belongs to the sentence, and closing brackets that were not opened inside."""
    end = len(raw)
    surplus = {close: raw.count(close) - raw.count(opening) for close, opening in OPENING.items()}
    while end:
        last = raw[end - 1]
        if last in ".,;:!?*~…":
            end -= 1
        elif surplus.get(last, 0) > 0:
            surplus[last] -= 1
            end -= 1
        else:
            break
    cut = raw.find("](", 0, end)  # `[https://a](https://a)`: the text of a link, not a part of its address
    return raw[: cut if cut > 0 else end]


def _unescaped(raw: str) -> str:
    if "\\" in raw:
        raw = raw.replace("\\/", "/").replace("\\_", "_").replace("\\u0026", "&")
    # Only the ampersand: a browser's loose entities would turn `&noteId=` into a sign of negation.
    return raw.replace("&amp;", "&") if "&amp;" in raw else raw


@lru_cache(maxsize=8192)
def normal_url(url: str) -> str:
    """One form of an address for comparison: two addresses that are surely one page have one form.

    Scheme, `www.`, mobile hosts, default ports, fragment, trailing slash and tracking parameters are dropped,
    parameters sorted, percent-encoding undone where it changes nothing, redirects, archives, readers and AMP caches
    unwrapped (see `redirects`); the DOI
    and arXiv forms of one paper are one. Never raises.
    """
    from urllib.parse import parse_qsl  # here and below: it takes three of the milliseconds that an import may take

    outer = url.strip()
    parts = _split(unwrapped(outer)) or _split(outer)
    if parts is None:
        return outer.lower()
    host, path = _plain_host(parts.hostname or ""), _decoded(parts.path).rstrip("/ ")
    if host in ("doi.org", "dx.doi.org"):
        paper = _ARXIV_DOI().fullmatch(path)
        return f"arxiv.org/abs/{paper.group(1)}" if paper else f"doi.org{path.lower()}"
    if article := _PUBLISHED_DOI().fullmatch(path):
        return f"doi.org/{article.group(1).lower()}"
    if (host == "arxiv.org" or host.endswith(".arxiv.org")) and (paper := _ARXIV().fullmatch(path.lstrip("/"))):
        return f"arxiv.org/abs/{paper.group(1)}"
    query = sorted(pair for pair in parse_qsl(parts.query, keep_blank_values=True) if not _tracks(pair[0].lower()))
    # Quoted again: an escaped `&` within a value is no second parameter.
    tail = "?" + "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in query) if query else ""
    # A fragment that starts like a path is the address of a page of its own in many applications.
    fragment = f"#{parts.fragment}" if parts.fragment.startswith(("!", "/")) else ""
    port = f":{parts.port}" if parts.port not in (None, 80, 443) else ""
    return f"{host}{port}{path}{tail}{fragment}"


def _split(url: str) -> "SplitResult | None":
    """The parts of an address with a host and a readable port, else None."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        return parts if parts.hostname and (parts.port is None or parts.port >= 0) else None
    except ValueError:
        return None


def _tracks(name: str) -> bool:
    return name in TRACKING or name.startswith("utm_")


def _plain_host(host: str) -> str:
    labels = [decoded_label(label) for label in host.rstrip(".").split(".")]
    first = 0
    while len(labels) - first > 2 and labels[first] in ("www", "m", "amp"):
        first += 1
    labels = labels[first:]
    if len(labels) == 4 and labels[1:] == ["m", "wikipedia", "org"]:
        del labels[1]
    return ".".join(labels)


def _decoded(path: str) -> str:
    """Undoes percent-encoding except of characters that would change how the path is read."""
    if "%" not in path:
        return path
    # A sign that escapes nothing is escaped first, or what follows could become an escape only now.
    return _PERCENT().sub(lambda run: _readable(run.group()), _STRAY_PERCENT().sub("%25", path))


def _readable(escapes: str) -> str:
    from urllib.parse import unquote_to_bytes

    text = unquote_to_bytes(escapes).decode("utf-8", errors="surrogateescape")
    return "".join(_kept(char) for char in text)


def _quoted(text: str) -> str:
    return "".join(char if char in "/?" else _kept(char) for char in text)


def _kept(char: str) -> str:
    from urllib.parse import quote

    if "\udc80" <= char <= "\udcff":  # a byte that is no UTF-8
        return f"%{ord(char) - 0xDC00:02X}"
    return quote(char, safe="") if char in "/?#%&=+;" or char.isspace() or not char.isprintable() else char
