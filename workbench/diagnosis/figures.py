"""A measurement as JSON and back."""

from typing import Any

from workbench.schema.canonical import JsonObject, JsonValue
from workbench.stats.estimate import Estimate, Measured, NotMeasured


def figure_to_json(figure: Measured) -> dict[str, JsonValue]:
    """`{"value", "low", "high", "n", "n_questions", "level", "method"}`, or `{"not_measured": why, "n"}`.

    `low` and `high` are null where one question alone was measured. `n` counts pairs, `n_questions` the clusters.
    """
    if isinstance(figure, NotMeasured):
        return {"not_measured": figure.reason, "n": figure.n}
    return {
        "value": figure.value,
        "low": figure.low,
        "high": figure.high,
        "n": figure.n,
        "n_questions": figure.n_clusters,
        "level": figure.level,
        "method": figure.method,
    }


def figure_from_json(value: JsonObject) -> Measured:
    """Inverse of `figure_to_json`. Trusts its input."""
    raw: Any = value
    if "not_measured" in raw:
        return NotMeasured(raw["not_measured"], raw["n"])
    return Estimate(
        value=raw["value"],
        low=raw["low"],
        high=raw["high"],
        n=raw["n"],
        method=raw["method"],
        n_clusters=raw["n_questions"],
        level=raw["level"],
    )
