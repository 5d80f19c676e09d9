"""One trajectory: figures, the viewer, grades with what they rest on, and its siblings at hand."""

from typing import Any, Final

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.schema.reward import QuestionTarget
from workbench.store import SortKey, TrajectoryFilter, TrajectoryRow
from workbench.ui import data, filters, routes
from workbench.ui.components import figures
from workbench.ui.components.notes import GO, add_note, notes
from workbench.ui.components.text import plain, short
from workbench.ui.components.verdicts import verdicts
from workbench.ui.components.viewer.model import breadth, notes_data, report_data
from workbench.ui.components.viewer.mount import LAST_SHOWN, Heard, viewer
from workbench.ui.components.viewer.serving import token_for
from workbench.ui.components.visible import visible
from workbench.ui.session import join_names, parameter, set_parameters, store, store_url, whole_number
from workbench.ui.views.trajectories import ROWS

CORRECTED: Final = "phases-corrected"
# From these sizes on the research panel, which reads everything, is made when it is opened and not at once.
LONG_STEPS, LONG_CHARS = 3000, 3_000_000


def page() -> None:
    try:
        identifier = store().trajectories.resolve(parameter("id"))
        row = store().trajectories.row(
            identifier, grader=parameter("grader") or next(iter(data.grader_options()), None)
        )
    except WorkbenchError as error:
        st.title("Trajectory")
        figures.nothing_here(str(error), remedy="Open one from the Trajectories page.")
        return
    # Streamlit carries the old address's parameters over a link, and a step of one trajectory means nothing in another.
    if st.session_state.get(LAST_SHOWN, identifier) != identifier:
        set_parameters({"step": None, "cite": None})
    st.session_state[LAST_SHOWN] = identifier
    _head(row)
    _reading(row)
    left, right = st.columns(2)
    with left:
        verdicts(identifier)
    with right:
        _siblings(row)
    _source(identifier)


def _head(row: TrajectoryRow) -> None:
    back, before, after = st.columns([6, 1, 1], vertical_alignment="center")
    with back:
        given = dict(filters.from_address().parameters) or {"run": join_names([row.run])}
        at = whole_number("at")
        back_to = {} if at is None or at < ROWS else {"page": str(at // ROWS + 1)}
        routes.link("trajectories", f"← {plain(row.run)}", **given, **back_to)
    _neighbours(before, after)
    st.title(plain(short(row.question, 300)), anchor=False)
    if len(row.question) > 300:
        with st.expander(f"The whole question, {len(row.question):,} characters"):
            st.code(visible(row.question), language=None, wrap_lines=True)
    figures.simulated_mark(data.any_simulated([row.run]))
    kinds = row.citations_by_retrieval
    untraced = kinds.get("not_retrieved", 0) + kinds.get("dangling", 0)
    spread = f"attempt {row.attempt}" + (f" · policy step {row.policy_step}" if row.policy_step is not None else "")
    figures.strip(
        [
            figures.Figure("not graded" if row.score is None else f"{row.score:.2f}", "score", _grader_note()),
            *_activity_figures(row),
            figures.Figure(f"{row.report_chars:,}", "report, characters", row.outcome),
            figures.Figure(
                f"{sum(kinds.values())}",
                "citations",
                f"{kinds.get('opened', 0)} opened, {untraced} untraced" if row.steps else "no trace to check them by",
            ),
            figures.Figure(row.model, "model", spread),
        ]
    )


def _activity_figures(row: TrajectoryRow) -> list[figures.Figure]:
    """What the agent did; unknown, not zero, where the report was imported alone."""
    if not row.steps:
        return [figures.Figure("no trace", "queries, sites, calls", "the report was imported alone")]
    activity = row.activity
    seen = f"{activity.sites_cited} cited, {activity.sites_seen} only seen"
    near, again, share = activity.near_duplicate_queries, activity.repeated_opens, activity.redundancy
    asked = f"{activity.queries} asked" + (f", {near} nearly repeat" if near else "")
    shown = [
        figures.Figure(f"{activity.distinct_queries}", "distinct queries", asked),
        figures.Figure(f"{activity.sites_opened}", "sites opened", seen + (f", {again} pages again" if again else "")),
        figures.Figure(f"{activity.tool_calls}", "tool calls", f"{activity.failed_calls} failed"),
        figures.Figure(f"{activity.tokens:,}", "tokens", "exact" if activity.tokens_exact else "an estimate"),
    ]
    if share is not None:
        shown.append(figures.Figure(f"{share:.0%}", "retrieved before", "of what tools gave back"))
    if activity.duration_s is not None:
        shown.append(figures.Figure(f"{activity.duration_s:,.0f} s", "time", "as recorded"))
    if activity.cost_usd is not None:
        shown.append(figures.Figure(f"${activity.cost_usd:,.4f}", "cost", "as recorded"))
    return shown


def _grader_note() -> str:
    return f"by {parameter('grader') or next(iter(data.grader_options()), '')}" if data.grader_options() else ""


def _neighbours(before: "st.delta_generator.DeltaGenerator", after: "st.delta_generator.DeltaGenerator") -> None:
    position = whole_number("at")
    if position is None:
        return
    view = filters.from_address()
    for place, step, label in ((before, -1, "◀ previous"), (after, 1, "next ▶")):
        if position + step < 0:
            continue
        found = store().trajectories.page(
            view.filter, sort=view.sort, descending=view.descending, offset=position + step, limit=1
        )
        if found.items:
            with place:
                routes.link("trajectory", label, id=found.items[0].id, at=str(position + step), **dict(view.parameters))


@st.fragment
def _reading(row: TrajectoryRow) -> None:
    """The viewer and the notes: what runs again while one reads, the rest of the page does not."""
    heard = _viewer(row)
    notes(row.id, heard.step if heard.step is not None else _step(row))


def _viewer(row: TrajectoryRow) -> Heard:
    # Its height is kept while it loads (theme.css), so that nothing below jumps.
    with st.container(key="wb-viewer"):
        heard = viewer(_shown(row), key=f"viewer-{row.id}")
    if heard.correction:
        step, phase = heard.correction
        store().trajectories.correct_phase(row.id, step, phase, by="app")
        st.session_state[CORRECTED] = st.session_state.get(CORRECTED, 0) + 1
        st.toast(f"Step {step} is now {phase}.")
        st.rerun()
    if heard.note:
        step, kind, text = heard.note
        add_note(row.id, kind, text, step=step)
    if heard.go is not None:
        _go(heard.go)
    return heard


def _shown(row: TrajectoryRow) -> dict[str, Any]:
    repository = store().trajectories
    citations = repository.citations(row.id)
    classes = "".join(f"{citation.retrieval[0]}{citation.support[0]}" for citation in citations)
    activity = row.activity
    return report_data(f"{store_url()} {row.id} {classes}", repository.report(row.id), citations) | {
        "key": row.id,
        "id": row.id,
        "token": token_for(row.id),
        "n": row.steps,
        "version": st.session_state.get(CORRECTED, 0),
        "long": row.steps > LONG_STEPS or activity.evidence_chars > LONG_CHARS,
        "breadth": breadth(activity, _target(row.question_id)),
        "activity": [(figure.value, f"{figure.label} · {figure.qualifier}") for figure in _activity_figures(row)],
        "notes": notes_data(store().notes.of_trajectory(row.id)),
        "go": st.session_state.pop(GO, None),
    }


def _go(by: int) -> None:
    """To the trajectory before or behind this one in the filter that the address names."""
    position = whole_number("at")
    view = filters.from_address()
    found = (
        ()
        if position is None or position + by < 0
        else store()
        .trajectories.page(view.filter, sort=view.sort, descending=view.descending, offset=position + by, limit=1)
        .items
    )
    if position is None or not found:
        st.toast(
            "This is the first or last of its list." if position is not None else "Opened by itself, not from a list."
        )
        return
    routes.go("trajectory", id=found[0].id, at=str(position + by), **dict(view.parameters))


def _step(row: TrajectoryRow) -> int | None:
    """The step that the address names, None where there is no such step."""
    asked = whole_number("step")
    return asked if asked is not None and asked < row.steps else None


def _target(question_id: str) -> QuestionTarget | None:
    """The question's target in the newest table that has one."""
    for table in store().rewards.targets_list():
        for target in store().rewards.targets(table.version):
            if target.question_id == question_id:
                return target
    return None


def _siblings(row: TrajectoryRow) -> None:
    st.subheader("Same question, other attempts")
    grader = parameter("grader") or next(iter(data.grader_options()), None)
    same = TrajectoryFilter(question_id=row.question_id, grader=grader)
    by: SortKey = "score" if grader else "run"
    found = store().trajectories.page(same, sort=by, descending=grader is not None, limit=12)
    others = [other for other in found.items if other.id != row.id]
    if not others:
        st.markdown(":gray[None in this store.]")
    else:
        # A suspect is judged best beside the best and the worst of its siblings.
        lowest = store().trajectories.page(same, sort=by, limit=2).items
        beside = dict.fromkeys([row.id, others[0].id, *(one.id for one in lowest if one.id != row.id)][:3])
        routes.link("compare", "Compare with the best and the worst →", ids=",".join(beside))
        routes.link("compare", "Choose siblings to compare with →", question=row.question_id)
    for other in others:
        score = "no score" if other.score is None else f"{other.score:.2f}"
        sites = f"{other.activity.sites_opened} sites" if other.steps else "no trace"
        step = f", step {other.policy_step}" if other.policy_step is not None else ""
        routes.link(
            "trajectory",
            f"{plain(other.run)} · attempt {other.attempt}{step} · {score} · {sites}",
            id=other.id,
        )
    if found.total > len(found.items):
        routes.link("trajectories", f"all {found.total} →", question=row.question_id)


def _source(identifier: str) -> None:
    with st.expander("Source record"):
        # Read when asked for: the record of a long trajectory is tens of megabytes.
        st.download_button(
            "Download, byte for byte",
            lambda: store().trajectories.source(identifier),
            file_name=f"{identifier}.json",
            mime="application/octet-stream",
        )
        st.caption(f"Read from {plain(store().trajectories.source_name(identifier))}")
