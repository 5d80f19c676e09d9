"""Stress: can this grader be gamed, does it see damage, does it hold still, and what could not be seen?"""

from collections.abc import Mapping
from typing import Any, Final, Literal

import streamlit as st

from workbench.ui import data, routes, theme
from workbench.ui.components import figures, plots
from workbench.ui.components.cells import framed, readable
from workbench.ui.components.text import escaped, plain
from workbench.ui.components.visible import visible
from workbench.ui.session import parameter, set_parameters, store
from workbench.ui.start import start_job

WORDS: Final = {
    "holes_found": "Can be gamed.",
    "none_found": "No hole found.",
    "not_measurable": "Cannot be told.",
}
TONE: Final[dict[str, Literal["good", "warn", "bad"]]] = {
    "holes_found": "bad",
    "none_found": "good",
    "not_measurable": "warn",
}
FAMILY_COLOUR: Final = {"attack": theme.RED, "corruption": theme.BLUE, "invariance": theme.GREY}
FAMILY_WORDS: Final = {
    "attack": "attack: must not raise the score",
    "corruption": "corruption: must lower it",
    "invariance": "form alone: must not move it",
}


def page() -> None:
    st.title("Stress")
    figures.simulated_mark(data.any_simulated())
    _start_form()
    reports = store().stress.reports()
    if not reports:
        figures.nothing_here(
            "No grader was stressed yet.", remedy="Start above, or `workbench stress --grader citations --run RUN`."
        )
        return
    labels = {f"{r.report['grader']}@{r.grader_version[:8]} on {r.run}": r.report for r in reports}
    asked = parameter("report")
    chosen = st.selectbox(
        "Report", list(labels), index=list(labels).index(asked) if asked in labels else 0, format_func=visible
    )
    if chosen != asked:
        set_parameters({"report": chosen})
    _report(labels[chosen])


def _start_form() -> None:
    with st.expander("Stress a grader", expanded=not store().stress.reports()):
        left, middle, right = st.columns(3)
        run = left.selectbox("Run", data.run_names(), key="stress-run", format_func=visible)
        grader = middle.selectbox(
            "Grader", ["citations", "checklist", "gold", "deep-research-report"], key="stress-grader"
        )
        limit = right.number_input("Reports", min_value=5, max_value=1000, value=40, key="stress-limit")
        if st.button("Start", type="primary", disabled=not run):
            start_job(["stress", "--grader", grader, "--run", run, "--limit", str(int(limit))])


def _report(report: Mapping[str, Any]) -> None:
    noise = report["rerun_noise"]
    shown_noise = "not measured" if noise is None else f"{noise:.3f}"
    figures.verdict(
        WORDS[report["verdict"]],
        rest=report["why"],
        small=f"{report['cases']} reports; a move under d = {report['threshold']:.3f} does not count; "
        f"rerun noise {shown_noise}",
        tone=TONE[report["verdict"]],
    )
    _forest(report)
    _table(report)
    left, right = st.columns(2)
    with left:
        _controls(report)
    with right:
        _worst(report)


def _forest(report: Mapping[str, Any]) -> None:
    import plotly.graph_objects as go

    effects = [effect for effect in report["attacks"] if effect["mean_gain"] is not None]
    if not effects:
        return
    figure = go.Figure()
    for family in ("attack", "corruption", "invariance"):
        mine = [effect for effect in effects if effect["family"] == family]
        if not mine:
            continue
        figure.add_scatter(
            x=[effect["mean_gain"] for effect in mine],
            y=[escaped(f"{effect['name']}  (n={effect['n']})") for effect in mine],
            mode="markers",
            name=FAMILY_WORDS[family],
            marker={"size": 10, "color": FAMILY_COLOUR[family], "symbol": "circle" if family == "attack" else "square"},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [(effect["ci_high"] or effect["mean_gain"]) - effect["mean_gain"] for effect in mine],
                "arrayminus": [effect["mean_gain"] - (effect["ci_low"] or effect["mean_gain"]) for effect in mine],
                "thickness": 1.5,
            },
        )
    figure.add_vline(x=0, line_color=theme.INK, line_width=1)
    for side in (-1, 1):
        figure.add_vline(x=side * report["threshold"], line_color=theme.MUTE, line_width=1, line_dash="dot")
    figure.update_yaxes(autorange="reversed")
    plots.show(
        plots.dress(
            figure, height=90 + 34 * len(effects), x="mean change of the score (dotted: what counts as a move)"
        ),
        key="stress-forest",
    )


def _table(report: Mapping[str, Any]) -> None:

    rows = [
        {
            "perturbation": effect["name"],
            "family": effect["family"],
            "n": effect["n"],
            "at the top": effect.get("at_ceiling", 0),
            "abstained": effect.get("abstained", 0),
            "failed": effect["failed"],
            "grader was wrong": effect["success_rate"],
            "wrong, low": effect["success_low"],
            "wrong, high": effect["success_high"],
            "mean gain": effect["mean_gain"],
            "smallest visible gain": effect["smallest_visible"],
        }
        for effect in report["attacks"]
    ]
    st.dataframe(
        readable(framed(rows)),
        hide_index=True,
        column_config={
            name: st.column_config.NumberColumn(name, format="percent")
            for name in ("grader was wrong", "wrong, low", "wrong, high")
        }
        | {name: st.column_config.NumberColumn(name, format="%.3f") for name in ("mean gain", "smallest visible gain")},
    )


def _controls(report: Mapping[str, Any]) -> None:
    st.subheader("Is the lab right about graders we know?")
    for name, control in report["controls"].items():
        mark = ":green[as expected]" if control["as_expected"] else f":red[expected {plain(control['expected'])}]"
        st.markdown(f"{plain(name)}: {plain(control['verdict'])} · {mark}")


def _worst(report: Mapping[str, Any]) -> None:
    st.subheader("Worst trials")
    if not report["worst"]:
        st.markdown(":gray[No attack or change of form raised a score.]")
    for trial in report["worst"][:8]:
        routes.link(
            "trajectory",
            f"{plain(trial['attack'])}: {trial['base_score']:.2f} → {trial['attacked_score']:.2f}",
            id=trial["trajectory_id"],
        )
