"""The analysis of one trajectory: phases, activity and citations by the rules of this package."""

from collections.abc import Sequence

from workbench.phases.activity import (
    distinct_queries,
    openings,
    queries_of,
    seen_urls,
    sites,
    step_tokens,
)
from workbench.phases.calls import CallRecord, call_records, results
from workbench.phases.citations import find_citations
from workbench.phases.documents import retrieved
from workbench.phases.segment import segment
from workbench.schema.analysis import PHASES, Activity, Analysis, Citation, Phase, PhaseTotals, StepPhase
from workbench.schema.trajectory import Step, Trajectory

# Raised whenever a rule changes what any trajectory is given, so that stored analyses can be told apart.
RULES_VERSION = "phases-1"


def analyse(trajectory: Trajectory) -> Analysis:
    """Phases, activity and citations of a trajectory. Pure; never raises; linear in the size of the trajectory."""
    records = call_records(trajectory)
    phases = segment(trajectory)
    citations = find_citations(trajectory, retrieved(trajectory.steps, records))
    return Analysis(
        version=RULES_VERSION,
        phases=phases,
        totals=phase_totals(trajectory.steps, phases),
        activity=_activity(trajectory, records, citations),
        citations=citations,
    )


def phase_totals(steps: Sequence[Step], phases: Sequence[StepPhase]) -> dict[Phase, PhaseTotals]:
    """Steps, tokens and tool calls of each phase; all three phases are present."""
    totals = dict.fromkeys(PHASES, PhaseTotals())
    for step, phase in zip(steps, phases, strict=True):
        before = totals[phase.phase]
        totals[phase.phase] = PhaseTotals(
            before.steps + 1, before.tokens + step_tokens(step), before.tool_calls + len(step.tool_calls)
        )
    return totals


def _activity(trajectory: Trajectory, records: Sequence[CallRecord], citations: Sequence[Citation]) -> Activity:
    queries = [query for record in records for query in queries_of(record.call)]
    opened = sites(opening.url for opening in openings(records) if opening.opened)
    spoken = [step for step in trajectory.steps if step.role in ("assistant", "tool") or step.tool_results]
    return Activity(
        queries=len(queries),
        distinct_queries=len(distinct_queries(queries)),
        sites_opened=len(opened),
        sites_cited=len({citation.site for citation in citations if citation.site}),
        sites_seen=len(sites(seen_urls(records)) - opened),
        tool_calls=len(records),
        failed_calls=sum(record.failed for record in records),
        tokens=sum(step_tokens(step) for step in trajectory.steps),
        tokens_exact=bool(spoken) and all(step.tokens is not None for step in spoken),
        evidence_chars=_evidence_chars(trajectory, records),
    )


def _evidence_chars(trajectory: Trajectory, records: Sequence[CallRecord]) -> int:
    """Characters that the tools gave back without failing."""
    failed = {record.place for record in records if record.failed}
    return sum(
        len(result.text) for place, result in results(trajectory.steps) if place not in failed and not result.is_error
    )
