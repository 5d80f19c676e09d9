"""A grader against people, gold or another grader: every figure with its interval, and the rows to read."""

from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from workbench.stats.estimate import Estimate, Measured
from workbench.ui import routes
from workbench.ui.components import figures
from workbench.ui.components.cells import framed, readable
from workbench.ui.components.grades import agreement_plots
from workbench.ui.components.grades.disagreements import choose_other
from workbench.ui.components.text import plain
from workbench.ui.components.visible import visible
from workbench.ui.session import parameter, set_parameters, store, store_url

if TYPE_CHECKING:
    from graders.agreement.criteria import CriterionAgreement
    from graders.agreement.report import AgreementReport

PEOPLE: Final = "people"
LISTED: Final = 12
METHODS: Final = ("isotonic", "platt")


def panel(grader: str) -> None:
    closed = [one for one in store().human.rounds() if one.state == "closed"]
    first = {PEOPLE: f"people · {len(closed)} closed round{'s' * (len(closed) != 1)}"} if closed else {}
    other = choose_other(grader, "against", first=first)
    if other is None:
        return
    n_grades = sum(g.n_scored for g in store().grades.graders())
    report = _measured(store_url(), grader, other, n_grades, len(closed))
    if not (report.rows.n if report.rows is not None else report.people and report.people.n_pairs):
        figures.nothing_here(
            "There is nothing that both judged, so their agreement is not measured.",
            remedy="Grade the same run by both, then come back.",
        )
        return
    mine, theirs = grader.partition("@")[0], other.partition("@")[0]
    _people(report, mine) if report.people is not None else _graders(report, mine, theirs)
    for said in report.notes:
        st.caption(plain(said))
    _calibration(report, mine, theirs)
    _corrected(report)
    _widest(report, grader, other)


# As a resource: a report is frozen, and holds fitted maps, which are functions and cannot be copied as data.
@st.cache_resource(ttl=120, show_spinner="Measuring agreement …", max_entries=16)
def _measured(_url: str, grader: str, other: str, _n_grades: int, _n_rounds: int) -> "AgreementReport":
    from graders.agreement.report import measure_agreement

    return measure_agreement(store(), grader, other, calibrated=True, corrected=other != PEOPLE)


def figure(found: Measured, label: str, note: str, digits: int = 2) -> figures.Figure:
    """A measured value with its interval and n."""
    if not isinstance(found, Estimate):
        return figures.Figure("not measured", label, found.reason)
    bounds = "no interval: few questions, "
    if found.low is not None and found.high is not None:
        bounds = f"[{found.low:.{digits}f}, {found.high:.{digits}f}] "
    return figures.Figure(f"{found.value:.{digits}f}", label, f"{bounds}n={found.n:,} {note}")


def _graders(report: "AgreementReport", mine: str, theirs: str) -> None:
    between, rows = report.between, report.rows
    if between is None or rows is None:
        return
    alike = between.pairs.ordered_alike
    if isinstance(alike, Estimate):
        figures.verdict(
            f"{mine} orders {alike.value:.0%} of the pairs that {theirs} orders as {theirs} does.",
            rest=f"95% interval {_percent(alike)}; chance 50%.",
            tone="plain" if alike.above(0.5) else "warn",
        )
    figures.strip(
        [
            figure(between.at_cut.accuracy, f"same side of {report.cut:g}", "reports"),
            figure(between.kappa, f"Cohen's kappa at {report.cut:g}", "reports, chance 0"),
            figure(between.weighted_kappa, "quadratic-weighted kappa", "reports, chance 0"),
            figure(between.alpha, "Krippendorff's alpha", "reports, chance 0"),
        ]
    )
    figures.strip(
        [
            figure(between.tau_b, "tau-b", "reports"),
            figure(alike, "pairs of a question ordered alike", "pairs, chance 0.50"),
            figure(between.pairs.held_out, "with ties as an answer", "pairs, tie width from other questions"),
            figure(between.bias, "mean difference", f"reports, {mine} less {theirs}"),
        ]
    )
    _criteria(report, mine, theirs)


def _people(report: "AgreementReport", mine: str) -> None:
    found, ballots = report.people, report.ballots
    if found is None or ballots is None:
        return
    alike = found.overall.ordered_alike
    if isinstance(alike, Estimate):
        ceiling = found.people_alike
        rest = f"95% interval {_percent(alike)}; chance 50%."
        if isinstance(ceiling, Estimate):
            rest += f" One rater agrees so with the others in {ceiling.value:.0%} {_percent(ceiling)}."
        tone = "plain" if alike.above(0.5) else "warn"
        figures.verdict(f"{mine} orders {alike.value:.0%} of the pairs as people do.", rest=rest, tone=tone)  # type: ignore[arg-type]
    figures.strip(
        [
            figures.Figure(f"{found.n_pairs:,}", "pairs judged by both", f"{ballots.n_ballots:,} ballots"),
            figure(alike, "ordered alike", "pairs that people order, chance 0.50"),
            figure(found.overall.held_out, "with ties as an answer", "pairs, tie width from other questions"),
            figure(found.tau_b, "tau-b with the mean preference", "pairs"),
            figures.Figure(f"{found.without_gap:,}", "pairs without a score", "failed or not graded; in no figure"),
        ]
    )
    rows = {"overall": alike, **{name.replace("_", " "): one for name, (one, _) in found.dimensions.items()}}
    agreement_plots.dots(rows, found.people_alike, f"pairs ordered as people do by {mine} (0.5: chance)")


def _criteria(report: "AgreementReport", mine: str, theirs: str) -> None:
    between = report.between
    if between is None:
        return
    st.subheader("Where the verdicts part")
    tables: dict[str, Any] = {f"good or not, at {report.cut:g}": between.at_cut}
    if report.pooled is not None:
        tables = {f"all criteria ({len(report.criteria)})": report.pooled.table} | tables
        if not report.pooled.same_words:
            figures.verdict(
                "The two use different words for their verdicts.",
                rest=f"{mine} alone: {', '.join(report.pooled.judge_only)}. {theirs} alone: "
                f"{', '.join(report.pooled.reference_only)}.",
                small="No verdict in such a word can be met, so accuracy and kappa say less than they seem to. What "
                f"the verdicts are worth differs by {report.pooled.credit_gap.text()} on average.",
                tone="warn",
            )
    # The worst first: where the two part most often, among criteria with enough reports to say so.
    worst = sorted(report.criteria, key=lambda one: (_lowest(one), one.criterion))
    tables |= {f"{one.criterion} · {_accuracy(one)}": one.table for one in worst}
    names = list(tables)
    asked = parameter("criterion")
    index = next((i for i, name in enumerate(names) if asked and name.partition(" · ")[0] == asked), 0)
    left, right = st.columns([3, 2], vertical_alignment="top")
    with left:
        chosen = st.selectbox("Verdicts on", names, index=index, key="agreement-criterion", format_func=visible)
        set_parameters(
            {"criterion": chosen.partition(" · ")[0] if chosen in names[2 - (report.pooled is None) :] else None}
        )
        agreement_plots.confusion_map(tables[chosen], mine, theirs)
    with right:
        if worst:
            _criteria_table(worst)
        else:
            st.caption("The two share no criterion: what they have in common is the score.")


def _accuracy(one: "CriterionAgreement") -> str:
    found = one.table.accuracy
    return f"{found.value:.0%} alike, n={one.n}" if isinstance(found, Estimate) else "no verdict of both"


def _lowest(one: "CriterionAgreement") -> float:
    found = one.table.accuracy
    return found.value if isinstance(found, Estimate) else 2.0


def _criteria_table(criteria: "list[CriterionAgreement]") -> None:

    rows = [
        {
            "criterion": one.criterion,
            "alike": one.table.accuracy.value if isinstance(one.table.accuracy, Estimate) else None,
            "95%": _bounds(one.table.accuracy),
            "kappa": one.kappa.value if isinstance(one.kappa, Estimate) else None,
            "n": one.n,
            "no verdict": one.missing,
        }
        for one in criteria
    ]
    st.dataframe(
        readable(framed(rows)),
        hide_index=True,
        height=360,
        column_config={
            "alike": st.column_config.NumberColumn(format="%.2f"),
            "kappa": st.column_config.NumberColumn(format="%.2f"),
        },
    )


def _calibration(report: "AgreementReport", mine: str, theirs: str) -> None:
    from workbench.stats.calibration import Calibrated

    fitted = {method: one for method, one in report.calibration.items() if isinstance(one, Calibrated)}
    st.subheader("What a score stands for")
    if not fitted:
        reason = next(
            (one.reason for one in report.calibration.values() if not isinstance(one, Calibrated)), "no score"
        )
        st.caption(f"Not measured: {plain(reason)}")
        return
    method = st.segmented_control("Fitted by", list(fitted), default=next(iter(fitted)), key="agreement-method")
    found = fitted[method or next(iter(fitted))]
    figures.strip(
        [
            figure(found.before.brier, "Brier score", "as it is", 3),
            figure(found.after.brier, "Brier score, calibrated", "on questions it was not fitted on", 3),
            figure(found.brier_gain, "gain", "above 0: calibrating helps", 3),
            figure(found.before.ece, "ECE", f"as it is; a calibrated one shows {found.before.ece_floor:.3f}", 3),
            figure(found.after.ece, "ECE, calibrated", f"a calibrated one shows {found.after.ece_floor:.3f}", 3),
        ]
    )
    x = "gap of two scores, moved to [0, 1]" if report.people is not None else f"score by {mine}"
    y = "share of raters who prefer the first" if report.people is not None else f"mean score by {theirs}"
    agreement_plots.reliability(found, x, y)
    if report.people is not None:
        st.caption("Each pair counts in both directions, since which report comes first means nothing.")


def _corrected(report: "AgreementReport") -> None:

    means = [one for one in report.corrected if one.n_rest]
    if not means:
        return
    st.subheader("Means of what only this grader scored")
    rows = [
        {
            "run": one.run or "all runs",
            "labelled": one.n_labelled,
            "judged only": one.n_rest,
            "judge alone": one.judge_alone.text(),
            "corrected mean (PPI++)": one.powered.mean.text(),
            "labels alone": one.powered.classical.text(),
            f"share >= {report.cut:g} (Rogan-Gladen)": one.share.prevalence.text(),
        }
        for one in means
    ]
    st.dataframe(readable(framed(rows)), hide_index=True)
    cautions = [f"{one.run or 'all runs'}: {'; '.join(one.cautions)}." for one in means if one.cautions]
    if cautions:
        figures.verdict("These intervals may not hold as often as they say.", small=" ".join(cautions), tone="warn")


def _widest(report: "AgreementReport", grader: str, other: str) -> None:
    if not report.widest:
        return
    st.subheader("Furthest apart")
    st.caption(
        "Pairs that the grader orders against people, the clearest first."
        if report.people is not None
        else "By the difference in rank, so that a grader which is only more generous does not look like one that errs."
    )
    for row in report.widest[:LISTED]:
        left, middle, right = st.columns([3, 2, 2], vertical_alignment="center")
        if len(row.trajectories) == 2:
            left.markdown(
                f"grader **{row.judge:+.2f}**, people **{row.reference:+.2f}**  :gray[{plain(' · '.join(row.runs))}]"
            )
            for place, words, identifier in zip((middle, right), ("first", "second"), row.trajectories, strict=True):
                with place:
                    routes.link("grade", f"why, the {words} →", id=identifier, grader=grader)
            continue
        left.markdown(f"**{row.judge:.2f}** against **{row.reference:.2f}**  :gray[{plain(' · '.join(row.runs))}]")
        for place, key in ((middle, grader), (right, other)):
            with place:
                routes.link("grade", f"why {plain(key.partition('@')[0])} →", id=row.trajectories[0], grader=key)
    if len(report.widest) > LISTED:
        st.caption(f"{LISTED} of the {len(report.widest)} furthest apart; `workbench agreement --json` lists them")


def _bounds(found: Measured) -> str:
    if not isinstance(found, Estimate) or found.low is None or found.high is None:
        return "not measured"
    return f"[{found.low:.2f}, {found.high:.2f}]"


def _percent(found: Estimate) -> str:
    return "not measured" if found.low is None or found.high is None else f"[{found.low:.0%}, {found.high:.0%}]"
