"""What the tools answer, as text: lists of results, pages, passages; and the same in a format that nobody expected."""

import html
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.simulated_web.pages import Page
from benchmarks.simulated_web.search_index import words_of
from benchmarks.simulated_web.world import World

MOST_PASSAGES = 5
PASSAGE_CHARS = 600
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")


@dataclass(frozen=True, slots=True)
class Listed:
    """One search result."""

    title: str
    site: str
    url: str
    extract: str


def results_text(head: str, results: Sequence[Listed], *, first: int) -> str:
    """A numbered list that begins with number `first`."""
    lines = [head]
    for number, one in enumerate(results, first):
        lines.append(f"\n{number}. {one.title} | {one.site}\n   URL: {one.url}\n   {one.extract}")
    return "\n".join(lines)


def results_changed(results: Sequence[Listed]) -> str:
    """The same results as a service sends them that has changed its format overnight."""
    items = [{"headline": r.title, "source": r.site, "link": r.url, "abstract": r.extract} for r in results]
    return json.dumps({"v": 2, "items": items}, ensure_ascii=False, indent=1)


def page_text(world: World, page: Page) -> str:
    """A page as `open_page` shows it."""
    return f"# {page.title}\nURL: {page.url}\n{world.site[page.site].name}, published {page.published}\n\n{page.text}"


def page_changed(world: World, page: Page) -> str:
    """The same page as its markup, as it comes where nobody takes the text out."""
    blocks = "\n".join(f"<p>{html.escape(block, quote=False)}</p>" for block in page.text.split("\n\n"))
    return (
        f'<!doctype html><html><head><title>{html.escape(page.title)}</title><link rel="canonical" '
        f'href="{page.url}"></head><body><header>{html.escape(world.site[page.site].name)}</header>'
        f'<time datetime="{page.published}"></time><article>\n{blocks}\n</article></body></html>'
    )


def passages(page: Page, wanted: str) -> list[str]:
    """Stretches of the page that hold `wanted`; where none does, sentences that hold all its words. In their order, at
    most MOST_PASSAGES."""
    blocks = [block for block in page.text.split("\n\n") if block.strip()]
    phrase = " ".join(wanted.lower().split())
    found = [_around(block, phrase) for block in blocks if phrase in " ".join(block.lower().split())]
    if not found:
        words = set(words_of(wanted))
        sentences = [s for block in blocks for s in _SENTENCE_END.split(block)]
        found = [s.strip()[:PASSAGE_CHARS] for s in sentences if words and words <= set(words_of(s))]
    return found[:MOST_PASSAGES]


def _around(block: str, phrase: str) -> str:
    """The block, or where it is long a stretch of it with the phrase in its middle, cut at words."""
    flat = " ".join(block.split())
    if len(flat) <= PASSAGE_CHARS:
        return flat
    start = max(0, flat.lower().find(phrase) - (PASSAGE_CHARS - len(phrase)) // 2)
    cut = flat[start : start + PASSAGE_CHARS]
    before = "... " if start else ""
    after = " ..." if start + PASSAGE_CHARS < len(flat) else ""
    cut = cut.split(" ", 1)[1] if start and " " in cut else cut
    return before + (cut.rsplit(" ", 1)[0] if after and " " in cut else cut) + after
