"""Phases and activity of whole runs, and analyses made anew: what `workbench phases` does to a store."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median, quantiles
from typing import Any

from workbench.schema.analysis import RETRIEVALS, Analysis, Citation
from workbench.store import Store, TrajectoryFilter

COUNTED = (
    *("queries", "distinct_queries", "sites_opened", "sites_cited", "sites_seen", "tool_calls", "failed_calls"),
    *("tokens", "evidence_chars", "near_duplicate_queries", "repeated_opens", "redundancy", "duration_s", "cost_usd"),
)
# Below this a rule is closer to a guess: such steps are worth a person's look.
UNSURE = 0.6


def describe_run(store: Store, run: str) -> dict[str, Any]:
    """Distributions over the trajectories of one run; what only steps can tell is over those that came with theirs."""
    wanted = TrajectoryFilter(run=run)
    columns = store.trajectories.columns(wanted)
    traced = [index for index, steps in enumerate(columns["steps"]) if steps]
    summary = store.trajectories.phase_summary(wanted, unsure_below=UNSURE)
    tokens = sum(total.tokens for total in summary.totals.values())
    return {
        "run": run,
        "n": len(columns["id"]),
        "n_with_steps": len(traced),
        "activity": {
            # What a report cites stands in the report; the rest needs the steps.
            name: spread(columns[name] if name == "sites_cited" else [columns[name][index] for index in traced])
            for name in COUNTED
        },
        "phases": {
            phase: {
                "steps": total.steps,
                "tokens": total.tokens,
                "tool_calls": total.tool_calls,
                "token_share": total.tokens / tokens if tokens else None,
                "duration_s": total.duration_s,
            }
            for phase, total in summary.totals.items()
        },
        "steps": summary.steps,
        "unsure_steps": summary.unsure,
        "corrected_steps": summary.corrected,
        "citations": {
            "total": sum(columns["citations"]),
            "by_retrieval": {name: sum(columns[f"retrieval_{name}"]) for name in RETRIEVALS},
        },
        "rules": dict(summary.versions),
    }


def spread(values: Sequence[float | None]) -> dict[str, float] | None:
    """Median, quartiles and largest of the known figures, `n` of them; None for none: not measured is not zero."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    low, _, high = quantiles(known, n=4, method="inclusive") if len(known) > 1 else (known[0],) * 3
    return {"median": median(known), "q1": low, "q3": high, "max": max(known), "n": len(known)}


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What making one analysis anew did. `supports_lost`: checked citations that the new rules no longer find."""

    changed: bool
    supports_kept: int
    supports_lost: int


def recompute(store: Store, trajectory_id: str) -> Recomputed:
    """Analyses one trajectory by the rules of now. A person's phases stay, as does what a check said of a citation."""
    from workbench.phases import analyse

    old = store.trajectories.analysis(trajectory_id)
    new, kept = with_supports(analyse(store.trajectories.get(trajectory_id)), old.citations)
    checked = sum(citation.support != "not_checked" for citation in old.citations)
    changed = _without_persons(new, old) != old
    if changed:
        store.trajectories.replace_analysis(trajectory_id, new)
    return Recomputed(changed, kept, checked - kept)


def with_supports(analysis: Analysis, old: Sequence[Citation]) -> tuple[Analysis, int]:
    """The analysis with the supports of citations at the same place to the same address, and how many there were."""
    known = {(c.start, c.end, c.url): c.support for c in old if c.support != "not_checked"}
    citations = tuple(replace(c, support=known.get((c.start, c.end, c.url), c.support)) for c in analysis.citations)
    return replace(analysis, citations=citations), sum(c.support != "not_checked" for c in citations)


def _without_persons(new: Analysis, old: Analysis) -> Analysis:
    """The new analysis with a person's phases, to compare with what the store gives back."""
    persons = {phase.position: phase for phase in old.phases if phase.source == "person"}
    return replace(new, phases=tuple(persons.get(phase.position, phase) for phase in new.phases))
