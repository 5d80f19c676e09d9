"""Diagnosis: which phase holds the agent back, research or writing, by reports rewritten from the same evidence."""

from typing import Final, Literal

import streamlit as st

from workbench.diagnosis.report import PARTS, DiagnosisReport, Verdict
from workbench.stats.estimate import Estimate, Measured
from workbench.ui import data, routes, theme
from workbench.ui.components import figures, plots
from workbench.ui.components.swap_table import swap_panel
from workbench.ui.components.text import escaped, plain, short
from workbench.ui.components.visible import visible
from workbench.ui.session import parameter, set_parameters, store
from workbench.ui.start import start_job

WORDS: Final[dict[Verdict, str]] = {
    "research_limited": "Research holds it back.",
    "writing_limited": "Writing holds it back.",
    "both": "Both phases hold it back.",
    "not_shown": "No phase is shown to hold it back.",
}
TONE: Final[dict[Verdict, Literal["good", "warn", "bad", "plain"]]] = {
    "research_limited": "warn",
    "writing_limited": "warn",
    "both": "bad",
    "not_shown": "plain",
}
PART_WORDS: Final = {
    "writing": "Writing: the same evidence, a stronger writer",
    "research": "Research: the same writer, the reference's evidence",
}


def page() -> None:
    st.title("Diagnosis")
    figures.simulated_mark(data.any_simulated())
    found = store().diagnoses.list()
    _form(bool(found))
    if not found:
        figures.nothing_here(
            "No run was diagnosed yet. A stronger writer writes a report from exactly the evidence that the agent "
            "collected; the gap between the two reports is what its writing costs.",
            remedy="Start above, or `workbench diagnose --run RUN --writer MODEL --grader GRADER`.",
        )
        return
    reports = {row.id: DiagnosisReport.from_json(row.report) for row in found}
    labels = {key: _label(report) for key, report in reports.items()}
    keys = list(reports)
    asked = parameter("diagnosis")
    chosen = st.selectbox(
        "Diagnosis",
        keys,
        index=keys.index(asked) if asked in reports else 0,
        format_func=lambda key: visible(labels[key]),
    )
    if chosen != asked:
        set_parameters({"diagnosis": chosen})
    _report(reports[chosen])


def _label(report: DiagnosisReport) -> str:
    reference = f", against {report.reference}" if report.reference else ""
    return f"{report.run}{reference} · {report.writer.name} writes, {report.grader.name} grades"


def _form(any_: bool) -> None:
    with st.expander("Diagnose a run", expanded=not any_):
        runs = data.run_names()
        first, second, third, fourth = st.columns(4)
        run = first.selectbox("Run", runs, key="diagnose-run", format_func=visible)
        reference = second.selectbox(
            "Reference run",
            ["none", *runs],
            format_func=visible,
            key="diagnose-reference",
            help="Stronger research on the same questions. Without it only writing can be shown.",
        )
        writer = third.text_input("Writer", placeholder="a model as litellm names it", key="diagnose-writer").strip()
        grader = fourth.selectbox("Grader", data.grader_options(), key="diagnose-grader", format_func=visible)
        if st.button("Diagnose", type="primary", disabled=not (run and writer and grader)):
            against = ["--reference", reference] if reference not in (None, "none") else []
            start_job(["diagnose", "--run", run, "--writer", writer, "--grader", grader, *against])


def _report(report: DiagnosisReport) -> None:
    visible = [
        f"{name} under {part.smallest_visible:.3f}"
        for name, part in report.parts.items()
        if part.smallest_visible is not None and not part.shown
    ]
    small = (
        f"{report.n} of {report.n_chosen} reports over {report.n_questions} questions; both errors together at most "
    )
    small += f"{report.alpha:.0%}; an effect counts from {report.least_effect:g}"
    if visible:
        small += f"; could easily have been missed: {', '.join(visible)}"
    figures.verdict(WORDS[report.verdict], rest=report.reason, small=small, tone=TONE[report.verdict])
    _scores(report)
    _parts(report)
    if report.swap is not None:
        swap_panel(report.swap)
    left, right = st.columns(2)
    with left:
        _evidence(report)
    with right:
        _failures(report)
    routes.link("trajectories", f"The trajectories of {plain(report.run)} →", run=report.run, grader=report.grader.name)


def _scores(report: DiagnosisReport) -> None:
    """The seed's panel: own report, rewritten report, what the reference's evidence gives."""
    import plotly.graph_objects as go

    rows: list[tuple[str, Measured, str]] = [
        ("its own report", report.own, theme.GREY),
        (f"rewritten by {short(report.writer.name, 30)}", report.rewritten, theme.ORANGE),
    ]
    if report.reference is not None:
        rows.append(
            (
                f"the same writer on the evidence of {short(report.reference, 30)}",
                report.reference_rewritten,
                theme.BLUE,
            )
        )
    known = [(name, found, colour) for name, found, colour in rows if isinstance(found, Estimate)]
    figure = go.Figure()
    figure.add_bar(
        x=[found.value for _, found, _ in known],
        y=[escaped(name) for name, _, _ in known],
        orientation="h",
        marker_color=[colour for _, _, colour in known],
        text=[f"{found.value:.3f}  (n={found.n})" for _, found, _ in known],
        textposition="inside",
        insidetextanchor="start",
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [(found.high if found.high is not None else found.value) - found.value for _, found, _ in known],
            "arrayminus": [
                found.value - (found.low if found.low is not None else found.value) for _, found, _ in known
            ],
        },
    )
    if report.reference_score is not None:
        figure.add_vline(x=report.reference_score, line_color=theme.INK, line_dash="dot")
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(range=[0, 1])
    plots.show(
        plots.dress(figure, height=90 + 52 * len(known), x=f"mean score by {report.grader.name}"),
        key="diagnosis-scores",
    )


def _parts(report: DiagnosisReport) -> None:
    for column, name in zip(st.columns(2), PARTS, strict=True):
        part = report.parts[name]
        with column, st.container(border=True):
            mark = ":red[shown]" if part.shown else ":gray[not shown]"
            st.markdown(f"**{PART_WORDS[name]}**  {mark}")
            value = f"{part.gap.value:+.3f}" if isinstance(part.gap, Estimate) else "not measured"
            details = [figures.Figure(value, "gain", _bounds(part.gap))]
            if part.p_holm is not None:
                details.append(figures.Figure(f"{part.p_holm:.4f}", "p, Holm over both"))
            if part.smallest_visible is not None:
                details.append(figures.Figure(f"{part.smallest_visible:.3f}", "smallest visible", "with 80% power"))
            figures.strip(details)
            st.markdown(f":gray[{plain(part.reason)}]")


def _bounds(found: Measured) -> str:
    if not isinstance(found, Estimate):
        return ""
    bounds = "" if found.low is None or found.high is None else f"[{found.low:+.3f}, {found.high:+.3f}] "
    return f"{bounds}n={found.n}"


def _evidence(report: DiagnosisReport) -> None:
    st.subheader("What the writer was given")
    packing = report.packing
    left_out = packing.left_out or {}
    if not (packing.kept or packing.shortened or left_out):
        st.markdown(":gray[This writer reads the trace itself; nothing was packed.]")
    else:
        out = ", ".join(f"{n:,} {plain(reason)}" for reason, n in left_out.items()) or "none"
        st.markdown(f"{packing.kept:,} documents whole, {packing.shortened:,} shortened; left out: {out}")
        if packing.unknown_numbers:
            st.markdown(f":red[{packing.unknown_numbers:,} citations of documents that are not there]")
    noise = "not measured" if report.rerun_noise is None else f"{report.rerun_noise:.4f}"
    cost = "unknown" if report.cost_usd is None else f"${report.cost_usd:,.4f}"
    st.markdown(f"Rerun noise of the grader: {noise} · cost: {cost}")
    if isinstance(report.harness_loss, Estimate):
        st.markdown(f"Own report minus its own model's rewriting: {plain(report.harness_loss.text())}")


def _failures(report: DiagnosisReport) -> None:
    st.subheader("Lost on the way")
    if not report.failures:
        st.markdown(":gray[Nothing.]")
    for failure in report.failures:
        words = (
            f"{failure.n} × {failure.stage}: {failure.outcome.replace('_', ' ')} · {short(failure.first_reason, 120)}"
        )
        routes.link("trajectory", f"{plain(failure.run)} · {plain(words)}", id=failure.first_id)
    if report.stopped:
        st.markdown(f":red[Stopped before the end: {plain(report.stopped)}]")
