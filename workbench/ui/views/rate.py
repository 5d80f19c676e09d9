"""Rate, the owner's view: plan a round, invite, watch it without seeing who leads, close it, read what people said."""

from typing import Final

import streamlit as st

from workbench.human.rounds.summary import RoundSummary, round_summary
from workbench.human.votes import CountedVotes, counted_votes
from workbench.ui.components import figures
from workbench.ui.components.choice import one_of
from workbench.ui.components.rating import ballots, baseline, links, making, missed, progress, rated, raters, reasons
from workbench.ui.components.text import plain
from workbench.ui.components.visible import visible
from workbench.ui.session import parameter, set_parameters, store

VIEWS: Final = {
    "ratings": "Ratings",
    "against": "Against a baseline",
    "raters": "Raters",
    "missed": "What the grader misses",
    "reasons": "Reasons",
    "ballots": "Ballots",
}
OF_IMPORTED: Final = ("ratings", "against", "reasons")
# What belongs to one round: another round begins without it.
OF_ROUND: Final = ("view", "method", "on", "equal", "baseline", "rater", "reason", "page")


def page() -> None:
    st.title("Rate")
    rounds = store().human.rounds()
    sources = store().human.vote_sources()
    making.panel(expanded=not rounds)
    links.show()
    if not rounds and not sources:
        figures.nothing_here(
            "No round of blind evaluation yet.",
            remedy="Plan one above from runs that answered the same questions, or `workbench ballots import FILE`.",
        )
        return
    newest = sorted(rounds, key=lambda one: one.created_at, reverse=True)
    labels = {one.id: visible(f"{one.name} · {one.state}") for one in newest}
    labels |= {f"source:{name}": visible(f"imported: {name} · {n:,} votes") for name, n in sources.items()}
    chosen = _chosen(labels)
    if chosen.startswith("source:"):
        source = chosen.removeprefix("source:")
        _closed(chosen, counted_votes(store(), source=source), None)
        return
    summary = round_summary(store(), chosen)
    figures.simulated_mark(summary.round.simulated)
    progress.strip(summary)
    progress.aside(summary)
    raters.warnings(chosen)
    if summary.round.state == "closed":
        _closed(chosen, counted_votes(store(), round_id=chosen), summary)
        return
    st.markdown(":gray[Which report came from which run stays hidden from everyone until the round is closed.]")
    progress.people(summary)
    progress.acts(summary)
    st.header("Raters so far")
    raters.panel(chosen, None)


def _chosen(labels: dict[str, str]) -> str:
    asked, options = parameter("round"), list(labels)
    if asked and asked not in options:
        st.warning(f"There is no round {plain(asked)} in this store.")
    place = options.index(asked) if asked in options else 0
    found = st.selectbox("Round", options, index=place, format_func=labels.__getitem__, key=f"round-{asked!a}")
    if found != asked:
        gone = dict.fromkeys(OF_ROUND) if asked in options else {}
        set_parameters({**gone, "round": found})
    return found


def _closed(key: str, counted: CountedVotes, summary: RoundSummary | None) -> None:
    """Names and results, one view at a time; which one stands in the address."""
    for said in counted.notes():
        st.markdown(f":gray[{plain(said)}]")
    if not counted.votes:
        figures.nothing_here("No ballot counts in this round.", remedy="Those set aside are listed below.")
        if summary is not None:
            ballots.panel(summary.round.id)
        return
    options = VIEWS if summary is not None else {name: VIEWS[name] for name in OF_IMPORTED}
    view = one_of("view", options, label="View", key="rate-view")
    if view == "ratings":
        rated.panel(counted, key)
    elif view == "against":
        baseline.panel(counted, key)
    elif view == "reasons":
        reasons.panel(key, counted)
    elif summary is not None and view == "raters":
        raters.panel(summary.round.id, counted)
    elif summary is not None and view == "missed":
        missed.panel(summary.round, counted)
    elif summary is not None:
        ballots.panel(summary.round.id)
