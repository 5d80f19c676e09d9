"""A new round: what it would ask, what it would tell and what a smaller one loses, before anybody is invited."""

from typing import Any, Final

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.human.rounds.checks import Checks
from workbench.human.rounds.designs import DESIGNS
from workbench.human.rounds.dimensions import KNOWN_DIMENSIONS
from workbench.human.rounds.forecast import Forecast, alternatives, assumptions_of, forecast_plan, need
from workbench.human.rounds.lifecycle import create_round
from workbench.human.rounds.page import SHOWS, PageForm
from workbench.human.rounds.plan import RoundPlan, plan_round
from workbench.schema.ballot import DEFAULT_DIMENSIONS
from workbench.ui import data
from workbench.ui.components import figures
from workbench.ui.components.cells import framed, readable
from workbench.ui.components.rating.links import remember
from workbench.ui.components.text import plain
from workbench.ui.components.visible import visible
from workbench.ui.session import join_names, parameter, rerun_at, set_parameters, split_names, store, whole_number

DESIGN_WORDS: Final = {
    "round-robin": "every pair of runs",
    "fixed-baseline": "each run against one",
    "active": "the pairs that tell most, batch by batch",
}

SHOWN_WORDS: Final = {
    "reports": "the reports as they were written",
    "research": "the research without the report",
    "rewrites": "reports of one writer, from each side's evidence",
}


def panel(*, expanded: bool) -> None:
    """Everything chosen here stands in the address until the round is made, so that a plan can be passed on."""
    with st.expander("Plan a round", expanded=expanded or bool(parameter("runs"))):
        left, right = st.columns([5, 6], gap="large")
        with left:
            chosen = _choices()
        if chosen is None:
            right.markdown(":gray[Choose two runs or more: the plan is shown here.]")
            return
        with right:
            plan = _planned(chosen)
        if plan is not None:
            with left:
                _create(plan)


def _choices() -> dict[str, Any] | None:
    names = data.run_names()
    asked = [name for name in split_names(parameter("runs")) if name in names]
    runs = st.multiselect("Runs to compare", names, default=asked, key="round-runs", format_func=visible)
    design = st.selectbox(
        "Design", DESIGNS, index=_place(DESIGNS, parameter("design")), key="round-design",
        format_func=lambda name: f"{name}: {DESIGN_WORDS[name]}",
    )  # fmt: skip
    baseline = None
    if design == "fixed-baseline" and runs:
        place = _place(runs, parameter("against"))
        baseline = st.selectbox("Held against", runs, index=place, key="round-against", format_func=visible)
    a, b, c = st.columns(3)
    raters = int(a.number_input("Raters", 1, 200, _number("raters", 4, 200), key="round-raters"))
    overlap = int(b.number_input("Raters a pair", 1, raters, min(raters, _number("overlap", 1, raters)), key="overlap"))
    questions = int(
        c.number_input("Questions (0: all)", 0, 100_000, _number("questions", 0, 100_000), key="round-questions")
    )
    set_parameters(
        {
            "runs": join_names(runs),
            "design": None if design == DESIGNS[0] else design,
            "against": baseline,
            "raters": None if raters == 4 else str(raters),
            "overlap": None if overlap == 1 else str(overlap),
            "questions": str(questions) if questions else None,
        }
    )
    return None if len(runs) < 2 else {
        "runs": runs, "design": design, "baseline": baseline, "raters": raters, "overlap": overlap,
        "questions": questions or None,
    }  # fmt: skip


def _planned(chosen: dict[str, Any]) -> RoundPlan | None:
    try:
        plan = plan_round(store(), seed=len(store().human.rounds()), **chosen)
        given = assumptions_of(store())
        own, others = forecast_plan(plan, given), alternatives(plan, given)
    except WorkbenchError as error:
        st.warning(plain(str(error)))
        return None
    each, minutes_each = own.n_ballots / len(plan.raters), own.minutes / len(plan.raters)
    figures.strip(
        [
            figures.Figure(f"{own.n_ballots:,}", "ballots", f"{each:.0f} a rater"),
            figures.Figure(f"{own.minutes / 60:.1f} h", "of rating", f"{minutes_each:.0f} min a rater"),
            figures.Figure(_width(own.half_width), "a rating, Elo points", "half of its 95% interval"),
            figures.Figure(_width(own.gap_half_width), "a gap between two", "the widest of them"),
        ]
    )
    rows = [("this plan", own, ""), *((one.name, one.forecast, one.says) for one in others)]
    st.dataframe(readable(framed([_row(*row) for row in rows])), hide_index=True)
    _left_out(plan)
    wanted, minutes = st.columns(2)
    width = wanted.number_input("Interval wanted, ± Elo", 0, 400, _number("width", 0, 400), 10, key="round-width")
    time = minutes.number_input("Minutes a rater has", 5, 2000, _number("minutes", 120, 2000), 15, key="round-minutes")
    set_parameters({"width": str(width) if width else None, "minutes": None if time == 120 else str(time)})
    if width:
        found = need(plan, given, half_width=float(width), minutes_a_rater=float(time))
        figures.verdict(f"±{width} Elo points: {found.says}.", tone="warn" if found.raters is None else "plain")
    st.caption(f"Rests on {plain(given.text())}.")
    return plan


def _create(plan: RoundPlan) -> None:
    st.subheader("What raters see and say")
    shows = st.selectbox("They read", SHOWS, key="round-shows", format_func=SHOWN_WORDS.__getitem__)
    trace = shows != "research" and st.toggle("They can open the research behind a report", key="round-trace")
    markup = st.toggle("Habits of layout are evened out", key="round-markup")
    dimensions = st.multiselect(
        "Dimensions",
        list(KNOWN_DIMENSIONS),
        default=list(DEFAULT_DIMENSIONS),
        key="round-dimensions",
        format_func=lambda key: key.replace("_", " "),
    )
    required = st.toggle("A reason is required", key="round-reason")
    a, b, c = st.columns(3)
    practice = int(a.number_input("Practice pairs", 0, 20, 2, key="round-practice", help="First, with feedback."))
    attention = int(b.number_input("Attention checks", 0, 20, 2, key="round-attention"))
    repeats = int(c.number_input("Seen twice", 0, 20, 2, key="round-repeats", help="Pairs again, sides swapped."))
    name = st.text_input("Name of the round (raters do not see it)", key="round-name").strip()
    if not st.button("Create it and make the links", type="primary", disabled=not name):
        return
    try:
        made, invitations = create_round(
            store(),
            plan,
            name=name,
            dimensions={key: KNOWN_DIMENSIONS[key] for key in dimensions},
            reason_required=required,
            checks=Checks(practice, attention, repeats),
            page=PageForm(shows, None, markup, trace),
        )
    except WorkbenchError as error:
        st.error(plain(str(error)))
        return
    remember(invitations)
    nothing = dict.fromkeys(("runs", "design", "against", "raters", "overlap", "questions", "width", "minutes"))
    rerun_at({**nothing, "round": made.id})


def _left_out(plan: RoundPlan) -> None:
    said = [f"{n} questions without a report of {plain(run)}" for run, n in plan.missing.items() if n]
    said += [f"{n} further attempts of {plain(run)}" for run, n in plan.further_attempts.items() if n]
    if said:
        st.markdown(f":gray[Left out: {'; '.join(said)}.]")


def _row(name: str, found: Forecast, says: str) -> dict[str, object]:
    return {
        "plan": name,
        "ballots": found.n_ballots,
        "hours": round(found.minutes / 60, 1),
        "a rating ±": _width(found.half_width),
        "a gap ±": _width(found.gap_half_width),
        "what changes": says,
    }


def _width(found: float | None) -> str:
    return "no common scale" if found is None else f"±{found:.0f}"


def _place(options: Any, asked: str) -> int:
    return list(options).index(asked) if asked in options else 0


def _number(name: str, default: int, most: int) -> int:
    found = whole_number(name, default)
    return default if found is None else min(found, most)
