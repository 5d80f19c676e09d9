"""The figures of each attempt in one table, with a bar in each cell: where they differ is seen before it is read."""

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from workbench.ui.components.compare.attempts import Attempt, heads
from workbench.ui.components.text import escaped

Reading = Callable[[Attempt], float | None]


def _traced(read: Callable[[Attempt], float | None]) -> Reading:
    """What an agent did is unknown where its report was imported alone."""
    return lambda attempt: read(attempt) if attempt.row.steps else None


ROWS: Final[tuple[tuple[str, Reading, str], ...]] = (
    ("score", lambda a: a.row.score, ".2f"),
    ("distinct queries", _traced(lambda a: a.analysis.activity.distinct_queries), ",.0f"),
    ("of which nearly repeat another", _traced(lambda a: a.analysis.activity.near_duplicate_queries), ",.0f"),
    ("sites opened", _traced(lambda a: a.analysis.activity.sites_opened), ",.0f"),
    ("sites cited", lambda a: a.analysis.activity.sites_cited, ",.0f"),
    ("tool calls", _traced(lambda a: a.analysis.activity.tool_calls), ",.0f"),
    ("of which failed", _traced(lambda a: a.analysis.activity.failed_calls), ",.0f"),
    ("evidence, characters", _traced(lambda a: a.analysis.activity.evidence_chars), ",.0f"),
    ("retrieved before", _traced(lambda a: a.analysis.activity.redundancy), ".0%"),
    ("tokens", _traced(lambda a: a.analysis.activity.tokens), ",.0f"),
    ("time, seconds", _traced(lambda a: a.analysis.activity.duration_s), ",.0f"),
    ("cost, USD", _traced(lambda a: a.analysis.activity.cost_usd), ",.4f"),
    ("report, characters", lambda a: a.row.report_chars, ",.0f"),
)


def figures_table(attempts: Sequence[Attempt]) -> None:
    body = []
    for name, read, form in ROWS:
        values = [read(attempt) for attempt in attempts]
        if all(value is None for value in values) and name != "score":
            continue
        most = max((value for value in values if value is not None), default=0)
        cells = "".join(_cell(value, most, form, name) for value in values)
        body.append(f"<tr><td>{escaped(name)}</td>{cells}</tr>")
    st.html(f'<table class="wbc-t wbc-figures">{heads(attempts)}<tbody>{"".join(body)}</tbody></table>')


def _cell(value: float | None, most: float, form: str, name: str) -> str:
    if value is None:
        missing = "not graded" if name == "score" else "not known"
        return f'<td class="n wbc-mute">{missing}</td>'
    share = 100 * value / (1.0 if name == "score" else most or 1)
    return f'<td class="n"><b>{value:{form}}</b><i style="width:{max(0.0, min(share, 100.0)):.1f}%"></i></td>'
