"""Invitation links, shown once: the store keeps only hashes of their tokens."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from workbench.human.rounds.invitations import Invitation, link_of

RATER_SERVER: Final = "http://127.0.0.1:8600"
_KEY: Final = "invitations"


def remember(invitations: Sequence[Invitation]) -> None:
    """For the next run of the page, in this session alone."""
    st.session_state[_KEY] = tuple(invitations)


def show() -> None:
    """Links made in this session, until their owner says that they are passed on."""
    invitations: tuple[Invitation, ...] | None = st.session_state.get(_KEY)
    if not invitations:
        return
    with st.container(border=True):
        st.markdown("**Invitation links, shown this once.** Pass each to its rater, and to nobody else.")
        where = st.text_input("Where raters reach the rater server", RATER_SERVER, key="rater-server").strip()
        lines = [f"{one.rater}  {link_of(one, where or RATER_SERVER)}" for one in invitations]
        st.code("\n".join(lines), language=None)
        st.caption("`workbench rate serve` answers them: a process of its own that can reach nothing but ballots.")
        if st.button("I have passed them on"):
            del st.session_state[_KEY]
            st.rerun()
