"""Who asked and found what: queries as sets, sites by attempt."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from workbench.phases.near import MOST_QUERIES
from workbench.reading.shared_research import QueryGroup, SiteRow, query_sets, site_rows
from workbench.ui.components.compare.attempts import Attempt, badge, heads, step_link
from workbench.ui.components.text import escaped, short

# Sets of more than this many lines are folded; a click opens them.
UNFOLDED: Final = 12


def queries(attempts: Sequence[Attempt]) -> None:
    sets = query_sets([attempt.research for attempt in attempts])
    if not sets.groups:
        st.markdown(":gray[No search stands in these trajectories.]")
        return
    if not sets.near:
        st.caption(
            f"Over {MOST_QUERIES:,} distinct queries: only exact repeats are grouped, near-duplicates stand apart."
        )
    parts = [
        _set(title, [_query(group, attempts) for group in sets.groups if group.holders in holders])
        for title, holders in _sections([group.holders for group in sets.groups], attempts)
    ]
    st.html(_columns(attempts, "query, with the steps that asked it") + "".join(parts))


def sites(attempts: Sequence[Attempt]) -> None:
    rows = site_rows([attempt.research for attempt in attempts])
    opened = [row for row in rows if row.holders]
    traced = [attempt for attempt in attempts if attempt.row.steps]
    parts = [
        _set(title, [_site(row, attempts) for row in opened if row.holders in holders])
        for title, holders in _sections([row.holders for row in opened], attempts)
        if traced
    ]
    cited = [row for row in rows if not row.holders and any(row.cited)]
    seen = [row for row in rows if not row.holders and not any(row.cited)]
    # Where an attempt has no trace, what it opened is unknown, and not nothing.
    unopened = (
        "Cited"
        if not traced
        else "Cited, opened by none" + ("" if len(traced) == len(attempts) else " that has a trace")
    )
    parts.append(_set(unopened, [_site(row, attempts) for row in cited], fold=False))
    parts.append(_set("Only in search results", [_site(row, attempts) for row in seen], fold=True))
    if not any(parts):
        st.markdown(":gray[No site stands in these trajectories.]")
        return
    st.html(
        '<p class="wbc-key"><b class="wbc-o">3</b> pages opened <span class="wbc-c">cited</span> in the report '
        '<span class="wbc-mute">○ only in search results</span></p>' + _columns(attempts, "site") + "".join(parts)
    )


def _columns(attempts: Sequence[Attempt], what: str) -> str:
    """The head of all sets below it: each is a table of its own that can be folded."""
    return f'<table class="wbc-t">{heads(attempts, what)}</table>'


def _sections(
    every: Sequence[tuple[int, ...]], attempts: Sequence[Attempt]
) -> list[tuple[str, frozenset[tuple[int, ...]]]]:
    """Titles of the sets (HTML) and which holders belong to each: in all, shared by some, only in one."""
    everyone = tuple(range(len(attempts)))
    some = frozenset(holders for holders in every if 1 < len(holders) < len(attempts))
    sections = [(f"In all {len(attempts)}" if len(attempts) > 2 else "In both", frozenset([everyone]))]
    if some:
        sections.append(("Shared by some", some))
    sections += [(f"Only in {badge(attempt.letter)}", frozenset([(n,)])) for n, attempt in enumerate(attempts)]
    return sections


def _set(title: str, rows: Sequence[str], *, fold: bool | None = None) -> str:
    if not rows and fold is not None:
        return ""
    shown = f'{title} <span class="wbc-mute">{len(rows):,}</span>'
    if not rows:
        return f'<details class="wbc-set none"><summary>{shown}</summary></details>'
    is_open = "" if (len(rows) > UNFOLDED if fold is None else fold) else " open"
    table = f'<table class="wbc-t"><tbody>{"".join(rows)}</tbody></table>'
    return f'<details class="wbc-set"{is_open}><summary>{shown}</summary>{table}</details>'


def _query(group: QueryGroup, attempts: Sequence[Attempt]) -> str:
    variants = {asked.text for own in group.by_attempt for asked in own} - {group.name}
    more = ""
    if variants:
        listed = "".join(f"<li>{escaped(text)}</li>" for text in sorted(variants))
        more = f' <details class="wbc-more"><summary>{len(variants)} more wordings</summary><ul>{listed}</ul></details>'
    cells = "".join(
        f'<td class="n">{" ".join(step_link(attempt, asked.step) for asked in own) or _NONE}</td>'
        for attempt, own in zip(attempts, group.by_attempt, strict=True)
    )
    return f"<tr><td>{escaped(group.name)}{more}</td>{cells}</tr>"


_NONE: Final = '<span class="wbc-mute">·</span>'


def _site(row: SiteRow, attempts: Sequence[Attempt]) -> str:
    cells = "".join(_site_cell(row, n, attempt) for n, attempt in enumerate(attempts))
    pages = {page.url for own in row.pages for page in own}
    more = ""
    if pages:
        listed = "".join(_page(url, row, attempts) for url in sorted(pages))
        words = "1 page" if len(pages) == 1 else f"{len(pages)} pages"
        more = f' <details class="wbc-more"><summary>{words}</summary><ul>{listed}</ul></details>'
    return f"<tr><td>{escaped(row.site)}{more}</td>{cells}</tr>"


def _page(url: str, row: SiteRow, attempts: Sequence[Attempt]) -> str:
    who = " ".join(
        badge(attempt.letter) + step_link(attempt, page.step)
        for attempt, own in zip(attempts, row.pages, strict=True)
        for page in own
        if page.url == url
    )
    return f'<li title="{escaped(url)}">{escaped(short(url, 140))} {who}</li>'


def _site_cell(row: SiteRow, n: int, attempt: Attempt) -> str:
    cited = '<span class="wbc-c">cited</span>' if row.cited[n] else ""
    if row.pages[n]:
        return f'<td class="n"><b class="wbc-o">{len(row.pages[n])}</b> {cited}</td>'
    if not attempt.row.steps:
        return f'<td class="n">{cited or _UNKNOWN}</td>'
    return f'<td class="n">{cited or ("" if row.seen[n] else _NONE)}{_SEEN if row.seen[n] else ""}</td>'


_UNKNOWN: Final = '<span class="wbc-mute" title="no trace: not known">?</span>'
_SEEN: Final = '<span class="wbc-mute" title="only in search results"> ○</span>'
