"""`workbench compare`: two or more runs, report against report on each shared question."""

from typing import Annotated, Any

import typer
from rich.console import Console

from workbench.cli._figures import measured_text
from workbench.cli._plans import show_plan
from workbench.cli.context import emit, finish, job, note, store
from workbench.errors import BadInputError


def compare(
    grader: Annotated[str, typer.Option(help="pairwise, longer, a grader of reports, or path/file.py:Object.")],
    runs: Annotated[list[str], typer.Option("--runs", help="Runs to compare, two or more.")],
    more: Annotated[list[str] | None, typer.Argument(help="Further runs.")] = None,
    model: Annotated[str | None, typer.Option(help="Model that compares, as litellm names it, or `local`.")] = None,
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint that serves --model.")] = None,
    attempts: Annotated[str, typer.Option(help="first: each run's first attempt; all: each with each.")] = "first",
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N shared questions.")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Judgments a pair, to see the grader's own noise.")] = 1,
    margin: Annotated[float, typer.Option(min=0, max=1, help="Gap of two scores that is a tie.")] = 0.0,
    seed: Annotated[int, typer.Option(help="Draws which report stands on the left.")] = 0,
    spend_limit: Annotated[float | None, typer.Option(min=0, help="US dollars; stops before they are passed.")] = None,
    price_in: Annotated[float | None, typer.Option(min=0, help="US dollars a million input tokens.")] = None,
    price_out: Annotated[float | None, typer.Option(min=0, help="US dollars a million output tokens.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Pairs judged at once.")] = 4,
    as_votes: Annotated[str | None, typer.Option(help="Keep the verdicts as votes of source judge:NAME.")] = None,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds to wait for one reply.")] = 90.0,
    rpm: Annotated[float | None, typer.Option(min=0.01, help="Requests a minute to the model's provider.")] = None,
    tpm: Annotated[float | None, typer.Option(min=1, help="Tokens a minute to the model's provider.")] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Say what it would take and what it can show; ask nobody, write nothing.")
    ] = False,
    difference: Annotated[
        float | None, typer.Option(min=0, max=0.5, help="With --plan: the win share's distance from one half.")
    ] = None,
) -> None:
    """Compare runs pair by pair. What is judged already is left alone, a failure is never a preference or a tie."""
    from graders.gateway import GatewayOptions
    from graders.grade_plan import plan_pairs
    from graders.pair_runner import compare_runs, pairs_of
    from graders.pair_summary import summarise
    from graders.pair_votes import check_name, write_votes
    from graders.pairwise import describe_pairwise, load_pairwise
    from graders.rate_limits import Limits
    from graders.spending import Price
    from workbench.cli._graders import EXTRA_GRADERS

    if attempts not in ("first", "all"):
        raise BadInputError(f"--attempts is {attempts!r}; expected first or all")
    if (price_in is None) != (price_out is None):
        raise BadInputError("--price-in and --price-out go together; found only one of them")
    price = None if price_in is None or price_out is None else Price(price_in, price_out)
    options = GatewayOptions(
        timeout_s=timeout,
        concurrency=concurrency,
        spend_limit_usd=spend_limit,
        price=price,
        limits=Limits(rpm, tpm),
    )
    with store(create=False) as opened:
        if as_votes is not None:
            check_name(opened, as_votes)
        pairs = pairs_of(
            opened,
            [*runs, *(more or [])],
            attempts="all" if attempts == "all" else "first",
            limit=limit,
            seed=seed,
        )
        loaded = load_pairwise(
            grader,
            store=opened,
            model=model,
            base_url=base_url,
            margin=margin,
            extra=EXTRA_GRADERS,
            options=options,
        )
        note(describe_pairwise(loaded))
        at_once = 1 if loaded.kind == "local_model" else concurrency
        if plan:
            planned = plan_pairs(opened, loaded, pairs, repeats=repeats, concurrency=at_once, difference=difference)
            emit(planned.to_json(), lambda console: show_plan(console, planned, "pairs"))
            return
        with job(opened, "compare") as handle:
            report = compare_runs(
                opened,
                loaded,
                pairs,
                job=handle,
                concurrency=at_once,
                repeats=repeats,
            )
            answer: dict[str, Any] = {
                "grader": {"name": loaded.name, "version": loaded.version, "kind": loaded.kind},
                **report.to_json(),
                "summary": summarise(report.judged, seed=seed),
            }
            if as_votes is not None and not report.failed + report.left:
                answer["votes"] = write_votes(opened, as_votes, report.judged)
            elif as_votes is not None:
                note("no votes were written, as not every pair is judged; run the same command again")
            handle.finish(answer)
    emit(answer, lambda console: _print(console, answer))
    finish(failed=report.failed + report.left)


def _print(console: Console, answer: dict[str, Any]) -> None:
    summary = answer["summary"]
    for table in summary["runs"]:
        console.print(
            f"{table['first']} against {table['second']}: win share {measured_text(table['win_share'])}, "
            f"{table['wins']} wins, {table['ties']} ties, {table['losses']} losses"
        )
        for name, found in table["dimensions"].items():
            console.print(f"  {name}: {measured_text(found)}")
    console.print(f"same verdict in both orders: {measured_text(summary['order_consistency'])}")
    console.print(
        f"first shown wins: {measured_text(summary['first_shown_wins'])}; position bias: {summary['position_bias']}"
    )
    console.print(f"longer one wins: {measured_text(summary['longer_wins'])}")
    cost = "unknown (no price for this model)" if answer["cost_usd"] is None else f"${answer['cost_usd']:.4f}"
    console.print(
        f"judged {answer['scored']}, found judged {answer['cached']}, abstained {answer['abstained']}, "
        f"failed {answer['failed']}, cost {cost}"
    )
    for failure in answer["failures"]:
        console.print(f"  {failure['left']} {failure['right']} {failure['outcome']}: {failure['reason']}")
    if answer["stopped"]:
        console.print(f"stopped with {answer['left']} left: {answer['stopped']}")


def register(app: typer.Typer) -> None:
    app.command("compare")(compare)
