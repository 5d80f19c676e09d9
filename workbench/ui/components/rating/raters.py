"""How far each rater can be relied on, what each does to the result, and setting their ballots aside."""

import streamlit as st

from workbench.human.quality import RaterQuality, round_quality
from workbench.human.ratings.adjusted import AdjustedTable, RaterEffect, adjusted_ratings
from workbench.human.votes import CountedVotes
from workbench.stats.estimate import Estimate, Measured
from workbench.ui import data
from workbench.ui.components import figures
from workbench.ui.components.cells import framed, readable
from workbench.ui.components.visible import visible
from workbench.ui.kept import fresh
from workbench.ui.session import store


def warnings(round_id: str) -> None:
    """Too fast, one-sided, inconsistent: said, and left to the owner."""
    told = [(found.rater, "; ".join(found.warnings)) for found in _qualities(round_id) if found.warnings]
    if not told:
        return
    who = "One rater to look at." if len(told) == 1 else f"{len(told)} raters to look at."
    figures.verdict(who, small=" · ".join(f"{rater}: {text}" for rater, text in told), tone="warn")


def panel(round_id: str, counted: CountedVotes | None) -> None:
    """`counted` is None while the round is open: then nothing here names a model."""
    found = _qualities(round_id)
    effects = _effects(round_id, counted) if counted is not None else {}
    rows = [_row(one, effects.get(f"{round_id}/{one.rater}")) for one in found]
    st.dataframe(readable(framed(rows)), hide_index=True)
    st.caption(
        "Of ballots that count for ratings; practice, checks and repeats stand apart. Reliability: 0 votes by lot, 1 "
        "as the average rater. Severity: points of the 1 to 5 scale below others' scores of the same reports. "
        "Influence: the rating that moves most without this rater, known once the round is closed."
    )
    if counted is not None:
        _agreement(counted, round_id)
    _set_aside(round_id, found)


def _qualities(round_id: str) -> tuple[RaterQuality, ...]:
    return fresh(("quality", round_id), lambda: round_quality(store(), round_id))[0]


def _effects(round_id: str, counted: CountedVotes) -> dict[str, RaterEffect]:
    if len({vote.rater for vote in counted.votes}) < 2:
        return {}
    found, _ = fresh(
        ("adjusted", round_id, ("raters",)),
        lambda: adjusted_ratings(counted.votes, None, with_raters=True),
    )
    return {one.rater: one for one in found.raters} if isinstance(found, AdjustedTable) else {}


def _row(one: RaterQuality, effect: RaterEffect | None) -> dict[str, object]:
    moved = one.influence
    return {
        "rater": one.rater,
        "ballots": one.n,
        "set aside": one.n_set_aside,
        "pace": "-" if one.median_seconds is None else f"{one.median_seconds:.0f} s",
        "takes left": _share(one.left_share),
        "checks": _share(one.attention),
        "seen twice": _share(one.repeats),
        "like others": _share(one.with_others),
        "reliability": "-" if effect is None else _interval(effect.reliability),
        "severity": "-" if effect is None else _interval(effect.severity),
        "influence": "-" if moved is None else f"{moved.points:+.0f} {moved.model}",
    }


def _share(found: Measured) -> str:
    return f"{found.value:.0%} of {found.n}" if isinstance(found, Estimate) else "-"


def _interval(found: Measured) -> str:
    return figures.interval(found.value, found.low, found.high, digits=1) if isinstance(found, Estimate) else "-"


def _agreement(counted: CountedVotes, round_id: str) -> None:
    from workbench.human.agreement import rater_agreement

    found, _ = fresh(("agreement", round_id), lambda: rater_agreement(counted.votes, seed=data.SEED))
    st.subheader("Raters against raters")
    rows = {"verdict": found.verdict, **found.dimensions}
    shown = [
        figures.Figure(one.text(2).split(" n=")[0], name.replace("_", " "), f"n={one.n} pairs")
        if isinstance(one, Estimate)
        else figures.Figure("not measured", name.replace("_", " "), one.reason)
        for name, one in rows.items()
    ]
    figures.strip(shown)
    st.caption("Krippendorff's alpha: 0 as by chance, 1 always alike. Verdicts nominal, dimensions ordinal.")


def _set_aside(round_id: str, found: tuple[RaterQuality, ...]) -> None:
    with st.popover("Set a rater's ballots aside"):
        rater = st.selectbox("Rater", [one.rater for one in found], key="aside-rater", format_func=visible)
        why = st.text_input("Because (empty counts them again)", key="aside-why").strip()
        st.caption("Nothing is deleted: the ballots stay with this reason, and the log says when.")
        if st.button("Set aside" if why else "Count again", key="aside-all", type="primary"):
            for ballot in store().human.ballots(round_id):
                if ballot.rater == rater and bool(ballot.set_aside) != bool(why):
                    store().human.set_aside(ballot.assignment_id, why)
            st.rerun()
