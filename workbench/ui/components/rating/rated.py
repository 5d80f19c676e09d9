"""The ratings of a round: by the votes, with style and raters held equal, and the running Elo beside them."""

from typing import Final

import streamlit as st

from workbench.errors import WorkbenchError
from workbench.human.behind import styles_behind
from workbench.human.ratings.adjusted import AdjustedTable, adjusted_ratings
from workbench.human.ratings.by_dimension import dimensions_in, votes_on
from workbench.human.ratings.rating import rate
from workbench.human.ratings.table import RatingTable
from workbench.human.votes import CountedVotes
from workbench.stats.estimate import Estimate, NotMeasured
from workbench.ui import data
from workbench.ui.components import figures
from workbench.ui.components.cells import framed, readable
from workbench.ui.components.choice import one_of
from workbench.ui.components.rating.forest import forest
from workbench.ui.components.text import plain
from workbench.ui.kept import fresh
from workbench.ui.session import parameter, set_parameters, store

METHODS: Final = {"bradley-terry": "Bradley-Terry", "davidson": "Davidson, ties modelled"}


def panel(counted: CountedVotes, key: str) -> None:
    """`key` tells these votes from others of the store."""
    on = _dimension(counted)
    left, right = st.columns([3, 5], vertical_alignment="center")
    with left:
        method = one_of("method", METHODS, label="Method", key="rating-method")
    held = _held(right, on is None and any(pair is not None for pair in counted.shown))
    votes = counted.votes if on is None else votes_on(counted.votes, on)
    table, _ = fresh(("rated", key, method, on), lambda: rate(votes, method=method, seed=data.SEED))  # type: ignore[arg-type]
    adjusted = _adjusted(counted, key, held) if held else None
    _verdict(table, on)
    for problem in table.problems:
        st.warning(plain(problem))
    forest(table, adjusted if isinstance(adjusted, AdjustedTable) else None)
    _table(table, adjusted if isinstance(adjusted, AdjustedTable) else None)
    if isinstance(adjusted, str):
        st.warning(plain(adjusted))
    elif adjusted is not None:
        _swayed(adjusted)
    _small_print(table, on)


def _dimension(counted: CountedVotes) -> str | None:
    names = dimensions_in(counted.votes)
    if not names:
        return None
    words = {"": "overall verdict", **{name: name.replace("_", " ") for name in names}}
    return one_of("on", words, label="What is rated", key="rating-on") or None


def _held(place: "st.delta_generator.DeltaGenerator", possible: bool) -> tuple[str, ...]:
    if not possible:
        return ()
    asked = tuple(name for name in parameter("equal").split(" ") if name in ("style", "raters"))
    with place:
        chosen = st.pills(
            "Held equal", ("style", "raters"), selection_mode="multi", default=list(asked), key=f"equal-{asked!a}",
            format_func=lambda name: f"with {name} held equal", label_visibility="collapsed",
        )  # fmt: skip
    set_parameters({"equal": " ".join(chosen)})
    return tuple(chosen)


def _adjusted(counted: CountedVotes, key: str, held: tuple[str, ...]) -> AdjustedTable | str:
    """The table, or in a sentence why there is none."""
    try:
        styles = fresh(("styles", key), lambda: styles_behind(store(), counted))[0] if "style" in held else None
        found, _ = fresh(
            ("adjusted", key, held),
            lambda: adjusted_ratings(counted.votes, styles, with_raters="raters" in held),
        )
    except WorkbenchError as error:
        return str(error)
    return f"With {' and '.join(held)} held equal: {found.text()}" if isinstance(found, NotMeasured) else found


def _verdict(table: RatingTable, on: str | None) -> None:
    """What the ratings say in a sentence: whether the first is told from the second."""
    rated = [row for row in table.ratings if row.rating is not None]
    if len(rated) < 2:
        return
    first, second = rated[0], rated[1]
    what = "" if on is None else f" on {on.replace('_', ' ')}"
    apart = first.ci_low is not None and second.ci_high is not None and first.ci_low > second.ci_high
    gap = (first.rating or 0) - (second.rating or 0)
    rest = f"{gap:.0f} Elo points ahead of {second.name}."
    if first.ci_low is None:
        figures.verdict(f"{first.name} comes first{what}, by how much is not measured.", rest=rest, tone="warn")
    elif apart:
        figures.verdict(f"{first.name} is preferred{what}.", rest=rest, tone="good")
    else:
        figures.verdict(f"{first.name} leads{what}, not beyond doubt.", rest=f"{rest} Their intervals overlap.")


def _table(table: RatingTable, adjusted: AdjustedTable | None) -> None:
    held = {row.name: row.adjusted for row in adjusted.ratings} if adjusted is not None else {}
    rows = [
        {
            "model": row.name,
            "Elo": figures.interval(row.rating, row.ci_low, row.ci_high, digits=0),
            **({"held equal": held[row.name].text(0).split(" n=")[0] if row.name in held else ""} if held else {}),
            "wins": row.wins,
            "ties": row.ties,
            "losses": row.losses,
            "win score": row.win_score,
            "running Elo": row.running_elo,
        }
        for row in table.ratings
    ]
    numbers = {"win score": "%.3f", "running Elo": "%.0f"}
    config = {name: st.column_config.NumberColumn(name, format=form) for name, form in numbers.items()}
    st.dataframe(readable(framed(rows)), hide_index=True, column_config=config)


def _swayed(found: AdjustedTable) -> None:
    """What sways a vote beside the report's worth."""
    shown = [
        figures.Figure(_percent(found.left_share), "of equals, the left wins", _bounds(found.left_share, 100, "%")),
        *[
            figures.Figure(f"{effect.value:+.0f}", f"Elo for twice as much: {name}", _bounds(effect, 1, ""))
            for name, effect in found.style.items()
        ],
    ]
    figures.strip(shown)
    if found.untold:
        names = ", ".join(found.untold)
        st.warning(f"Cannot be told from the models, and not held equal: {names}.")
    if found.n_without_report:
        st.markdown(f":gray[{found.n_without_report} votes have no report in the store and are not held equal.]")


def _percent(found: Estimate) -> str:
    return f"{found.value:.0%}"


def _bounds(found: Estimate, scale: int, unit: str) -> str:
    if found.low is None or found.high is None:
        return ""
    return f"[{found.low * scale:.0f}{unit}, {found.high * scale:.0f}{unit}]"


def _small_print(table: RatingTable, on: str | None) -> None:
    alpha = table.agreement.verdict if on is None else table.agreement.dimensions.get(on, table.agreement.verdict)
    shown = alpha.text(2) if isinstance(alpha, Estimate) else alpha.text()
    st.caption(
        f"{table.n_ballots} ballots; interval: {table.interval}. Agreement of raters beyond chance "
        f"(Krippendorff's alpha): {plain(shown)}. Win score = (wins + ties / 2) / ballots. The running Elo is one pass "
        "in the order of the votes: another order gives other numbers, so it has no interval."
    )
