"""A report as safe HTML: its Markdown set, its citations and its uncited claims marked.

The report is hostile. Raw HTML is shown as text, images are shown as their words, links lose their address (the viewer
shows it beside the citation). What is hidden is spelt out, written as an entity or not. Marks of ours travel through
the Markdown renderer as private-use characters, which are among the hidden, so that no text can forge one.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape, unescape
from typing import TYPE_CHECKING, Any

from workbench.schema.analysis import Citation
from workbench.ui.components.text import escaped
from workbench.ui.components.visible import visible

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_ENTITY = re.compile(r"&(?:#[xX]?[0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")
_CITATION = re.compile("\ue001(\\d+)\ue002")
_OPEN, _CLOSE = "\ue003", "\ue004"


def report_html(report: str, citations: Sequence[Citation], uncited: Iterable[tuple[int, int]]) -> str:
    """HTML of block elements only; `<span class="c" data-c="ORDINAL">` per citation, `<span class="u">` per claim."""
    marked = _with_marks(report, citations, uncited)
    html = str(_renderer().render(marked))
    by_ordinal = {citation.ordinal: citation for citation in citations}

    def mark(match: re.Match[str]) -> str:
        citation = by_ordinal[int(match.group(1))]
        label = escaped(citation_label(citation))
        return (
            f'<span class="c {citation.retrieval} {citation.support}" data-c="{citation.ordinal}" tabindex="0">'
            f"{label}</span>"
        )

    return _CITATION.sub(mark, html).replace(_OPEN, '<span class="u">').replace(_CLOSE, "</span>")


def _with_marks(report: str, citations: Sequence[Citation], uncited: Iterable[tuple[int, int]]) -> str:
    cuts: list[tuple[int, int, str]] = [(c.start, c.end, f"\ue001{c.ordinal}\ue002") for c in citations]
    taken = [(start, end) for start, end, _ in cuts]
    for start, end in uncited:
        text = report[start:end]
        crosses = any(a < end and start < b for a, b in taken) or "\n\n" in text or "|" in text
        if not crosses:
            cuts.append((start, start, _OPEN))
            cuts.append((end, end, _CLOSE))
    out: list[str] = []
    position = 0
    for start, end, mark in sorted(cuts, key=lambda cut: (cut[0], cut[1])):
        if start < position:
            continue
        out.append(_spelt(report[position:start]))
        out.append(mark)
        position = end
    out.append(_spelt(report[position:]))
    return "".join(out)


def _spelt(text: str) -> str:
    """What is hidden spelt out; `&#8238;` too, which Markdown would decode."""
    return visible(_ENTITY.sub(_spelt_entity, text) if "&" in text else text)


def _spelt_entity(match: re.Match[str]) -> str:
    meant = unescape(match.group())
    shown = visible(meant)
    return match.group() if shown == meant else shown


def citation_label(citation: Citation) -> str:
    """What stands for a citation in running text: its marker where that is short, else its site."""
    marker = citation.marker.strip()
    if not marker:  # a provider's own record, which the text does not show
        return f"[{citation.site or 'source'}]"
    if len(marker) <= 12:
        return marker
    return f"[{citation.site}]" if citation.site else marker[:11] + "…"


@lru_cache(maxsize=1)
def _renderer() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    renderer = MarkdownIt("commonmark", {"html": False, "linkify": False, "breaks": True}).enable(
        ["table", "strikethrough"]
    )
    renderer.add_render_rule("image", _image)
    renderer.add_render_rule("link_open", _link_open)
    renderer.add_render_rule("link_close", _link_close)
    return renderer


def _image(_self: Any, tokens: Any, index: int, _options: Any, _env: Any) -> str:
    return f'<span class="img">image: {escape(tokens[index].content or "untitled")}</span>'


def _link_open(_self: Any, tokens: Any, index: int, _options: Any, _env: Any) -> str:
    return f'<span class="link" title="{escape(str(tokens[index].attrGet("href") or ""), quote=True)}">'


def _link_close(_self: Any, _tokens: Any, _index: int, _options: Any, _env: Any) -> str:
    return "</span>"
