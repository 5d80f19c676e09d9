"""Adds up what several replies or grades cost."""

from collections.abc import Sequence

from workbench.schema.grade import Usage


def add_usage(usages: Sequence[Usage]) -> Usage:
    """Sums; cached if all were, cost None if any is unknown."""
    return Usage(
        input_tokens=sum(usage.input_tokens for usage in usages),
        output_tokens=sum(usage.output_tokens for usage in usages),
        cost_usd=None
        if any(usage.cost_usd is None for usage in usages)
        else sum(usage.cost_usd or 0.0 for usage in usages),
        latency_s=sum(usage.latency_s for usage in usages),
        cached=bool(usages) and all(usage.cached for usage in usages),
    )
