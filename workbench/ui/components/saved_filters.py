"""Filters kept under a name: a name for the part of the address that makes this list."""

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.ui import routes
from workbench.ui.components.text import plain
from workbench.ui.session import store


def saved_filters(current: Mapping[str, str]) -> None:
    """A menu of the saved filters, and a field to keep the one that stands in the address."""
    saved = store().notes.saved_filters()
    with st.popover(f"Saved filters ({len(saved)})", width="stretch"):
        if not saved:
            st.markdown(":gray[None yet. Choose a filter, then keep it here under a name.]")
        for name, query in saved.items():
            left, right = st.columns([5, 1], vertical_alignment="center")
            with left:
                routes.link("trajectories", plain(name), **dict(parse_qsl(query)))
            if right.button("✕", key=f"drop-{name!a}", help=f"Forget {plain(name)}", type="tertiary"):
                _forget(name)
        with st.form("save-filter", border=False, clear_on_submit=True):
            name = st.text_input("Name", placeholder="such as: never opened, score under 0.5")
            if st.form_submit_button("Keep this filter", disabled=not current):
                _keep(name, urlencode(dict(current)))


def _keep(name: str, query: str) -> None:
    try:
        store().notes.save_filter(name, query)
    except WorkbenchError as error:
        st.error(plain(f"Not kept: {error}"))
        return
    st.rerun()


def _forget(name: str) -> None:
    try:
        store().notes.drop_filter(name)
    except WorkbenchError as error:  # forgotten in another window meanwhile
        st.toast(plain(str(error)))
    st.rerun()
