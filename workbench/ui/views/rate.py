"""Rate, the owner's view: plan a round, invite, watch it without seeing who leads, close it, read the ratings."""

from typing import Final

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.human.quality import round_quality
from workbench.human.ratings.rating import rate
from workbench.human.ratings.table import RATING_METHODS, RatingTable
from workbench.human.rounds.invitations import link_of
from workbench.human.rounds.lifecycle import close_round, create_round, invite, revoke
from workbench.human.rounds.plan import plan_round
from workbench.human.rounds.summary import RoundSummary, round_summary
from workbench.human.votes import counted_votes
from workbench.schema.ballot import DEFAULT_DIMENSIONS, Ballot
from workbench.stats.estimate import Estimate
from workbench.ui import data, routes, theme
from workbench.ui.components import figures, plots
from workbench.ui.components.cells import framed, readable
from workbench.ui.components.text import escaped, plain, short
from workbench.ui.components.visible import visible
from workbench.ui.session import parameter, rerun_at, set_parameters, store

RATER_SERVER: Final = "http://127.0.0.1:8600"
# About four minutes a pair: the pace that the round planner of the page assumes until ballots are timed.
MINUTES_A_PAIR: Final = 4


def page() -> None:
    st.title("Rate")
    rounds = store().human.rounds()
    sources = store().human.vote_sources()
    _create_form(expanded=not rounds)
    _show_invitations()
    if not rounds and not sources:
        figures.nothing_here(
            "No round of blind evaluation yet.",
            remedy="Create one above from runs that answered the same questions, or `workbench ballots import FILE`.",
        )
        return
    labels = {
        found.id: f"{found.name} · {found.state}" for found in sorted(rounds, key=lambda r: r.created_at, reverse=True)
    }
    labels |= {f"source:{name}": f"imported: {name} · {n:,} votes" for name, n in sources.items()}
    asked = parameter("round")
    options = list(labels)
    if asked and asked not in options:
        st.warning(f"There is no round {plain(asked)} in this store.")
    chosen = st.selectbox(
        "Round",
        options,
        index=options.index(asked) if asked in options else 0,
        format_func=lambda key: visible(labels[key]),
    )
    if chosen != asked:
        set_parameters({"round": chosen})
    if chosen.startswith("source:"):
        _ratings(round_id=None, source=chosen.removeprefix("source:"))
        return
    summary = round_summary(store(), chosen)
    figures.simulated_mark(summary.round.simulated)
    _progress(summary)
    if summary.round.state == "closed":
        _ratings(round_id=chosen, source=None)
        _ballots(chosen)
    else:
        st.markdown(":gray[Which report came from which run stays hidden from everyone until the round is closed.]")


def _create_form(*, expanded: bool) -> None:
    with st.expander("New round", expanded=expanded):
        left, middle, right = st.columns([3, 2, 2])
        runs = left.multiselect("Runs to compare", data.run_names(), key="round-runs", format_func=visible)
        name = middle.text_input("Name", key="round-name").strip()
        raters = right.number_input("Raters", min_value=1, max_value=50, value=2, key="round-raters")
        left, middle, right = st.columns([3, 2, 2])
        dimensions = left.multiselect(
            "Dimensions",
            list(DEFAULT_DIMENSIONS),
            default=list(DEFAULT_DIMENSIONS),
            key="round-dimensions",
            format_func=lambda key: key.replace("_", " "),
        )
        overlap = middle.number_input("Raters a pair", min_value=1, max_value=int(raters), value=1, key="round-overlap")
        required = right.toggle("A reason is required", key="round-reason")
        if len(runs) < 2:
            st.markdown(":gray[Choose two runs or more.]")
            return
        try:
            plan = plan_round(
                store(), runs=runs, raters=int(raters), overlap=int(overlap), seed=len(store().human.rounds())
            )
        except WorkbenchError as error:
            st.warning(plain(str(error)))
            return
        left_out = f" {plan.n_left_out} questions are left out: one side has no report." if plan.n_left_out else ""
        each = plan.n_ballots / int(raters)
        st.markdown(
            f"**{plan.n_ballots} ballots** on {len(plan.pairs)} pairs, about {each:.0f} a rater, "
            f"{each * MINUTES_A_PAIR:.0f} minutes at {MINUTES_A_PAIR} minutes a pair.{left_out}"
        )
        if st.button("Create and invite", type="primary", disabled=not name):
            chosen = {key: DEFAULT_DIMENSIONS[key] for key in dimensions}
            made, invitations = create_round(store(), plan, name=name, dimensions=chosen, reason_required=required)
            st.session_state["invitations"] = [(one.rater, link_of(one, RATER_SERVER)) for one in invitations]
            rerun_at({"round": made.id})


def _show_invitations() -> None:
    """Links are shown once, in the session that made them: the store keeps only hashes of their tokens."""
    links = st.session_state.get("invitations")
    if not links:
        return
    with st.container(border=True):
        st.markdown(
            "**Invitation links, shown this once.** Pass each to its rater; `workbench rate serve` answers them."
        )
        st.code(visible("\n".join(f"{rater}  {link}" for rater, link in links)), language=None)
        if st.button("I have passed them on"):
            del st.session_state["invitations"]
            st.rerun()


def _progress(summary: RoundSummary) -> None:
    round_ = summary.round
    seconds = "not measured" if summary.median_seconds is None else f"{summary.median_seconds:.0f} s"
    figures.strip(
        [
            figures.Figure(f"{summary.n_cast} of {summary.n_assigned}", "ballots", f"{summary.n_set_aside} set aside"),
            figures.Figure(seconds, "median time on a pair", f"{summary.n_fast} under 15 s"),
            *[figures.Figure(str(n), verdict.replace("_", " ")) for verdict, n in summary.verdicts.items()],
        ]
    )
    for rater in summary.raters:
        who, bar, new, stop = st.columns([2, 5, 1.4, 1.4], vertical_alignment="center")
        who.markdown(f"{plain(rater.rater)}{' :red[revoked]' if rater.revoked else ''}")
        bar.progress(rater.n_cast / max(rater.n_assigned, 1), text=f"{rater.n_cast} of {rater.n_assigned}")
        if round_.state == "open":
            if new.button("New link", key=f"new-{rater.rater!a}"):
                again = invite(store(), round_.id, rater.rater)
                st.session_state["invitations"] = [(rater.rater, link_of(again, RATER_SERVER))]
                st.rerun()
            if not rater.revoked and stop.button("Revoke", key=f"revoke-{rater.rater!a}"):
                revoke(store(), round_.id, rater.rater)
                st.rerun()
    for found in round_quality(store(), round_.id):
        for warning in found.warnings:
            st.warning(f"{plain(found.rater)}: {plain(warning)}")
    if round_.state == "open":
        with st.popover("Close the round"):
            st.markdown("No ballot is taken any more, and the names of the runs are shown. This cannot be undone.")
            if st.button("Close it", type="primary"):
                close_round(store(), round_.id)
                st.rerun()


def _ratings(*, round_id: str | None, source: str | None) -> None:
    st.header("Ratings")
    counted = counted_votes(store(), round_id=round_id, source=source)
    for said in counted.notes():
        st.markdown(f":gray[{plain(said)}]")
    if not counted.votes:
        figures.nothing_here("No ballot counts in this round.", remedy="Set-aside ballots are listed below.")
        return
    method = st.segmented_control("Method", RATING_METHODS, default=RATING_METHODS[0], key="rating-method")
    table = rate(counted.votes, method=method or RATING_METHODS[0], seed=data.SEED)
    for problem in table.problems:
        st.warning(plain(problem))
    _forest(table)
    _table(table)
    alpha = table.agreement.verdict
    shown = alpha.text(2) if isinstance(alpha, Estimate) else alpha.text()
    st.caption(
        f"{table.n_ballots} ballots; interval: {table.interval}. Agreement of raters beyond chance "
        f"(Krippendorff's alpha): {plain(shown)}. Win score = (wins + ties / 2) / ballots. "
        "The running Elo depends on the order of play."
    )


def _forest(table: RatingTable) -> None:
    import plotly.graph_objects as go

    rated = [row for row in table.ratings if row.rating is not None]
    if not rated:
        return
    low = [0.0 if row.ci_low is None else (row.rating or 0) - row.ci_low for row in rated]
    high = [0.0 if row.ci_high is None else row.ci_high - (row.rating or 0) for row in rated]
    figure = go.Figure()
    figure.add_scatter(
        x=[row.rating for row in rated],
        y=[escaped(row.name) for row in rated],
        mode="markers",
        marker={"size": 11, "color": theme.BLUE},
        error_x={"type": "data", "symmetric": False, "array": high, "arrayminus": low, "thickness": 1.6},
        hovertemplate="%{y}: %{x:.0f}<extra></extra>",
    )
    figure.update_yaxes(autorange="reversed")
    name = "running Elo (depends on order)" if table.depends_on_order else f"{table.method}, Elo scale, 95 % interval"
    plots.show(plots.dress(figure, height=90 + 38 * len(rated), x=name), key="ratings-forest")


def _table(table: RatingTable) -> None:

    st.dataframe(
        readable(framed([row.to_json() for row in table.ratings])),
        hide_index=True,
        column_config={
            name: st.column_config.NumberColumn(label, format=form)
            for name, label, form in (
                ("rating", "rating", "%.0f"),
                ("ci_low", "low", "%.0f"),
                ("ci_high", "high", "%.0f"),
                ("win_score", "win score", "%.3f"),
                ("running_elo", "running Elo", "%.0f"),
            )
        },
    )


def _ballots(round_id: str) -> None:
    ballots = store().human.ballots(round_id)
    pairs = {assignment.id: assignment for assignment in store().human.assignments(round_id)}
    with st.expander(f"Ballots: {len(ballots)}"):
        for ballot in ballots[:100]:
            _ballot(ballot, pairs[ballot.assignment_id].left, pairs[ballot.assignment_id].right)
        if len(ballots) > 100:
            st.caption(f"100 of {len(ballots)} shown; all: `workbench ballots export FILE`")


def _ballot(ballot: Ballot, left: str, right: str) -> None:
    what, first, second, aside = st.columns([6, 1, 1, 2], vertical_alignment="center")
    state = f" :red[set aside: {plain(ballot.set_aside)}]" if ballot.set_aside else ""
    reason = f" :gray[{plain(short(ballot.reason, 160))}]" if ballot.reason else ""
    what.markdown(f"{plain(ballot.rater)}: **{ballot.verdict.replace('_', ' ')}**{reason}{state}")
    with first:
        routes.link("trajectory", "left", id=left)
    with second:
        routes.link("trajectory", "right", id=right)
    with aside.popover("Count again" if ballot.set_aside else "Set aside"):
        why = "" if ballot.set_aside else st.text_input("Because", key=f"why-{ballot.assignment_id}").strip()
        if st.button("Do it", key=f"aside-{ballot.assignment_id}", disabled=not (why or ballot.set_aside)):
            store().human.set_aside(ballot.assignment_id, why)
            st.rerun()
