"""Ratings as points with intervals."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from workbench.human.ratings.adjusted import AdjustedTable
from workbench.human.ratings.table import RatingTable
from workbench.ui import theme
from workbench.ui.components import plots
from workbench.ui.components.text import escaped

Row: TypeAlias = tuple[str, float | None, float | None, float | None]


def forest(table: RatingTable, adjusted: AdjustedTable | None) -> None:
    """One line a model with its interval, a second where something is held equal, a cross for the running Elo."""
    import plotly.graph_objects as go

    rated = [row for row in table.ratings if row.rating is not None]
    if not rated:
        return
    names = [row.name for row in rated]
    figure = go.Figure()
    plain_rows = [(row.name, row.rating, row.ci_low, row.ci_high) for row in rated]
    offset = 0.16 if adjusted is not None else 0.0
    _points(figure, names, plain_rows, "by the votes", theme.BLUE, "circle", -offset)
    if adjusted is not None:
        found = [(row.name, row.adjusted.value, row.adjusted.low, row.adjusted.high) for row in adjusted.ratings]
        _points(figure, names, found, "with the chosen held equal", theme.ORANGE, "diamond", offset)
    figure.add_scatter(
        x=[row.running_elo for row in rated],
        y=list(range(len(rated))),
        mode="markers",
        name="running Elo (depends on the order of play)",
        marker={"size": 9, "color": theme.GREY, "symbol": "x-thin", "line": {"width": 2, "color": theme.GREY}},
        hovertemplate="running Elo %{x:.0f}<extra></extra>",
    )
    figure.add_vline(x=1000, line={"color": theme.GREY, "dash": "dot", "width": 1})
    figure.update_yaxes(
        tickvals=list(range(len(names))), ticktext=[escaped(name) for name in names], autorange="reversed"
    )
    words = f"Elo scale, the average model at 1000; lines are {table.level:.0%} intervals"
    dressed = plots.dress(figure, height=120 + 44 * len(rated), x=words)
    dressed.update_layout(margin={"l": 160, "r": 12, "t": 40, "b": 40})
    plots.show(dressed, key="ratings-forest")


def _points(
    figure: Any, names: Sequence[str], rows: "Sequence[Row]",
    label: str, colour: str, symbol: str, offset: float,
) -> None:  # fmt: skip
    kept = [
        (names.index(name), value, low, high) for name, value, low, high in rows if name in names and value is not None
    ]
    figure.add_scatter(
        x=[value for _, value, _, _ in kept],
        y=[row + offset for row, *_ in kept],
        mode="markers",
        name=label,
        marker={"size": 11, "color": colour, "symbol": symbol},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [0.0 if high is None else high - value for _, value, _, high in kept],
            "arrayminus": [0.0 if low is None else value - low for _, value, low, _ in kept],
            "thickness": 1.8,
        },
        hovertemplate="%{x:.0f}<extra></extra>",
    )
