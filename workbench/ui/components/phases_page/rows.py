"""Which trajectories the page shows, and the figures that its sections are computed of."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from workbench.ui import data

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rows of the chosen runs with a grader's scores; `key` names them for what is derived of them."""

    rows: "pd.DataFrame"
    runs: tuple[str, ...]
    grader: str | None
    key: tuple[object, ...]


def chosen_rows(runs: tuple[str, ...], grader: str | None) -> Chosen:
    """All rows where no run is named."""
    found = data.whole(grader)
    rows = found.rows[found.rows["run"].isin(runs)] if runs else found.rows
    return Chosen(rows, runs, grader, ("phases", found.version, runs))


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
