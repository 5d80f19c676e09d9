"""Plotly figures in one dress: quiet axes, no tool bar, the theme's colours."""

from typing import Any

import streamlit as st

from workbench.ui import theme
from workbench.ui.components.text import escaped

CONFIG = {"displayModeBar": False, "displaylogo": False, "responsive": True}


def dress(figure: Any, *, height: int = 300, x: str = "", y: str = "") -> Any:
    """The common layout; axis titles carry their units and are shown as they are, whatever they hold."""
    ink, mute, line, card = theme.plot_colours()
    figure.update_layout(
        height=height,
        margin={"l": 48, "r": 12, "t": 34, "b": 40},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": "Source Sans, sans-serif", "size": 13, "color": ink},
        colorway=list(theme.SERIES),
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0, "title": None},
        hoverlabel={"bgcolor": card, "font": {"color": ink}},
    )
    axis = {"gridcolor": line, "zerolinecolor": line, "title_font": {"size": 12, "color": mute}}
    figure.update_xaxes(title_text=escaped(x), **axis)
    figure.update_yaxes(title_text=escaped(y), **axis)
    return figure


def show(figure: Any, *, key: str, on_select: bool = False) -> Any:
    """Draws the figure; with `on_select` a click reruns the page and returns Streamlit's selection."""
    if on_select:
        return st.plotly_chart(figure, key=key, config=CONFIG, on_select="rerun", selection_mode="points")
    return st.plotly_chart(figure, key=key, config=CONFIG)
