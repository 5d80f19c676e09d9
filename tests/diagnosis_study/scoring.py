"""Second half of the study: verdicts against truths. A pair is one run with its verdict; series are the clusters."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

from workbench.stats.proportion import proportion_interval

EXPECTED = {"none": "not_shown", "research": "research_limited", "writing": "writing_limited", "both": "both"}
PHASES = ("research", "writing")
# Edges of the classes of true drops, on gold's scale; the first is the limit of what is practically none.
SIZES = (0.03, 0.06, 0.12, 0.25, 1.01)


@dataclass(frozen=True, slots=True)
class Row:
    """One run: its series, its truth and its verdict, both as they are stored."""

    series: int
    truth: dict[str, Any]
    said: dict[str, Any]

    @property
    def borderline(self) -> bool:
        return any(self.truth[phase]["borderline"] for phase in PHASES)


def score(rows: Sequence[Row]) -> dict[str, Any]:
    """The confusion table with its shares, wrong names where there is nothing, found deficits by size, traps."""
    clear = [row for row in rows if not row.borderline]
    return {
        "pairs": len(rows),
        "borderline": len(rows) - len(clear),
        "failed_reports": sum(row.said["failed"] for row in rows),
        "confusion": _table(rows),
        "confusion_without_borderline": _table(clear),
        "right": _share(rows, _right),
        "right_without_borderline": _share(clear, _right),
        # The stated rate: any phase named in a run, where that phase truly costs less than the limit.
        "false_verdict_where_none": _share([r for r in rows if r.truth["class"] == "none"], _named_any),
        "false_verdict_where_none_exactly": _share([r for r in rows if _nil(r)], _named_any),
        "any_false_phase": _share(rows, _false_phase),
        "any_false_phase_without_borderline": _share(clear, _false_phase),
        "found_by_size": {phase: _by_size(rows, phase) for phase in PHASES},
        "by_design": {
            f"{kind} {size}".strip(): {
                "n": len(mine),
                "verdicts": _counts(mine),
                "truth": dict(sorted({c: sum(r.truth["class"] == c for r in mine) for c in EXPECTED}.items())),
                "any_false_phase": sum(_false_phase(r) for r in mine),
            }
            for kind, size in sorted({(r.truth["planted"], r.truth["size"]) for r in rows})
            if (mine := [r for r in rows if (r.truth["planted"], r.truth["size"]) == (kind, size)])
        },
        "interval_holds_true_drop": {phase: _share(rows, _covers(phase)) for phase in PHASES},
        "median_smallest_visible": {
            phase: median(r.said[f"{phase}_visible"] for r in rows if r.said[f"{phase}_visible"] is not None)
            for phase in PHASES
        },
    }


def _table(rows: Sequence[Row]) -> dict[str, Any]:
    out = {}
    for truth in EXPECTED:
        mine = [row for row in rows if row.truth["class"] == truth]
        out[truth] = {"n": len(mine), **_counts(mine), "right": _share(mine, _right)}
    return out


def _counts(rows: Sequence[Row]) -> dict[str, int]:
    return {said: sum(row.said["verdict"] == said for row in rows) for said in EXPECTED.values()}


def _by_size(rows: Sequence[Row], phase: str) -> dict[str, Any]:
    out = {}
    for low, high in pairwise((-1.0, 0.0 + 1e-12, *SIZES)):
        mine = [row for row in rows if low <= row.truth[phase]["drop"] < high]
        name = "below or at 0" if high < SIZES[0] / 2 else f"{max(low, 0):.2f} to {min(high, 1):.2f}"
        out[name] = _share(mine, lambda row: bool(row.said[f"{phase}_shown"]))
    return out


def _right(row: Row) -> bool:
    return bool(row.said["verdict"] == EXPECTED[row.truth["class"]])


def _named_any(row: Row) -> bool:
    return bool(row.said["verdict"] != "not_shown")


def _nil(row: Row) -> bool:
    return all(row.truth[phase]["exact"] for phase in PHASES)


def _false_phase(row: Row) -> bool:
    return any(row.said[f"{phase}_shown"] and row.truth[phase]["practically_none"] for phase in PHASES)


def _covers(phase: str) -> Callable[[Row], bool]:
    def holds(row: Row) -> bool:
        low, high = row.said[f"{phase}_low"], row.said[f"{phase}_high"]
        return low is not None and bool(low <= row.truth[phase]["drop"] <= high)

    return holds


def _share(rows: Sequence[Row], of: Callable[[Row], bool]) -> dict[str, Any]:
    """A rate with its Wilson interval over runs; `clustered`: widened for the design effect of series, of which there
    are so few that a rate of 0 or 1 has next to no bound."""
    if not rows:
        return {"value": None, "n": 0, "reason": "there is no such run"}
    hits = [of(row) for row in rows]
    plain, clustered = proportion_interval(hits), proportion_interval(hits, [row.series for row in rows])
    return {
        "hits": sum(hits),
        "n": plain.n,
        "value": plain.value,
        "low": plain.low,
        "high": plain.high,
        "clustered": [clustered.low, clustered.high],
    }
