"""Reports judged in pairs: who wins, by how much, and how far order and length decide."""

from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from workbench.ui import routes, theme
from workbench.ui.components import figures, plots
from workbench.ui.components.text import escaped, plain
from workbench.ui.session import store, store_url

if TYPE_CHECKING:
    from graders.pair_runner import Pair
    from workbench.schema.grade import PairGrade

LISTED: Final = 20


def panel(grader: str) -> None:
    name, _, version = grader.partition("@")
    n = store().pairs.counts().get(version, 0)
    judged = _judged(store_url(), version, n)
    if not judged:
        figures.nothing_here(
            "This grader has judged no pair.", remedy=f"`workbench compare --grader {name} --runs A B` compares runs."
        )
        return
    summary = _summary(store_url(), version, n)
    figures.strip(
        [
            figures.Figure(f"{len(judged):,}", "judgments", f"{len({p.question_id for p, _ in judged})} questions"),
            _figure(summary["order_consistency"], "same verdict in both orders", "without any bias 1"),
            _figure(summary["first_shown_wins"], "the report shown first wins", "without a position bias 0.50"),
            _figure(summary["longer_wins"], "the longer report wins", "not wrong by itself"),
        ]
    )
    if summary["position_bias"] != "not shown":
        figures.verdict(f"This judge prefers the report shown {summary['position_bias']}.", tone="warn")
    for table in summary["runs"]:
        _table(table)
    _doubtful(judged)


@st.cache_data(ttl=60, show_spinner="Reading the judgments …", max_entries=16)
def _judged(_url: str, version: str, _n: int) -> "tuple[tuple[Pair, PairGrade], ...]":
    from graders.pair_stored import stored_pairs

    return stored_pairs(store(), version)


@st.cache_data(ttl=60, show_spinner="Measuring …", max_entries=16)
def _summary(url: str, version: str, n: int) -> dict[str, Any]:
    from graders.pair_summary import summarise

    return dict(summarise(_judged(url, version, n)))


def _figure(found: dict[str, Any], label: str, note: str) -> figures.Figure:
    if found["value"] is None:
        return figures.Figure("not measured", label, found["reason"])
    return figures.Figure(f"{found['value']:.2f}", label, f"{_bounds(found)}n={found['n']:,}, {note}")


def _bounds(found: dict[str, Any]) -> str:
    return "" if found["low"] is None or found["high"] is None else f"[{found['low']:.2f}, {found['high']:.2f}] "


def _table(table: dict[str, Any]) -> None:
    """Two runs: overall and by dimension, each as a share of wins around one half."""
    import plotly.graph_objects as go

    first, second = table["first"], table["second"]
    st.subheader(f"{plain(first)} against {plain(second)}")
    undecided = "".join(f", {table[name]} {name}" for name in ("failed", "abstained") if table[name])
    st.markdown(f"{table['wins']} wins, {table['ties']} ties, {table['losses']} losses{undecided}")
    rows = {"overall": table["win_share"], **table["dimensions"]}
    shown = {name: found for name, found in rows.items() if found["value"] is not None}
    if not shown:
        st.markdown(f":gray[not measured: {plain(table['win_share']['reason'])}]")
        return
    figure = go.Figure()
    figure.add_scatter(
        x=[found["value"] for found in shown.values()],
        y=[escaped(f"{name.replace('_', ' ')} (n={found['n']})") for name, found in shown.items()],
        mode="markers",
        marker={"size": 10, "color": theme.SERIES[0]},
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [(found["high"] if found["high"] is not None else found["value"]) - found["value"]
                      for found in shown.values()],
            "arrayminus": [found["value"] - (found["low"] if found["low"] is not None else found["value"])
                           for found in shown.values()],
        },
        showlegend=False,
    )  # fmt: skip
    figure.add_vline(x=0.5, line={"color": theme.LINE, "dash": "dot"})
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(range=[0, 1])
    words = f"share won by {first} (0.5: even; 95% interval over questions)"
    plots.show(plots.dress(figure, height=90 + 34 * len(shown), x=words), key=f"pairs-{first!a}-{second!a}")


def _doubtful(judged: "tuple[tuple[Pair, PairGrade], ...]") -> None:
    """Where to read: pairs whose verdict turned with the order, then those without a verdict."""
    turned = [(pair, "turned with the order") for pair, grade in judged if grade.consistent is False]
    unread = [(pair, f"{grade.outcome}: {grade.reason}") for pair, grade in judged if grade.outcome != "scored"]
    listed = [*turned, *unread]
    if not listed:
        return
    st.subheader("Where to read")
    for pair, why in listed[:LISTED]:
        words, left, right = st.columns([4, 2, 2], vertical_alignment="center")
        words.markdown(f"{plain(why[:300])}  :gray[{plain(pair.question_id)}]")
        runs = (pair.runs[1], pair.runs[0]) if pair.swapped else pair.runs
        for place, run, identifier in ((left, runs[0], pair.left), (right, runs[1], pair.right)):
            with place:
                routes.link("trajectory", f"{plain(run)} →", id=identifier)
    if len(listed) > LISTED:
        st.caption(f"{LISTED} of {len(listed):,} pairs")
