"""What raters wrote, in groups that say the same, each linked to its ballots."""

import streamlit as st

from workbench.human.reasons import ReasonGroup, reason_groups, reasons_in
from workbench.human.votes import CountedVotes
from workbench.reading.failure_modes import failure_modes
from workbench.ui import data
from workbench.ui.components import figures
from workbench.ui.components.cells import framed, readable
from workbench.ui.components.rating.ballots import listing
from workbench.ui.components.text import plain, short
from workbench.ui.kept import fresh
from workbench.ui.session import parameter, set_parameters, store


def panel(round_id: str, counted: CountedVotes) -> None:
    told = reasons_in(counted)
    found, _ = fresh(
        ("reasons", round_id), lambda: failure_modes(told.texts, told.questions, seed=data.SEED), doing="Grouping …"
    )
    st.markdown(f"{len(told.rows)} of {told.n_votes} ballots give a reason.")
    if not found.modes:
        figures.nothing_here(
            f"No groups: {found.reason}.", remedy="Every reason stands with its ballot, under Ballots."
        )
        return
    groups = reason_groups(counted, told, found.modes)
    asked = parameter("reason")
    open_one = int(asked) if asked.isdigit() and int(asked) < len(groups) else None
    for number, group in enumerate(groups):
        _group(number, group, counted, is_open=number == open_one)
    unused = f"; {found.unused} reasons have no word in common with others" if found.unused else ""
    st.caption(
        f"{len(found.modes)} groups of {found.n_texts} reasons by {found.n_terms} words that several questions share"
        f"{unused}; seed {found.seed}. Shown is the reason nearest to the middle of its group."
    )
    if open_one is not None:
        _ballots(round_id, groups[open_one], counted)


def _group(number: int, group: ReasonGroup, counted: CountedVotes, *, is_open: bool) -> None:
    with st.container(border=True):
        text, who, act = st.columns([6, 3, 1.5], vertical_alignment="center")
        text.markdown(f"**{plain(', '.join(group.terms))}**")
        text.markdown(f":gray[“{plain(short(counted.votes[group.typical].reason, 220))}”]")
        won = ", ".join(f"{name} {n}" for name, n in list(group.won.items())[:3])
        who.markdown(f"{len(group.rows)} ballots  \n:gray[won by {plain(won or 'nobody')}]")
        if act.button("Close" if is_open else "Ballots", key=f"reason-{number}-{is_open}", width="stretch"):
            set_parameters({"reason": None if is_open else str(number), "page": None})
            st.rerun()


def _ballots(round_id: str, group: ReasonGroup, counted: CountedVotes) -> None:
    """A vote of a round carries its place among the round's votes; its ballot is found by rater and pair."""
    st.subheader(f"Ballots of this group: {len(group.rows)}")
    if round_id.startswith("source:"):
        # Imported rows have no reports here, only what was said.
        votes = [counted.votes[row] for row in group.rows]
        rows = [{"rater": v.rater, "left": v.model_a, "right": v.model_b, "verdict": v.winner, "reason": v.reason}
                for v in votes]  # fmt: skip
        st.dataframe(readable(framed(rows)), hide_index=True)
        return
    shown = {one.id: one for one in store().human.assignments(round_id)}
    wanted = {(counted.votes[row].rater.removeprefix(f"{round_id}/"), counted.shown[row]) for row in group.rows}
    found = [
        ballot
        for ballot in store().human.ballots(round_id)
        if (ballot.rater, (shown[ballot.assignment_id].left, shown[ballot.assignment_id].right)) in wanted
    ]
    listing(found, shown, key="reason-ballots")
