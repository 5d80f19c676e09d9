"""What pages read of the store, as data frames and small summaries. Columns only, never a body."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from workbench.stats.bootstrap import mean_interval
from workbench.stats.estimate import Estimate
from workbench.store import TrajectoryFilter
from workbench.ui.components.visible import visible
from workbench.ui.session import store

if TYPE_CHECKING:
    import pandas as pd

# The seed of every interval that a page computes; it stands in the page's small print.
SEED = 0
NEEDS_TRACE = ("queries", "distinct_queries", "sites_opened", "sites_seen", "tool_calls", "failed_calls", "tokens")


def frame(chosen: TrajectoryFilter) -> "pd.DataFrame":
    """One row a trajectory, one column a figure (activity flattened, `score` of the filter's grader)."""
    import pandas as pd

    rows = pd.DataFrame(store().trajectories.columns(chosen))
    if not rows.empty:
        # A report imported alone has no trace: what its agent did is unknown, not zero.
        rows[list(NEEDS_TRACE)] = rows[list(NEEDS_TRACE)].astype("Float64").where(rows["steps"] > 0)
    return rows


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean of a column with its interval over questions; None values are left out and counted."""

    estimate: Estimate | None
    missing: int

    def text(self, digits: int = 2) -> str:
        if self.estimate is None:
            return "not measured"
        return f"{self.estimate.value:.{digits}f}"

    def qualifier(self, digits: int = 2) -> str:
        if self.estimate is None:
            return ""
        e = self.estimate
        shown = "" if e.low is None or e.high is None else f"[{e.low:.{digits}f}, {e.high:.{digits}f}] "
        return f"{shown}n={e.n}" + (f", {self.missing} without" if self.missing else "")


def spread(rows: "pd.DataFrame", column: str) -> Spread:
    """The mean of `column` over rows, resampled by question."""
    known = rows[rows[column].notna()]
    if known.empty:
        return Spread(None, len(rows))
    estimate = mean_interval(
        known[column].astype(float).tolist(), clusters=known["question_id"].tolist(), seed=SEED, resamples=1000
    )
    return Spread(estimate, len(rows) - len(known))


def grader_options() -> list[str]:
    """Names of graders that have grades, those with the most first; a name once, whatever its versions."""
    counts: dict[str, int] = {}
    for summary in store().grades.graders():
        counts[summary.name] = counts.get(summary.name, 0) + summary.n_scored
    return sorted(counts, key=lambda name: (-counts[name], name))


def choose_grader(key: str, label: str = "Score by") -> str | None:
    """A select box of graders that keeps its choice in the page's address; None where nothing was graded."""
    options = grader_options()
    if not options:
        return None
    asked = st.query_params.get("grader", options[0])
    index = options.index(asked) if asked in options else 0
    chosen = st.selectbox(label, options, index=index, key=key, format_func=visible)
    if chosen != asked:
        st.query_params["grader"] = chosen
    return chosen


def run_names() -> list[str]:
    return [run.name for run in store().runs.list()]


def any_simulated(names: list[str] | None = None) -> bool:
    """Whether what is shown holds simulated runs."""
    return any(run.simulated and (names is None or run.name in names) for run in store().runs.list())
