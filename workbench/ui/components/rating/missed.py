"""What people prefer and a grader does not see, each candidate taken over with one click."""

import streamlit as st

from workbench.human.missed import Candidate, Missed, missed_by, read_features
from workbench.human.missed.words import label_of
from workbench.human.votes import CountedVotes
from workbench.schema.ballot import Round
from workbench.stats.estimate import Estimate, Measured, NotMeasured
from workbench.ui import data, theme
from workbench.ui.components import figures, plots
from workbench.ui.components.rating.take_over import buttons, lineage
from workbench.ui.components.text import escaped, plain, short
from workbench.ui.kept import fresh
from workbench.ui.session import store

LISTED = 14


def panel(round_: Round, counted: CountedVotes) -> None:
    grader = data.choose_grader("missed-grader", "What does this grader miss?")
    if grader is None:
        figures.nothing_here(
            "No grader has scored these reports.", remedy="Grade them on the Graders page, or with `workbench grade`."
        )
        return
    found, _ = fresh(("missed", round_.id, grader), lambda: _missed(counted, grader), doing="Reading the reports …")
    if isinstance(found, NotMeasured):
        figures.nothing_here(f"Not measured: {found.reason}.", remedy="More ballots, or grades of these reports.")
        return
    _verdict(found)
    _agreement(found)
    _dots(found)
    kept = [one for one in found.candidates if one.beyond_chance]
    for one in kept:
        _candidate(round_, grader, one)
    st.caption(
        f"{found.n} ballots on reports that {plain(grader)} scored both"
        + (f", {found.n_without} without" if found.n_without else "")
        + f"; {len(found.candidates)} figures tried, each with the grader's score held equal; lines are 95% intervals. "
        "A candidate is one whose interval stays off zero allowing for how many were tried. "
        f"{found.n_models} models: what sets a model apart cannot be told from what else it does."
    )
    lineage(round_)


def _missed(counted: CountedVotes, grader: str) -> Missed | NotMeasured:
    identities = [identity for pair in counted.shown if pair is not None for identity in pair]
    features = read_features(store(), identities, grader)
    return missed_by(counted.votes, counted.shown, features, seed=data.SEED)


def _verdict(found: Missed) -> None:
    kept = [one for one in found.candidates if one.beyond_chance]
    if not kept:
        figures.verdict(
            f"No figure of {len(found.candidates)} goes with people's verdicts beyond the grader's score.",
            small=f"That is not to say that it misses nothing: with {found.n} ballots a small preference is not seen.",
        )
        return
    names = ", ".join(label_of(one.name) for one in kept[:3])
    more = f" and {len(kept) - 3} more" if len(kept) > 3 else ""
    figures.verdict(f"People look at what {found.grader} does not: {names}{more}.", tone="warn")


def _agreement(found: Missed) -> None:
    rows = {"verdict": found.agreement, **found.dimensions}
    figures.strip([_share(one, name.replace("_", " ")) for name, one in rows.items()])
    st.caption("How often the grader's score orders two reports as the rater did, of ballots that prefer one of them.")


def _share(found: Measured, label: str) -> figures.Figure:
    if not isinstance(found, Estimate):
        return figures.Figure("not measured", label, found.reason)
    bounds = "" if found.low is None or found.high is None else f"[{found.low:.0%}, {found.high:.0%}] "
    return figures.Figure(f"{found.value:.0%}", label, f"{bounds}n={found.n}")


def _dots(found: Missed) -> None:
    import plotly.graph_objects as go

    rows = [(one, one.effect) for one in found.candidates if isinstance(one.effect, Estimate)][:LISTED]
    figure = go.Figure()
    for beyond, colour, words in ((True, theme.ORANGE, "candidate"), (False, theme.GREY, "could be chance")):
        mine = [(one, effect) for one, effect in rows if one.beyond_chance is beyond]
        figure.add_scatter(
            x=[100 * effect.value for _, effect in mine],
            y=[escaped(short(f"{label_of(one.name)} ({one.kind})", 60)) for one, _ in mine],
            mode="markers",
            name=words,
            marker={"size": 10, "color": colour, "symbol": "diamond" if beyond else "circle"},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [100 * ((e.high if e.high is not None else e.value) - e.value) for _, e in mine],
                "arrayminus": [100 * (e.value - (e.low if e.low is not None else e.value)) for _, e in mine],
                "thickness": 1.5,
            },
            hovertemplate="%{x:+.0f} points<extra></extra>",
        )
    figure.add_vline(x=0, line={"color": theme.GREY, "dash": "dot", "width": 1})
    order = [escaped(short(f"{label_of(one.name)} ({one.kind})", 60)) for one, _ in rows]
    figure.update_yaxes(autorange="reversed", categoryorder="array", categoryarray=order)
    words = "points of preference for a report one standard deviation ahead, the grader's score equal"
    dressed = plots.dress(figure, height=120 + 26 * len(rows), x=words)
    dressed.update_layout(margin={"l": 260, "r": 12, "t": 40, "b": 44})
    plots.show(dressed, key="missed-dots")
    if len(found.candidates) > len(rows):
        st.markdown(f":gray[{len(rows)} of {len(found.candidates)} figures, the largest first]")


def _candidate(round_: Round, grader: str, one: Candidate) -> None:
    with st.container(border=True):
        text, acts = st.columns([6, 5], vertical_alignment="center")
        effect = one.effect
        if isinstance(effect, Estimate):
            direction = "more" if effect.value > 0 else "less"
            bounds = figures.interval(
                100 * effect.value,
                None if effect.low is None else 100 * effect.low,
                None if effect.high is None else 100 * effect.high,
                digits=0,
            )
            text.markdown(f"**{plain(label_of(one.name))}**: people prefer {direction} of it, {bounds} points of 100.")
        together = one.together
        said = f"{100 * together.value:+.0f} points" if isinstance(together, Estimate) else together.text()
        text.markdown(f":gray[with the other candidates held equal: {plain(said)}]")
        with acts:
            buttons(round_, grader, one)
