"""The filter of trajectories as it stands in a page's address: read, shown as widgets, written back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, get_args

import streamlit as st

from workbench.errors import BadInputError
from workbench.schema.analysis import RETRIEVALS, Retrieval
from workbench.schema.trajectory import Outcome
from workbench.store import SortKey, TrajectoryFilter
from workbench.store.text.query import parse
from workbench.ui import data
from workbench.ui.components.notes import word
from workbench.ui.components.text import plain
from workbench.ui.components.visible import visible
from workbench.ui.session import join_names, parameter, rerun_at, split_names, store, whole_number
from workbench.ui.theme import RETRIEVAL_WORDS

SORTS: Final[dict[SortKey, str]] = {
    "imported": "import order",
    "score": "score",
    "question": "question",
    "run": "run",
    "attempt": "attempt",
    "policy_step": "policy step",
    "steps": "steps",
    "tool_calls": "tool calls",
    "distinct_queries": "distinct queries",
    "sites_opened": "sites opened",
    "report_chars": "report length",
}
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
ANY: Final = "any"


@dataclass(frozen=True, slots=True)
class View:
    """What the table shows: the filter, its order, and the same as query parameters."""

    filter: TrajectoryFilter
    sort: SortKey
    descending: bool
    parameters: Mapping[str, str]


def from_address() -> View:
    """The view that the page's address names; unknown values are ignored, so that an old link still opens."""
    names = (
        "run",
        "question",
        "outcome",
        "text",
        "retrieval",
        "report",
        "errors",
        "noted",
        "step",
        "group",
        "ids",
        "grader",
        "min",
        "max",
    )
    given = {name: parameter(name) for name in names if parameter(name)}
    sort = parameter("sort", "imported")
    chosen_sort: SortKey = next((key for key in SORTS if key == sort), "imported")
    descending = parameter("desc") == "1"
    grader = given.get("grader") or next(iter(data.grader_options()), None)
    retrieval: Retrieval | None = next((name for name in RETRIEVALS if name == given.get("retrieval")), None)
    outcome: Outcome | None = next((name for name in OUTCOMES if name == given.get("outcome")), None)
    runs = tuple(split_names(given.get("run", "")))
    chosen = TrajectoryFilter(
        run=runs or None,
        question_id=given.get("question"),
        outcome=outcome,
        text=_readable(given.get("text")),
        retrieval=retrieval,
        has_report={"yes": True, "no": False}.get(given.get("report", "")),
        has_tool_error={"yes": True, "no": False}.get(given.get("errors", "")),
        noted=given.get("noted"),
        policy_step=whole_number("policy_step"),
        group=given.get("group"),
        grader=grader,
        min_score=_number(given.get("min")),
        max_score=_number(given.get("max")),
        ids=tuple(split_names(given.get("ids", ""))) or None,
    )
    if chosen_sort != "imported":
        given["sort"] = chosen_sort
    if descending:
        given["desc"] = "1"
    return View(chosen, chosen_sort, descending, given)


def _readable(text: str | None) -> str | None:
    """A search that cannot be read is said to be so, and filters nothing."""
    try:
        if text:
            parse(text)
    except BadInputError as error:
        st.error(plain(f"The search filters nothing: {error}"))
        return None
    return text


def widgets(view: View) -> None:
    """The filter's widgets. A change is written into the address, which is the only place where it is kept."""
    given = view.parameters
    chosen_runs = split_names(given.get("run", ""))
    # A run that is not there (any more) stays chosen: the list then says 0 of N instead of showing everything.
    run_options = list(dict.fromkeys([*(run.name for run in store().runs.list()), *chosen_runs]))
    first = st.columns([3, 3, 2, 2])
    runs = first[0].multiselect("Run", run_options, default=chosen_runs, placeholder="all runs", format_func=visible)
    text = first[1].text_input('Search (words, "phrase", -word, report:word)', value=given.get("text", ""))
    retrieval = first[2].selectbox(
        "Has a citation that is",
        [ANY, *RETRIEVALS],
        index=_index([ANY, *RETRIEVALS], given.get("retrieval")),
        format_func=lambda name: RETRIEVAL_WORDS.get(name, name),
    )
    sort = first[3].selectbox(
        "Sort by", list(SORTS), index=_index(list(SORTS), view.sort), format_func=SORTS.__getitem__
    )
    second = st.columns([4, 4, 4, 4, 6, 4, 3], vertical_alignment="bottom")
    outcome = second[0].selectbox("Outcome", [ANY, *OUTCOMES], index=_index([ANY, *OUTCOMES], given.get("outcome")))
    yes_no = [ANY, "yes", "no"]
    report = second[1].selectbox("Has a report", yes_no, index=_index(yes_no, given.get("report")))
    errors = second[2].selectbox("Has a failed call", yes_no, index=_index(yes_no, given.get("errors")))
    # A kind that nobody has noted (any more) stays chosen, as a run does.
    kinds = list(dict.fromkeys([ANY, *store().notes.kinds(), *([view.filter.noted] if view.filter.noted else [])]))
    noted = second[3].selectbox(
        "Noted", kinds, index=_index(kinds, given.get("noted")), format_func=lambda kind: visible(word(kind))
    )
    low, high = second[4].slider(
        "Score",
        0.0,
        1.0,
        (view.filter.min_score or 0.0, view.filter.max_score if view.filter.max_score is not None else 1.0),
    )
    graders = data.grader_options()
    grader = second[5].selectbox(
        "Score by", graders or ["no grades yet"], index=_index(graders, view.filter.grader), format_func=visible
    )
    descending = second[6].toggle("Descending", value=view.descending)
    wanted = {
        "run": join_names(runs),
        "text": text.strip(),
        "retrieval": "" if retrieval == ANY else retrieval,
        "sort": "" if sort == "imported" else sort,
        "outcome": "" if outcome == ANY else outcome,
        "report": "" if report == ANY else report,
        "errors": "" if errors == ANY else errors,
        "noted": "" if noted == ANY else noted,
        "min": f"{low:g}" if low > 0 else "",
        "max": f"{high:g}" if high < 1 else "",
        "grader": grader if graders and grader != graders[0] else "",
        "desc": "1" if descending else "",
    }
    if any(given.get(name, "") != value for name, value in wanted.items() if name != "grader") or (
        graders and grader != view.filter.grader
    ):
        rerun_at({**wanted, "page": None})


def _index(options: list[str] | list[SortKey], value: str | None) -> int:
    return next((number for number, option in enumerate(options) if option == value), 0)


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text else None
    except ValueError:
        return None
    return value if value is not None and 0 <= value <= 1 else None
