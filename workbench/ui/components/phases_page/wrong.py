"""Where reports go wrong: what low grades go with in either phase, and what a class of citations costs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import streamlit as st

from workbench.schema.analysis import RETRIEVALS, Retrieval
from workbench.stats.estimate import Estimate, Measured
from workbench.stats.ratios import ratio_intervals, within_part
from workbench.ui import data, routes, theme
from workbench.ui.components import figures, plots
from workbench.ui.components.phases_page.rows import FIGURES, Chosen, FigurePhase
from workbench.ui.components.text import escaped, plain
from workbench.ui.kept import derived
from workbench.ui.session import join_names, parameter, rerun_at

if TYPE_CHECKING:
    import pandas as pd

# Counted in both phases or told by others already.
_LEFT_OUT: Final = ("tokens",)
_COLOUR: Final[dict[FigurePhase, str]] = {"research": theme.BLUE, "synthesis": theme.ORANGE}


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of low-graded reports against the others on the same questions. `apart` is in standard deviations."""

    name: str
    words: str
    phase: FigurePhase
    low_mean: float
    other_mean: float
    apart: Measured


def low_bound(scores: "pd.Series[float]") -> float:
    """The score up to which a report counts as low: the address's, else the lowest quarter's bound."""
    try:
        asked = float(parameter("low"))
    except ValueError:
        asked = -1.0
    return asked if 0 <= asked <= 1 else round(float(scores.quantile(0.25)), 2)


def wrong_section(chosen: Chosen) -> float | None:
    """Draws the section; gives the bound of a low score, None where nothing is graded."""
    rows, grader, runs = chosen.rows, chosen.grader, chosen.runs
    scored = rows[rows["score"].notna()] if grader else rows.iloc[0:0]
    if scored.empty:
        figures.nothing_here("No grade yet.", remedy="Grade a run on the Graders page, or with `workbench grade`.")
        return None
    begin = low_bound(scored["score"])
    # Its key follows the address, so that Back brings the bound back too.
    bound = st.slider("A low grade is one up to", 0.0, 1.0, begin, 0.01, key=f"phases-low-{begin:g}")
    if bound != begin:
        rerun_at({"low": f"{bound:g}"})
    low = scored["score"] <= bound
    where = {"run": join_names(runs)} if runs else {}
    n_low = int(low.sum())
    left, right = st.columns([5, 2], vertical_alignment="center")
    left.markdown(f"**{n_low:,} of {len(scored):,}** :gray[graded reports have a score up to {bound:g}]")
    with right:
        routes.link("trajectories", "Show them →", max=f"{bound:g}", grader=grader or "", **where)
    if n_low in (0, len(scored)):
        figures.nothing_here("All grades lie on one side of this bound.", remedy="Move the bound.")
        return bound
    plot, table = st.columns([5, 4], gap="large")
    with plot:
        st.subheader("Low-graded reports against others on the same question")
        _plot(derived((*chosen.key, "apart", bound), lambda: differences(scored, low)))
    with table:
        st.subheader("What a class of citations costs")
        _costs(derived((*chosen.key, "costs"), lambda: costs(scored)), grader or "", where)
    return bound


def differences(scored: "pd.DataFrame", low: "pd.Series[bool]") -> list[Difference]:
    """Every figure that varies, research first, the widest apart first within a phase."""
    marked, questions = low.to_numpy(dtype=bool), data.question_codes(scored)
    figures_, parts = [], []
    for name, (words, phase, _) in FIGURES.items():
        values = scored[name].to_numpy(dtype=float)
        known = ~np.isnan(values)
        deviation = float(values[known].std(ddof=1)) if known.sum() > 1 else 0.0
        if name in _LEFT_OUT or deviation == 0 or not (marked & known).any() or not (~marked & known).any():
            continue
        means = float(values[marked & known].mean()), float(values[~marked & known].mean())
        figures_.append((name, words, phase, *means))
        parts.append(within_part(values / deviation, marked, questions))
    apart = ratio_intervals(parts, seed=data.SEED, resamples=1000)
    found = [Difference(*figure, measured) for figure, measured in zip(figures_, apart, strict=True)]
    return sorted(found, key=lambda d: (d.phase, -abs(d.apart.value if isinstance(d.apart, Estimate) else 0.0)))


def _plot(found: list[Difference]) -> None:
    import plotly.graph_objects as go

    figure = go.Figure()
    known = [(one, one.apart) for one in found if isinstance(one.apart, Estimate)]
    if not known:
        st.markdown(":gray[No question has both low-graded reports and others, so nothing can be compared.]")
        return
    for phase, colour in _COLOUR.items():
        own = [(one, apart) for one, apart in known if one.phase == phase]
        figure.add_scatter(
            x=[apart.value for _, apart in own],
            y=[one.words for one, _ in own],
            mode="markers",
            name=phase,
            marker={"size": 10, "color": colour, "symbol": "circle" if phase == "research" else "diamond"},
            error_x=_bars([apart for _, apart in own], colour),
            customdata=[[one.low_mean, one.other_mean, apart.n] for one, apart in own],
            hovertemplate="%{y}: mean %{customdata[0]:,.2f} when low, %{customdata[1]:,.2f} otherwise, "
            "n=%{customdata[2]}<extra></extra>",
        )
    figure.add_vline(x=0, line_color=theme.GREY, line_width=1)
    figure.update_yaxes(autorange="reversed", automargin=True)
    figure.update_layout(margin={"l": 8, "r": 8, "t": 30, "b": 44})
    axis = "standard deviations: left, low-graded reports have less of it; right, more"
    plots.show(plots.dress(figure, height=104 + 25 * len(known), x=axis), key="phases-apart")
    st.caption(
        f"Within questions, so a hard question is no cause; 95 % intervals, bootstrap over them, seed {data.SEED}."
        " What goes with a low grade need not be what caused it: the Diagnosis page rewrites reports to find out."
    )


def _bars(found: list[Estimate], colour: str) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [0.0 if e.high is None else e.high - e.value for e in found],
        "arrayminus": [0.0 if e.low is None else e.value - e.low for e in found],
        "thickness": 1.5,
        "color": colour,
    }


@dataclass(frozen=True, slots=True)
class Cost:
    """A class of citations: reports with one, their mean score and the others', the difference on the same question,
    and how much of the mean score that takes (share of reports times difference)."""

    retrieval: Retrieval
    n: int
    with_mean: float
    without_mean: float | None
    apart: Measured
    of_the_mean: float | None


def costs(scored: "pd.DataFrame") -> list[Cost]:
    """The classes that some report has."""
    scores, questions = scored["score"].to_numpy(dtype=float), data.question_codes(scored)
    some = {name: scored[f"retrieval_{name}"].to_numpy() > 0 for name in RETRIEVALS}
    some = {name: has for name, has in some.items() if has.any()}
    parts = [within_part(scores, has, questions) for has in some.values()]
    found = []
    for (name, has), apart in zip(some.items(), ratio_intervals(parts, seed=data.SEED, resamples=1000), strict=True):
        n = int(has.sum())
        without = None if n == len(scored) else float(scores[~has].mean())
        cost = apart.value * n / len(scored) if isinstance(apart, Estimate) else None
        found.append(Cost(name, n, float(scores[has].mean()), without, apart, cost))
    return found


def _costs(found: list[Cost], grader: str, where: dict[str, str]) -> None:
    if not found:
        st.markdown(":gray[None of these reports cites anything.]")
        return
    lines = "".join(
        f"<tr><td><span class='c {one.retrieval}'>[n]</span> {escaped(theme.RETRIEVAL_WORDS[one.retrieval])}</td>"
        f"<td class='n'>{one.n:,}</td><td class='n'><b>{one.with_mean:.2f}</b></td>"
        f"<td class='n'>{'none' if one.without_mean is None else f'{one.without_mean:.2f}'}</td>"
        f"<td class='n'>{_signed(one.apart)}</td>"
        f"<td class='n'>{'·' if one.of_the_mean is None else f'<b>{one.of_the_mean:+.3f}</b>'}</td></tr>"
        for one in found
    )
    heads = ("at least one citation", "reports", "score", "without", "on the same question", "of the mean")
    head = f"<th>{heads[0]}</th>" + "".join(f"<th class='n'>{title}</th>" for title in heads[1:])
    st.html(f"<table class='wbp'><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>")
    columns = st.columns(len(found))
    for column, one in zip(columns, found, strict=True):
        with column:
            words = theme.RETRIEVAL_WORDS[one.retrieval]
            routes.link("trajectories", f"{plain(words)} →", retrieval=one.retrieval, grader=grader, **where)
    st.caption(
        "On the same question: score with minus score without. Of the mean: what the mean score of all reports would "
        "gain or lose if the difference were the class's doing."
    )


def _signed(found: Measured) -> str:
    if not isinstance(found, Estimate):
        return f"<span title='{escaped(found.reason)}'>not measured</span>"
    bounds = "" if found.low is None or found.high is None else f" <small>[{found.low:+.2f}, {found.high:+.2f}]</small>"
    return f"<b>{found.value:+.2f}</b>{bounds}"
