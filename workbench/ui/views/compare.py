"""Compare: two to four attempts at one question side by side, from what they asked to what was made of it."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.ui import data, routes
from workbench.ui.components import figures
from workbench.ui.components.compare import chooser, found
from workbench.ui.components.compare.attempts import MOST, Attempt, badge, load
from workbench.ui.components.compare.citations import citations
from workbench.ui.components.compare.figures_table import figures_table
from workbench.ui.components.compare.grades import grades
from workbench.ui.components.compare.reports import reports
from workbench.ui.components.compare.timeline import timeline
from workbench.ui.components.text import escaped, plain, short
from workbench.ui.session import parameter, rerun_at, split_names, store

STYLE = Path(__file__).parents[1] / "components" / "compare" / "compare.css"


def page() -> None:
    asked = split_names(parameter("ids"))
    if not asked:
        st.title("Compare")
        _choose()
        return
    try:
        attempts = load(_resolved(asked), _grader())
    except WorkbenchError as error:
        st.title("Compare")
        figures.nothing_here(str(error), remedy="Choose the attempts again.")
        routes.link("compare", "Choose →")
        return
    _compare(attempts)


def _choose() -> None:
    if not data.run_names():
        figures.nothing_here(
            "No trajectory is in this store yet.",
            remedy="Import files on the Jobs page, or run `workbench import PATH`.",
        )
        return
    figures.simulated_mark(data.any_simulated())
    grader = data.choose_grader("compare-grader")
    question = parameter("question")
    if question:
        chooser.choose_attempts(question, grader)
    else:
        chooser.choose_question(grader)


def _grader() -> str | None:
    """The grader that the address names, else the one with the most grades."""
    options = data.grader_options()
    return parameter("grader") if parameter("grader") in options else next(iter(options), None)


def _resolved(asked: Sequence[str]) -> tuple[str, ...]:
    """Full ids, one of each in the order asked; beginnings of an id do."""
    return tuple(dict.fromkeys(store().trajectories.resolve(prefix) for prefix in asked))


def _compare(attempts: Sequence[Attempt]) -> None:
    st.html(STYLE)
    questions = {attempt.row.question_id for attempt in attempts}
    st.title(plain(short(attempts[0].row.question, 300)), anchor=False)
    figures.simulated_mark(data.any_simulated([attempt.row.run for attempt in attempts]))
    asked = len(split_names(parameter("ids")))
    if len(questions) > 1:
        st.warning(f"These answer {len(questions)} different questions: what differs may be the question's doing.")
    if asked > len(attempts):
        st.caption(f"{len(attempts)} of the {asked} in the address are shown: {MOST} at most, each once.")
    _heads(attempts)
    if len(attempts) < 2:
        figures.nothing_here("One attempt alone is nothing to compare.", remedy="Choose a second one.")
        return
    st.header("Phases", anchor="phases")
    timeline(attempts)
    figures_table(attempts)
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Queries", anchor="queries")
        found.queries(attempts)
    with right:
        st.header("Sites", anchor="sites")
        found.sites(attempts)
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Grades", anchor="grades")
        grades(attempts)
    with right:
        st.header("Citations", anchor="citations")
        citations(attempts)
    st.header("Reports", anchor="reports")
    reports(attempts)


def _heads(attempts: Sequence[Attempt]) -> None:
    """Each attempt under its letter, with the way to it and the way out; then the way to one more."""
    ids = [attempt.row.id for attempt in attempts]
    for column, attempt in zip(st.columns(len(attempts)), attempts, strict=True):
        with column, st.container(border=True):
            score = '<small class="wbc-mute">not graded</small>'
            if attempt.row.score is not None:
                score = f"{attempt.row.score:.2f}"
            st.html(
                f'<div class="wbc-head">{badge(attempt.letter)}<b>{escaped(attempt.name)}</b><span>{score}</span></div>'
            )
            open_, out = st.columns([4, 1], vertical_alignment="center")
            with open_:
                routes.link("trajectory", "Open →", id=attempt.row.id)
            if len(attempts) > 1 and out.button("✕", key=f"out-{attempt.row.id}", help="Take it out", type="tertiary"):
                rerun_at({"ids": ",".join(one for one in ids if one != attempt.row.id), "pair": None})
    by, others = st.columns([2, 5], vertical_alignment="bottom")
    with by:
        data.choose_grader("compare-grader", "Scores above by")
    with others:
        routes.link("compare", "Choose other attempts →", question=attempts[0].row.question_id)
