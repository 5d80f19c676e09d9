"""The script Streamlit runs for every page: navigation, theme, then the page itself."""

from pathlib import Path

import streamlit as st
from streamlit.errors import FragmentHandledException

from workbench.ui import routes, theme
from workbench.ui.components import failed, log_in

HERE = Path(__file__).parent

# Files of our own: Streamlit's named icons would be fetched from a font host, which the content-security policy closes.
st.set_page_config(page_title="Reward workbench", page_icon=str(HERE / "icon.svg"), layout="wide")
st.logo(str(HERE / "logo.svg"), size="medium")
theme.apply()
log_in.ask()
page = st.navigation(list(routes.pages().values()), position="top")
# A link from a page to itself changes what is shown but not the browser's address; saying the address again does.
st.query_params.from_dict(st.query_params.to_dict())
try:
    page.run()
except FragmentHandledException:
    pass  # said where the fragment stands
except Exception as error:
    failed.show(page.title, error)
