"""The selection of the Trajectories page as a file: whole trajectories, or the table for pandas and DuckDB."""

import shlex
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import streamlit as st

from workbench.store import TrajectoryFilter
from workbench.ui.session import store

# A download passes through the server's memory whole; beyond this the command line writes straight to disk.
MOST: Final = 5_000


def download(chosen: TrajectoryFilter, total: int) -> None:
    """A menu with both files of all that passes the filter, whatever page of the list is shown."""
    with st.popover(f"Download {total:,}", width="stretch", disabled=not total):
        given = _given(chosen)
        if total > MOST:
            st.markdown(f":gray[Over {MOST:,} trajectories are written by the command line, straight to disk:]")
            st.code(f"workbench dump selection.jsonl.zst {_as_options(given)}", language="sh", wrap_lines=True)
            st.code(f"workbench dump selection.parquet {_as_options(given)}", language="sh", wrap_lines=True)
            return
        st.download_button(
            "Trajectories, JSONL",
            _file("selection.jsonl", given),
            "trajectories.jsonl",
            "application/jsonl",
            on_click="ignore",
            key="download-jsonl",
            help="One whole trajectory a line; `workbench import` reads them back.",
        )
        st.download_button(
            "Table, Parquet",
            _file("selection.parquet", given),
            "trajectories.parquet",
            "application/vnd.apache.parquet",
            on_click="ignore",
            key="download-parquet",
            help="One row a trajectory: figures, classes of citations, score. Columns: docs/frames.md.",
        )


def _given(chosen: TrajectoryFilter) -> dict[str, Any]:
    """The filter as keywords, without what it leaves open."""
    found = {field.name: getattr(chosen, field.name) for field in fields(chosen)}
    return {name: value for name, value in found.items() if value is not None}


def _file(name: str, given: dict[str, Any]) -> Callable[[], bytes]:
    """Made when the button is pressed, and not before."""
    opened = store()

    def make() -> bytes:
        from workbench.notebook import Workbench

        with TemporaryDirectory() as folder:
            path = Path(folder) / name
            source = Workbench(opened)
            if name.endswith(".parquet"):
                source.to_parquet(str(path), table="trajectories", **given)
            else:
                source.to_jsonl(str(path), **given)
            return path.read_bytes()

    return make


def _as_options(given: dict[str, Any]) -> str:
    pairs = [(name, one) for name, value in given.items() for one in (value if isinstance(value, tuple) else (value,))]
    return " ".join(f"--where {shlex.quote(f'{name}={_written(value)}')}" for name, value in pairs)


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
