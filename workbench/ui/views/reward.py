"""Reward: move the weights, see what changes, what people said, what hacking would earn; save and export."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import streamlit as st

from workbench.errors import WorkbenchError
from workbench.reward.core.spec import parse_spec, spec_version
from workbench.reward.hacking import attack_gain
from workbench.reward.people import agreement
from workbench.reward.signal import Flips, Signal, rank_flips, signal_of
from workbench.reward.vector import Rewards, evaluate, reweighted
from workbench.schema.reward import RewardSpec, ShapingTerm
from workbench.stats.estimate import Estimate, Measured
from workbench.ui import data, reward_data, routes, theme
from workbench.ui.components import figures, plots
from workbench.ui.components.save_reward import save_and_export
from workbench.ui.components.text import plain, short
from workbench.ui.components.visible import visible
from workbench.ui.reward_data import RewardData
from workbench.ui.session import parameter, set_parameters, split_names, store

SWEEP: Final = (0.0, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.0)
TERM_WORDS: Final = {"distinct_queries": "distinct queries", "distinct_sites": "distinct sites"}


@dataclass(frozen=True, slots=True)
class Seen:
    """One reward as this page judges it."""

    spec: RewardSpec
    rewards: Rewards
    signal: Signal
    people: Measured
    gains: dict[str, Measured]

    @property
    def worst(self) -> tuple[str, Estimate] | None:
        """The attack that earns most under this reward; None where none has an interval: one case proves nothing."""
        measured = [(n, gain) for n, gain in self.gains.items() if isinstance(gain, Estimate) and gain.low is not None]
        return max(measured, key=lambda item: item[1].value, default=None)


def page() -> None:
    st.title("Reward")
    runs = data.run_names()
    if not runs:
        figures.nothing_here(
            "No rollout is in this store yet.", remedy="Import files on the Jobs page, or `make demo`."
        )
        return
    figures.simulated_mark(data.any_simulated())
    saved = _choose_spec()
    if saved is None:
        return
    asked = tuple(name for name in split_names(parameter("runs")) if name in runs)
    top = st.container()
    left, middle, right = st.columns([3, 5, 5])
    with left, st.container(border=True):
        spec = _sliders(saved)
        chosen = tuple(
            st.multiselect("Rollouts of", runs, default=list(asked or runs), key="reward-runs", format_func=visible)
        )
    if not chosen:
        return
    try:
        loaded = reward_data.load(store(), spec, chosen)
    except WorkbenchError as error:
        figures.nothing_here(str(error), remedy="Grade the runs on the Graders page, or with `workbench grade`.")
        return
    if not np.isfinite(loaded.rollouts.quality).any():
        figures.nothing_here(
            f"No rollout of these runs has a score by {_grader_words(spec)}, which is this reward's G.",
            remedy="Grade them on the Graders page, or with `workbench grade`.",
        )
        return
    now, alone = _see(spec, loaded), _see(reweighted(spec, shaping_weight=0.0), loaded)
    flips = rank_flips(loaded.rollouts, alone.rewards.value, now.rewards.value)
    with top:
        _verdict(now, alone, len(loaded.rollouts))
    with left:
        _leverage(now, loaded)
    with middle, st.container(border=True):
        _changes(now, alone, flips, loaded)
    with right, st.container(border=True):
        _tradeoff(spec, loaded, now)
    save_and_export(saved, spec)


def _choose_spec() -> RewardSpec | None:
    specs = {row.version: row for row in store().rewards.specs()}
    if not specs:
        figures.nothing_here(
            "No reward specification is saved yet. This one is the published recipe, with a G of this store.",
            remedy="Change it below and save it.",
        )
        options = data.grader_options()
        if not options:
            st.markdown(":gray[Grade a run first: a reward needs a G.]")
            return None
        terms = (ShapingTerm("distinct_queries", 0.4), ShapingTerm("distinct_sites", 0.6))
        return RewardSpec("search-rl", "search_rl", options[0], 0.5, terms)
    versions = list(specs)
    asked = parameter("spec")
    chosen = st.selectbox(
        "Specification",
        versions,
        index=versions.index(asked) if asked in versions else 0,
        format_func=lambda version: visible(f"{specs[version].name}@{version[:8]}"),
    )
    if chosen != asked:
        set_parameters({"spec": chosen})
    return parse_spec(store().rewards.spec(chosen))


def _sliders(saved: RewardSpec) -> RewardSpec:
    st.subheader("Weights")
    key = spec_version(saved)
    weight = st.slider("λ, shaping against quality", 0.0, 3.0, float(saved.shaping_weight), 0.05, key=f"lambda-{key}")
    weights: dict[str, float] = {
        term.name: st.slider(TERM_WORDS[term.name], 0.0, 1.0, float(term.weight), 0.05, key=f"{term.name}-{key}")
        for term in saved.terms
    }
    if not sum(weights.values()):
        st.warning("All term weights are zero: the last ones are kept. Set λ to 0 to train on G alone.")
        weights = {term.name: term.weight for term in saved.terms}
    st.caption("Term weights are scaled to sum to 1. R = (G + λ·S) / (1 + λ).")
    return reweighted(saved, shaping_weight=weight, term_weights=weights)


def _see(spec: RewardSpec, loaded: RewardData) -> Seen:
    rewards = evaluate(spec, loaded.rollouts)
    values = {
        identifier: float(value)
        for identifier, value in zip(loaded.rollouts.ids, rewards.value, strict=True)
        if np.isfinite(value)
    }
    gains = {name: attack_gain(spec, trials, loaded.targets, seed=data.SEED) for name, trials in loaded.attacks.items()}
    people = agreement(values, loaded.preferences, seed=data.SEED)
    return Seen(spec, rewards, signal_of(spec, loaded.rollouts, rewards), people, gains)


def _verdict(now: Seen, alone: Seen, n: int) -> None:
    flat, flat_alone = now.signal.zero_spread_share, alone.signal.zero_spread_share
    worst = now.worst
    pays = worst is not None and worst[1].low is not None and worst[1].low > 0
    signal_words = "Gives a signal" if flat is not None and flat <= 0.5 else "Gives little signal"
    if flat is None:
        signal_words = "Signal cannot be told"
    safety = "safety not measured" if worst is None else "not yet safe" if pays else "no attack pays"
    tone: Literal["good", "warn", "bad"] = "warn"
    if flat is not None and flat <= 0.5 and worst is not None and not pays:
        tone = "good"
    parts = [
        "No group of two or more rollouts is scored, so spread is not measured."
        if flat is None
        else f"{flat:.0%} of {now.signal.n_groups} groups have no spread"
        + (f" ({flat_alone:.0%} with G alone)." if flat_alone is not None else "."),
        f"Agreement with people {now.people.text(2)}"
        + (f", {alone.people.value:.2f} with G alone." if isinstance(alone.people, Estimate) else "."),
    ]
    if worst is not None:
        verb = "earns" if pays else "earns at most"
        parts.append(f"The best attack, {worst[0].replace('_', ' ')}, {verb} {worst[1].text(3)} of R.")
    else:
        parts.append(f"No attack on {_grader_words(now.spec)} was tried on enough reports: run the stress lab on it.")
    figures.verdict(
        f"{signal_words}, {safety}.",
        rest=" ".join(parts),
        small=f"n = {n:,} rollouts, {now.signal.n_dropped:,} dropped for want of a G or a target; seed {data.SEED}",
        tone=tone,
    )


def _grader_words(spec: RewardSpec) -> str:
    name, _, version = spec.quality_grader.partition("@")
    return f"{name}@{version[:8]}" if version else name


def _leverage(now: Seen, loaded: RewardData) -> None:
    with st.container(border=True):
        st.subheader("Leverage in a group")
        for name, share in now.signal.shares.items():
            st.markdown(
                f"{plain(TERM_WORDS.get(name, name))} :gray[{'not measured' if share is None else f'{share:.0%}'}]"
            )
        saturated = ", ".join(
            f"{TERM_WORDS.get(name, name)} {share:.0%}"
            for name, share in now.signal.saturation.items()
            if share is not None
        )
        targets = list(loaded.targets.values())
        if targets:
            idle = sum(target.queries == 0 for target in targets) / len(targets)
            queries, sites = np.median([t.queries for t in targets]), np.median([t.sites for t in targets])
            st.caption(
                f"Targets: {plain(loaded.targets_from)}; {len(targets)} questions, median "
                f"{queries:g} queries and {sites:g} sites, "
                f"{idle:.0%} need no search. Already at full credit: {saturated or 'not measured'}."
            )


def _changes(now: Seen, alone: Seen, flips: Flips, loaded: RewardData) -> None:
    import plotly.graph_objects as go

    st.subheader("What changes")
    figure = go.Figure()
    for seen, name, colour in ((alone, "R with G alone", theme.BLUE), (now, "R with these weights", theme.ORANGE)):
        figure.add_histogram(
            x=seen.rewards.value[seen.rewards.scored],
            name=name,
            marker_color=colour,
            opacity=0.6,
            xbins={"start": 0, "end": 1.0001, "size": 0.05},
        )
    figure.update_layout(barmode="overlay")
    plots.show(plots.dress(figure, height=230, x="R", y="rollouts"), key="reward-histogram")
    st.markdown(
        f"**{flips.reversed:,} of {flips.n_pairs:,}** pairs within a group change order; {flips.untied:,} ties are "
        f"broken, {flips.tied:,} made. The best rollout is another one in **{len(flips.first_changed)} of "
        f"{flips.n_groups}** groups; in {flips.first_untied} a tie for the first place was broken."
    )
    preferred = {(p.better, p.worse) for p in loaded.preferences}
    for changed in flips.first_changed[:6]:
        question = loaded.questions.get(changed.group, changed.group)
        said = (
            " · people agree"
            if (changed.now_first, changed.was_first) in preferred
            else " · people disagree"
            if (changed.was_first, changed.now_first) in preferred
            else ""
        )
        st.markdown(f":gray[{plain(short(question, 90))}{said}]")
        was, is_now = st.columns(2)
        with was:
            routes.link("trajectory", f"was first: {_attempt(changed.was_first)}", id=changed.was_first)
        with is_now:
            routes.link("trajectory", f"now first: {_attempt(changed.now_first)}", id=changed.now_first)
    if len(flips.first_changed) > 6:
        st.caption(f"6 of {len(flips.first_changed)} shown")


def _attempt(identifier: str) -> str:
    row = store().trajectories.row(identifier)
    return f"attempt {row.attempt}, {row.activity.sites_opened} sites"


def _tradeoff(spec: RewardSpec, loaded: RewardData, now: Seen) -> None:
    import plotly.graph_objects as go

    st.subheader("Signal, agreement, what hacking earns, by λ")
    weights = sorted({*SWEEP, spec.shaping_weight})
    seen = [_see(reweighted(spec, shaping_weight=weight), loaded) for weight in weights]
    figure = go.Figure()
    series = (
        (
            "groups with spread",
            theme.BLUE,
            [None if s.signal.zero_spread_share is None else 1 - s.signal.zero_spread_share for s in seen],
        ),
        (
            "agreement with people",
            theme.GREEN,
            [s.people.value if isinstance(s.people, Estimate) else None for s in seen],
        ),
        ("gain of the best attack", theme.RED, [s.worst[1].value if s.worst else None for s in seen]),
    )
    for name, colour, values in series:
        if any(value is not None for value in values):
            figure.add_scatter(x=weights, y=values, name=name, mode="lines+markers", line={"color": colour})
    figure.add_vline(x=spec.shaping_weight, line_dash="dot", line_color=theme.INK, line_width=1)
    plots.show(plots.dress(figure, height=300, x="λ (dotted: now)", y="share, or change of R"), key="reward-sweep")
    missing = [name for name, _, values in series if all(value is None for value in values)]
    if missing:
        st.caption(f"Not measured: {', '.join(missing)}.")
    for name, gain in sorted(now.gains.items()):
        st.markdown(f"{plain(name.replace('_', ' '))} :gray[{plain(gain.text(3))}]")
