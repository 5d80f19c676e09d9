"""The attempts that stand side by side: what each section of the page reads of them, loaded once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

import streamlit as st

from workbench.reading.shared_research import Research, research_of
from workbench.schema.analysis import Analysis
from workbench.store import TrajectoryRow
from workbench.ui.components.text import escaped
from workbench.ui.session import store, store_url

# Letters, not colours, tell attempts apart: colours belong to phases and to classes of citations.
LETTERS: Final = "ABCD"
MOST: Final = len(LETTERS)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One trajectory of the comparison under its letter."""

    letter: str
    row: TrajectoryRow
    analysis: Analysis
    research: Research
    report: str

    @property
    def name(self) -> str:
        """Run, attempt and policy step, as text."""
        step = "" if self.row.policy_step is None else f", step {self.row.policy_step}"
        return f"{self.row.run} · attempt {self.row.attempt}{step}"


def load(ids: Sequence[str], grader: str | None) -> tuple[Attempt, ...]:
    """The attempts in the order of their ids. Raises NotFoundError for one that is not there."""
    trajectories = store().trajectories
    found = []
    for letter, identifier in zip(LETTERS, ids, strict=False):
        analysis = trajectories.analysis(identifier)
        row = trajectories.row(identifier, grader)
        research = _research(store_url(), identifier)
        found.append(Attempt(letter, row, analysis, research, trajectories.report(identifier)))
    return tuple(found)


@st.cache_data(show_spinner="Reading what each attempt asked and opened …", max_entries=64)
def _research(_url: str, identifier: str) -> Research:
    # The only part that reads every tool result; a trajectory never changes, so it is read once.
    trajectories = store().trajectories
    return research_of(trajectories.get(identifier), trajectories.analysis(identifier).citations)


def badge(letter: str) -> str:
    """The letter as HTML."""
    return f'<span class="wbc-l">{escaped(letter)}</span>'


def step_link(attempt: Attempt, step: int) -> str:
    """HTML of a link to a step, in a tab of its own so that the comparison stays open."""
    query = escaped(urlencode({"id": attempt.row.id, "step": step}))
    return f'<a class="wbc-s" href="trajectory?{query}" target="_blank" title="open step {step}">{step}</a>'


def heads(attempts: Sequence[Attempt], first: str = "") -> str:
    """The head of a table with a column for each attempt."""
    cells = "".join(
        f'<th class="n" title="{escaped(attempt.name)}">{badge(attempt.letter)}</th>' for attempt in attempts
    )
    return f"<thead><tr><th>{escaped(first)}</th>{cells}</tr></thead>"
