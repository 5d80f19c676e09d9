"""The filter of trajectories as it stands in a page's address; its widgets are in `components/filter_bar`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, get_args

import streamlit as st

from workbench.errors import BadInputError
from workbench.schema.analysis import RETRIEVALS, SUPPORTS, Retrieval, Support
from workbench.schema.trajectory import Outcome
from workbench.store import FIGURES, SortKey, TrajectoryFilter, Within
from workbench.store.text.query import parse
from workbench.ui import data
from workbench.ui.components.text import plain
from workbench.ui.session import parameter, split_names, whole_number

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
PARAMETERS: Final = (
    "run", "model", "question", "outcome", "text", "retrieval", "support", "report", "errors", "noted", "figures",
    "policy_step", "group", "ids", "grader", "min", "max",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class View:
    """What the table shows: the filter, its order, and the same as query parameters."""

    filter: TrajectoryFilter
    sort: SortKey
    descending: bool
    parameters: Mapping[str, str]


def from_address() -> View:
    """The view that the page's address names; unknown values are ignored, so that an old link still opens."""
    given = {name: parameter(name) for name in PARAMETERS if parameter(name)}
    sort = parameter("sort", "imported")
    chosen_sort: SortKey = next((key for key in SORTS if key == sort), "imported")
    descending = parameter("desc") == "1"
    grader = given.get("grader") or next(iter(data.grader_options()), None)
    retrieval: Retrieval | None = next((name for name in RETRIEVALS if name == given.get("retrieval")), None)
    support: Support | None = next((name for name in SUPPORTS if name == given.get("support")), None)
    outcome: Outcome | None = next((name for name in OUTCOMES if name == given.get("outcome")), None)
    runs = tuple(split_names(given.get("run", "")))
    chosen = TrajectoryFilter(
        run=runs or None,
        model=tuple(split_names(given.get("model", ""))) or None,
        question_id=given.get("question"),
        outcome=outcome,
        text=_readable(given.get("text")),
        retrieval=retrieval,
        support=support,
        has_report={"yes": True, "no": False}.get(given.get("report", "")),
        has_tool_error={"yes": True, "no": False}.get(given.get("errors", "")),
        noted=given.get("noted"),
        figures=_bounds(given.get("figures", "")) or None,
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


def _bounds(text: str) -> tuple[Within, ...]:
    """Bounds that can be read; an old link with others still opens."""
    found = []
    for one in text.split(","):
        try:
            bound = Within.read(one)
        except BadInputError:
            continue
        if bound.figure in FIGURES:
            found.append(bound)
    return tuple(found)


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text else None
    except ValueError:
        return None
    return value if value is not None and 0 <= value <= 1 else None
