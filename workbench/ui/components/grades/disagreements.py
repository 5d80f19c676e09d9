"""Two graders on the same reports, the widest disagreements first: where to read."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import streamlit as st

from workbench.ui import data, routes, theme
from workbench.ui.components import figures, plots
from workbench.ui.components.grades.frames import by_trajectory, grades_frame
from workbench.ui.components.text import escaped, plain
from workbench.ui.components.visible import visible
from workbench.ui.session import parameter, set_parameters, store

if TYPE_CHECKING:
    import pandas as pd

LISTED: Final = 20
NOTHING: Final[Mapping[str, str]] = {}


def panel(grader: str) -> None:
    other = choose_other(grader, "with")
    if other is None:
        return
    both = side_by_side(grader, other)
    if both.empty:
        figures.nothing_here(
            "No report was scored by both graders.", remedy="Grade the same run by both, then come back."
        )
        return
    mine, theirs = grader.partition("@")[0], other.partition("@")[0]
    bias = data.spread(both.assign(gap=both["score_a"] - both["score_b"]), "gap")
    figures.strip(
        [
            figures.Figure(f"{len(both):,}", "reports scored by both", f"{both['question_id'].nunique()} questions"),
            figures.Figure(bias.text(3), "mean difference of scores", bias.qualifier(3)),
        ]
    )
    _plot(both, mine, theirs)
    st.subheader("Disagreements first")
    st.caption(
        "By the difference in rank among the reports that both scored, so that a grader which is only more generous "
        "does not look like one that disagrees."
    )
    for row in both.sort_values("rank_gap", ascending=False, key=abs).head(LISTED).to_dict("records"):
        left, middle, right = st.columns([2, 3, 3], vertical_alignment="center")
        left.markdown(f"**{row['score_a']:.2f}** against **{row['score_b']:.2f}**  :gray[{plain(str(row['run']))}]")
        with middle:
            routes.link("grade", f"why {plain(mine)} →", id=row["trajectory_id"], grader=grader)
        with right:
            routes.link("grade", f"why {plain(theirs)} →", id=row["trajectory_id"], grader=other)
    if len(both) > LISTED:
        st.caption(f"{LISTED} of {len(both):,} reports")


def choose_other(grader: str, name: str, *, first: Mapping[str, str] = NOTHING) -> str | None:
    """A select box of the other grader versions; the choice stands in the address under `name`. `first`: choices that
    are no grader (key: words), before the others."""
    summaries = [g for g in store().grades.graders() if g.n_scored and f"{g.name}@{g.version}" != grader]
    if not summaries and not first:
        figures.nothing_here("No other grader has scored anything.", remedy="Grade the same run by another grader.")
        return None
    # Gold and people's labels first: what a grader is measured against.
    options = dict(first) | {
        f"{g.name}@{g.version}": f"{g.name} @{g.version[:8]} · {g.n_scored:,} scored"
        for g in sorted(summaries, key=lambda g: (g.kind != "gold", -g.n_scored))
    }
    keys = list(options)
    asked = parameter(name)
    chosen = st.selectbox(
        "Against",
        keys,
        index=keys.index(asked) if asked in options else 0,
        format_func=lambda key: visible(options[key]),
        key=f"grades-{name}",
    )
    if chosen != asked:
        set_parameters({name: chosen})
    return chosen


def side_by_side(grader: str, other: str) -> "pd.DataFrame":
    """Reports that both scored: trajectory_id question_id run score_a score_b rank_gap (of ranks in [0, 1])."""
    import pandas as pd

    mine, theirs = by_trajectory(grades_frame(grader)), by_trajectory(grades_frame(other))
    if mine.empty or theirs.empty:
        return pd.DataFrame()
    both = mine.merge(theirs[["trajectory_id", "score"]], on="trajectory_id", suffixes=("_a", "_b"))
    if not both.empty:
        both["rank_gap"] = both["score_a"].rank(pct=True) - both["score_b"].rank(pct=True)
    return both


def _plot(both: "pd.DataFrame", mine: str, theirs: str) -> None:
    import plotly.graph_objects as go

    figure = go.Figure()
    for index, (run, rows) in enumerate(both.groupby("run")):
        figure.add_scatter(
            x=rows["score_b"],
            y=rows["score_a"],
            mode="markers",
            name=escaped(f"{run} (n={len(rows)})"),
            marker={"size": 7, "opacity": 0.6, "color": theme.SERIES[index % len(theme.SERIES)], "symbol": index % 8},
        )
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", line={"color": theme.LINE, "dash": "dot"}, showlegend=False, hoverinfo="skip"
    )
    plots.show(
        plots.dress(figure, height=340, x=f"score by {theirs}", y=f"score by {mine}"),
        key="disagreements",
    )
