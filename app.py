"""Entry point of the app: `streamlit run app.py`. Only the wiring; everything else is in workbench/ui."""

import sys

import streamlit as st
from starlette.middleware import Middleware
from streamlit import config

from workbench.errors import BadInputError
from workbench.layout import check_layout
from workbench.ui.access import Gate, access_from_environment, check_binding
from workbench.ui.components.viewer.serving import ROUTES
from workbench.ui.security import SecurityHeaders

check_layout()
try:
    access = access_from_environment()
    check_binding(config.get_option("server.address"), access)
except BadInputError as error:
    print(error, file=sys.stderr, flush=True)
    raise SystemExit(2) from None

app = st.App(
    "workbench/ui/main.py",
    routes=ROUTES,
    middleware=[Middleware(SecurityHeaders), Middleware(Gate, access=access)],
)
