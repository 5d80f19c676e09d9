"""Entry point of the app: `streamlit run app.py`. Only the wiring; everything else is in workbench/ui."""

import streamlit as st
from starlette.middleware import Middleware

from workbench.layout import check_layout
from workbench.ui.components.viewer.serving import ROUTES
from workbench.ui.security import SecurityHeaders

check_layout()

app = st.App("workbench/ui/main.py", routes=ROUTES, middleware=[Middleware(SecurityHeaders)])
