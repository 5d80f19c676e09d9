"""The grades of a trajectory, their verdicts, and the text that each verdict rests on with the way to it."""

import streamlit as st

from workbench.ui import routes
from workbench.ui.components.notes import lead_to
from workbench.ui.components.text import plain
from workbench.ui.session import store


def verdicts(trajectory_id: str) -> None:
    st.subheader("Grades")
    grades = store().grades.for_trajectory(trajectory_id)
    if not grades:
        st.markdown(":gray[Not graded yet.]")
    for n, grade in enumerate(grades):
        score = f"**{grade.score:.2f}**" if grade.score is not None else f":red[{grade.outcome.replace('_', ' ')}]"
        label = f"{plain(grade.grader)} :gray[@{grade.grader_version[:8]}] {score}"
        if not grade.verdicts and len(grade.reason) <= 200:
            st.markdown(label + (f"  :gray[{plain(grade.reason)}]" if grade.reason else ""))
            continue
        with st.expander(label):
            routes.link(
                "grade",
                "prompt and reply →",
                id=trajectory_id,
                grader=f"{grade.grader}@{grade.grader_version}",
                repeat=str(grade.repeat),
            )
            st.markdown(f":gray[{plain(grade.reason)}]")
            for m, verdict in enumerate(grade.verdicts):
                value = "no verdict" if verdict.value is None else f"{verdict.value:g}"
                verdict_words = f"**{plain(verdict.criterion_id)}** {plain(verdict.label or '')} ({value})"
                st.markdown(f"{verdict_words} :gray[{plain(verdict.reason)}]")
                if verdict.quote:
                    _quote(verdict.quote, key=f"quote {n} {m}")


def _quote(quote: str, *, key: str) -> None:
    """The text that a verdict rests on, and the way to where it stands."""
    text, there = st.columns([5, 1], vertical_alignment="center")
    text.markdown(f"> {plain(quote)}")
    there.button("show ↑", key=key, help="Where it stands", on_click=lead_to, kwargs={"words": quote})
