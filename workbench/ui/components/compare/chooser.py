"""Choosing what to compare: a question by the spread of its scores, then two to four of its attempts."""

import math
from collections.abc import Sequence
from typing import Final

import streamlit as st

from workbench.store import QuestionRow, TrajectoryFilter, TrajectoryRow
from workbench.ui import routes
from workbench.ui.components import figures
from workbench.ui.components.cells import framed, readable
from workbench.ui.components.compare.attempts import MOST
from workbench.ui.components.text import plain, short
from workbench.ui.components.visible import visible
from workbench.ui.session import parameter, rerun_at, store, whole_number

ROWS: Final = 20
ATTEMPTS: Final = 200


def choose_question(grader: str | None) -> None:
    wanted = st.text_input(
        "Questions with these words",
        value=visible(parameter("words")),
        placeholder="all questions",
        key="compare-words",
    ).strip()
    if wanted != parameter("words"):
        rerun_at({"words": wanted, "page": None})
    chosen = TrajectoryFilter(grader=grader, text=_search(wanted) or None)
    number = whole_number("page", 1) or 1
    found = store().trajectories.questions(chosen, at_least=2, offset=(number - 1) * ROWS, limit=ROWS)
    if not found.total:
        figures.nothing_here(
            "No question here was tried twice." if not wanted else "No question with these words was tried twice.",
            remedy="Import a second run on the same questions, or several attempts of one.",
        )
        return
    first = found.offset + 1 if found.items else 0
    by = f", those on whose attempts {plain(grader)} differs most first" if grader else ""
    noun = "question" if found.total == 1 else "questions"
    st.markdown(
        f"**{found.total:,} {noun}** :gray[with two attempts or more{by}; showing {first:,} to "
        f"{found.offset + len(found.items):,}. Select one.]"
    )
    _questions(found.items, found.offset)
    pages = math.ceil(found.total / ROWS)
    if pages > 1:
        picked = st.pagination(pages, default=min(number, pages), key=f"compare-pages-{found.total}")
        if picked != number:
            rerun_at({"page": str(picked)})


def _search(words: str) -> str:
    """The words as a search over questions alone."""
    return " ".join(f'question:"{word}"' for word in words.replace('"', " ").split())


def _questions(rows: Sequence[QuestionRow], offset: int) -> None:

    shown = framed(
        {
            "question": [short(row.question, 220) for row in rows],
            "attempts": [row.n for row in rows],
            "runs": [row.n_runs for row in rows],
            "lowest": [row.lowest for row in rows],
            "highest": [row.highest for row in rows],
        }
    )
    if shown["lowest"].isna().all():
        shown = shown.drop(columns=["lowest", "highest"])
    event = st.dataframe(
        readable(shown),
        hide_index=True,
        height=38 + 35 * len(rows),
        on_select="rerun",
        selection_mode="single-row",
        key=f"compare-questions-{offset}",
        column_config={
            "question": st.column_config.TextColumn("question", width="large"),
            "lowest": st.column_config.ProgressColumn("lowest score", min_value=0, max_value=1, format="%.2f"),
            "highest": st.column_config.ProgressColumn("highest score", min_value=0, max_value=1, format="%.2f"),
        },
    )
    selected = event.selection.rows if hasattr(event, "selection") else []
    if selected:
        rerun_at({"question": rows[selected[0]].question_id, "page": None})


def choose_attempts(question_id: str, grader: str | None) -> None:
    """Two to four attempts of one question; the best and the worst are chosen to begin with."""
    found = store().trajectories.page(
        TrajectoryFilter(question_id=question_id, grader=grader),
        sort="score" if grader else "run",
        descending=grader is not None,
        limit=ATTEMPTS,
    )
    routes.link("compare", "← all questions")
    if found.total < 2:
        figures.nothing_here("This question has no two attempts in the store.", remedy="Choose another question above.")
        return
    st.markdown(f"**{plain(short(found.items[0].question, 400))}**")
    st.markdown(
        f":gray[{len(found.items):,} of {found.total:,} attempts, the highest score first. Tick two to {MOST}.]"
    )
    above = st.container()
    ticked = _attempts(found.items)
    n = len(ticked)
    words = f"Compare these {n}" if 2 <= n <= MOST else f"Tick two to {MOST} ({n} now)"
    if above.button(words, type="primary", disabled=not 2 <= n <= MOST):
        routes.go("compare", ids=",".join(row.id for row in ticked), **({"grader": grader} if grader else {}))


def _attempts(rows: Sequence[TrajectoryRow]) -> list[TrajectoryRow]:

    scored = [place for place, row in enumerate(rows) if row.score is not None]
    begin = {scored[0], scored[-1]} if len(scored) > 1 else {0, len(rows) - 1}
    shown = framed(
        {
            "compare": [place in begin for place in range(len(rows))],
            "run": [row.run for row in rows],
            "attempt": [row.attempt for row in rows],
            "score": [row.score for row in rows],
            "queries": [row.activity.distinct_queries if row.steps else None for row in rows],
            "sites": [row.activity.sites_opened if row.steps else None for row in rows],
            "calls": [row.activity.tool_calls if row.steps else None for row in rows],
            "report": [row.report_chars for row in rows],
        }
    )
    edited = st.data_editor(
        readable(shown),
        hide_index=True,
        height=min(38 + 35 * len(rows), 640),
        key=f"compare-attempts-{rows[0].question_id}",
        disabled=[name for name in shown.columns if name != "compare"],
        column_config={
            "score": st.column_config.ProgressColumn("score", min_value=0, max_value=1, format="%.2f"),
            "report": st.column_config.NumberColumn("report", help="characters of the report", format="localized"),
        },
    )
    return [row for row, ticked in zip(rows, edited["compare"], strict=True) if ticked]
