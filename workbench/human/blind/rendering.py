"""A report as inert HTML: same look for every system, no link, no image, no script, no name.

Only tags that this module writes reach the browser; everything of the report is escaped text between them.
"""

import re
from collections.abc import Callable, Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.token import Token

from workbench.human.blind.masking import SITE, Masker
from workbench.human.blind.normalise import normalise

_MARK = re.compile(r"\[\d{1,3}(?:\s*[,，、;–-]\s*\d{1,3})*\]")
_LINK_IS_MARK = re.compile(r"\s*\[?\s*(\d{1,3}(?:\s*[,，、;–-]\s*\d{1,3})*)\s*\]?\s*")
_URL = re.compile(r"(?:\b(?:https?|ftp)://|\bwww\.)[^\s<>\"'`|\\^{}（）【】《》，。；、]+", re.IGNORECASE)
_DOMAIN = re.compile(r"\s*(?:https?://)?(?:[\w-]+\.)+[a-z]{2,}(?:[/?#][^\s]*)?\s*", re.IGNORECASE)
# Pictographs and dingbats, with what follows them, that some systems put before headings and items.
_ORNAMENT = re.compile("[\u2600-\u27bf\u2b50\u2b55\U0001f300-\U0001faff]\ufe0f?[ \t]?")
_LINK_SIGN = "↗"
_OPENERS, _CLOSERS = "([<", ").,;:!?]>*_'\""

Mask = Callable[[str], str]


def render(report: str, masker: Masker, *, plain_markup: bool = False) -> str:
    """HTML of a report, names masked. Links become numbered marks, or ↗ where the report numbers its own.

    `plain_markup`: habits of layout go too. Headings have one level, lists one kind of mark, nothing is bold or
    slanted, no rule or quotation is set off; tables and code stay.
    """
    text = normalise(report)
    tokens = _parser().parse(text)
    sources = _Sources(numbered=bool(_MARK.search(text)))
    return "".join(_block(_evened(tokens) if plain_markup else tokens, masker.mask, sources))


def _evened(tokens: Sequence[Token]) -> list[Token]:
    out: list[Token] = []
    for token in tokens:
        if token.type in ("hr", "blockquote_open", "blockquote_close"):
            continue
        if token.type.startswith("heading"):
            token.tag = "h2"
        elif token.type.startswith("ordered_list"):
            token.type = token.type.replace("ordered", "bullet")
        elif token.type == "inline":
            kept = [child for child in token.children or [] if child.type.rpartition("_")[0] not in _INLINE]
            for child in kept:
                if child.type == "text":
                    child.content = _ORNAMENT.sub("", child.content)
            token.children = kept
        out.append(token)
    return out


def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "linkify": False, "typographer": False}).enable(
        ["table", "strikethrough"]
    )


class _Sources:
    """Numbers distinct links by first appearance, unless the report has numbers of its own for them to clash with."""

    def __init__(self, *, numbered: bool) -> None:
        self._numbered = numbered
        self._numbers: dict[str, int] = {}

    def mark(self, url: str) -> str:
        if self._numbered:
            return f'<span class="cite">{_LINK_SIGN}</span>'
        return f'<span class="cite">[{self._numbers.setdefault(url, len(self._numbers) + 1)}]</span>'


_SIMPLE = {
    "paragraph": "p", "bullet_list": "ul", "list_item": "li", "blockquote": "blockquote", "table": "table",
    "thead": "thead", "tbody": "tbody", "tr": "tr", "th": "th", "td": "td",
}  # fmt: skip
_INLINE = {"em": "em", "strong": "strong", "s": "s"}


def _block(tokens: Sequence[Token], mask: Mask, sources: _Sources) -> list[str]:
    out: list[str] = []
    for token in tokens:
        kind, _, end = token.type.rpartition("_")
        if token.type == "inline":
            out.append(_inline(token.children or [], mask, sources))
        elif token.type in ("fence", "code_block"):
            out.append(f"<pre><code>{_plain(token.content, mask, sources)}</code></pre>")
        elif token.type == "hr":
            out.append("<hr>")
        elif token.hidden:
            continue
        elif kind == "heading":
            # The page's own headings end at h2; which level a system starts from must not show.
            level = min(6, int(token.tag[1]) + 2)
            out.append(f"<h{level}>" if end == "open" else f"</h{level}>")
        elif kind == "ordered_list":
            start = token.attrGet("start")
            out.append("</ol>" if end == "close" else f'<ol start="{int(start)}">' if start else "<ol>")
        elif kind == "table":
            out.append('<div class="wide"><table>' if end == "open" else "</table></div>")
        elif kind in _SIMPLE:
            out.append(f"<{_SIMPLE[kind]}>" if end == "open" else f"</{_SIMPLE[kind]}>")
        else:
            out.append(_plain(token.content, mask, sources))
    return out


def _inline(children: Sequence[Token], mask: Mask, sources: _Sources) -> str:
    visible = "".join(_visible(child) for child in children)
    masked = mask(visible)
    if masked != visible and masked != "".join(mask(_visible(child)) for child in children):
        # A name runs across formatting (G**PT**-5): the formatting goes, the name is masked.
        return _plain(visible, mask, sources)
    out: list[str] = []
    links: list[tuple[str, int]] = []
    for child in children:
        kind, _, end = child.type.rpartition("_")
        if child.type == "link_open":
            links.append((str(child.attrGet("href") or ""), len(out)))
        elif child.type == "link_close" and links:
            url, start = links.pop()
            inner = "".join(out[start:])
            out[start:] = [_link(inner, url, sources)]
        elif kind in _INLINE:
            out.append(f"<{_INLINE[kind]}>" if end == "open" else f"</{_INLINE[kind]}>")
        elif child.type == "code_inline":
            out.append(f"<code>{_plain(child.content, mask, sources)}</code>")
        elif child.type in ("softbreak", "hardbreak"):
            out.append("\n" if child.type == "softbreak" else "<br>")
        elif child.type == "image":
            out.append(f'<span class="cite">[figure: {_plain(child.content, mask, sources)}]</span>')
        elif links and child.type == "text":
            out.append(escape(mask(_URL.sub("", child.content))))
        else:
            out.append(_plain(child.content, mask, sources))
    return "".join(out)


def _link(inner: str, url: str, sources: _Sources) -> str:
    if own := _LINK_IS_MARK.fullmatch(inner):
        return f'<span class="cite">[{own.group(1)}]</span>'
    if not inner.strip() or _DOMAIN.fullmatch(inner) or inner.strip() == SITE:
        return sources.mark(url)
    return f"{inner}{sources.mark(url)}"


def _visible(child: Token) -> str:
    return "\n" if child.type in ("softbreak", "hardbreak") else child.content


def _plain(text: str, mask: Mask, sources: _Sources) -> str:
    """Escaped text: bare addresses as marks, the report's own numbers set as marks."""
    out: list[str] = []
    at = 0
    for found in _URL.finditer(text):
        address = found.group(0).rstrip(_CLOSERS)
        out += [_marked(mask(text[at : found.start()])), sources.mark(address)]
        at = found.start() + len(address)
    out.append(_marked(mask(text[at:])))
    return "".join(out)


def _marked(text: str) -> str:
    return _MARK.sub(lambda found: f'<span class="cite">{found.group(0)}</span>', escape(text))
