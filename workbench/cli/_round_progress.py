"""How far rounds are, on the terminal. Names of runs are shown once a round is closed."""

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Column, Table

from workbench.cli._round_people import RoundName
from workbench.cli._terminal import line
from workbench.cli.context import emit, store

if TYPE_CHECKING:
    from workbench.human.rounds import RoundSummary


def list_() -> None:
    """List rounds, the newest first."""
    from workbench.human.rounds import round_summary

    with store(create=False) as opened:
        summaries = [round_summary(opened, one.id) for one in opened.human.rounds()]

    def human(console: Console) -> None:
        table = Table(Column("round", no_wrap=True), "name", "state", "ballots", "raters", "created", box=None)
        for one in summaries:
            created = f"{one.round.created_at:%Y-%m-%d %H:%M}"
            done = f"{one.n_cast} of {one.n_assigned}"
            table.add_row(one.round.id, line(one.round.name, 40), one.round.state, done, str(len(one.raters)), created)
        console.print(table if summaries else "no rounds yet: workbench rounds create --run A --run B ...")

    emit({"total": len(summaries), "rounds": [summary_json(one) for one in summaries]}, human)


def show(round: RoundName) -> None:
    """Show how far a round is. Names of runs are shown once it is closed."""
    from workbench.human.rounds import find_round, round_summary

    with store(create=False) as opened:
        summary = round_summary(opened, find_round(opened, round).id)

    def human(console: Console) -> None:
        console.print(line(f"{summary.round.name}: {summary.round.state}"))
        runs = ", ".join(summary.runs) or f"{len(summary.round.runs)} (names are hidden until the round closes)"
        console.print(f"runs: {runs}", markup=False)
        console.print(f"ballots: {summary.n_cast} of {summary.n_assigned}; set aside: {summary.n_set_aside}")
        console.print("verdicts: " + ", ".join(f"{name} {n}" for name, n in summary.verdicts.items()))
        pace = "not measured" if summary.median_seconds is None else f"{summary.median_seconds:.0f} s a ballot"
        console.print(f"pace: {pace}; {summary.n_fast} ballots in under 15 s")
        table = Table("rater", "ballots", "link", box=None)
        for row in summary.raters:
            link = "revoked" if row.revoked else f"until {row.expires_at:%Y-%m-%d %H:%M} UTC"
            table.add_row(line(row.rater), f"{row.n_cast} of {row.n_assigned}", link)
        console.print(table)

    emit(summary_json(summary), human)


def summary_json(summary: "RoundSummary") -> dict[str, object]:
    return {
        "round": summary.round.id,
        "name": summary.round.name,
        "state": summary.round.state,
        "simulated": summary.round.simulated,
        "runs": list(summary.runs) or None,
        "n_runs": len(summary.round.runs),
        "n_assigned": summary.n_assigned,
        "n_cast": summary.n_cast,
        "n_set_aside": summary.n_set_aside,
        "verdicts": dict(summary.verdicts),
        "median_seconds": summary.median_seconds,
        "n_fast": summary.n_fast,
        "raters": [
            {
                "rater": row.rater,
                "n_assigned": row.n_assigned,
                "n_cast": row.n_cast,
                "revoked": row.revoked,
                "expires_at": row.expires_at,
            }
            for row in summary.raters
        ],
        "created_at": summary.round.created_at,
        "closed_at": summary.round.closed_at,
    }
