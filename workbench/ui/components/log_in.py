"""Where OIDC is set, nothing is drawn for whoever has not logged in with the provider."""

import streamlit as st

from workbench.ui.access import access_from_environment


def ask() -> None:
    """Ends the run of the script with a button where a log-in is due."""
    if access_from_environment().kind != "oidc" or st.user.is_logged_in:
        return
    st.title("Reward workbench")
    st.button("Log in", type="primary", on_click=st.login)
    st.stop()
