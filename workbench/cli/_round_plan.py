"""A round's plan on the terminal: what it asks for, what it would tell, what a smaller one loses."""

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from workbench.cli._terminal import line
from workbench.cli.context import emit

if TYPE_CHECKING:
    from workbench.human.rounds.forecast import Forecast
    from workbench.human.rounds.plan import RoundPlan
    from workbench.store import Store


def plan_json(plan: "RoundPlan") -> dict[str, object]:
    return {
        "design": plan.design,
        "baseline": plan.baseline,
        "pairs": len(plan.pairs),
        "ballots": plan.n_ballots,
        "budget": plan.budget,
        "batch": plan.batch or None,
        "overlap": plan.overlap,
        "seed": plan.seed,
        "left_out": {"missing_side": dict(plan.missing), "further_attempts": dict(plan.further_attempts)},
    }


def print_left_out(console: Console, plan: "RoundPlan") -> None:
    for run, missing in plan.missing.items():
        if missing:
            console.print(f"left out: {missing} questions on which {run} has no report", markup=False)
    for run, further in plan.further_attempts.items():
        if further:
            console.print(f"left out: {further} further attempts of {run}; the first of each is shown", markup=False)


def show_plan(store: "Store", plan: "RoundPlan", *, width: float | None, minutes_a_rater: float) -> None:
    """Prints (or emits) the plan, its forecast, its alternatives and what a wanted half-width takes."""
    from workbench.human.rounds.forecast import alternatives, assumptions_of, forecast_plan, need

    given = assumptions_of(store)
    own, others = forecast_plan(plan, given), alternatives(plan, given)
    wanted = None if width is None else need(plan, given, half_width=width, minutes_a_rater=minutes_a_rater)
    answer = {
        **plan_json(plan),
        "forecast": _forecast_json(own),
        "alternatives": [{"name": one.name, "says": one.says, **_forecast_json(one.forecast)} for one in others],
        "need": None
        if wanted is None
        else {
            "half_width": wanted.half_width,
            "overlap": wanted.overlap,
            "raters": wanted.raters,
            "says": wanted.says,
        },
        "assumptions": {
            "minutes_a_ballot": given.minutes_a_ballot,
            "tie_share": given.tie_share,
            "question_sd": given.question_sd,
            "measured_on_ballots": given.n_ballots,
        },
    }

    def human(console: Console) -> None:
        table = Table("plan", "ballots", "hours", "a rating ±", "a gap ±", "", box=None)
        table.add_row(f"{plan.design}, {plan.overlap} a pair", *_cells(own), "")
        for one in others:
            table.add_row(line(one.name, 40), *_cells(one.forecast), one.says)
        console.print(table)
        print_left_out(console, plan)
        if wanted is not None:
            console.print(f"for ±{wanted.half_width:g}: {wanted.says}", soft_wrap=True)
        console.print(f"half-widths of 95% intervals in Elo points; {given.text()}", soft_wrap=True)

    emit(answer, human)


def _forecast_json(found: "Forecast") -> dict[str, object]:
    return {
        "n_ballots": found.n_ballots,
        "minutes": found.minutes,
        "half_width": found.half_width,
        "gap_half_width": found.gap_half_width,
    }


def _cells(found: "Forecast") -> tuple[str, ...]:
    widths = ("no scale" if one is None else f"{one:.0f}" for one in (found.half_width, found.gap_half_width))
    return (str(found.n_ballots), f"{found.minutes / 60:.1f}", *widths)
