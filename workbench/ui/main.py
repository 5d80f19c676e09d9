"""The script Streamlit runs for every page: navigation, theme, then the page itself."""

from pathlib import Path

import streamlit as st

from workbench.ui import routes, theme

HERE = Path(__file__).parent

# Files of our own: Streamlit's named icons would be fetched from a font host, which the content-security policy closes.
st.set_page_config(page_title="Reward workbench", page_icon=str(HERE / "icon.svg"), layout="wide")
st.logo(str(HERE / "logo.svg"), size="medium")
theme.apply()
st.navigation(list(routes.pages().values()), position="top").run()
