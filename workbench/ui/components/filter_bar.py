"""The filter of the Trajectories page as widgets. A change is written into the address, where alone it is kept.

Every widget's default is what the address says, and no widget has a key: by Back it is another widget, with the earlier
value.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import streamlit as st

from workbench.schema.analysis import RETRIEVALS, SUPPORTS
from workbench.store import TrajectoryFilter, Within
from workbench.ui import data, routes
from workbench.ui.components.notes import word
from workbench.ui.components.text import plain, short
from workbench.ui.components.visible import visible
from workbench.ui.filters import OUTCOMES, SORTS, View
from workbench.ui.kept import fresh
from workbench.ui.session import join_names, rerun_at, split_names, store
from workbench.ui.theme import RETRIEVAL_WORDS, SUPPORT_WORDS

ANY: Final = "any"
YES_NO: Final = (ANY, "yes", "no")
QUESTIONS: Final = 8
# What can be bounded, in words.
BOUNDED: Final[dict[str, str]] = {
    "distinct_queries": "distinct queries",
    "near_duplicate_queries": "queries that nearly repeat another",
    "sites_opened": "sites opened",
    "sites_cited": "sites cited",
    "tool_calls": "tool calls",
    "failed_calls": "failed calls",
    "repeated_opens": "pages opened again",
    "redundancy": "share retrieved before, 0 to 1",
    "evidence_chars": "evidence, characters",
    "steps": "steps",
    "tokens": "tokens",
    "plan_tokens": "tokens of plan",
    "research_tokens": "tokens of research",
    "synthesis_tokens": "tokens of synthesis",
    "research_tool_calls": "tool calls of research",
    "synthesis_tool_calls": "tool calls of synthesis",
    "duration_s": "seconds",
    "research_duration_s": "seconds of research",
    "synthesis_duration_s": "seconds of synthesis",
    "report_chars": "report, characters",
    "citations": "citations",
    "retrieval_not_retrieved": "citations never retrieved",
    "attempt": "attempt",
    "policy_step": "policy step",
}


def filter_bar(view: View) -> None:
    given = view.parameters
    first = st.columns([5, 4, 3, 3, 2], vertical_alignment="bottom")
    text = first[0].text_input(
        "Search", value=visible(given.get("text", "")), placeholder='words, "a phrase", -word, report:word, query:word'
    )
    runs = _several(first[1], "Run", store().runs.names(), split_names(given.get("run", "")), "all runs")
    models = fresh("models", store().runs.models)[0]
    of_models = _several(first[2], "Model", models, split_names(given.get("model", "")), "all models")
    sort = _one(first[3], "Sort by", list(SORTS), view.sort, lambda key: SORTS[key])
    descending = first[4].toggle("Descending", value=view.descending)
    second = st.columns([3, 3, 3, 4, 3, 5, 4, 3], vertical_alignment="bottom")
    outcome = _one(second[0], "Outcome", (ANY, *OUTCOMES), given.get("outcome"))
    report = _one(second[1], "Has a report", YES_NO, given.get("report"))
    errors = _one(second[2], "Failed calls", YES_NO, given.get("errors"))
    retrieval = _one(second[3], "Has a citation", (ANY, *RETRIEVALS), given.get("retrieval"), _in(RETRIEVAL_WORDS))
    # A kind that nobody has noted (any more) stays chosen, as a run does.
    kinds = list(dict.fromkeys([ANY, *store().notes.kinds(), given.get("noted", ANY)]))
    noted = _one(second[4], "Noted", kinds, given.get("noted"), lambda kind: visible(word(kind)))
    bounds = (view.filter.min_score or 0.0, 1.0 if view.filter.max_score is None else view.filter.max_score)
    low, high = second[5].slider("Score", 0.0, 1.0, bounds)
    graders = data.grader_options()
    grader = _one(second[6], "Score by", graders or ["no grades yet"], view.filter.grader, visible)
    more = sum(name in given for name in ("support", "figures", "question"))
    with second[7].popover(f"More ({more})" if more else "More", width="stretch"):
        support = _one(
            st, "Has a citation whose support is", (ANY, *SUPPORTS), given.get("support"), _in(SUPPORT_WORDS)
        )
        figures = _figures(view.filter.figures or ())
        _questions(view)
    wanted = {
        "text": text.strip(),
        "run": join_names(runs),
        "model": join_names(of_models),
        "sort": "" if sort == "imported" else sort,
        "desc": "1" if descending else "",
        "outcome": _said(outcome),
        "report": _said(report),
        "errors": _said(errors),
        "retrieval": _said(retrieval),
        "support": _said(support),
        "figures": ",".join(map(str, figures)),
        "noted": _said(noted),
        "min": f"{low:g}" if low > 0 else "",
        "max": f"{high:g}" if high < 1 else "",
        "grader": grader if graders and grader != graders[0] else "",
    }
    changed = any(given.get(name, "") != value for name, value in wanted.items() if name not in ("grader", "figures"))
    if changed or figures != (view.filter.figures or ()) or (graders and grader != view.filter.grader):
        rerun_at({**wanted, "page": None})


def _said(chosen: str) -> str:
    return "" if chosen == ANY else chosen


def _in(words: Any) -> Callable[[str], str]:
    return lambda name: words.get(name, name)


def _one(place: Any, label: str, options: Sequence[str], chosen: str | None, words: Callable[[Any], str] = str) -> str:
    index = next((number for number, option in enumerate(options) if option == chosen), 0)
    said: str = place.selectbox(label, options, index=index, format_func=words)
    return said


def _several(place: Any, label: str, known: Sequence[str], chosen: Sequence[str], all_of_them: str) -> list[str]:
    # A name that is not there (any more) stays chosen: the list then says 0 of N instead of showing everything.
    options = list(dict.fromkeys([*known, *chosen]))
    said: list[str] = place.multiselect(label, options, default=chosen, placeholder=all_of_them, format_func=visible)
    return said


def _figures(bounds: Sequence[Within]) -> tuple[Within, ...]:
    """The bounds as they stand in the fields, and one more where a figure is chosen."""
    found = []
    for place, bound in enumerate(bounds):
        name, low, high, away = st.columns([5, 3, 3, 1], vertical_alignment="bottom")
        name.markdown(plain(BOUNDED.get(bound.figure, bound.figure)))
        at_least = low.number_input("at least", value=bound.low, key=f"low-{place}-{bound}", placeholder="any")
        at_most = high.number_input("at most", value=bound.high, key=f"high-{place}-{bound}", placeholder="any")
        if not away.button("✕", key=f"away-{place}-{bound}", help="No bound on it", type="tertiary"):
            found.append(Within(bound.figure, at_least, at_most))
    there = {bound.figure for bound in bounds}
    left = [name for name in BOUNDED if name not in there]
    more = st.selectbox(
        "Bound a figure", left, index=None, format_func=BOUNDED.__getitem__, placeholder="choose a figure",
        key=f"bound-{len(there)}-{','.join(map(str, bounds))}",
    )  # fmt: skip
    return (*found, Within(more, 0.0)) if more else tuple(found)


def _questions(view: View) -> None:
    """Questions by their words; each opens its trajectories within the rest of the filter."""
    words = st.text_input("Find a question", placeholder="words of it", key="question-words").split()
    if not words:
        return
    search = " ".join(f'question:"{word}"' for word in " ".join(words).replace('"', " ").split())
    found = store().trajectories.questions(TrajectoryFilter(text=search), limit=QUESTIONS)
    st.caption(f"{len(found.items):,} of {found.total:,} questions, those tried most often first")
    for row in found.items:
        here = {**view.parameters, "question": row.question_id}
        routes.link("trajectories", f"{plain(short(row.question, 90))} ({row.n:,})", **here)
