"""Wins, ties and losses of each model against one of them."""

import streamlit as st

from workbench.human.ratings.baseline import TIES, AgainstBaseline, against_baseline
from workbench.human.votes import CountedVotes
from workbench.ui import theme
from workbench.ui.components import figures, plots
from workbench.ui.components.cells import framed, readable
from workbench.ui.components.text import escaped, plain
from workbench.ui.components.visible import visible
from workbench.ui.kept import fresh
from workbench.ui.session import parameter, set_parameters

WORDS = {"tie": "tie", "both_good": "both good", "both_fair": "both fair", "both_bad": "both bad"}
# Bad from fair from good by lightness too, for print and for eyes that do not tell the hues apart.
COLOURS = {"tie": "#a7b0bf", "both_good": "#8fbf9f", "both_fair": "#c6ccd6", "both_bad": "#d8a9a4"}


def panel(counted: CountedVotes, key: str) -> None:
    names = sorted({name for vote in counted.votes for name in (vote.model_a, vote.model_b)})
    if len(names) < 2:
        figures.nothing_here("One model alone.", remedy="A baseline needs a second one.")
        return
    asked = parameter("baseline")
    place = names.index(asked) if asked in names else 0
    chosen = st.selectbox("Held against", names, index=place, key="baseline", format_func=visible)
    set_parameters({"baseline": None if chosen == names[0] else chosen})
    rows, _ = fresh(("against", key, chosen), lambda: against_baseline(counted.votes, chosen))
    _bars(rows, chosen)
    st.dataframe(readable(framed([_row(row) for row in rows])), hide_index=True)
    st.caption(
        "Win score = (wins + ties / 2) / ballots between the two, 0.5 being even; other pairs play no part. "
        + (f"Interval: {plain(rows[0].win_score.method)}." if rows else "")
    )


def _row(row: AgainstBaseline) -> dict[str, object]:
    found = row.win_score
    return {
        "model": row.name,
        "win score": figures.interval(found.value, found.low, found.high, digits=3),
        "ballots": row.n,
        "wins": row.wins,
        **{WORDS[kind]: row.ties.get(kind, 0) for kind in TIES if kind != "tie" or "tie" in row.ties},
        "losses": row.losses,
    }


def _bars(rows: tuple[AgainstBaseline, ...], baseline: str) -> None:
    import plotly.graph_objects as go

    figure = go.Figure()
    names = [escaped(f"{row.name}  ({row.win_score.value:.2f})") for row in rows]
    kinds = [kind for kind in TIES if any(kind in row.ties for row in rows)]
    series = [
        ("wins", [row.wins for row in rows], theme.BLUE),
        *[(WORDS[kind], [row.ties.get(kind, 0) for row in rows], COLOURS[kind]) for kind in kinds],
        ("losses", [row.losses for row in rows], theme.ORANGE),
    ]
    for label, counts, colour in series:
        figure.add_bar(
            y=names,
            x=[100 * n / row.n for n, row in zip(counts, rows, strict=True)],
            name=label,
            orientation="h",
            marker={"color": colour},
            text=[f"{n}" if n else "" for n in counts],
            textposition="inside",
            insidetextanchor="middle",
            textfont={"color": "#ffffff" if label in ("wins", "losses") else theme.INK},
            hovertemplate=f"{label}: %{{x:.0f}}%<extra></extra>",
        )
    figure.update_layout(barmode="stack", bargap=0.35)
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(range=[0, 100], ticksuffix="%")
    dressed = plots.dress(figure, height=120 + 46 * len(rows), x=f"ballots against {baseline}")
    dressed.update_layout(margin={"l": 190, "r": 12, "t": 40, "b": 40}, legend={"traceorder": "normal"})
    plots.show(dressed, key="against-bars")
