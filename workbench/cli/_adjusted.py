"""Ratings with style, side and raters held equal, beside the plain ones, on the terminal."""

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from workbench.cli._terminal import line
from workbench.schema.canonical import JsonValue
from workbench.stats.estimate import Estimate, Measured, NotMeasured, measured_to_json

if TYPE_CHECKING:
    from workbench.human.ratings.adjusted import AdjustedTable
    from workbench.human.votes import CountedVotes
    from workbench.store import Store


def adjusted_of(
    store: "Store", counted: "CountedVotes", *, style: bool, raters: bool, cluster: str
) -> "AdjustedTable | NotMeasured | None":
    """None where neither is asked for."""
    if not (style or raters):
        return None
    from workbench.human.behind import styles_behind
    from workbench.human.ratings.adjusted import adjusted_ratings

    styles = styles_behind(store, counted) if style else None
    return adjusted_ratings(
        counted.votes,
        styles,
        with_raters=raters,
        cluster=cluster,  # type: ignore[arg-type]  # checked by the verb
    )


def adjusted_json(found: "AdjustedTable | NotMeasured") -> dict[str, JsonValue]:
    return measured_to_json(found) if isinstance(found, NotMeasured) else found.to_json()


def print_adjusted(console: Console, found: "AdjustedTable | NotMeasured") -> None:
    if isinstance(found, NotMeasured):
        console.print(f"adjusted ratings: {found.text()}", markup=False)
        return
    table = Table("model", "Elo by votes", "Elo adjusted", box=None)
    for row in found.ratings:
        table.add_row(line(row.name, 40), _interval(row.plain, 0), _interval(row.adjusted, 0))
    console.print(table)
    console.print(f"left of two equals wins {_interval(found.left_share, 2)} of the time", markup=False)
    for name, effect in found.style.items():
        console.print(f"twice as much {name}: {_interval(effect, 0)} Elo points", markup=False)
    if found.raters:
        of_raters = Table("rater", "ballots", "takes left", "reliability", "severity", box=None)
        for one in found.raters:
            cells = (_interval(one.left_share, 2), _interval(one.reliability, 2), _measured(one.severity))
            of_raters.add_row(line(one.rater, 40), str(one.n), *cells)
        console.print(of_raters)
    if found.untold:
        names = ", ".join(found.untold)
        console.print(f"! {names}: cannot be told from the models, and not held equal", markup=False)
    if found.n_without_report:
        console.print(f"! {found.n_without_report} votes have no report in the store and are not in this table")
    console.print(f"{found.n} votes; interval: {found.interval}", markup=False)


def _interval(found: Estimate, digits: int) -> str:
    bounds = (
        "not measured"
        if found.low is None or found.high is None
        else f"{found.low:.{digits}f} to {found.high:.{digits}f}"
    )
    return f"{found.value:.{digits}f} ({bounds})"


def _measured(found: Measured) -> str:
    return _interval(found, 1) if isinstance(found, Estimate) else "not measured"
