"""Trajectories: a table of any size, filtered and paged by the database, with a permalink for every state."""

import math
from typing import Final

import streamlit as st

from workbench.store import TrajectoryFilter, TrajectoryRow
from workbench.ui import data, filters, routes
from workbench.ui.components import figures
from workbench.ui.components.cells import framed, readable
from workbench.ui.components.download import download
from workbench.ui.components.filter_bar import filter_bar
from workbench.ui.components.saved_filters import saved_filters
from workbench.ui.components.text import plain, short
from workbench.ui.session import rerun_at, set_parameters, store, whole_number

ROWS: Final = 50


def page() -> None:
    st.title("Trajectories")
    set_parameters({"id": None, "at": None, "step": None})  # of the trajectory that one comes back from
    view = filters.from_address()
    if not data.run_names():
        figures.nothing_here(
            "No trajectory is in this store yet.",
            remedy="Import files on the Jobs page, or run `workbench import PATH`.",
        )
        return
    filter_bar(view)
    number = whole_number("page", 1) or 1
    if number > 1:
        # A page past the end is the last one; only the count is asked for, not every id of the filter.
        matching = store().trajectories.page(view.filter, limit=1).total
        number = min(number, max(1, math.ceil(matching / ROWS)))
    found = store().trajectories.page(
        view.filter,
        sort=view.sort,
        descending=view.descending,
        offset=(number - 1) * ROWS,
        limit=ROWS,
    )
    everything = store().trajectories.page(TrajectoryFilter(), limit=0).total
    first = found.offset + 1 if found.items else 0
    chips = _chips(view)
    left, right, kept, file = st.columns([4, 2, 2, 2], vertical_alignment="center")
    with file:
        download(view.filter, found.total)
    with kept:
        saved_filters(view.parameters)
    left.markdown(
        f"**{found.total:,} of {everything:,}** :gray[trajectories, showing {first:,} to "
        f"{found.offset + len(found.items):,} by {filters.SORTS[view.sort]}{', descending' if view.descending else ''}"
        f"{' · ' + ' · '.join(chips) if chips else ''}]"
    )
    if chips and right.button("Clear question, step, group and link"):
        rerun_at({"question": None, "policy_step": None, "group": None, "ids": None, "page": None})
    if not found.items:
        figures.nothing_here(
            "No trajectory matches this filter.", remedy="Widen it: each field above narrows the list."
        )
        return
    if found.total > 1 and "question" in view.parameters:
        routes.link("compare", "Compare attempts at this question →", question=view.parameters["question"])
    _table(found.items, view, found.offset)
    pages = math.ceil(found.total / ROWS)
    if pages > 1:
        chosen = st.pagination(pages, default=min(number, pages), key=f"pages-{found.total}")
        if chosen != number:
            rerun_at({"page": str(chosen)})


def _chips(view: filters.View) -> list[str]:
    """What narrows the list without a field of its own."""
    chips = [
        f"{label} {plain(view.parameters[name])}"
        for name, label in (("policy_step", "policy step"), ("group", "group"))
        if name in view.parameters
    ]
    if question := view.parameters.get("question"):
        one = store().trajectories.page(TrajectoryFilter(question_id=question), limit=1).items
        chips.insert(0, f"question *{plain(short(one[0].question if one else question, 80))}*")
    if view.filter.ids is not None:
        chips.append(f"{len(view.filter.ids):,} that a link names")
    return chips


def _table(rows: tuple[TrajectoryRow, ...], view: filters.View, offset: int) -> None:

    shown = framed(
        {
            "question": [short(row.question, 160) for row in rows],
            "run": [row.run for row in rows],
            "attempt": [row.attempt for row in rows],
            "step": [row.policy_step for row in rows],
            "score": [row.score for row in rows],
            "queries": [row.activity.distinct_queries if row.steps else None for row in rows],
            "sites": [row.activity.sites_opened if row.steps else None for row in rows],
            "calls": [row.activity.tool_calls if row.steps else None for row in rows],
            "failed": [row.activity.failed_calls if row.steps else None for row in rows],
            "report": [row.report_chars for row in rows],
            "cited": [sum(row.citations_by_retrieval.values()) for row in rows],
            "untraced": [
                row.citations_by_retrieval.get("not_retrieved", 0) + row.citations_by_retrieval.get("dangling", 0)
                for row in rows
            ],
            "id": [row.id for row in rows],
        }
    )
    if shown["step"].isna().all():
        shown = shown.drop(columns="step")
    event = st.dataframe(
        readable(shown),
        hide_index=True,
        height=min(38 + 35 * len(rows), 720),
        on_select="rerun",
        selection_mode="single-row",
        key=f"table-{offset}",
        column_config={
            "question": st.column_config.TextColumn("question", width="large"),
            "score": st.column_config.ProgressColumn("score", min_value=0, max_value=1, format="%.2f"),
            "queries": st.column_config.NumberColumn("queries", help="distinct queries"),
            "sites": st.column_config.NumberColumn("sites", help="distinct sites with a page opened"),
            "calls": st.column_config.NumberColumn("calls", help="tool calls"),
            "failed": st.column_config.NumberColumn("failed", help="tool calls that failed"),
            "report": st.column_config.NumberColumn("report", help="characters of the report", format="localized"),
            "cited": st.column_config.NumberColumn("cited", help="citations in the report"),
            "untraced": st.column_config.NumberColumn("untraced", help="citations of nothing that the run retrieved"),
        },
    )
    st.caption(
        "Select a row to open it. Empty score: no scored grade by this grader. This page's address is a permalink."
    )
    selected = event.selection.rows if hasattr(event, "selection") else []
    if selected:
        position = offset + selected[0]
        routes.go("trajectory", id=rows[selected[0]].id, at=str(position), **dict(view.parameters))
