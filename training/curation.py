"""Which scripted trajectories are shown to the policy: those that came to a report and did not break off."""

from collections.abc import Sequence

from workbench.schema.trajectory import Trajectory

MOST_FAILED_CALLS = 0.5


def keep_sound(trajectories: Sequence[Trajectory]) -> frozenset[str]:
    """Ids of trajectories that completed with a report and of whose calls at most half failed."""
    return frozenset(t.id for t in trajectories if t.outcome == "completed" and t.report and _mostly_worked(t))


def _mostly_worked(trajectory: Trajectory) -> bool:
    results = [result for step in trajectory.steps for result in step.tool_results]
    return sum(result.is_error for result in results) <= MOST_FAILED_CALLS * len(results)
