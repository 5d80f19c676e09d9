"""`workbench rounds`: rounds of blind pairs, from plan to close."""

from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from workbench.cli._round_missed import missed
from workbench.cli._round_people import DEFAULT_URL, Days, RoundName, Url, invitation_json, invite, link, raters, revoke
from workbench.cli._round_plan import plan_json, print_left_out, show_plan
from workbench.cli._round_progress import list_, show, summary_json
from workbench.cli.context import emit, note, store
from workbench.errors import BadInputError

if TYPE_CHECKING:
    from workbench.human.rounds import Invitation, RoundPlan


def register(app: typer.Typer) -> None:
    rounds = typer.Typer(help="Blind pairwise evaluation by people.", no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(rounds, name="rounds")
    for verb in (create, extend, list_, show, raters, close, missed, invite, revoke):
        rounds.command(verb.__name__.rstrip("_"))(verb)
    # The same verbs by the name of what is made: a round is its pairs and who rates them.
    pairs = typer.Typer(help="Pairs for blind evaluation: the same as `rounds`.", rich_markup_mode=None)
    app.add_typer(pairs, name="pairs", no_args_is_help=True)
    for verb in (create, extend):
        pairs.command(verb.__name__)(verb)


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
    shows: Annotated[
        str,
        typer.Option("--shows", help="reports, research alone, or rewrites (one writer, their evidence)."),
    ] = "reports",
    writer: Annotated[str | None, typer.Option("--writer", help="With --shows rewrites: whose.")] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Let raters open the research behind each report.")] = False,
    plain_markup: Annotated[
        bool, typer.Option("--plain-markup", help="Even out habits of layout: headings, bold, kinds of lists.")
    ] = False,
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
    from workbench.human.rounds.page import PageForm
    from workbench.human.rounds.shown import reasons_of
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
            page=PageForm(shows, writer, plain_markup, trace),  # type: ignore[arg-type]  # it checks what is shown
            training=read_training_pairs(opened, training_pairs) if training_pairs is not None else (),
        )
        opened_ballots = len(opened.human.assignments(round_.id))
    for why, n in reasons_of(round_.settings).items():
        note(f"{n} of {len(planned.pairs)} pairs are set aside: {why}")
    answer = {
        "round": round_.id,
        "name": round_.name,
        "simulated": round_.simulated,
        **plan_json(planned),
        "checks": round_.settings["checks"],
        "training_pairs": round_.settings["training_pairs"],
        "dimensions": list(dimensions),
        "page": round_.settings["page"],
        "set_aside": reasons_of(round_.settings),
        "assigned": opened_ballots,
        "invitations": [invitation_json(one, url) for one in invitations],
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
        console.print(f"  {one.rater}  {link(one, url)}", markup=False, soft_wrap=True)
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
    emit(summary_json(summary), lambda console: console.print(text))
