"""What a run comes to: means, how its effort splits over the phases, and the sentence on what holds it back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from workbench.schema.analysis import PHASES, Phase
from workbench.stats.estimate import FloatVector, IntVector, Measured, NotMeasured
from workbench.stats.ratios import Part, mean_part, ratio_intervals
from workbench.ui import data

if TYPE_CHECKING:
    import pandas as pd

# Column, words, digits.
MEANS: Final[tuple[tuple[str, str, int], ...]] = (
    ("score", "score", 2),
    ("sites_opened", "sites opened", 1),
    ("distinct_queries", "distinct queries", 1),
    ("tool_calls", "tool calls", 1),
    ("report_chars", "report, characters", 0),
)
SPLITS: Final[dict[str, str]] = {"tokens": "tokens", "tool_calls": "tool calls", "duration_s": "time"}
RESAMPLES: Final = 1000
# A fault of more than this share is what is said of a run first.
FAULTS, SNIPPETS, FAILURES = 0.1, 0.5, 0.2


@dataclass(frozen=True, slots=True)
class RunFigures:
    """`means` by column of MEANS with how many trajectories lack it; `shares` of each of SPLITS by phase, in [0, 1].

    `where` is the filter that shows the rows behind `sentence`.
    """

    name: str
    n: int
    n_questions: int
    means: Mapping[str, tuple[Measured, int]]
    shares: Mapping[str, Mapping[Phase, Measured]]
    sentence: str
    where: Mapping[str, str]


def summarise(rows: "pd.DataFrame", names: Sequence[str]) -> dict[str, RunFigures]:
    """By name, those of these runs that have trajectories. All intervals share one drawing of questions."""
    by_run = {name: rows[rows["run"] == name] for name in names}
    by_run = {name: own for name, own in by_run.items() if not own.empty}
    parts: list[Part | NotMeasured] = []
    for own in by_run.values():
        questions = data.question_codes(own)
        parts += [mean_part(own[column].to_numpy(dtype=float), questions) for column, _, _ in MEANS]
        for split in SPLITS:
            parts += _split(own, split, questions)
    measured = iter(ratio_intervals(parts, seed=data.SEED, resamples=RESAMPLES))
    found = {}
    for name, own in by_run.items():
        means = {column: (next(measured), int(own[column].isna().sum())) for column, _, _ in MEANS}
        shares = {split: {phase: next(measured) for phase in PHASES} for split in SPLITS}
        sentence, where = holds_back(own)
        found[name] = RunFigures(name, len(own), own["question_id"].nunique(), means, shares, sentence, where)
    return found


def _split(rows: "pd.DataFrame", split: str, questions: IntVector) -> list[Part | NotMeasured]:
    """The share of each phase in the sum over all, by question."""
    by_phase = [np.nan_to_num(rows[f"{phase}_{split}"].to_numpy(dtype=float)) for phase in PHASES]
    sums: FloatVector = np.bincount(questions, weights=np.sum(by_phase, axis=0)).astype(np.float64)
    some = sums > 0
    if not some.any():
        return [NotMeasured("not recorded", 0) for _ in PHASES]
    n = int((np.sum(by_phase, axis=0) > 0).sum())
    method = "ratio of sums, clustered bootstrap"
    tops = (np.bincount(questions, weights=own).astype(np.float64)[some] for own in by_phase)
    return [Part(top, sums[some], n, method) for top in tops]


def holds_back(rows: "pd.DataFrame") -> tuple[str, dict[str, str]]:
    """What the counts say of a run, largest fault first, and the filter that shows the rows behind it.

    Counts alone: whether research or writing is at fault takes a fixed-evidence comparison, and the sentence does not
    pretend to one.
    """
    n = len(rows)
    unreported = int((rows["report_chars"] == 0).sum())
    # Without its trace nothing can be said of what a report's sources rest on.
    traced = rows[rows["steps"] > 0]
    counts = {name: int(traced[f"retrieval_{name}"].sum()) for name in ("opened", "seen", "not_retrieved", "dangling")}
    checked = sum(counts.values())
    calls, failed = int(traced["tool_calls"].sum()), int(traced["failed_calls"].sum())
    unsearched = int((traced["distinct_queries"] == 0).sum())
    if unreported:
        return f"{unreported:,} of {n:,} ended without a report.", {"report": "no"}
    if checked and counts["not_retrieved"] / checked > FAULTS:
        words = f"{counts['not_retrieved']:,} of {checked:,} citations name an address that the run never retrieved."
        return words, {"retrieval": "not_retrieved"}
    if checked and counts["dangling"] / checked > FAULTS:
        words = f"{counts['dangling']:,} of {checked:,} citations have no entry in the list of sources."
        return words, {"retrieval": "dangling"}
    if calls and failed / calls > FAILURES:
        return f"{failed:,} of {calls:,} tool calls failed.", {"errors": "yes"}
    if checked and counts["seen"] / checked > SNIPPETS:
        words = f"{counts['seen']:,} of {checked:,} citations rest on search snippets: page never opened."
        return words, {"retrieval": "seen"}
    if unsearched and unsearched < n:
        return f"{unsearched:,} of {n:,} answered without a search.", {"figures": "distinct_queries:0..0"}
    if checked:
        words = f"{counts['opened']:,} of {checked:,} citations rest on a page that was opened."
        return words, {"retrieval": "opened"}
    return "No citation of this run can be checked: it was imported without a trace, or cites nothing.", {}
