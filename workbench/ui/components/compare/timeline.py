"""The phases of each attempt, one lane each on a shared scale; a mark is a step that one click opens."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import streamlit as st

from workbench.schema.analysis import PHASES, Phase
from workbench.store import StepOutline
from workbench.ui import routes, theme
from workbench.ui.components import plots
from workbench.ui.components.choice import one_of
from workbench.ui.components.compare.attempts import Attempt
from workbench.ui.components.text import escaped, short
from workbench.ui.components.viewer.model import outline_row
from workbench.ui.components.viewer.mount import LAST_SHOWN
from workbench.ui.session import store

Mark: TypeAlias = Literal["search", "page opened", "failed", "other call", "writing"]
# Shape and colour; a mark without a colour has its phase's.
MARKS: Final[dict[Mark, tuple[str, str | None]]] = {
    "search": ("circle", theme.BLUE),
    "page opened": ("square-open", theme.BLUE),
    "other call": ("diamond-open", theme.GREY),
    "failed": ("x-thin", theme.RED),
    "writing": ("triangle-up", None),
}
SCALES: Final = {"aligned": "phases aligned", "order": "as it happened", "size": "by characters"}
# From so many marks on, they are drawn by the graphics card.
MANY: Final = 1500


@dataclass(frozen=True, slots=True)
class Placed:
    """A step of lane `lane` that lies between `start` and `end` of the shared scale."""

    lane: int
    step: StepOutline
    phase: Phase
    start: float
    end: float


def timeline(attempts: Sequence[Attempt]) -> None:
    scale = one_of("scale", SCALES, label="Scale", key="compare-scale")
    outlines = [store().trajectories.outline(attempt.row.id) for attempt in attempts]
    if not any(outlines):
        st.markdown(":gray[These reports were imported alone: what their agents did is not known.]")
        return
    placed = list(place(outlines, scale))
    event = plots.show(_figure(attempts, placed, scale), key=f"compare-time-{scale}", on_select=True)
    st.caption("A click on a mark opens that step. A person's corrections of phases are applied.")
    points = event.selection.points if hasattr(event, "selection") else []
    for point in points:
        lane, step = point["customdata"][:2]
        chosen = attempts[int(lane)].row.id
        st.session_state[LAST_SHOWN] = chosen
        routes.go("trajectory", id=chosen, step=str(int(step)))


def place(outlines: Sequence[Sequence[StepOutline]], scale: str) -> Iterator[Placed]:
    """Every step on the shared scale. `aligned`: each phase begins at one place in all lanes; `order`: a step is one
    unit; `size`: a step is as wide as its characters."""
    counts = [Counter(step.phase or "plan" for step in outline) for outline in outlines]
    begins: dict[Phase, float] = {}
    begin = 0.0
    gap = 0.02 * max((sum(count.values()) for count in counts), default=0)
    for name in PHASES:
        begins[name] = begin
        widest = max((count[name] for count in counts), default=0)
        begin += widest + (gap if widest else 0)
    for lane, outline in enumerate(outlines):
        next_in = dict(begins)
        at = 0.0
        for step in outline:
            phase: Phase = step.phase or "plan"
            if scale == "aligned":
                yield Placed(lane, step, phase, next_in[phase], next_in[phase] + 1)
                next_in[phase] += 1
                continue
            width = float(step.chars + step.reasoning_chars + step.result_chars) if scale == "size" else 1.0
            yield Placed(lane, step, phase, at, at + width)
            at += width


def mark_of(step: StepOutline) -> Mark | None:
    """The mark of a step; None where it has none (a tool's good answer, a person's message)."""
    if step.n_errors:
        return "failed"
    kinds = {call.kind for call in step.tool_calls}
    if "search" in kinds:
        return "search"
    if "visit" in kinds:
        return "page opened"
    if kinds:
        return "other call"
    return "writing" if step.role == "assistant" and step.chars else None


def _figure(attempts: Sequence[Attempt], placed: Sequence[Placed], scale: str) -> Any:
    import plotly.graph_objects as go

    figure = go.Figure()
    for phase in PHASES:
        blocks = list(_blocks(p for p in placed if p.phase == phase))
        if blocks:
            figure.add_bar(
                y=[lane for lane, _, _ in blocks],
                x=[end - start for _, start, end in blocks],
                base=[start for _, start, _ in blocks],
                orientation="h",
                width=0.34,
                offset=-0.38,
                name=phase,
                marker={"color": theme.PHASE_COLOUR[phase], "opacity": 0.45, "line": {"width": 0}},
                hoverinfo="skip",
            )
    marks: dict[Mark, list[Placed]] = {name: [] for name in MARKS}
    for one in placed:
        if mark := mark_of(one.step):
            marks[mark].append(one)
    scatter = go.Scattergl if len(placed) > MANY else go.Scatter
    for name, own in marks.items():
        if own:
            symbol, fixed = MARKS[name]
            colour: str | list[str] = fixed or [theme.PHASE_COLOUR[one.phase] for one in own]
            figure.add_trace(
                scatter(
                    x=[(one.start + one.end) / 2 for one in own],
                    y=[one.lane + 0.2 for one in own],
                    mode="markers",
                    name=name,
                    marker={"symbol": symbol, "size": 8, "color": colour, "line": {"width": 1.6, "color": colour}},
                    customdata=[[one.lane, one.step.position, _label(one)] for one in own],
                    hovertemplate="step %{customdata[1]} · %{customdata[2]}<extra></extra>",
                )
            )
    names = [f"<b>{attempt.letter}</b>  {escaped(short(attempt.name, 34))}" for attempt in attempts]
    plots.dress(figure, height=(60 if scale == "aligned" else 92) + 54 * len(attempts))
    axis_room = 12 if scale == "aligned" else 44
    figure.update_layout(barmode="overlay", margin={"l": 8, "r": 8, "t": 40, "b": axis_room}, hovermode="closest")
    figure.update_yaxes(
        tickmode="array",
        tickvals=list(range(len(attempts))),
        ticktext=names,
        tickfont={"size": 13, "color": theme.plot_colours()[0]},
        zeroline=False,
        range=[len(attempts) - 0.45, -0.6],
        showgrid=False,
        automargin=True,
    )
    figure.update_xaxes(
        showticklabels=scale != "aligned", showgrid=scale != "aligned", zeroline=False, title_text=_axis(scale)
    )
    return figure


def _axis(scale: str) -> str:
    return {"order": "steps", "size": "characters read and written"}.get(scale, "")


def _blocks(own: Iterator[Placed]) -> Iterator[tuple[int, float, float]]:
    """Neighbouring steps of one phase as one bar: (lane, start, end)."""
    lane, start, end = -1, 0.0, 0.0
    for one in own:
        if one.lane == lane and one.start == end:
            end = one.end
            continue
        if lane >= 0:
            yield lane, start, end
        lane, start, end = one.lane, one.start, one.end
    if lane >= 0:
        yield lane, start, end


def _label(one: Placed) -> str:
    return escaped(short(f"{one.phase} · {outline_row(one.step)['label']}", 90))
