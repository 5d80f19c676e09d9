"""A run on the Overview: its figures with their intervals, how its effort splits, what holds it back."""

from collections.abc import Mapping
from typing import Final

import streamlit as st

from workbench.schema.analysis import PHASES, Phase
from workbench.stats.estimate import Estimate, Measured
from workbench.store import RunSummary
from workbench.ui import routes
from workbench.ui.components import figures
from workbench.ui.components.overview.summary import MEANS, SPLITS, RunFigures
from workbench.ui.components.text import escaped, plain
from workbench.ui.session import join_names

_MIDDLE: Final = 0.07  # a narrower part of a bar has no room for its number


def run_card(run: RunSummary, found: RunFigures, grader: str | None) -> None:
    here = {"run": join_names([run.name])} | ({"grader": grader} if grader else {})
    with st.container(border=True):
        left, right = st.columns([5, 1], vertical_alignment="center")
        mark = " · simulated" if run.simulated else ""
        left.markdown(f"**{plain(run.name)}**  :gray[{plain(run.model)}{mark} · {found.n_questions:,} questions]")
        with right:
            routes.link("trajectories", f"{found.n:,} trajectories →", **here)
        means, splits = st.columns([5, 4], gap="large")
        with means:
            figures.strip([_mean(*found.means[column], label, digits) for column, label, digits in MEANS])
        splits.html(f"<div class='wbo-splits'>{''.join(_split(found, split) for split in SPLITS)}</div>")
        sentence, link = st.columns([5, 1], vertical_alignment="center")
        sentence.html(f"<p class='wbo-back'>{escaped(found.sentence)}</p>")
        if found.where:
            with link:
                routes.link("trajectories", "Show them →", **here, **found.where)


def _mean(found: Measured, missing: int, label: str, digits: int) -> figures.Figure:
    if not isinstance(found, Estimate):
        return figures.Figure("not measured", label)
    bounds = ""
    if found.low is not None and found.high is not None:
        bounds = f"[{found.low:,.{digits}f}, {found.high:,.{digits}f}] "
    without = f", {missing:,} without" if missing else ""
    return figures.Figure(f"{found.value:,.{digits}f}", label, f"{bounds}n={found.n:,}{without}")


def _split(found: RunFigures, split: str) -> str:
    shares = found.shares[split]
    label = f"<span>{escaped(SPLITS[split])}</span>"
    if not all(isinstance(share, Estimate) for share in shares.values()):
        return f"<div>{label}<em>not recorded</em></div>"
    parts = "".join(_part(phase, shares[phase]) for phase in PHASES)
    return f"<div>{label}<b role='img' aria-label='{escaped(_in_words(shares))}'>{parts}</b></div>"


def _part(phase: Phase, share: Measured) -> str:
    if not isinstance(share, Estimate) or share.value <= 0:
        return ""
    words = f"{phase} {_percent(share)}"
    inside = f"{phase} {share.value:.0%}" if share.value > 4 * _MIDDLE else f"{share.value:.0%}"
    shown = inside if share.value > _MIDDLE else ""
    return f"<i class='{phase}' style='flex-grow:{share.value:.4f}' title='{escaped(words)}'>{shown}</i>"


def _in_words(shares: Mapping[Phase, Measured]) -> str:
    return ", ".join(f"{phase} {_percent(share)}" for phase, share in shares.items())


def _percent(share: Measured) -> str:
    if not isinstance(share, Estimate):
        return "not measured"
    bounds = "" if share.low is None or share.high is None else f" [{share.low:.1%}, {share.high:.1%}]"
    return f"{share.value:.1%}{bounds}, n={share.n:,}"
