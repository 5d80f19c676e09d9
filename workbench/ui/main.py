"""The script Streamlit runs for every page: navigation, theme, then the page itself."""

import streamlit as st

from workbench.ui import routes, theme

st.set_page_config(page_title="Reward workbench", page_icon=":material/balance:", layout="wide")
theme.apply()
st.navigation(list(routes.pages().values()), position="top").run()
