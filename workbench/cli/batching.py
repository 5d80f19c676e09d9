"""`workbench rubrics batching`: one call for a rubric, or one for each criterion: by measured agreement and cost."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from workbench.cli.context import emit, finish, job, note, store
from workbench.errors import BadInputError

if TYPE_CHECKING:
    from graders.batching.study import BatchingStudy


def batching(
    rubric: Annotated[str, typer.Argument(help="Name of a library rubric, or a rubric file.")],
    run: Annotated[list[str] | None, typer.Option(help="Run whose reports are graded; may be given again.")] = None,
    model: Annotated[str | None, typer.Option(help="Model that reads the rubric, or `local`.")] = None,
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint that serves --model.")] = None,
    limit: Annotated[int | None, typer.Option(min=2, help="Only the first N reports.")] = None,
    repeats: Annotated[int, typer.Option(min=2, help="Grades a report and way: a rerun is the yardstick.")] = 2,
    batch_size: Annotated[
        int | None, typer.Option(min=2, help="Criteria a batched call; left out: all of a scope.")
    ] = None,
    tolerance: Annotated[
        float, typer.Option(min=0, max=1, help="How far a verdict may move, as a share of its scale, for the price.")
    ] = 0.05,
    spend_limit: Annotated[float | None, typer.Option(min=0, help="US dollars; stops before they are passed.")] = None,
    price_in: Annotated[float | None, typer.Option(min=0, help="US dollars a million input tokens.")] = None,
    price_out: Annotated[float | None, typer.Option(min=0, help="US dollars a million output tokens.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Reports graded at once.")] = 4,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds to wait for one reply.")] = 90.0,
) -> None:
    """Grade the same reports both ways and say which to take: agreement by criterion against rerun noise, and cost."""
    from graders.batching.study import study_batching
    from graders.gateway import GatewayOptions
    from graders.registry import describe, judge_by
    from graders.spending import Price
    from workbench.cli.grade import selection
    from workbench.cli.rubrics import load

    if (price_in is None) != (price_out is None):
        raise BadInputError("--price-in and --price-out go together; found only one of them")
    price = None if price_in is None or price_out is None else Price(price_in, price_out)
    options = GatewayOptions(timeout_s=timeout, concurrency=concurrency, spend_limit_usd=spend_limit, price=price)
    with store(create=False) as opened:
        chosen = selection(opened, run or [], None, everything=not run)
        judge = judge_by(load(rubric), opened, model=model, base_url=base_url, options=options)
        note(describe(judge))
        with job(opened, "grade") as handle:
            found = study_batching(
                opened,
                judge,
                chosen,
                job=handle,
                repeats=repeats,
                limit=limit,
                batch_size=batch_size,
                tolerance=tolerance,
                concurrency=1 if judge.kind == "local_model" else concurrency,
            )
            answer = found.to_json()
            handle.finish(answer)
    emit(answer, lambda console: _show(console, found))
    finish(failed=found.left + sum(cost.failed for cost in found.cost.values()))


def _show(console: Console, found: "BatchingStudy") -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("criterion", "n", "kappa batched/atomic", "atomic rerun", "moved beyond rerun", "batched - atomic"):
        table.add_column(heading)
    for one in found.figures.criteria:
        texts = (one.kappas.between, one.kappas.atomic, one.excess, one.shift)
        table.add_row(one.id, str(one.n), *(figure.text(2).partition(" n=")[0] for figure in texts))
    console.print(table)
    for name, figure in (
        ("score, batched - atomic", found.figures.score.difference),
        ("fall from first to last place of a call", found.figures.order),
        ("criteria move together more by", found.figures.halo),
    ):
        console.print(f"{name}: {figure.text()}", markup=False)
    for arm, cost in found.cost.items():
        told = cost.to_json()
        price = told["cost_usd_a_grade"]
        console.print(
            f"{arm}: {told['calls_a_grade']:.1f} calls, {told['input_tokens_a_grade']:.0f} + "
            f"{told['output_tokens_a_grade']:.0f} tokens a grade, "
            + ("price unknown" if price is None else f"${price:.5f}")
            + (f", {cost.failed} of {cost.grades} failed" if cost.failed else ""),
            markup=False,
        )
    if found.stopped:
        console.print(f"stopped with {found.left} grades left: {found.stopped}", markup=False)
    certain = "" if found.choice.shown else " (not shown)"
    console.print(f"take {found.choice.take}{certain}: {found.choice.why}", style="bold", markup=False)
