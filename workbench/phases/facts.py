"""What the reward reads of a rollout, taken from its analysis: the one place where the two meet."""

from workbench.schema.analysis import Analysis
from workbench.schema.reward import RolloutFacts
from workbench.schema.trajectory import Trajectory


def facts_of(trajectory: Trajectory, analysis: Analysis) -> RolloutFacts:
    """Counts, lengths and citation figures of one rollout. `citations_not_retrieved` counts dangling numbers too."""
    activity = analysis.activity
    bad = sum(citation.retrieval in ("not_retrieved", "dangling") for citation in analysis.citations)
    return RolloutFacts(
        question_id=trajectory.question_id,
        distinct_queries=activity.distinct_queries,
        sites_opened=activity.sites_opened,
        sites_cited=activity.sites_cited,
        sites_seen=activity.sites_seen,
        tool_calls=activity.tool_calls,
        failed_calls=activity.failed_calls,
        report_chars=len(trajectory.report),
        citations=len(analysis.citations),
        citations_not_retrieved=bad,
    )
