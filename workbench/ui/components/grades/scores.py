"""Where the scores of a grader lie, run by run, and what they cost."""

from typing import TYPE_CHECKING

import streamlit as st

from workbench.ui import data, routes, theme
from workbench.ui.components import figures, plots
from workbench.ui.components.cells import framed, readable
from workbench.ui.components.grades.frames import by_trajectory, grades_frame
from workbench.ui.components.text import escaped

if TYPE_CHECKING:
    import pandas as pd


def panel(grader: str) -> None:
    grades = grades_frame(grader)
    means = by_trajectory(grades)
    if means.empty:
        figures.nothing_here("This grader has no scored grade.", remedy="What failed stands under Failures.")
        return
    _cost(grades)
    _histogram(means, grader)
    _runs(means)
    lowest = st.columns([1, 1, 3])
    with lowest[0]:
        routes.link("trajectories", "Lowest scores →", grader=grader, sort="score", max="0.3")
    with lowest[1]:
        routes.link("trajectories", "Highest scores →", grader=grader, sort="score", desc="1")


def _cost(grades: "pd.DataFrame") -> None:
    unpriced = int(grades["cost_usd"].isna().sum())
    total = float(grades["cost_usd"].sum())
    per = total / max(1, len(grades) - unpriced)
    cost = "unknown" if unpriced == len(grades) else f"${total:,.4f}"
    made = grades[~grades["cached"].astype(bool)]
    latency = made["latency_s"]
    figures.strip(
        [
            figures.Figure(f"{len(grades):,}", "grades", f"{int((grades['outcome'] == 'scored').sum()):,} scored"),
            figures.Figure(cost, "cost", f"{unpriced:,} without a price" if unpriced else f"${per:.5f} a grade"),
            figures.Figure(
                f"{int(grades['input_tokens'].sum()):,} / {int(grades['output_tokens'].sum()):,}", "tokens in / out"
            ),
            figures.Figure(
                "not measured" if latency.empty else f"{latency.median():.2f} s",
                "time a grade, median",
                "" if latency.empty else f"slowest twentieth over {latency.quantile(0.95):.2f} s",
            ),
        ]
    )


def _histogram(means: "pd.DataFrame", grader: str) -> None:
    import plotly.graph_objects as go

    figure = go.Figure()
    for index, (run, mine) in enumerate(means.groupby("run")):
        figure.add_histogram(
            x=mine["score"],
            name=escaped(f"{run} (n={len(mine)})"),
            xbins={"start": 0, "end": 1.0001, "size": 0.05},
            marker_color=theme.SERIES[index % len(theme.SERIES)],
            opacity=0.65,
        )
    figure.update_layout(barmode="overlay")
    name = grader.partition("@")[0]
    plots.show(plots.dress(figure, height=300, x=f"score by {name}", y="trajectories"), key="graders-histogram")


def _runs(means: "pd.DataFrame") -> None:

    rows = []
    for run, mine in means.groupby("run"):
        found = data.spread(mine, "score")
        rows.append(
            {
                "run": run,
                "trajectories": len(mine),
                "questions": mine["question_id"].nunique(),
                "mean": found.text(3),
                "95% by question": found.qualifier(3),
                "at 0": int((mine["score"] == 0).sum()),
                "at 1": int((mine["score"] == 1).sum()),
            }
        )
    st.dataframe(readable(framed(rows)), hide_index=True)
