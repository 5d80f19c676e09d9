"""Reports in parallel: what differs between two of them, or all of them as they are read."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from workbench.phases.claims import uncited_claims
from workbench.ui.components.choice import one_of
from workbench.ui.components.compare.attempts import Attempt, badge
from workbench.ui.components.compare.diff_html import diff_html
from workbench.ui.components.viewer.report_html import report_html
from workbench.ui.session import parameter, set_parameters

VIEWS: Final = {"differences": "what differs", "whole": "whole reports"}


def reports(attempts: Sequence[Attempt]) -> None:
    with_report = [attempt for attempt in attempts if attempt.report.strip()]
    if not with_report:
        st.markdown(":gray[None of these ended with a report.]")
        return
    left, right = st.columns([2, 3], vertical_alignment="center")
    with left:
        view = one_of("reports", VIEWS, label="Reports", key="compare-reports")
    if view == "whole":
        _whole(attempts)
        return
    with right:
        pair = _pair(attempts)
    st.html(diff_html(*pair))


def _pair(attempts: Sequence[Attempt]) -> tuple[Attempt, Attempt]:
    """The two reports that are set against each other; the choice stands in the address as `pair=AC`."""
    pairs = [f"{a.letter}{b.letter}" for n, a in enumerate(attempts) for b in attempts[n + 1 :]]
    by_letter = {attempt.letter: attempt for attempt in attempts}
    asked = parameter("pair")
    chosen = asked if asked in pairs else pairs[0]
    if len(pairs) > 1:
        picked = st.segmented_control(
            "Which two",
            pairs,
            default=chosen,
            format_func=lambda pair: f"{pair[0]} and {pair[1]}",
            key="compare-pair",
            label_visibility="collapsed",
        )
        chosen = picked or chosen
        set_parameters({"pair": None if chosen == pairs[0] else chosen})
    return by_letter[chosen[0]], by_letter[chosen[1]]


def _whole(attempts: Sequence[Attempt]) -> None:
    cells = []
    for attempt in attempts:
        claims = ((claim.start, claim.end) for claim in uncited_claims(attempt.report))
        shown = report_html(attempt.report, attempt.analysis.citations, claims) or "<p>No report.</p>"
        cells.append(f'<div class="wbc-report"><h4>{badge(attempt.letter)}</h4>{shown}</div>')
    st.html(f'<div class="wbc-side">{"".join(cells)}</div>')
