"""Overview: each run in one line, what holds it back in one sentence, and score against effort."""

from typing import TYPE_CHECKING

import streamlit as st

from workbench.store import TrajectoryFilter
from workbench.ui import data, routes, theme
from workbench.ui.components import figures, plots
from workbench.ui.components.text import escaped, plain
from workbench.ui.session import join_names, store, store_label

if TYPE_CHECKING:
    import pandas as pd

COLUMNS: tuple[tuple[str, str, int], ...] = (
    ("score", "score", 2),
    ("sites_opened", "sites opened", 1),
    ("distinct_queries", "distinct queries", 1),
    ("tool_calls", "tool calls", 1),
    ("report_chars", "report, characters", 0),
)


def page() -> None:
    st.title("Overview")
    runs = store().runs.list()
    if not runs:
        figures.nothing_here(
            "No trajectory is in this store yet.",
            remedy="Import files on the Jobs page, or run `make demo` for a sample store of simulated trajectories.",
        )
        return
    figures.simulated_mark(any(run.simulated for run in runs))
    total = sum(run.n for run in runs)
    st.caption(f"{total:,} trajectories in {len(runs)} runs · {plain(store_label())}")
    grader = data.choose_grader("overview-grader")
    rows = data.frame(TrajectoryFilter(grader=grader))
    for run in runs:
        mine = rows[rows["run"] == run.name]
        if not mine.empty:
            _run_card(run.name, run.model, run.simulated, mine, grader)
    _scatter(rows, grader)


def _run_card(name: str, model: str, simulated: bool, rows: "pd.DataFrame", grader: str | None) -> None:
    here = {"run": join_names([name])} | ({"grader": grader} if grader else {})
    with st.container(border=True):
        left, right = st.columns([5, 1], vertical_alignment="center")
        with left:
            mark = " · simulated" if simulated else ""
            st.markdown(f"**{plain(name)}**  :gray[{plain(model)}{mark} · {rows['question_id'].nunique()} questions]")
        with right:
            routes.link("trajectories", f"{len(rows):,} trajectories →", **here)
        shown = []
        for column, label, digits in COLUMNS:
            found = data.spread(rows, column)
            shown.append(figures.Figure(found.text(digits), label, found.qualifier(digits)))
        figures.strip(shown)
        sentence, where = holds_back(rows)
        st.markdown(f":gray[{plain(sentence)}]")
        if where:
            routes.link("trajectories", "Show them →", **here, **where)


def holds_back(rows: "pd.DataFrame") -> tuple[str, dict[str, str]]:
    """What the counts say of a run, largest fault first, and the filter that shows the rows behind it.

    Counts alone: whether research or writing is at fault takes a fixed-evidence comparison, and the sentence does not
    pretend to one.
    """
    n = len(rows)
    unreported = int((rows["report_chars"] == 0).sum())
    # Without its trace nothing can be said of what a report's sources rest on.
    traced = rows[rows["steps"] > 0]
    counts = {name: int(traced[f"retrieval_{name}"].sum()) for name in ("opened", "seen", "not_retrieved", "dangling")}
    checked = sum(counts.values())
    unsearched = int((traced["distinct_queries"] == 0).fillna(False).sum())
    if unreported:
        return f"{unreported} of {n} ended without a report.", {"report": "no"}
    if checked and counts["not_retrieved"] / checked > 0.1:
        words = f"{counts['not_retrieved']} of {checked} citations name an address that the run never retrieved."
        return words, {"retrieval": "not_retrieved"}
    if checked and counts["dangling"] / checked > 0.1:
        return f"{counts['dangling']} of {checked} citations have no entry in the list of sources.", {
            "retrieval": "dangling"
        }
    if checked and counts["seen"] / checked > 0.5:
        words = f"{counts['seen']} of {checked} citations rest on search snippets: page never opened."
        return words, {"retrieval": "seen"}
    if unsearched and unsearched < n:
        return f"{unsearched} of {n} answered without a search.", {}
    if checked:
        return f"{counts['opened']} of {checked} citations rest on a page that was opened.", {}
    return "No citation of this run can be checked: it was imported without a trace, or cites nothing.", {}


def _scatter(rows: "pd.DataFrame", grader: str | None) -> None:
    import plotly.graph_objects as go

    known = rows[rows["score"].notna()] if grader else rows.iloc[0:0]
    st.header("Score against tool calls")
    if known.empty:
        figures.nothing_here("No grade yet.", remedy="Grade a run on the Graders page, or with `workbench grade`.")
        return
    figure = go.Figure()
    for index, (run, mine) in enumerate(known.groupby("run", sort=True)):
        colour = theme.SERIES[index % len(theme.SERIES)]
        by_question = mine.groupby("question_id").agg(
            calls=("tool_calls", "mean"), score=("score", "mean"), n=("score", "size"), question=("question", "first")
        )
        figure.add_scatter(
            x=by_question["calls"],
            y=by_question["score"],
            mode="markers",
            name=escaped(str(run)),
            marker={"size": 6, "color": colour, "opacity": 0.35},
            customdata=by_question.assign(question=by_question["question"].map(escaped))[["question", "n"]],
            hovertemplate="%{customdata[0]}<br>%{x:.1f} calls, score %{y:.2f}, n=%{customdata[1]}<extra></extra>",
        )
        calls, score = data.spread(mine, "tool_calls").estimate, data.spread(mine, "score").estimate
        if calls and score:
            figure.add_scatter(
                x=[calls.value],
                y=[score.value],
                mode="markers",
                showlegend=False,
                marker={"size": 13, "color": colour, "line": {"width": 1.5, "color": "white"}},
                error_x=_bar(calls.value, calls.low, calls.high, colour),
                error_y=_bar(score.value, score.low, score.high, colour),
                hovertemplate=f"{escaped(str(run))}: mean %{{x:.1f}} calls, %{{y:.3f}}, n={score.n}<extra></extra>",
            )
    plots.show(
        plots.dress(figure, height=380, x="tool calls per question (mean of attempts)", y=f"score by {grader}"),
        key="overview-scatter",
    )
    st.caption(
        f"Small: one question of a run. Large: the run's mean with 95 % intervals, bootstrap over questions, "
        f"seed {data.SEED}. {len(known):,} of {len(rows):,} trajectories have a score."
    )


def _bar(value: float, low: float | None, high: float | None, colour: str) -> dict[str, object]:
    if low is None or high is None:
        return {"visible": False}
    return {
        "type": "data",
        "symmetric": False,
        "array": [high - value],
        "arrayminus": [value - low],
        "color": colour,
        "thickness": 1.5,
    }
