"""Training: reward and breadth against steps, every component apart, and the rollouts behind each step."""

from collections.abc import Sequence
from os.path import isdir
from pathlib import Path
from typing import TYPE_CHECKING, Final

import streamlit as st

from workbench.store import TrainingRow
from workbench.ui import data, routes, theme
from workbench.ui.components import figures, plots
from workbench.ui.components.cells import framed
from workbench.ui.components.text import escaped, plain
from workbench.ui.components.visible import visible
from workbench.ui.session import join_names, parameter, set_parameters, split_names, store
from workbench.ui.start import start_job

if TYPE_CHECKING:
    import pandas as pd

WINDOW: Final = 11
# Curves shown first, in this order, where the run logged them; every other metric can be chosen.
FIRST: Final = (
    ("reward", "reward R"),
    ("quality", "quality G"),
    ("shaping", "shaping S"),
    ("sites_opened", "distinct sites a rollout"),
    ("distinct_queries", "distinct queries a rollout"),
    ("zero_spread_share", "share of groups without spread"),
    ("report_chars", "report, characters"),
    ("dropped_share", "share of rollouts dropped"),
    ("invalid_call_share", "share of invalid calls"),
)


def page() -> None:
    st.title("Training")
    _start_form()
    runs = store().training.runs()
    if not runs:
        figures.nothing_here(
            "No training run yet.",
            remedy="Export a reward on the Reward page, then start a run above or with `workbench train`.",
        )
        return
    names = [run.run for run in runs]
    asked = [name for name in split_names(parameter("run")) if name in names]
    chosen = st.multiselect("Runs", names, default=asked or names[:1], format_func=visible)
    if chosen and join_names(chosen) != parameter("run"):
        set_parameters({"run": join_names(chosen)})
    figures.simulated_mark(data.any_simulated(chosen))
    if chosen:
        _live([run for run in runs if run.run in chosen])


def _start_form() -> None:
    # Not by Path, which raises for a name that is too long.
    exports = [export for export in store().rewards.exports() if isdir(export.folder)]  # noqa: PTH112
    with st.expander("Start a run", expanded=bool(exports) and not store().training.runs()):
        if not exports:
            st.markdown(":gray[There is no exported job folder yet: export one on the Reward page.]")
            return
        left, middle, right, last = st.columns([3, 2, 1, 1])
        labels = {f"{Path(e.folder).name} · {e.trainer} · spec {e.spec_version[:8]}": e.folder for e in exports}
        folder = labels[left.selectbox("Job folder", list(labels), key="train-folder", format_func=visible)]
        run = middle.text_input("Run", value=f"train-{len(store().training.runs()) + 1}", key="train-run").strip()
        steps = right.number_input("Steps", min_value=1, max_value=10_000, value=10, key="train-steps")
        seed = last.number_input("Seed", min_value=0, value=0, key="train-seed")
        if st.button("Start training", type="primary", disabled=not run):
            job = start_job(
                ["train", "--job", folder, "--run", run, "--steps", str(int(steps)), "--seed", str(int(seed))]
            )
            if job:
                set_parameters({"run": join_names([run])})


@st.fragment(run_every=3)
def _live(runs: Sequence[TrainingRow]) -> None:

    frames = {run.run: framed(store().training.metrics(run.run)) for run in runs}
    for run in runs:
        _head(run, frames[run.run])
    logged = [frame for frame in frames.values() if not frame.empty]
    if not logged:
        st.markdown(":gray[No step was logged yet. The curves appear here as the run goes on.]")
        return
    known = {name for frame in logged for name in frame.columns if name != "step"}
    shown = [(name, label) for name, label in FIRST if name in known]
    rest = sorted(known - {name for name, _ in FIRST})
    more = st.multiselect("More metrics", rest, key="training-more", format_func=visible) if rest else []
    shown += [(name, name) for name in more]
    for start in range(0, len(shown), 2):
        for cell, (name, label) in zip(st.columns(2), shown[start : start + 2], strict=False):
            with cell:
                _curve(name, label, frames)
    st.caption(
        f"Thin: each step. Thick: mean of the last {WINDOW} steps, from the first step with {WINDOW} of them. "
        "One run is one draw: a difference between two curves has no interval here."
    )


def _head(run: TrainingRow, frame: "pd.DataFrame") -> None:
    rollouts = next((found.n for found in store().runs.list() if found.name == run.run), 0)
    left, right = st.columns([4, 1], vertical_alignment="center")
    with left:
        step = "no step yet" if run.last_step is None else f"step {run.last_step}"
        st.markdown(
            f"**{plain(run.run)}** :gray[{step} · spec {plain(run.spec_version[:8])} · "
            f"{plain(Path(run.export_folder).name)} · {rollouts:,} rollouts stored]"
        )
        if not frame.empty and "reward" in frame:
            figures.strip([_change(frame, name, label) for name, label in FIRST[:5] if name in frame])
    with right:
        if rollouts:
            routes.link("trajectories", "Its rollouts →", run=join_names([run.run]), sort="policy_step", desc="1")


def _change(frame: "pd.DataFrame", name: str, label: str) -> figures.Figure:
    known = frame[name].dropna()
    if known.empty:
        return figures.Figure("not measured", label)
    k = min(WINDOW, max(1, len(known) // 2))
    return figures.Figure(
        f"{known.iloc[-k:].mean():.2f}", label, f"from {known.iloc[:k].mean():.2f}; means of {k} steps"
    )


def _curve(name: str, label: str, frames: "dict[str, pd.DataFrame]") -> None:
    import plotly.graph_objects as go

    figure = go.Figure()
    for index, (run, frame) in enumerate(frames.items()):
        if name not in frame:
            continue
        colour = theme.SERIES[index % len(theme.SERIES)]
        values = frame[name].astype(float)
        figure.add_scatter(
            x=frame["step"],
            y=values,
            mode="lines",
            line={"color": colour, "width": 1},
            opacity=0.35 if len(values) >= WINDOW else 1,
            showlegend=False,
            name=escaped(run),
            hovertemplate="step %{x}: %{y:.3f}<extra></extra>",
        )
        figure.add_scatter(
            x=frame["step"],
            y=values.rolling(WINDOW).mean(),
            mode="lines",
            name=escaped(run),
            line={"color": colour, "width": 2.6},
            showlegend=len(frames) > 1,
            hovertemplate=f"mean of {WINDOW} steps to %{{x}}: %{{y:.3f}}<extra></extra>",
        )
    plots.show(plots.dress(figure, height=240, x="step", y=label), key=f"training-{name!a}")
