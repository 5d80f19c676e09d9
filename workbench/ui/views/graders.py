"""Graders: what made each number, how good it is against gold, and where its scores lie."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import streamlit as st

from workbench.schema.grade import GraderRole
from workbench.stats.estimate import Estimate, Measured
from workbench.store import GraderSummary
from workbench.ui import data, routes
from workbench.ui.components import figures
from workbench.ui.components.grades import (
    agreement,
    citations,
    criteria,
    disagreements,
    failures,
    noise,
    pairs,
    scores,
    start,
)
from workbench.ui.components.text import plain
from workbench.ui.components.visible import visible
from workbench.ui.session import parameter, set_parameters, store, store_url

if TYPE_CHECKING:
    from graders.quality import GraderQuality

GOLD: Final = "gold"
KIND_WORDS: Final = {
    "llm": "a language model by API",
    "local_model": "a small local language model",
    "deterministic": "a formula, no model",
    "learned": "a model learned from gold",
    "gold": "gold: knows the simulated world's truth",
    "callable": "your own code",
    None: "not registered",
}

ROLE_WORDS: Final[Mapping[GraderRole, str]] = {
    "independent": "independent judge: no training sees it",
    "training": "a reward was made of it",
}
PANELS: Final[Mapping[str, Callable[[str], None]]] = {
    "scores": scores.panel,
    "criteria": criteria.panel,
    "agreement": agreement.panel,
    "rerun noise": noise.panel,
    "disagreements": disagreements.panel,
    "failures": failures.panel,
}


def page() -> None:
    st.title("Graders")
    figures.simulated_mark(data.any_simulated())
    start.form(expanded=not store().grades.graders())
    summaries = sorted(store().grades.graders(), key=lambda found: (-found.n_scored, found.name))
    if not summaries:
        figures.nothing_here(
            "Nothing was graded yet.",
            remedy="Start a grading above, or `workbench grade --grader citations --run RUN`.",
        )
        return
    roles, compared = store().grades.roles(), store().pairs.counts()
    for newest, *older in _by_name(summaries):
        _card(newest, roles.get(newest.version), compared.get(newest.version, 0))
        if older:
            with st.expander(
                f"{len(older)} older {'version' if len(older) == 1 else 'versions'} of {plain(newest.name)}"
            ):
                for summary in older:
                    _card(summary, roles.get(summary.version), compared.get(summary.version, 0))
    _one(summaries, compared)


def _by_name(summaries: Sequence[GraderSummary]) -> list[list[GraderSummary]]:
    """Versions of one name together, the newest first; names in the order of `summaries`."""
    names: dict[str, list[GraderSummary]] = {}
    for summary in summaries:
        names.setdefault(summary.name, []).append(summary)
    for name, versions in names.items():
        if len(versions) > 1:
            newest = {version: place for place, version in enumerate(store().grades.versions(name))}
            versions.sort(key=lambda found: newest.get(found.version, len(newest)))
    return list(names.values())


def _card(summary: GraderSummary, role: GraderRole | None, n_pairs: int) -> None:
    """What made the numbers and how good it is, before any of the numbers."""
    with st.container(border=True):
        kind = KIND_WORDS.get(summary.kind, summary.kind)
        name, open_ = st.columns([5, 1], vertical_alignment="center")
        says = f" · {ROLE_WORDS[role]}" if role else ""
        name.markdown(f"**{plain(summary.name)}**  :gray[@{summary.version[:8]} · {kind}{says}]")
        with open_:
            routes.link("graders", "open ↓", grader=f"{summary.name}@{summary.version}")
        if n_pairs and not _gave_grades(summary):
            figures.strip(
                [figures.Figure(f"{n_pairs:,}", "pairs of reports judged", "it gives no score to one report")]
            )
            return
        cost = "unknown" if summary.cost_usd is None else f"{summary.cost_usd:.4f} USD"
        shown = [] if summary.kind == GOLD else _against_gold(summary)
        shown += [
            figures.Figure("not measured" if summary.mean_score is None else f"{summary.mean_score:.3f}", "mean score"),
            figures.Figure(f"{summary.n_scored:,}", "scored"),
            figures.Figure(f"{summary.n_abstained:,}", "abstained"),
            figures.Figure(f"{summary.n_failed:,}", "failed, never a score"),
            figures.Figure(cost, "cost", f"{summary.n_unpriced:,} without a price" if summary.n_unpriced else ""),
        ]
        figures.strip(shown)


def _gave_grades(summary: GraderSummary) -> bool:
    return bool(summary.n_scored + summary.n_abstained + summary.n_failed)


def _one(summaries: Sequence[GraderSummary], compared: Mapping[str, int]) -> None:
    """Everything of one version; which one and which panel stand in the address."""
    st.header("One grader")
    options = {f"{s.name}@{s.version}": f"{s.name} @{s.version[:8]}" for s in summaries}
    keys = list(options)
    asked = parameter("grader")
    index = next((place for place, key in enumerate(keys) if asked and key.startswith(asked)), 0)
    grader = st.selectbox(
        "Grader", keys, index=index, format_func=lambda key: visible(options[key]), key=f"one-{keys[index]!a}"
    )
    chosen = next(summary for summary in summaries if f"{summary.name}@{summary.version}" == grader)
    panels = dict(PANELS) if _gave_grades(chosen) or not compared.get(chosen.version) else {}
    if citations.checks_citations(chosen.name):
        panels = {"citations": citations.panel, **panels}
    if compared.get(chosen.version):
        panels["pairs"] = pairs.panel
    first, view = next(iter(panels)), parameter("view")
    panel = st.segmented_control(
        "Shown",
        list(panels),
        default=view if view in panels else first,
        key=f"graders-view-{'-'.join(panels)}",
        label_visibility="collapsed",
    )
    set_parameters({"grader": grader, "view": panel})
    panels[panel or first](grader)


def _against_gold(summary: GraderSummary) -> list[figures.Figure]:
    """How good the grader is where gold is known: chance is one half for both figures."""
    found = _quality(store_url(), summary.name, summary.version, summary.n_scored)
    left_out = f", {found.in_sample} in-sample left out" if found.in_sample else ""
    return [
        _quality_figure(found.auc, f"AUC against gold >= {found.good_from:g}", f"reports{left_out}"),
        _quality_figure(found.pairs, "pairs ordered as gold does", "pairs"),
    ]


@st.cache_data(ttl=60, show_spinner="Measuring against gold …", max_entries=64)
def _quality(_url: str, name: str, version: str, _n_scored: int) -> "GraderQuality":
    from graders.quality import measure_quality

    return measure_quality(store(), name, version)


def _quality_figure(found: Measured, label: str, unit: str) -> figures.Figure:
    if not isinstance(found, Estimate):
        return figures.Figure("not measured", label, found.reason)
    bounds = "" if found.low is None or found.high is None else f"[{found.low:.2f}, {found.high:.2f}] "
    return figures.Figure(f"{found.value:.2f}", label, f"{bounds}n={found.n:,} {unit}, chance 0.50")
