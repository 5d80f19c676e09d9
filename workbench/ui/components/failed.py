"""A page that could not be drawn says so in words, with what to do; the rest of the app goes on."""

import logging

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.ui.components.text import escaped

_LOG = logging.getLogger(__name__)


def show(title: str, error: Exception) -> None:
    """An error of the input is said as it is; one of ours goes to the server's log, and only its kind to the page."""
    if isinstance(error, WorkbenchError):
        what, remedy = str(error), "Change what the address names, or choose something else on this page."
    else:
        _LOG.exception("the page %s failed", title, exc_info=error)
        what = f"This part of {title} could not be drawn: a defect of the workbench ({type(error).__name__})."
        remedy = "Reload, or go on with another page: nothing stored is harmed. The server's log has the details."
    st.html(f'<div class="wb-note bad wb-failed"><b>{escaped(what)}</b><br><small>{escaped(remedy)}</small></div>')
