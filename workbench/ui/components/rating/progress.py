"""How far a round is and how its raters fare, without a word on who leads until it is closed."""

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.human.rounds.extending import extend_round
from workbench.human.rounds.lifecycle import close_round, invite, revoke
from workbench.human.rounds.shown import reasons_of
from workbench.human.rounds.summary import RoundSummary
from workbench.store import RaterRow
from workbench.ui.components import figures
from workbench.ui.components.rating.links import remember
from workbench.ui.components.text import plain
from workbench.ui.session import store

TIE_WORDS = {"both_good": "both good", "both_fair": "both fair", "both_bad": "both bad"}


def strip(summary: RoundSummary) -> None:
    """Ballots, pace and verdicts: kinds of tie apart, since two good reports are not two bad ones."""
    pace = "not measured" if summary.median_seconds is None else f"{summary.median_seconds:.0f} s"
    left, right = summary.verdicts["left"], summary.verdicts["right"]
    figures.strip(
        [
            figures.Figure(f"{summary.n_cast} of {summary.n_assigned}", "ballots", f"{summary.n_set_aside} set aside"),
            figures.Figure(pace, "median time on a pair", f"{summary.n_fast} under 15 s"),
            figures.Figure(str(left + right), "decided", f"left {left}, right {right}"),
            *[figures.Figure(str(summary.verdicts[key]), words) for key, words in TIE_WORDS.items()],
        ]
    )


def aside(summary: RoundSummary) -> None:
    """Pairs that were not put before raters, and why."""
    for reason, n in reasons_of(summary.round.settings).items():
        st.markdown(f":gray[{n} pairs are not shown to raters: {plain(reason)}]")


def people(summary: RoundSummary) -> None:
    """A line a rater: how far, whether the link works, a new link, the end of one."""
    is_open = summary.round.state == "open"
    for rater in summary.raters:
        who, bar, new, stop = st.columns([2, 6, 1.3, 1.3], vertical_alignment="center")
        who.markdown(f"**{plain(rater.rater)}**{' :red[link revoked]' if rater.revoked else ''}")
        bar.progress(rater.n_cast / max(rater.n_assigned, 1), text=f"{rater.n_cast} of {rater.n_assigned}")
        if is_open:
            if new.button("New link", key=f"new-{rater.rater!a}", width="stretch"):
                remember([invite(store(), summary.round.id, rater.rater)])
                st.rerun()
            if not rater.revoked and stop.button("Revoke", key=f"revoke-{rater.rater!a}", width="stretch"):
                revoke(store(), summary.round.id, rater.rater)
                st.rerun()


def acts(summary: RoundSummary) -> None:
    """Extending an active round, and closing."""
    round_ = summary.round
    left, right, _ = st.columns([2, 2, 6])
    if round_.settings.get("design") == "active":
        _extend(left, round_.id, summary.raters)
    with right.popover("Close the round", width="stretch"):
        waiting = summary.n_assigned - summary.n_cast
        if waiting:
            st.warning(f"{waiting} pairs are still to be rated.")
        st.markdown("No ballot is taken any more, and the names of the runs are shown. This cannot be undone.")
        if st.button("Close it", type="primary"):
            close_round(store(), round_.id)
            st.rerun()


def _extend(place: "st.delta_generator.DeltaGenerator", round_id: str, raters: tuple[RaterRow, ...]) -> None:
    with place.popover("Next batch", width="stretch"):
        waiting = sum(row.n_assigned - row.n_cast for row in raters)
        st.markdown(
            "The pairs that tell most, given the ballots so far, are put before the raters. "
            f"{waiting} pairs are still to be rated; what they will say is not known to this choice."
        )
        if st.button("Add it", type="primary"):
            try:
                found = extend_round(store(), round_id)
            except WorkbenchError as error:
                st.error(plain(str(error)))
                return
            st.session_state["extended"] = f"{found.added} ballots more; {found.left} of the budget left."
            st.rerun()
    if said := st.session_state.pop("extended", None):
        st.success(said)
