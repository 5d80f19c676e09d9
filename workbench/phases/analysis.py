"""The analysis of one trajectory: phases, activity and citations by the rules of this package."""

from collections.abc import Sequence

from workbench.phases.activity import (
    Opening,
    distinct_queries,
    openings,
    queries_of,
    repeated_opens,
    seen_urls,
    sites,
    step_tokens,
)
from workbench.phases.calls import CallRecord, call_records, results
from workbench.phases.citations import find_citations
from workbench.phases.costs import recorded_cost, recorded_duration, steps_duration
from workbench.phases.documents import Retrieved
from workbench.phases.near import near_duplicate_count
from workbench.phases.redundancy import redundancy
from workbench.phases.segment import segment
from workbench.schema.analysis import PHASES, Activity, Analysis, Citation, Phase, PhaseTotals, StepPhase
from workbench.schema.trajectory import Step, Trajectory

# Raised whenever a rule changes what any trajectory is given, so that stored analyses can be told apart.
RULES_VERSION = "phases-5"


def analyse(trajectory: Trajectory) -> Analysis:
    """Phases, activity and citations of a trajectory. Pure; never raises; linear in the size of the trajectory."""
    records = call_records(trajectory)
    tokens = [step_tokens(step) for step in trajectory.steps]
    phases = segment(trajectory)
    pages = openings(records)
    citations = find_citations(trajectory, Retrieved(trajectory, records, pages))
    return Analysis(
        version=RULES_VERSION,
        phases=phases,
        totals=_totals(trajectory.steps, phases, tokens),
        activity=_activity(trajectory, records, pages, citations, sum(tokens)),
        citations=citations,
    )


def phase_totals(steps: Sequence[Step], phases: Sequence[StepPhase]) -> dict[Phase, PhaseTotals]:
    """Steps, tokens, tool calls and time of each phase, as `analyse` gives them; all three phases are present."""
    return _totals(steps, phases, [step_tokens(step) for step in steps])


def _totals(steps: Sequence[Step], phases: Sequence[StepPhase], tokens: Sequence[int]) -> dict[Phase, PhaseTotals]:
    members: dict[Phase, list[tuple[Step, int]]] = {phase: [] for phase in PHASES}
    for step, phase, count in zip(steps, phases, tokens, strict=True):
        members[phase.phase].append((step, count))
    return {
        phase: PhaseTotals(
            steps=len(own),
            tokens=sum(count for _, count in own),
            tool_calls=sum(len(step.tool_calls) for step, _ in own),
            duration_s=steps_duration(step for step, _ in own),
        )
        for phase, own in members.items()
    }


def _activity(
    trajectory: Trajectory,
    records: Sequence[CallRecord],
    pages: Sequence[Opening],
    citations: Sequence[Citation],
    tokens: int,
) -> Activity:
    queries = [query for record in records for query in queries_of(record.call)]
    distinct = distinct_queries(queries)
    opened = sites(page.url for page in pages if page.opened)
    counted = [step for step in trajectory.steps if step.role in ("assistant", "tool") or step.tool_results]
    failed = {record.place for record in records if record.failed}
    good = [result for place, result in results(trajectory.steps) if place not in failed and not result.is_error]
    return Activity(
        queries=len(queries),
        distinct_queries=len(distinct),
        sites_opened=len(opened),
        sites_cited=len({citation.site for citation in citations if citation.site}),
        sites_seen=len(sites(seen_urls(records)) - opened),
        tool_calls=len(records),
        failed_calls=sum(record.failed for record in records),
        tokens=tokens,
        tokens_exact=bool(counted) and all(step.tokens is not None for step in counted),
        evidence_chars=sum(len(result.text) for result in good),
        near_duplicate_queries=near_duplicate_count(distinct),
        repeated_opens=repeated_opens(pages),
        redundancy=redundancy(good).share,
        duration_s=recorded_duration(trajectory),
        cost_usd=recorded_cost(trajectory),
    )
