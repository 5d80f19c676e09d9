"""Grades that are no score: abstentions, unreadable judgments and lost calls, with their reasons."""

from typing import Final

import streamlit as st

from workbench.store import TrajectoryFilter
from workbench.ui import routes
from workbench.ui.components import figures
from workbench.ui.components.grades.frames import grades_frame
from workbench.ui.components.text import plain, short
from workbench.ui.session import store

LISTED: Final = 50
WORDS: Final = {
    "abstained": "abstained",
    "judge_failed": "the judge's reply could not be read",
    "infra_failed": "no reply came",
}


def panel(grader: str) -> None:
    grades = grades_frame(grader)
    without = grades[grades["outcome"] != "scored"] if not grades.empty else grades
    if without.empty:
        figures.nothing_here("Every grade of this grader is scored.", remedy="Nothing to do.")
        return
    counts = without["outcome"].value_counts()
    figures.strip(
        [
            figures.Figure(f"{int(n):,}", WORDS[str(outcome)], f"of {len(grades):,} grades")
            for outcome, n in counts.items()
        ]
    )
    left = LISTED
    for batch in store().columns.grades(TrajectoryFilter(grader=grader), bodies=True):
        for place, outcome in enumerate(batch["outcome"]):
            if outcome == "scored" or not left:
                continue
            left -= 1
            words = f"{outcome.replace('_', ' ')} · {batch['run'][place]} · {short(batch['reason'][place], 160)}"
            identity, repeat = batch["trajectory_id"][place], str(batch["repeat"][place])
            routes.link("grade", plain(words), id=identity, grader=grader, repeat=repeat)
        if not left:
            break
    if len(without) > LISTED:
        st.caption(f"{LISTED} of {len(without):,}")
