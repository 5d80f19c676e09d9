"""Overview: each run in one card, what holds it back in one sentence, and score against effort."""

import math
from pathlib import Path
from typing import Final

import streamlit as st

from workbench.ui import data
from workbench.ui.components import figures
from workbench.ui.components.overview.card import run_card
from workbench.ui.components.overview.scatter import scatter_section
from workbench.ui.components.overview.summary import summarise
from workbench.ui.components.text import plain
from workbench.ui.kept import derived
from workbench.ui.session import rerun_at, store_label, whole_number

STYLE: Final = Path(__file__).parents[1] / "components" / "overview" / "overview.css"
RUNS: Final = 12


def page() -> None:
    st.title("Overview")
    runs = data.runs()
    if not runs:
        figures.nothing_here(
            "No trajectory is in this store yet.",
            remedy="Import files on the Jobs page, or run `make demo` for a sample store of simulated trajectories.",
        )
        return
    st.html(STYLE)
    left, right = st.columns([5, 2], vertical_alignment="bottom")
    with left:
        figures.simulated_mark(any(run.simulated for run in runs))
        total = sum(run.n for run in runs)
        st.caption(f"{total:,} trajectories in {len(runs):,} runs · {plain(store_label())}")
    with right:
        grader = data.choose_grader("overview-grader")
    pages = math.ceil(len(runs) / RUNS)
    number = min(whole_number("page", 1) or 1, pages)
    shown = runs[(number - 1) * RUNS : number * RUNS]
    whole = data.whole(grader)
    names = tuple(run.name for run in shown)
    found = derived(("overview", whole.version, names), lambda: summarise(whole.rows, names))
    for run in shown:
        if run.name in found:
            run_card(run, found[run.name], grader)
    empty = [run.name for run in shown if run.name not in found]
    if empty:
        st.caption(f"Without a trajectory: {plain(', '.join(empty))}")
    if pages > 1:
        chosen = st.pagination(pages, default=number, key=f"overview-pages-{pages}")
        st.caption(f"Runs {(number - 1) * RUNS + 1:,} to {(number - 1) * RUNS + len(shown):,} of {len(runs):,}")
        if chosen != number:
            rerun_at({"page": str(chosen)})
    st.html(
        "<p class='wbo-key'>Bars: plan, research, synthesis in this order, as shares of all; hover for the interval. "
        "Brackets: 95 % intervals, bootstrap over questions.</p>"
    )
    scatter_section(whole, found, grader)
