"""One row a trajectory with its figures by phase: what the page's sections are computed from."""

from typing import TYPE_CHECKING, Final, Literal

import streamlit as st

from workbench.schema.analysis import PHASES
from workbench.store import TrajectoryFilter
from workbench.ui import data
from workbench.ui.session import store, store_url

if TYPE_CHECKING:
    import pandas as pd

# What is shown is at most this old.
FRESH_S: Final = 30


def phase_rows(runs: tuple[str, ...], grader: str | None) -> "pd.DataFrame":
    """The columns of `data.frame`, and `<phase>_tokens`, `<phase>_tool_calls`, `fault_share` (of the citations that
    could be checked, those that were never retrieved or dangle); unknown where there is no trace."""
    return _rows(store_url(), runs, grader)


@st.cache_data(ttl=FRESH_S, show_spinner="Reading figures …", max_entries=8)
def _rows(_url: str, runs: tuple[str, ...], grader: str | None) -> "pd.DataFrame":
    import pandas as pd

    chosen = TrajectoryFilter(run=runs or None, grader=grader)
    rows = data.frame(chosen)
    if rows.empty:
        return rows
    batches = []
    for batch in store().columns.phase_totals(chosen):
        by_phase = {
            f"{phase}_{name}": [totals.get(phase, {}).get(name, 0) for totals in batch["totals"]]
            for phase in PHASES
            for name in ("tokens", "tool_calls")
        }
        batches.append(pd.DataFrame({"id": batch["trajectory_id"], **by_phase}))
    rows = rows.merge(pd.concat(batches), on="id")
    traced = rows["steps"] > 0
    added = [name for name in batches[0].columns if name != "id"] + ["evidence_chars"]
    rows[added] = rows[added].astype("Float64").where(traced)
    checked = rows[["retrieval_opened", "retrieval_seen", "retrieval_not_retrieved", "retrieval_dangling"]].sum(axis=1)
    faults = rows["retrieval_not_retrieved"] + rows["retrieval_dangling"]
    rows["fault_share"] = (faults / checked.where(checked > 0)).astype("Float64")
    return rows


FigurePhase = Literal["research", "synthesis"]
# Name of the column -> words, the phase it belongs to, and the sort key of the table where it has one.
FIGURES: Final[dict[str, tuple[str, FigurePhase, str | None]]] = {
    "distinct_queries": ("distinct queries", "research", "distinct_queries"),
    "sites_opened": ("sites opened", "research", "sites_opened"),
    "tool_calls": ("tool calls", "research", "tool_calls"),
    "tokens": ("tokens", "research", None),
    "evidence_chars": ("evidence, characters", "research", None),
    "failed_calls": ("failed calls", "research", None),
    "near_duplicate_queries": ("queries that nearly repeat another", "research", None),
    "repeated_opens": ("pages opened again", "research", None),
    "redundancy": ("share retrieved before", "research", None),
    "research_tokens": ("tokens of research", "research", None),
    "synthesis_tokens": ("tokens of synthesis", "synthesis", None),
    "report_chars": ("report, characters", "synthesis", "report_chars"),
    "citations": ("citations", "synthesis", None),
    "fault_share": ("share of citations never retrieved or dangling", "synthesis", None),
}
SPREAD_FIGURES: Final = ("distinct_queries", "sites_opened", "tool_calls", "tokens", "evidence_chars")
