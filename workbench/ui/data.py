"""What pages read of the store, as data frames and small summaries. Columns only, never a body."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import streamlit as st

from workbench.reading.phase_moves import moved_totals
from workbench.schema.analysis import PHASES, RETRIEVALS
from workbench.stats.bootstrap import mean_interval
from workbench.stats.estimate import Estimate, FloatVector, IntVector, Measured
from workbench.store import RunSummary, TrajectoryFilter
from workbench.ui.components.cells import framed
from workbench.ui.components.visible import visible
from workbench.ui.kept import fresh
from workbench.ui.session import set_parameters, store

if TYPE_CHECKING:
    import pandas as pd

# The seed of every interval that a page computes; it stands in the page's small print.
SEED = 0
# What an agent did is unknown of a report that was imported alone.
OF_TRACE: Final = (
    "queries", "distinct_queries", "sites_opened", "sites_seen", "tool_calls", "failed_calls", "tokens",
    "evidence_chars", "near_duplicate_queries", "repeated_opens", "redundancy", "duration_s",
)  # fmt: skip
OF_PHASE: Final = tuple(
    f"{phase}_{name}" for phase in PHASES for name in ("steps", "tokens", "tool_calls", "duration_s")
)
READ: Final = (
    "steps", "report_chars", *OF_TRACE, "citations", *(f"retrieval_{name}" for name in RETRIEVALS), *OF_PHASE,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Whole:
    """All trajectories of the store, one row each; whoever gets it changes nothing of it, as all sessions share it.

    `id run question_id score` and READ as numbers, NaN where unknown; `fault_share`: of the citations that could be
    checked, those that were never retrieved or dangle. A person's corrections of phases are in `OF_PHASE`. `version`
    differs for each reading.
    """

    rows: "pd.DataFrame"
    version: int


def whole(grader: str | None) -> Whole:
    """Figures and this grader's scores, read when the store has changed: columns, in one statement."""
    rows, version = fresh(("whole", grader), lambda: _read(grader))
    return Whole(rows, version)


def _read(grader: str | None) -> "pd.DataFrame":
    import numpy as np

    everything = TrajectoryFilter(grader=grader)
    found = store().columns.figures(everything, READ)
    numbers = {name: np.frombuffer(column) if column else np.empty(0) for name, column in found.figures.items()}
    if corrections := moved_totals(store().columns.corrected_steps(everything)):
        numbers |= _corrected({name: numbers[name] for name in OF_PHASE}, found.ids, corrections)
    traced = numbers["steps"] > 0
    numbers |= {name: np.where(traced, numbers[name], np.nan) for name in (*OF_TRACE, *OF_PHASE)}
    faults = numbers["retrieval_not_retrieved"] + numbers["retrieval_dangling"]
    checked = faults + numbers["retrieval_opened"] + numbers["retrieval_seen"]
    numbers["fault_share"] = np.divide(faults, checked, out=np.full(faults.size, np.nan), where=checked > 0)
    names = {
        "id": found.ids,
        "run": _named(found.runs),
        "question_id": _named(found.question_ids),
        "score": np.frombuffer(found.scores) if found.scores else np.empty(0),
    }
    return framed(names | numbers)


def _named(names: Sequence[str]) -> "pd.Categorical":
    """A column of names, each held once; as objects, since pandas' own strings take no half of a surrogate pair."""
    import pandas as pd

    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    codes = [places[name] for name in names]
    return pd.Categorical.from_codes(codes, categories=pd.Index(list(places), dtype=object))


def _corrected(
    numbers: Mapping[str, FloatVector], ids: Sequence[str], changes: Mapping[str, Mapping[str, float]]
) -> dict[str, FloatVector]:
    """The totals with what a person moved; a phase from which the last recorded time went has none."""
    import numpy as np

    moved = {name: column.copy() for name, column in numbers.items()}
    for place, id_ in enumerate(ids):
        for name, change in changes.get(id_, {}).items():
            value = np.nan_to_num(moved[name][place]) + change
            moved[name][place] = np.nan if name.endswith("_duration_s") and abs(value) < 1e-9 else value
    return moved


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


def spreads(rows: "pd.DataFrame", columns: Sequence[str]) -> dict[str, Spread]:
    """As `spread` of each column, in little more than the time of one."""
    return run_spreads([rows], columns)[0]


def run_spreads(several: Sequence["pd.DataFrame"], columns: Sequence[str]) -> list[dict[str, Spread]]:
    """As `spreads` for each of these rows."""
    from workbench.stats.ratios import mean_part, ratio_intervals

    parts = []
    for rows in several:
        questions = question_codes(rows)
        parts += [mean_part(rows[name].to_numpy(dtype=float), questions) for name in columns]
    found = iter(ratio_intervals(parts, seed=SEED, resamples=1000))
    return [{name: _spread(next(found), len(rows)) for name in columns} for rows in several]


def question_codes(rows: "pd.DataFrame") -> IntVector:
    """A number for the question of each row of `whole`."""
    codes: IntVector = rows["question_id"].cat.codes.to_numpy().astype("int64")
    return codes


def _spread(found: Measured, n: int) -> Spread:
    return Spread(found, n - found.n) if isinstance(found, Estimate) else Spread(None, n)


def grader_options() -> list[str]:
    """Names of graders that have grades, those with the most first; a name once, whatever its versions."""
    return list(store().grades.scored_by())


def choose_grader(key: str, label: str = "Score by") -> str | None:
    """A select box of graders that keeps its choice in the page's address; None where nothing was graded.

    The first, which is chosen where nobody chooses, leaves the address bare: writing it would be a step of the
    browser's history that nobody took.
    """
    options = grader_options()
    if not options:
        return None
    asked = st.query_params.get("grader", options[0])
    index = options.index(asked) if asked in options else 0
    chosen = st.selectbox(label, options, index=index, key=f"{key}-{asked!a}", format_func=visible)
    set_parameters({"grader": None if chosen == options[0] else chosen})
    return chosen


def run_names() -> list[str]:
    return list(store().runs.names())


def runs() -> tuple[RunSummary, ...]:
    """All runs, counted when the store has changed."""
    return fresh("runs", store().runs.list)[0]


def any_simulated(names: list[str] | None = None) -> bool:
    """Whether what is shown holds simulated runs."""
    return any(run.simulated and (names is None or run.name in names) for run in runs())
