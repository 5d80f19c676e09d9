"""Phases: how far each run searches, where reports go wrong in either phase, and in which ways they fail."""

from pathlib import Path

import streamlit as st

from workbench.ui import data
from workbench.ui.components import figures
from workbench.ui.components.phases_page.modes import modes_section
from workbench.ui.components.phases_page.rows import chosen_rows
from workbench.ui.components.phases_page.spread import spread_section
from workbench.ui.components.phases_page.wrong import wrong_section
from workbench.ui.components.visible import visible
from workbench.ui.session import join_names, parameter, set_parameters, split_names

STYLE = Path(__file__).parents[1] / "components" / "phases_page" / "phases_page.css"


def page() -> None:
    st.title("Phases")
    names = data.run_names()
    if not names:
        figures.nothing_here(
            "No trajectory is in this store yet.",
            remedy="Import files on the Jobs page, or run `workbench import PATH`.",
        )
        return
    st.html(STYLE)
    left, right = st.columns([5, 2])
    asked = split_names(parameter("run"))
    with left:
        # A run that is not there (any more) stays chosen, as on the Trajectories page.
        options = list(dict.fromkeys([*names, *asked]))
        chosen = tuple(
            st.multiselect(
                "Runs",
                options,
                default=asked,
                placeholder="all runs",
                key=f"phases-runs-{asked!a}",
                format_func=visible,
            )
        )
    set_parameters({"run": join_names(chosen)})
    with right:
        grader = data.choose_grader("phases-grader")
    found = chosen_rows(chosen, grader)
    rows = found.rows
    if rows.empty:
        figures.nothing_here("These runs have no trajectory.", remedy="Choose others above.")
        return
    figures.simulated_mark(data.any_simulated(list(chosen or names)))
    untraced = int((rows["steps"] == 0).sum())
    alone = f", of which {untraced:,} without a trace" if untraced else ""
    n_runs, n_questions = rows["run"].nunique(), rows["question_id"].nunique()
    st.caption(f"{len(rows):,} trajectories of {n_runs:,} runs on {n_questions:,} questions{alone}")
    st.header("How far they search", anchor="spread")
    spread_section(found)
    st.header("Where reports go wrong", anchor="wrong")
    bound = wrong_section(found)
    st.header("In which ways they fail", anchor="modes")
    modes_section(rows, grader, bound)
