"""The analysis of one trajectory: phases, activity and citations by the rules of this package."""

from collections.abc import Sequence

from workbench.phases.activity import Opening, distinct_queries, openings, queries_of, seen_urls, sites, step_tokens
from workbench.phases.calls import CallRecord, call_records, results
from workbench.phases.citations import find_citations
from workbench.phases.documents import Retrieved
from workbench.phases.segment import segment
from workbench.schema.analysis import PHASES, Activity, Analysis, Citation, Phase, PhaseTotals, StepPhase
from workbench.schema.trajectory import Step, Trajectory

# Raised whenever a rule changes what any trajectory is given, so that stored analyses can be told apart.
RULES_VERSION = "phases-3"


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
    """Steps, tokens and tool calls of each phase, as `analyse` gives them; all three phases are present."""
    return _totals(steps, phases, [step_tokens(step) for step in steps])


def _totals(steps: Sequence[Step], phases: Sequence[StepPhase], tokens: Sequence[int]) -> dict[Phase, PhaseTotals]:
    totals = dict.fromkeys(PHASES, PhaseTotals())
    for step, phase, count in zip(steps, phases, tokens, strict=True):
        old = totals[phase.phase]
        totals[phase.phase] = PhaseTotals(old.steps + 1, old.tokens + count, old.tool_calls + len(step.tool_calls))
    return totals


def _activity(
    trajectory: Trajectory,
    records: Sequence[CallRecord],
    pages: Sequence[Opening],
    citations: Sequence[Citation],
    tokens: int,
) -> Activity:
    queries = [query for record in records for query in queries_of(record.call)]
    opened = sites(page.url for page in pages if page.opened)
    counted = [step for step in trajectory.steps if step.role in ("assistant", "tool") or step.tool_results]
    failed = {record.place for record in records if record.failed}
    return Activity(
        queries=len(queries),
        distinct_queries=len(distinct_queries(queries)),
        sites_opened=len(opened),
        sites_cited=len({citation.site for citation in citations if citation.site}),
        sites_seen=len(sites(seen_urls(records)) - opened),
        tool_calls=len(records),
        failed_calls=sum(record.failed for record in records),
        tokens=tokens,
        tokens_exact=bool(counted) and all(step.tokens is not None for step in counted),
        evidence_chars=sum(
            len(result.text)
            for place, result in results(trajectory.steps)
            if place not in failed and not result.is_error
        ),
    )
