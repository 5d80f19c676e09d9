"""Score against tool calls: questions as small marks, runs as large ones with their intervals."""

import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from workbench.stats.estimate import Estimate, Measured
from workbench.store import TrajectoryFilter
from workbench.ui import data, routes, theme
from workbench.ui.components import figures, plots
from workbench.ui.components.overview.summary import RunFigures
from workbench.ui.components.text import escaped, short
from workbench.ui.kept import derived
from workbench.ui.session import join_names, store

if TYPE_CHECKING:
    import pandas as pd

# More small marks than this are neither told apart nor drawn at once.
MOST_MARKS: Final = 2000


def scatter_section(whole: data.Whole, runs: Mapping[str, RunFigures], grader: str | None) -> None:
    """The marks of these runs; a click on a small one opens its attempts in the table."""
    import plotly.graph_objects as go

    st.header("Score against tool calls")
    marks, of = derived(("overview marks", whole.version, tuple(runs)), lambda: _marks(whole.rows, tuple(runs)))
    if grader is None or marks.empty:
        figures.nothing_here("No grade yet.", remedy="Grade a run on the Graders page, or with `workbench grade`.")
        return
    figure = go.Figure()
    for index, (run, mine) in enumerate(marks.groupby("run", sort=True, observed=True)):
        figure.add_scatter(
            x=mine["calls"],
            y=mine["score"],
            mode="markers",
            name=escaped(short(str(run), 40)),
            marker={"size": 6, "color": _colour(index), "opacity": 0.4, "symbol": _symbol(index)},
            customdata=mine[["shown", "n", "question_id", "run"]],
            hovertemplate="%{customdata[0]}<br>%{x:.1f} calls, score %{y:.2f}, n=%{customdata[1]}<extra></extra>",
        )
    for index, (run, own) in enumerate(sorted(runs.items())):
        _large(figure, run, own, index)
    plots.dress(figure, height=420, x="tool calls per question (mean of attempts)", y=f"score by {grader}")
    chosen = plots.show(figure, key="overview-scatter", on_select=True)
    drawn = "" if len(marks) == of else f" {len(marks):,} of {of:,} are drawn, the same questions of each run."
    st.caption(
        f"Small: one question of a run; select it to see its attempts.{drawn} Large: the run's mean with 95 % "
        f"intervals, bootstrap over questions, seed {data.SEED}."
    )
    _open(chosen, grader)


def _marks(rows: "pd.DataFrame", runs: tuple[str, ...]) -> tuple["pd.DataFrame", int]:
    """One row a run and question with a score and calls, and how many there are in all."""
    known = rows[rows["score"].notna() & rows["tool_calls"].notna() & rows["run"].isin(runs)]
    by_question = (
        known.groupby(["run", "question_id"], observed=True)
        .agg(calls=("tool_calls", "mean"), score=("score", "mean"), n=("score", "size"), id=("id", "first"))
        .reset_index()
    )
    of = len(by_question)
    if of > MOST_MARKS:
        questions = sorted(by_question["question_id"].unique())
        kept = random.Random(data.SEED).sample(questions, max(1, MOST_MARKS * len(questions) // of))
        by_question = by_question[by_question["question_id"].isin(kept)]
    found = store().trajectories.columns(TrajectoryFilter(ids=tuple(by_question["id"])))
    questions_of = dict(zip(found["id"], found["question"], strict=True))
    shown = [escaped(short(questions_of.get(one, ""), 110)) for one in by_question["id"]]
    return by_question.astype({"run": object, "question_id": object}).assign(shown=shown), of


def _large(figure: Any, run: str, own: RunFigures, index: int) -> None:
    calls, score = own.means["tool_calls"][0], own.means["score"][0]
    if not isinstance(calls, Estimate) or not isinstance(score, Estimate):
        return
    figure.add_scatter(
        x=[calls.value],
        y=[score.value],
        mode="markers",
        showlegend=False,
        marker={
            "size": 13,
            "color": _colour(index),
            "symbol": _symbol(index),
            "line": {"width": 1.5, "color": "white"},
        },
        error_x=_bar(calls, _colour(index)),
        error_y=_bar(score, _colour(index)),
        hovertemplate=f"{escaped(run)}: mean %{{x:.1f}} calls, %{{y:.3f}}, n={score.n:,}<extra></extra>",
    )


def _colour(index: int) -> str:
    return theme.SERIES[index % len(theme.SERIES)]


def _symbol(index: int) -> str:
    return ("circle", "diamond", "square", "cross", "triangle-up", "x", "star", "hexagon")[index % 8]


def _bar(found: Measured, colour: str) -> dict[str, object]:
    if not isinstance(found, Estimate) or found.low is None or found.high is None:
        return {"visible": False}
    return {
        "type": "data",
        "symmetric": False,
        "array": [found.high - found.value],
        "arrayminus": [found.value - found.low],
        "color": colour,
        "thickness": 1.5,
    }


def _open(chosen: Any, grader: str) -> None:
    points = chosen.selection.points if hasattr(chosen, "selection") else []
    said = points[0].get("customdata") if points else None
    if said:
        # A list, or an object with places for names.
        cells = [said[str(n)] for n in range(4)] if isinstance(said, dict) else list(said)
        routes.go("trajectories", question=str(cells[2]), run=join_names([str(cells[3])]), grader=grader)
