"""Time and cost of a run, where its source recorded them: nothing here is estimated."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from math import fsum, isfinite
from typing import Any

from workbench.schema.trajectory import Step, Trajectory

# Seconds for the whole run: Inspect's sample, Langfuse's trace, and plain names that say their unit.
_DURATIONS = (("duration_s",), ("duration_seconds",), ("total_time",), ("latency",))
# US dollars for the whole run: plain names that say the currency, ATIF, Langfuse.
_COSTS = (
    *(("cost_usd",), ("total_cost_usd",), ("usage", "cost_usd"), ("usage", "total_cost_usd")),
    *(("final_metrics", "total_cost_usd"), ("totalCost",)),
)
# SWE-agent: `instance_cost` is of this run, `total_cost` of all runs of that process.
_MODEL_STATS = "info_model_stats"
_MOST_USD, _MOST_S = 1e9, 1e10


def steps_duration(steps: Iterable[Step]) -> float | None:
    """Seconds that the steps recorded, summed; None where none did. Steps that ran side by side count each."""
    recorded = [found for step in steps if (found := _figure(step.duration_s, _MOST_S)) is not None]
    return fsum(recorded) if recorded else None


def recorded_duration(trajectory: Trajectory) -> float | None:
    """Seconds: of the steps, else what the source gives for the whole, else from its start to its end."""
    found = steps_duration(trajectory.steps)
    if found is None:
        found = _first(trajectory.meta, _DURATIONS, _MOST_S)
    return _between(trajectory.meta.get("start_time"), trajectory.meta.get("end_time")) if found is None else found


def recorded_cost(trajectory: Trajectory) -> float | None:
    """US dollars as the source gives them for the whole run; None where it says nothing, or counted no call."""
    meta = trajectory.meta
    if (found := _first(meta, _COSTS, _MOST_USD)) is not None:
        return found
    stats = meta.get(_MODEL_STATS)
    if isinstance(stats, Mapping):
        cost = _figure(stats.get("instance_cost"), _MOST_USD)
        # A run that was replayed, or whose model has no price, says 0 of a cost that nobody counted.
        return cost or None
    return _of_models(meta.get("model_usage"))


def _of_models(usage: Any) -> float | None:
    """Inspect's usage by model: a cost only where every model has one, or the sum would be of a part."""
    if not isinstance(usage, Mapping) or not usage:
        return None
    costs = [_figure(one.get("total_cost"), _MOST_USD) if isinstance(one, Mapping) else None for one in usage.values()]
    known = [cost for cost in costs if cost is not None]
    return fsum(known) if len(known) == len(costs) else None


def _first(meta: Mapping[str, Any], paths: Iterable[tuple[str, ...]], most: float) -> float | None:
    for path in paths:
        value: Any = meta
        for name in path:
            value = value.get(name) if isinstance(value, Mapping) else None
        if (found := _figure(value, most)) is not None:
            return found
    return None


def _figure(value: Any, most: float) -> float | None:
    """A number from 0 to `most`; None for anything else, as a source may hold it in the place of one."""
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 <= value <= most:
        return None
    return float(value) if isfinite(value) else None


def _between(start: Any, end: Any) -> float | None:
    """Seconds from one ISO moment to another; None where they cannot be compared."""
    try:
        return _figure((datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds(), _MOST_S)
    except (TypeError, ValueError, OverflowError):
        return None
