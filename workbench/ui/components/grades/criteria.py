"""Scores by criterion: what the reports fail on, what is never decided, and the reports behind a verdict."""

from typing import TYPE_CHECKING, Final

import streamlit as st

from workbench.ui import data, routes, theme
from workbench.ui.components import figures, plots
from workbench.ui.components.cells import framed, readable
from workbench.ui.components.grades.frames import verdicts_frame
from workbench.ui.components.text import escaped, plain, short
from workbench.ui.components.visible import visible

if TYPE_CHECKING:
    import pandas as pd

LISTED: Final = 12


def panel(grader: str) -> None:
    verdicts = verdicts_frame(grader)
    if verdicts.empty:
        figures.nothing_here("This grader gives no verdict by criterion.", remedy="Graders that read a rubric do.")
        return
    runs = sorted(verdicts["run"].unique())
    chosen = st.multiselect("Runs", runs, default=runs[:4], key="criteria-runs", format_func=visible)
    shown = verdicts[verdicts["run"].isin(chosen)] if chosen else verdicts
    _dots(shown)
    _table(shown)
    _behind(shown, grader)


def _dots(verdicts: "pd.DataFrame") -> None:
    """Mean verdict of each criterion and run with its interval by question."""
    import plotly.graph_objects as go

    order = list(dict.fromkeys(verdicts["criterion"]))
    figure = go.Figure()
    for index, (run, mine) in enumerate(verdicts.groupby("run")):
        spreads = {name: data.spread(mine[mine["criterion"] == name], "value") for name in order}
        known = [(name, s.estimate) for name, s in spreads.items() if s.estimate is not None]
        figure.add_scatter(
            x=[e.value for _, e in known],
            y=[escaped(short(name, 40)) for name, _ in known],
            mode="markers",
            name=escaped(str(run)),
            marker={"size": 9, "color": theme.SERIES[index % len(theme.SERIES)], "symbol": index % 8},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [(e.high if e.high is not None else e.value) - e.value for _, e in known],
                "arrayminus": [e.value - (e.low if e.low is not None else e.value) for _, e in known],
                "thickness": 1.2,
            },
        )
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(range=[-0.03, 1.03])
    axis = "mean verdict: how far the criterion's statement holds (for a negative one: the fault)"
    plots.show(plots.dress(figure, height=110 + 28 * len(order), x=axis), key="criteria-dots")


def _table(verdicts: "pd.DataFrame") -> None:

    labels = verdicts["label"].dropna().value_counts()
    rows = []
    for name, mine in verdicts.groupby("criterion", sort=False):
        found = data.spread(mine, "value")
        counts = mine["label"].value_counts()
        row = {
            "criterion": name,
            "mean": found.text(3),
            "95% by question": found.qualifier(3),
            "missing": found.missing,
        }
        row |= {str(label): int(counts.get(label, 0)) for label in labels.index[:6]}
        row["never separates"] = "yes" if mine["value"].nunique(dropna=True) <= 1 else ""
        rows.append(row)
    st.dataframe(readable(framed(rows)), hide_index=True)


def _behind(verdicts: "pd.DataFrame", grader: str) -> None:
    """The verdicts on one criterion, lowest or highest first, each a step from its prompt and reply."""
    left, right = st.columns([3, 1])
    name = left.selectbox(
        "Verdicts on", list(dict.fromkeys(verdicts["criterion"])), key="criteria-name", format_func=visible
    )
    high = right.segmented_control("First", ["lowest", "highest"], default="lowest", key="criteria-first") == "highest"
    mine = verdicts[verdicts["criterion"] == name].sort_values("value", ascending=not high, kind="stable")
    for row in mine.head(LISTED).to_dict("records"):
        value = "no verdict" if row["value"] != row["value"] else f"{row['value']:.2f}"
        words = f"{value} {row['label'] or ''} · {row['run']} · {short(row['reason'] or 'no reason given', 110)}"
        routes.link("grade", plain(words), id=row["trajectory_id"], grader=grader, repeat=str(row["repeat"]))
    if len(mine) > LISTED:
        st.caption(f"{LISTED} of {len(mine):,} verdicts")
