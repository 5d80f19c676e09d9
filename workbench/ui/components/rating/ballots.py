"""Every ballot with the two reports it was about; one can be set aside, with a reason."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from workbench.schema.ballot import Assignment, Ballot
from workbench.ui import routes
from workbench.ui.components.text import plain, short
from workbench.ui.components.visible import visible
from workbench.ui.session import join_names, parameter, set_parameters, store, whole_number

PAGE: Final = 25


def panel(round_id: str) -> None:
    """Filtered by rater, a page at a time; both stand in the address."""
    shown = {one.id: one for one in store().human.assignments(round_id)}
    ballots = [one for one in store().human.ballots(round_id) if shown[one.assignment_id].purpose == "rating"]
    raters = sorted({one.rater for one in ballots})
    asked = parameter("rater")
    chosen = st.selectbox(
        "Rater", ["", *raters], index=raters.index(asked) + 1 if asked in raters else 0, key="ballots-rater",
        format_func=lambda name: visible(name) or "all raters",
    )  # fmt: skip
    set_parameters({"rater": chosen})
    listing([one for one in ballots if not chosen or one.rater == chosen], shown, key="ballots")


def listing(ballots: Sequence[Ballot], shown: dict[str, Assignment], *, key: str) -> None:
    """A page of these."""
    pages = max(1, -(-len(ballots) // PAGE))
    at = min(pages, max(1, whole_number("page", 1) or 1))
    first = (at - 1) * PAGE
    st.markdown(f":gray[{first + 1 if ballots else 0} to {min(first + PAGE, len(ballots))} of {len(ballots)} ballots]")
    for ballot in ballots[first : first + PAGE]:
        _row(ballot, shown[ballot.assignment_id], key)
    if pages > 1:
        found = st.pagination(pages, default=at, key=f"{key}-page-{at}")
        if found != at:
            set_parameters({"page": None if found == 1 else str(found)})
            st.rerun()


def _row(ballot: Ballot, pair: Assignment, key: str) -> None:
    what, compare, first, second, aside = st.columns([6, 1, 1, 1, 1.6], vertical_alignment="center")
    state = f" :red[set aside: {plain(ballot.set_aside)}]" if ballot.set_aside else ""
    reason = f" :gray[{plain(short(ballot.reason, 200))}]" if ballot.reason else ""
    what.markdown(f"{plain(ballot.rater)}: **{ballot.verdict.replace('_', ' ')}**{reason}{state}")
    with compare:
        routes.link("compare", "both", ids=join_names([pair.left, pair.right]))
    with first:
        routes.link("trajectory", "left", id=pair.left)
    with second:
        routes.link("trajectory", "right", id=pair.right)
    with aside.popover("Count again" if ballot.set_aside else "Set aside"):
        why = "" if ballot.set_aside else st.text_input("Because", key=f"{key}-why-{ballot.assignment_id}").strip()
        if st.button("Do it", key=f"{key}-do-{ballot.assignment_id}", disabled=not (why or ballot.set_aside)):
            store().human.set_aside(ballot.assignment_id, why)
            st.rerun()
