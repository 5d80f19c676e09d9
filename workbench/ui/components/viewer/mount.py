"""Puts the viewer on the page and hears what the reader does in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from workbench.schema.analysis import PHASES, Phase

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Heard:
    """The step the reader chose, and the phase correction just made, if any."""

    step: int | None
    correction: tuple[int, Phase] | None


@lru_cache(maxsize=1)
def _component() -> Any:
    return st.components.v2.component(
        "workbench_trajectory",
        css=(HERE / "viewer.css").read_text(encoding="utf-8"),
        js=(HERE / "viewer.js").read_text(encoding="utf-8"),
    )


def viewer(data: Mapping[str, Any], *, key: str) -> Heard:
    """`data` as `model.viewer_data` makes it, with `key` (what it is about) and `body` (the chosen step, or None)."""
    result = _component()(
        key=key, data=dict(data), on_step_change=lambda: None, on_correct_change=lambda: None, default={"step": None}
    )
    correction = result.correct
    chosen: Phase | None = None
    if correction:
        chosen = next((phase for phase in PHASES if phase == correction.get("phase")), None)
    return Heard(
        step=int(result.step) if result.step is not None else None,
        correction=(int(correction["step"]), chosen) if correction and chosen else None,
    )
