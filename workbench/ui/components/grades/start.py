"""The form that starts a grading, and says first what it takes and what it can show."""

from dataclasses import dataclass

import streamlit as st

from graders.gateway import GatewayOptions
from graders.plan_words import plan_lines
from workbench.errors import WorkbenchError
from workbench.store import TrajectoryFilter
from workbench.ui import data
from workbench.ui.components.grades import citations
from workbench.ui.components.text import plain
from workbench.ui.components.visible import visible
from workbench.ui.session import store
from workbench.ui.start import start_job

GOLD = "gold"
_OWN = "rubric file or path/file.py:Object"
# The first takes a model as well: without one it goes by words.
_KNOWN = (citations.GRADER, "deep-research-report", "citations", "checklist", GOLD, _OWN)
_WITHOUT_MODEL = ("citations", "checklist", GOLD)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the form says; empty or zero is not given."""

    run: str
    grader: str
    model: str
    base_url: str
    first: int
    repeats: int
    spend_usd: float

    def arguments(self) -> list[str]:
        """Of `workbench`, for a job of its own."""
        out = ["grade", "--grader", self.grader, "--run", self.run]
        if self.model:
            out += ["--model", self.model]
        if self.base_url:
            out += ["--base-url", self.base_url]
        if self.first:
            out += ["--limit", str(self.first)]
        if self.repeats > 1:
            out += ["--repeats", str(self.repeats)]
        if self.spend_usd:
            out += ["--spend-limit", f"{self.spend_usd:g}"]
        return out


def form(*, expanded: bool) -> None:
    with st.expander("Grade a run", expanded=expanded):
        asked = _fields()
        start, plan = st.columns([1, 5], vertical_alignment="center")
        missing = not (asked.run and asked.grader)
        if start.button("Grade", type="primary", disabled=missing):
            start_job(asked.arguments())
        if plan.button("What would it take?", disabled=missing or asked.grader == GOLD, help="Asks no model anything."):
            _plan(asked)


def _fields() -> Asked:
    left, middle, right = st.columns(3)
    run = left.selectbox("Run", data.run_names(), key="grade-run", format_func=visible)
    grader = middle.selectbox("Grader", _KNOWN, key="grade-grader")
    if grader == _OWN:
        grader = middle.text_input("Path", key="grade-path").strip()
    asks = grader not in _WITHOUT_MODEL
    model = right.text_input("Model", placeholder=_model_hint(grader), key="grade-model", disabled=not asks)
    left, middle, right, last = st.columns([3, 1, 1, 1])
    base_url = left.text_input(
        "Address of its server",
        placeholder="only for a server of your own, such as http://127.0.0.1:8000/v1",
        key="grade-address",
        disabled=not asks,
    )
    first = middle.number_input("Only the first", min_value=0, value=0, key="grade-first", help="0: all of the run.")
    repeats = right.number_input("Repeats", min_value=1, value=1, key="grade-repeats")
    spend = last.number_input(
        "Spend at most, USD", min_value=0.0, value=0.0, key="grade-spend", disabled=not asks, help="0: no limit."
    )
    return Asked(
        run or "",
        grader,
        model.strip() if asks else "",
        base_url.strip() if asks else "",
        int(first),
        int(repeats),
        float(spend) if asks else 0.0,
    )


def _model_hint(grader: str) -> str:
    """Who reads where no model is named."""
    if grader in _WITHOUT_MODEL:
        return "needs none"
    return "none: by words" if grader == citations.GRADER else "the local model"


def _plan(asked: Asked) -> None:
    from graders.grade_plan import plan_grades
    from graders.registry import load_grader

    try:
        options = GatewayOptions(spend_limit_usd=asked.spend_usd or None)
        grader = load_grader(
            asked.grader, store=store(), model=asked.model or None, base_url=asked.base_url or None, options=options
        )
        with st.spinner("Packing every report that has no grade yet …"):
            planned = plan_grades(
                store(),
                grader,
                TrajectoryFilter(run=asked.run),
                repeats=asked.repeats,
                limit=asked.first or None,
            )
    except WorkbenchError as error:
        st.error(plain(str(error)))
        return
    for text, is_head in plan_lines(planned, "reports"):
        st.markdown(f"**{plain(text)}**" if is_head else plain(text))
