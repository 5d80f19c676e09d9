"""Puts the viewer on the page and hears what the reader does in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import streamlit as st

from workbench.schema.analysis import PHASES, Phase
from workbench.schema.note import NOTE_KINDS, NoteKind

HERE: Final = Path(__file__).parent
# The trajectory that a session saw last. A step in the address means nothing in another trajectory, unless whoever led
# there says so by writing its id here.
LAST_SHOWN: Final = "trajectory-shown"
# One module in the browser, a file a part of it here; the last exports the component.
SCRIPTS: Final = ("dom", "timeline", "outline", "bodies", "column", "report", "evidence", "research", "keys", "main")


@dataclass(frozen=True, slots=True)
class Heard:
    """The step at which the reader rests, and what was just done: a phase corrected, a note written on a step, the
    trajectory before (-1) or behind (1) asked for."""

    step: int | None
    correction: tuple[int, Phase] | None = None
    note: tuple[int, NoteKind, str] | None = None
    go: int | None = None


@lru_cache(maxsize=1)
def _component() -> Any:
    return st.components.v2.component(
        "workbench_trajectory",
        css=(HERE / "viewer.css").read_text(encoding="utf-8"),
        js="\n".join((HERE / "js" / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS),
    )


def viewer(data: Mapping[str, Any], *, key: str) -> Heard:
    """`data`: what `model` makes, with `key` (what it is about), `id`, `token`, `n`, `version` and `go`."""
    listeners = {f"on_{name}_change": lambda: None for name in ("step", "correct", "note", "go")}
    result = _component()(key=key, data=dict(data), default={"step": None}, **listeners)
    return Heard(
        step=int(result.step) if result.step is not None else None,
        correction=_correction(result.correct),
        note=_note(result.note),
        go=int(result.go) if result.go in (1, -1) else None,
    )


def _correction(said: Any) -> tuple[int, Phase] | None:
    phase: Phase | None = next((one for one in PHASES if said and one == said.get("phase")), None)
    return None if phase is None else (int(said["step"]), phase)


def _note(said: Any) -> tuple[int, NoteKind, str] | None:
    kind: NoteKind | None = next((one for one in NOTE_KINDS if said and one == said.get("kind")), None)
    return None if kind is None else (int(said["step"]), kind, str(said.get("text", "")))
