"""Citations of each attempt by what was retrieved and what was found of their support."""

from collections.abc import Sequence

import streamlit as st

from workbench.schema.analysis import RETRIEVALS, SUPPORTS
from workbench.ui import theme
from workbench.ui.components.compare.attempts import Attempt, badge, heads
from workbench.ui.components.text import escaped


def citations(attempts: Sequence[Attempt]) -> None:
    if not any(sum(attempt.row.citations_by_retrieval.values()) for attempt in attempts):
        st.markdown(":gray[None of these reports cites anything.]")
        return
    most = max(sum(attempt.row.citations_by_retrieval.values()) for attempt in attempts)
    bars = "".join(_bar(attempt, most) for attempt in attempts)
    st.html(f'<div class="wbc-bars">{bars}</div>{_table(attempts)}')


def _bar(attempt: Attempt, most: int) -> str:
    counts = attempt.row.citations_by_retrieval
    parts = "".join(
        f'<i class="{name}" style="width:{100 * counts[name] / most:.2f}%"'
        f' title="{counts[name]} {escaped(theme.RETRIEVAL_WORDS[name])}">{counts[name]}</i>'
        for name in RETRIEVALS
        if counts.get(name)
    )
    return f"<div>{badge(attempt.letter)}<span>{parts}</span></div>"


def _table(attempts: Sequence[Attempt]) -> str:
    retrieval = [
        _row(theme.RETRIEVAL_WORDS[name], f"c {name}", [a.row.citations_by_retrieval.get(name, 0) for a in attempts])
        for name in RETRIEVALS
    ]
    support = [
        _row(theme.SUPPORT_WORDS[name], "", [a.row.citations_by_support.get(name, 0) for a in attempts])
        for name in SUPPORTS
    ]
    tables = (("retrieved", retrieval), ("supports its sentence", support))
    return "".join(
        f'<table class="wbc-t wbc-cited">{heads(attempts, title)}<tbody>{"".join(rows)}</tbody></table>'
        for title, rows in tables
    )


def _row(words: str, mark: str, counts: Sequence[int]) -> str:
    if not any(counts):
        return ""
    shape = f'<span class="{mark}">[n]</span> ' if mark else ""
    cells = "".join(f'<td class="n">{f"<b>{n:,}</b>" if n else "·"}</td>' for n in counts)
    return f"<tr><td>{shape}{escaped(words)}</td>{cells}</tr>"
