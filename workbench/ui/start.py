"""Starting long work from the browser: a row in the jobs table and a process of its own."""

from collections.abc import Sequence

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.schema.job import Job
from workbench.ui.components.text import plain
from workbench.ui.session import store, store_url


def start_job(arguments: Sequence[str]) -> Job | None:
    """Starts `workbench ARGUMENTS` as a job that outlives the browser; shows the sentence where it is refused."""
    try:
        job = store().jobs.create(arguments[0], tuple(arguments))
        store().jobs.spawn(job, store_url())
    except WorkbenchError as error:
        st.error(plain(str(error)))
        return None
    st.toast(f"Started: {arguments[0]} ({job.id}). See the Jobs page.")
    return job
