"""`workbench ratings`: who is preferred, how surely, and what the votes cannot say."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from workbench.cli._adjusted import adjusted_json, adjusted_of, print_adjusted
from workbench.cli._terminal import line
from workbench.cli.context import emit, store
from workbench.errors import BadInputError

if TYPE_CHECKING:
    from workbench.human.ratings import RatingTable
    from workbench.human.ratings.baseline import AgainstBaseline
    from workbench.schema.ballot import Vote

CLUSTERS = ("auto", "none", "rater", "question", "both")
INTERVALS = ("sandwich", "bootstrap")
HEADLINES = {
    "bradley-terry": "Bradley-Terry strengths on the Elo scale, the average model at 1000",
    "davidson": "Davidson strengths on the Elo scale, the average model at 1000, ties modelled",
    "elo": "the running Elo",
}


def register(app: typer.Typer) -> None:
    app.command("ratings")(ratings)


def ratings(
    method: Annotated[str, typer.Option("--method", help="bradley-terry, davidson or elo.")] = "bradley-terry",
    round: Annotated[str | None, typer.Option("--round", help="Of this closed round: id or name.")] = None,
    source: Annotated[str | None, typer.Option("--source", help="Of this imported source.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="For what is drawn.")] = 0,
    prior: Annotated[float, typer.Option("--prior", help="Virtual ties of each model with an average one.")] = 0.0,
    cluster: Annotated[str, typer.Option("--cluster", help=f"One of {', '.join(CLUSTERS)}.")] = "auto",
    interval: Annotated[str, typer.Option("--interval", help="sandwich or bootstrap.")] = "sandwich",
    style: Annotated[
        bool, typer.Option("--style", help="Also with length, citations, headings, bold and lists held equal.")
    ] = False,
    raters: Annotated[
        bool, typer.Option("--raters", help="Also with each rater's side bias, severity and reliability.")
    ] = False,
    dimension: Annotated[str | None, typer.Option("--dimension", help="By the scores on this dimension.")] = None,
    baseline: Annotated[str | None, typer.Option("--baseline", help="Also wins, ties, losses against it.")] = None,
) -> None:
    """Rate models from the votes that count: Bradley-Terry strengths on the Elo scale, the running Elo beside them."""
    from workbench.human.ratings import rate
    from workbench.human.rounds import find_round
    from workbench.human.votes import counted_votes

    if cluster not in CLUSTERS:
        raise BadInputError(f"--cluster is {cluster!r}; expected one of {', '.join(CLUSTERS)}")
    if interval not in INTERVALS:
        raise BadInputError(f"--interval is {interval!r}; expected one of {', '.join(INTERVALS)}")
    with store(create=False) as opened:
        round_id = None if round is None else find_round(opened, round).id
        counted = counted_votes(opened, round_id=round_id, source=source)
        votes = counted.votes if dimension is None else on_dimension(counted.votes, dimension)
        swayed = adjusted_of(opened, counted, style=style, raters=raters, cluster=cluster)
    table = rate(
        votes,
        method=method,  # type: ignore[arg-type]  # `rate` checks it and says what it expects
        seed=seed,
        prior=prior,
        cluster=cluster,  # type: ignore[arg-type]  # checked above
        interval=interval,  # type: ignore[arg-type]  # checked above
    )
    notes = counted.notes()
    answer = {**table.to_json(), "n_set_aside": counted.n_set_aside, "n_hidden": counted.n_hidden, "notes": list(notes)}
    if swayed is not None:
        answer["adjusted"] = adjusted_json(swayed)
    held = () if baseline is None else against(votes, baseline, cluster=cluster)
    if baseline is not None:
        answer["against"] = {"baseline": baseline, "models": [one.to_json() for one in held]}

    def human(console: Console) -> None:
        print_table(console, table, notes)
        if swayed is not None:
            print_adjusted(console, swayed)
        for one in held:
            ties = sum(one.ties.values())
            said = (
                f"{one.wins} won, {ties} tied, {one.losses} lost against {baseline}: win score {one.win_score.text()}"
            )
            console.print(f"{line(one.name, 40)}: {said}", markup=False)

    emit(answer, human)


def on_dimension(votes: "tuple[Vote, ...]", dimension: str) -> "tuple[Vote, ...]":
    from workbench.human.ratings.by_dimension import dimensions_in, votes_on

    known = dimensions_in(votes)
    if dimension not in known:
        raise BadInputError(f"no vote is scored on {dimension!r}; dimensions are {', '.join(known) or '(none)'}")
    return votes_on(votes, dimension)


def against(votes: "tuple[Vote, ...]", baseline: str, *, cluster: str) -> "tuple[AgainstBaseline, ...]":
    from workbench.human.ratings.baseline import against_baseline

    return against_baseline(votes, baseline, cluster=cluster)  # type: ignore[arg-type]  # checked by the verb


def print_table(console: Console, table: "RatingTable", notes: tuple[str, ...]) -> None:
    """The table with its intervals, then whatever limits it."""
    shown = Table(box=None)
    for name in ("model", "Elo", f"{table.level:.0%} interval", "win", "tie", "loss", "win score", "running Elo"):
        shown.add_column(name, justify="left" if name == "model" else "right", no_wrap=name != "model")
    for row in table.ratings:
        no_interval = row.ci_low is None or row.ci_high is None
        shown.add_row(
            line(row.name, 40),
            "-" if row.rating is None else f"{row.rating:.0f}",
            "not measured" if no_interval else f"{row.ci_low:.0f}-{row.ci_high:.0f}",
            str(row.wins),
            str(row.ties),
            str(row.losses),
            f"{row.win_score:.3f}",
            "-" if row.running_elo is None else f"{row.running_elo:.0f}",
        )
    if table.ratings:
        console.print(shown)
    ties = {name: n for name, n in sorted(table.verdicts.items()) if name not in ("model_a", "model_b")}
    said = [f"{table.n_ballots - sum(ties.values())} decided", *(f"{n} {name}" for name, n in ties.items())]
    lines = [
        f"{table.n_ballots} votes: {', '.join(said)}",
        f"Elo: {HEADLINES[table.method]}; interval: {table.interval}",
        "running Elo: one pass in the order of the votes; another order gives other numbers, so it has no interval",
        f"agreement of raters (Krippendorff alpha): {table.agreement.verdict.text()}",
        *(f"! {text}" for text in (*table.problems, *notes)),
    ]
    for text in lines:
        console.print(text, markup=False, soft_wrap=True)
