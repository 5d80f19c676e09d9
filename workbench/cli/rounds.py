"""`workbench rounds`: rounds of blind pairs, from plan to close."""

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Column, Table

from workbench.cli._round_plan import plan_json, print_left_out, show_plan
from workbench.cli._terminal import line
from workbench.cli.context import emit, note, store
from workbench.errors import BadInputError

if TYPE_CHECKING:
    from workbench.human.rounds import Invitation, RoundPlan, RoundSummary
    from workbench.stats.estimate import Measured
    from workbench.store import Store

DEFAULT_URL = "http://127.0.0.1:8600"
Url = Annotated[str, typer.Option("--url", help="Where raters reach the rater server.")]
Days = Annotated[float, typer.Option("--expires-days", min=0.001, help="How long a link works.")]
RoundName = Annotated[str, typer.Argument(metavar="ROUND", help="Id or name of the round.")]


def register(app: typer.Typer) -> None:
    rounds = typer.Typer(help="Blind pairwise evaluation by people.", no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(rounds, name="rounds")
    for verb in (create, extend, list_, show, raters, close, invite, revoke):
        rounds.command(verb.__name__.rstrip("_"))(verb)


def create(
    run: Annotated[list[str], typer.Option("--run", help="A run to compare; two or more.")],
    raters: Annotated[int, typer.Option("--raters", min=1, help="How many people rate.")],
    name: Annotated[str, typer.Option("--name", help="What you call it. Raters do not see it.")] = "",
    design: Annotated[
        str, typer.Option("--design", help="round-robin, fixed-baseline or active (most information).")
    ] = "round-robin",
    baseline: Annotated[str | None, typer.Option("--baseline", help="The run the others are held against.")] = None,
    ballots: Annotated[int | None, typer.Option("--ballots", help="Of an active round in all. Default: half.")] = None,
    batch: Annotated[int | None, typer.Option("--batch", help="Pairs between two refits of an active round.")] = None,
    questions: Annotated[int | None, typer.Option("--questions", help="So many questions, drawn by lot.")] = None,
    overlap: Annotated[int, typer.Option("--overlap", min=1, help="Raters a pair.")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Decides sides and order.")] = 0,
    dimension: Annotated[
        list[str] | None, typer.Option("--dimension", help="A dimension, or name=guidance; `none` for none.")
    ] = None,
    training: Annotated[int, typer.Option("--training", min=0, help="Practice pairs a rater, with feedback.")] = 0,
    training_pairs: Annotated[
        Path | None, typer.Option("--training-pairs", help="JSONL of your own: left, right, expected, feedback.")
    ] = None,
    attention: Annotated[int, typer.Option("--attention", min=0, help="Attention checks a rater.")] = 0,
    repeats: Annotated[int, typer.Option("--repeats", min=0, help="Pairs a rater sees a second time.")] = 0,
    reason: Annotated[str, typer.Option("--reason", help="required or optional.")] = "optional",
    plan: Annotated[bool, typer.Option("--plan", help="Only say what it would cost and tell.")] = False,
    width: Annotated[float | None, typer.Option("--width", help="With --plan: wanted half-width, Elo points.")] = None,
    minutes: Annotated[float, typer.Option("--minutes", help="With --plan: a rater's time in minutes.")] = 120.0,
    url: Url = DEFAULT_URL,
    expires_days: Days = 14,
) -> None:
    """Create a round over two or more runs and print one personal link a rater, this once. --plan looks first."""
    from workbench.human.rounds import create_round, plan_round
    from workbench.human.rounds.checks import Checks
    from workbench.human.rounds.dimensions import dimensions_of
    from workbench.human.rounds.training import read_training_pairs

    if reason not in ("required", "optional"):
        raise BadInputError(f"--reason is {reason!r}; expected required or optional")
    if not plan and width is not None:
        raise BadInputError("--width goes with --plan: it says what a wanted interval takes")
    if not plan and not name.strip():
        raise BadInputError("a round needs a name: --name NAME (or --plan to look first)")
    dimensions = dimensions_of(dimension or [])
    with store(create=False) as opened:
        planned = plan_round(
            opened,
            runs=run,
            raters=raters,
            overlap=overlap,
            seed=seed,
            design=design,  # type: ignore[arg-type]  # `plan_round` checks it and says what it expects
            baseline=baseline,
            ballots=ballots,
            batch=batch,
            questions=questions,
        )
        if plan:
            show_plan(opened, planned, width=width, minutes_a_rater=minutes)
            return
        round_, invitations = create_round(
            opened,
            planned,
            name=name,
            dimensions=dimensions,
            reason_required=reason == "required",
            expires_in=timedelta(days=expires_days),
            checks=Checks(training, attention, repeats),
            training=read_training_pairs(opened, training_pairs) if training_pairs is not None else (),
        )
    answer = {
        "round": round_.id,
        "name": round_.name,
        "simulated": round_.simulated,
        **plan_json(planned),
        "checks": round_.settings["checks"],
        "training_pairs": round_.settings["training_pairs"],
        "dimensions": list(dimensions),
        "invitations": [_invitation(one, url) for one in invitations],
    }
    emit(answer, lambda console: _print_created(console, round_.id, planned, invitations, url))


def _print_created(
    console: Console, round_id: str, plan: "RoundPlan", invitations: "tuple[Invitation, ...]", url: str
) -> None:
    n_pairs, n_ballots = len(plan.pairs), plan.n_ballots
    console.print(f"round {round_id}: {n_pairs} pairs, {n_ballots} ballots for {len(plan.raters)} raters")
    if plan.design == "active":
        console.print(f"{plan.budget} ballots in all: once these are cast, workbench rounds extend {round_id}")
    print_left_out(console, plan)
    console.print("Personal links. They are shown this once; the store keeps only their hashes:")
    for one in invitations:
        console.print(f"  {one.rater}  {_link(one, url)}", markup=False, soft_wrap=True)
    console.print("Raters need: workbench rate serve")


def extend(round: RoundName) -> None:
    """Put the next batch of an active round before its raters, chosen from the ballots cast so far."""
    from workbench.human.rounds import extend_round, find_round

    with store(create=False) as opened:
        round_id = find_round(opened, round).id
        found = extend_round(opened, round_id)
    if found.waiting:
        note(f"{found.waiting} assignments were still to be rated: what they will say was not known to this choice")
    answer = {"round": round_id, "added": found.added, "waiting": found.waiting, "left": found.left}
    emit(answer, lambda console: console.print(f"{found.added} ballots more; {found.left} of the budget left"))


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

    emit({"total": len(summaries), "rounds": [_summary(one) for one in summaries]}, human)


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

    emit(_summary(summary), human)


def raters(round: RoundName) -> None:
    """Show how far each rater can be relied on: pace, sides, checks, repeats, agreement, influence, warnings."""
    from workbench.human.quality import round_quality
    from workbench.human.rounds import find_round

    with store(create=False) as opened:
        found = find_round(opened, round)
        rows = round_quality(opened, found.id)

    def human(console: Console) -> None:
        heads = ("rater", "ballots", "pace", "takes left", "checks", "repeats", "like others", "influence")
        table = Table(*heads, box=None)
        for one in rows:
            pace = "-" if one.median_seconds is None else f"{one.median_seconds:.0f} s"
            shares = (one.left_share, one.attention, one.repeats, one.with_others)
            moved = "-" if one.influence is None else f"{one.influence.points:+.0f} {line(one.influence.model, 20)}"
            table.add_row(line(one.rater, 30), str(one.n), pace, *(_share(share) for share in shares), moved)
        console.print(table)
        for one in rows:
            for text in one.warnings:
                console.print(f"! {line(one.rater, 30)}: {text}", markup=False)
        if found.state == "open":
            console.print("influence names models, so it is shown once the round is closed")

    emit({"round": found.id, "raters": [one.to_json() for one in rows]}, human)


def _share(found: "Measured") -> str:
    from workbench.stats.estimate import Estimate

    return f"{found.value:.0%} of {found.n}" if isinstance(found, Estimate) else "-"


def close(round: RoundName) -> None:
    """Close a round: no ballot is taken any more, and names are shown."""
    from workbench.human.rounds import close_round, find_round, round_summary

    with store(create=False) as opened:
        closed = close_round(opened, find_round(opened, round).id)
        summary = round_summary(opened, closed.id)
        head = opened.human.audit(closed.id).head
    text = f"round {closed.id} is closed with {summary.n_cast} of {summary.n_assigned} ballots"
    if head is not None:
        note(f"head of its log, to keep elsewhere (workbench ballots audit {closed.id} --head ...): {head}")
    emit(_summary(summary), lambda console: console.print(text))


def invite(
    round: RoundName,
    rater: Annotated[str, typer.Argument(metavar="RATER", help="A rater of the round.")],
    url: Url = DEFAULT_URL,
    expires_days: Days = 14,
) -> None:
    """Give a rater a new link in place of a lost, expired or revoked one."""
    from workbench.human.rounds import find_round
    from workbench.human.rounds import invite as invite_rater

    with store(create=False) as opened:
        round_id = find_round(opened, round).id
        _known(opened, round_id, rater)
        invitation = invite_rater(opened, round_id, rater, expires_in=timedelta(days=expires_days))
    emit(_invitation(invitation, url), lambda console: console.print(_link(invitation, url), soft_wrap=True))
    note("the link is shown this once; an earlier one no longer works")


def revoke(round: RoundName, rater: Annotated[str, typer.Argument(metavar="RATER", help="Whose link ends.")]) -> None:
    """Make a rater's link stop working at once. Ballots already cast stay."""
    from workbench.human.rounds import find_round
    from workbench.human.rounds import revoke as revoke_rater

    with store(create=False) as opened:
        round_id = find_round(opened, round).id
        revoke_rater(opened, round_id, rater)
    emit({"round": round_id, "rater": rater, "revoked": True}, lambda console: console.print(f"{rater}: link revoked"))


def _known(opened: "Store", round_id: str, rater: str) -> None:
    names = [row.rater for row in opened.human.raters(round_id)]
    if rater not in names:
        raise BadInputError(f"round {round_id} has no rater {rater!r}; its raters are {', '.join(names)}")


def _link(invitation: "Invitation", url: str) -> str:
    from workbench.human.rounds import link_of

    return link_of(invitation, url)


def _invitation(invitation: "Invitation", url: str) -> dict[str, object]:
    return {"rater": invitation.rater, "link": _link(invitation, url), "expires_at": invitation.expires_at}


def _summary(summary: "RoundSummary") -> dict[str, object]:
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
