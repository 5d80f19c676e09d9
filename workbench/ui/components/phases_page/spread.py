"""How figures spread over the trajectories of each run: the middle, the tails, and the rows at the end of them."""

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import streamlit as st

from workbench.stats.estimate import Estimate, Measured
from workbench.stats.quantiles import fewest_clusters, quantile_intervals
from workbench.ui import data, routes, theme
from workbench.ui.components import figures, plots
from workbench.ui.components.choice import one_of
from workbench.ui.components.phases_page.rows import FIGURES, SPREAD_FIGURES, Chosen
from workbench.ui.components.text import escaped, plain, short
from workbench.ui.kept import derived
from workbench.ui.session import join_names

if TYPE_CHECKING:
    import pandas as pd

QUANTILES: Final = (0.5, 0.9, 0.99)
RESAMPLES: Final = 500
MOST_RUNS: Final = 24
_MEASURING: Final = "Measuring the tails …"


def spread_section(chosen: Chosen) -> None:
    rows = chosen.rows
    traced = rows[rows["steps"] > 0]
    runs = sorted(traced["run"].unique())
    if traced.empty:
        figures.nothing_here(
            "No trajectory here has a trace: what these agents did is not known.",
            remedy="Import the trajectories themselves, not their reports alone.",
        )
        return
    shown = runs[:MOST_RUNS]
    alone = sorted(set(rows["run"].unique()) - set(runs))
    if alone:
        st.caption(f"Without a trace, so not here: {plain(', '.join(alone))}")
    if len(runs) > len(shown):
        st.caption(f"{len(shown)} of {len(runs)} runs are drawn; choose runs above to see others.")
    plots.show(_lanes(traced, shown), key="phases-lanes")
    words = {key: FIGURES[key][0] for key in SPREAD_FIGURES}
    name = one_of("figure", words, label="Figure", key="phases-figure")
    _table(traced, shown, name, chosen)


def _lanes(rows: "pd.DataFrame", runs: list[str]) -> Any:
    """A small chart a figure, a lane a run: line to the 1st and 99th percentile, bar of the middle half, dot of the
    median, tick of the 90th percentile."""
    from plotly.subplots import make_subplots

    figure = make_subplots(cols=len(SPREAD_FIGURES), rows=1, shared_yaxes=True, horizontal_spacing=0.018)
    names = [escaped(short(run, 28)) for run in runs]
    for column, name in enumerate(SPREAD_FIGURES, start=1):
        marks: dict[str, list[float | None]] = {q: [] for q in ("1", "25", "50", "75", "90", "99")}
        for run in runs:
            values = rows.loc[rows["run"] == run, name].dropna().to_numpy(dtype=float)
            for q, own in marks.items():
                own.append(float(np.percentile(values, int(q))) if values.size else None)
        for low, high, width, opacity in (("1", "99", 2, 0.35), ("25", "75", 9, 0.35)):
            x, y = _segments(marks[low], marks[high], names)
            line = {"color": theme.BLUE, "width": width}
            figure.add_scatter(
                x=x,
                y=y,
                mode="lines",
                line=line,
                opacity=opacity,
                showlegend=False,
                hoverinfo="skip",
                col=column,
                row=1,
            )
        hover = "%{y}: %{x:,.0f}<extra>" + FIGURES[name][0] + ", %{data.name}</extra>"
        for q, words, marker in (
            ("50", "median", {"size": 9, "color": theme.BLUE, "line": {"width": 1.5, "color": "white"}}),
            ("90", "90th percentile", {"size": 9, "symbol": "line-ns", "line": {"width": 2, "color": theme.BLUE}}),
            ("99", "99th percentile", {"size": 7, "symbol": "diamond-open", "color": theme.BLUE}),
        ):
            figure.add_scatter(
                x=marks[q],
                y=names,
                mode="markers",
                marker=marker,
                name=words,
                legendgroup=q,
                showlegend=column == 1,
                hovertemplate=hover,
                col=column,
                row=1,
            )
    plots.dress(figure, height=112 + 30 * len(runs))
    for column, name in enumerate(SPREAD_FIGURES, start=1):
        figure.update_xaxes(title_text=FIGURES[name][0], rangemode="tozero", col=column, nticks=5)
    figure.update_yaxes(autorange="reversed", automargin=True, title_text="")
    figure.update_layout(margin={"l": 8, "r": 8, "t": 34, "b": 44})
    return figure


def _segments(
    low: list[float | None], high: list[float | None], names: list[str]
) -> tuple[list[float | None], list[str | None]]:
    x: list[float | None] = []
    y: list[str | None] = []
    for a, b, name in zip(low, high, names, strict=True):
        x += [a, b, None]
        y += [name, name, None]
    return x, y


def _table(rows: "pd.DataFrame", runs: list[str], name: str, chosen: Chosen) -> None:
    words, _, sort = FIGURES[name]
    head = "".join(
        f"<th class='n'>{title}</th>" for title in ("n", "median", "90th percentile", "99th percentile", "largest")
    )
    lines = []
    for run in runs:
        mine = rows[(rows["run"] == run) & rows[name].notna()]
        if mine.empty:
            continue
        values = mine[name].astype(float)
        found = derived((*chosen.key, "quantiles", run, name), partial(_quantiles, mine, name), doing=_MEASURING)
        cells = "".join(f"<td class='n'>{_cell(one)}</td>" for one in found)
        lines.append(
            f"<tr><td>{escaped(run)}</td><td class='n'>{len(mine):,}</td>{cells}"
            f"<td class='n'><b>{values.max():,.0f}</b></td></tr>"
        )
    head = f"<thead><tr><th>{escaped(words)}</th>{head}</tr></thead>"
    st.html(f"<table class='wbp'>{head}<tbody>{''.join(lines)}</tbody></table>")
    least = [fewest_clusters(q) for q in QUANTILES]
    st.caption(
        f"In brackets the 95 % interval: bootstrap over questions, {RESAMPLES} resamples, seed {data.SEED}. It "
        f"takes {least[0]}, {least[1]} and {least[2]} questions: with fewer none of them need lie beyond that point."
    )
    columns = st.columns(min(len(runs), 5))
    for place, run in enumerate(runs):
        with columns[place % len(columns)]:
            by = {"sort": sort, "desc": "1"} if sort else {}
            grading = {"grader": chosen.grader} if chosen.grader else {}
            label = f"{plain(short(run, 18))}: {'largest first' if sort else 'rows'} →"
            routes.link("trajectories", label, run=join_names([run]), **by, **grading)


def _cell(found: Measured) -> str:
    if not isinstance(found, Estimate):
        return f"<span title='{escaped(found.reason)}'>not measured</span>"
    digits = 1 if found.value < 10 and found.value != int(found.value) else 0
    bounds = ""
    if found.low is not None and found.high is not None:
        bounds = f" <small>[{found.low:,.{digits}f}, {found.high:,.{digits}f}]</small>"
    return f"<b>{found.value:,.{digits}f}</b>{bounds}"


def _quantiles(rows: "pd.DataFrame", name: str) -> tuple[Measured, ...]:
    values = rows[name].to_numpy(dtype=float)
    return quantile_intervals(values, QUANTILES, data.question_codes(rows), seed=data.SEED, resamples=RESAMPLES)
