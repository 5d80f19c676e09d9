"""Plots of agreement: reliability, confusion, and a figure by dimension."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from workbench.stats.estimate import Estimate, Measured
from workbench.ui import theme
from workbench.ui.components import plots
from workbench.ui.components.text import escaped, short

if TYPE_CHECKING:
    from workbench.stats.calibration import Calibrated
    from workbench.stats.confusion import Confusion


def error_bars(found: list[Estimate]) -> dict[str, Any]:
    """Plotly's asymmetric error bars; none where there is no interval."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [(one.high if one.high is not None else one.value) - one.value for one in found],
        "arrayminus": [one.value - (one.low if one.low is not None else one.value) for one in found],
        "thickness": 1.2,
    }


def reliability(found: "Calibrated", x: str, y: str) -> None:
    """Prediction against what the reference said, before and after, with intervals over questions."""
    import plotly.graph_objects as go

    figure = go.Figure()
    figure.add_scatter(
        x=[0, 1], y=[0, 1], mode="lines", line={"color": theme.GREY, "dash": "dot"}, showlegend=False, hoverinfo="skip"
    )
    sides = (("as it is", found.before, theme.ORANGE, "diamond"), ("calibrated", found.after, theme.BLUE, "circle"))
    for name, side, colour, symbol in sides:
        known = [(row, row.observed) for row in side.bins if isinstance(row.observed, Estimate)]
        figure.add_scatter(
            x=[row.predicted for row, _ in known],
            y=[one.value for _, one in known],
            mode="markers+lines",
            name=name,
            line={"width": 1, "color": colour},
            marker={"size": [_size(one.n) for _, one in known], "color": colour, "symbol": symbol},
            error_y=error_bars([one for _, one in known]),
            customdata=[one.n for _, one in known],
            hovertemplate="says %{x:.3f}, is %{y:.3f}, n=%{customdata}<extra></extra>",
        )
    figure.update_xaxes(range=[-0.03, 1.03])
    figure.update_yaxes(range=[-0.03, 1.03])
    plots.show(
        plots.dress(figure, height=380, x=f"{x} (bins of equal count)", y=y),
        key="agreement-reliability",
    )


def _size(n: int) -> float:
    """A bin of few items is drawn small: equal scores stay together, so bins are not all of one count."""
    return min(12.0, 3.0 + math.sqrt(n))


def confusion_map(table: "Confusion", mine: str, theirs: str) -> None:
    """Counts, coloured by their share of the row: of what the reference calls so, how the grader calls it."""
    import plotly.graph_objects as go

    names = [escaped(short({"False": "not good", "True": "good"}.get(name, name), 24)) for name in table.categories]
    places = list(range(len(names)))
    counts = table.counts.astype(float)
    totals = counts.sum(axis=1, keepdims=True)
    shares = counts / totals.clip(min=1)
    figure = go.Figure(
        go.Heatmap(
            z=shares,
            x=places,
            y=places,
            zmin=0,
            zmax=1,
            colorscale=[[0, "#ffffff"], [1, theme.BLUE]],
            showscale=False,
            customdata=counts,
            hovertemplate="%{customdata:.0f}, %{z:.0%} of the row<extra></extra>",
            xgap=2,
            ygap=2,
        )
    )
    for i, row in enumerate(table.counts):
        for j, count in enumerate(row):
            figure.add_annotation(
                x=j,
                y=i,
                text=f"<b>{int(count):,}</b><br>{shares[i][j]:.0%}" if totals[i][0] else "0",
                showarrow=False,
                font={"color": "#ffffff" if shares[i][j] > 0.55 else theme.INK, "size": 12},
            )
    figure.update_yaxes(autorange="reversed", tickvals=places, ticktext=names, showgrid=False)
    figure.update_xaxes(tickvals=places, ticktext=names, showgrid=False)
    dressed = plots.dress(
        figure, height=130 + 62 * len(names), x=f"verdict of {escaped(mine)}", y=f"verdict of {escaped(theirs)}"
    )
    dressed.update_layout(margin={"l": 110, "r": 12, "t": 12, "b": 48})
    plots.show(dressed, key="agreement-confusion")


def dots(rows: Mapping[str, Measured], ceiling: Measured, x: str) -> None:
    """A figure by dimension with its interval; the shaded band is how far people agree with each other."""
    import plotly.graph_objects as go

    shown = [(name, one) for name, one in rows.items() if isinstance(one, Estimate)]
    if not shown:
        return
    figure = go.Figure()
    figure.add_scatter(
        x=[one.value for _, one in shown],
        y=[escaped(f"{name} (n={one.n})") for name, one in shown],
        mode="markers",
        marker={"size": 10, "color": theme.SERIES[0]},
        error_x=error_bars([one for _, one in shown]),
        showlegend=False,
    )
    if isinstance(ceiling, Estimate) and ceiling.low is not None and ceiling.high is not None:
        figure.add_vrect(x0=ceiling.low, x1=ceiling.high, fillcolor=theme.GREEN, opacity=0.10, line_width=0)
        figure.add_vline(x=ceiling.value, line={"color": theme.GREEN, "dash": "dash"})
        x += "; green: one rater with the others"
    figure.add_vline(x=0.5, line={"color": theme.GREY, "dash": "dot"})
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(range=[0.3, 1.0] if min(one.low or 0.0 for _, one in shown) > 0.32 else [0, 1])
    plots.show(plots.dress(figure, height=110 + 34 * len(shown), x=x), key="agreement-dimensions")
