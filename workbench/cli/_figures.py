"""A measured figure of a JSON answer as a person reads it."""

from collections.abc import Mapping
from typing import Any


def measured_text(found: Mapping[str, Any]) -> str:
    """`0.712 [0.640, 0.780] n=412`, or why there is no value or no interval."""
    if found["value"] is None:
        return f"not measured: {found['reason']}"
    shown = "not measured" if found["low"] is None else f"{found['low']:.3f}, {found['high']:.3f}"
    return f"{found['value']:.3f} [{shown}] n={found['n']}"
