"""Rerun noise: how much a grader differs from itself on one report."""

from typing import TYPE_CHECKING, Final

import numpy as np
import streamlit as st

from workbench.stats.bootstrap import bootstrap
from workbench.stats.estimate import Estimate
from workbench.ui import data, routes
from workbench.ui.components import figures, plots
from workbench.ui.components.grades.frames import grades_frame
from workbench.ui.components.text import plain

if TYPE_CHECKING:
    import pandas as pd

LISTED: Final = 10


def panel(grader: str) -> None:
    repeats = repeated(grades_frame(grader))
    if repeats.empty:
        figures.nothing_here(
            "No report was graded twice, so the grader's own noise is not measured.",
            remedy="`workbench grade --repeats 3 ...` grades each report three times.",
        )
        return
    _figures(repeats)
    _plot(repeats)
    st.subheader("Least steady")
    for row in repeats.sort_values("sd", ascending=False).head(LISTED).to_dict("records"):
        words = f"{row['low']:.2f} to {row['high']:.2f} in {row['n']} runs · {plain(str(row['run']))}"
        routes.link("grade", words, id=row["trajectory_id"], grader=grader)


def repeated(grades: "pd.DataFrame") -> "pd.DataFrame":
    """One row for each trajectory scored at least twice: question_id run n mean sd (n - 1) low high."""
    if grades.empty:
        return grades
    scored = grades[grades["outcome"] == "scored"]
    found = scored.groupby(["trajectory_id", "question_id", "run"], as_index=False, sort=False).agg(
        n=("score", "size"), mean=("score", "mean"), sd=("score", "std"), low=("score", "min"), high=("score", "max")
    )
    return found[found["n"] >= 2]


def _figures(repeats: "pd.DataFrame") -> None:
    weights = repeats["n"].to_numpy(dtype=float) - 1
    squares = repeats["sd"].to_numpy(dtype=float) ** 2 * weights
    pooled = bootstrap(
        lambda rows: float(np.sqrt(squares[rows].sum() / weights[rows].sum())),
        len(repeats),
        clusters=repeats["question_id"].tolist(),
        seed=data.SEED,
        resamples=1000,
    )
    between = float(repeats["mean"].std()) if len(repeats) > 1 else None
    shown = "not measured"
    note = ""
    if isinstance(pooled, Estimate):
        shown = f"{pooled.value:.4f}"
        bounds = "" if pooled.low is None or pooled.high is None else f"[{pooled.low:.4f}, {pooled.high:.4f}] "
        note = f"{bounds}n={pooled.n} reports"
    same = float((repeats["low"] == repeats["high"]).mean())
    figures.strip(
        [
            figures.Figure(shown, "standard deviation of a rerun", note),
            figures.Figure(f"{same:.0%}", "graded the same each time", f"n={len(repeats)} reports"),
            figures.Figure(
                "not measured" if between is None else f"{between:.4f}",
                "standard deviation between reports",
                "of means",
            ),
        ]
    )


def _plot(repeats: "pd.DataFrame") -> None:
    import plotly.graph_objects as go

    figure = go.Figure()
    figure.add_scatter(
        x=repeats["mean"],
        y=repeats["high"] - repeats["low"],
        mode="markers",
        marker={"size": 7, "opacity": 0.6},
        showlegend=False,
    )
    plots.show(plots.dress(figure, height=260, x="mean score of a report", y="largest - smallest"), key="noise-spread")
