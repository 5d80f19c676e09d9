"""`workbench grade`: score reports with a grader, once each, and say plainly what made the numbers."""

from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console

from workbench.cli._plans import show_plan
from workbench.cli.context import emit, finish, job, note, store
from workbench.errors import BadInputError
from workbench.store import Store, TrajectoryFilter

ROLES = {
    "independent": "independent judge: no training sees it",
    "training": "a reward for training was made of this grader: it is no independent judge",
}


class Role(StrEnum):
    """What --role takes."""

    INDEPENDENT = "independent"


def grade(
    grader: Annotated[str, typer.Option(help="Built-in name, rubric YAML, or path/file.py:Object.")],
    run: Annotated[list[str] | None, typer.Option(help="Run whose reports are graded; may be given again.")] = None,
    where: Annotated[str | None, typer.Option(help="Only what this search finds, as `search` takes it.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every run of the store.")] = False,
    model: Annotated[
        str | None, typer.Option(help="Model that reads a rubric, as litellm names it, or `local`.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint that serves --model.")] = None,
    batch_size: Annotated[
        int | None, typer.Option(min=1, help="Criteria a call, 1: each alone; `rubrics batching` says which to take.")
    ] = None,
    evidence_tokens: Annotated[
        int | None,
        typer.Option(min=0, help="The most retrieved text that criteria on the research read; 0: none."),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Grades a report, to see the grader's own noise.")] = 1,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N trajectories of the selection.")] = None,
    spend_limit: Annotated[float | None, typer.Option(min=0, help="US dollars; stops before they are passed.")] = None,
    price_in: Annotated[float | None, typer.Option(min=0, help="US dollars a million input tokens.")] = None,
    price_out: Annotated[float | None, typer.Option(min=0, help="US dollars a million output tokens.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Reports graded at once.")] = 4,
    rpm: Annotated[float | None, typer.Option(min=0.01, help="Requests a minute to the model's provider.")] = None,
    tpm: Annotated[float | None, typer.Option(min=1, help="Tokens a minute to the model's provider.")] = None,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds to wait for one reply.")] = 90.0,
    role: Annotated[
        Role | None, typer.Option(help="independent: a judge of the last word; no reward may ever be made of it.")
    ] = None,
    plan: Annotated[
        bool, typer.Option("--plan", help="Say what it would take and what it can show; ask nobody, write nothing.")
    ] = False,
    difference: Annotated[
        float | None, typer.Option(min=0, max=1, help="With --plan: the difference between runs you want to see.")
    ] = None,
) -> None:
    """Grade reports. What is graded already is left alone, what failed is tried again, a failure is never a score."""
    from graders.gateway import GatewayOptions
    from graders.grade_plan import plan_grades
    from graders.quality import measure_quality
    from graders.rate_limits import Limits
    from graders.registry import describe, load_grader
    from graders.rubric_judge import asked_otherwise
    from graders.runner import GradeReport, grade_run
    from graders.spending import Price
    from workbench.cli._graders import EXTRA_GRADERS
    from workbench.reward.roles import Known, make_independent, role_of

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
        chosen = selection(opened, run or [], where, everything=everything)
        total = opened.trajectories.page(chosen, limit=1).total
        if not total:
            raise BadInputError("no trajectory is selected; widen --run or --where (`workbench ls` and `search` list)")
        loaded = load_grader(grader, store=opened, model=model, base_url=base_url, extra=EXTRA_GRADERS, options=options)
        loaded = asked_otherwise(loaded, batch_size=batch_size, evidence_tokens=evidence_tokens)
        note(describe(loaded))
        at_once = 1 if loaded.kind == "local_model" else concurrency
        if plan:
            planned = plan_grades(
                opened, loaded, chosen, repeats=repeats, limit=limit, concurrency=at_once, difference=difference
            )
            emit({"n_selected": total, **planned.to_json()}, lambda console: show_plan(console, planned, "reports"))
            return
        if role is Role.INDEPENDENT:
            make_independent(opened, Known(loaded.name, loaded.version, getattr(loaded, "definition", {})))
        its_role = role_of(opened, loaded.version)
        with job(opened, "grade") as handle:
            report: GradeReport = grade_run(
                opened,
                loaded,
                chosen,
                job=handle,
                concurrency=at_once,
                repeats=repeats,
                limit=limit,
            )
            quality = None if loaded.kind == "gold" else measure_quality(opened, loaded.name, loaded.version)
            answer = {
                **report.to_json(),
                "n_selected": total,
                "n_of_run": total,
                "role": its_role,
                "quality": None if quality is None else quality.to_json(),
            }
            handle.finish(answer)

    def human(console: Console) -> None:
        if its_role is not None:
            console.print(ROLES[its_role], markup=False)
        if quality is not None:
            console.print(quality.text(), markup=False)
        mean = (
            "no score" if report.mean_score is None else f"mean score {report.mean_score:.3f} (n = {report.n_scored})"
        )
        console.print(
            f"{loaded.name} on {report.n} of {total} trajectories of {selection_words(run or [], where)}: {mean}",
            style="bold",
            markup=False,
        )
        cost = "unknown (no price for this model)" if report.cost_usd is None else f"${report.cost_usd:.4f}"
        console.print(
            f"graded {report.graded}, found graded {report.cached}, abstained {report.abstained}, "
            f"failed {report.failed}, cost {cost}",
            markup=False,
        )
        for failure in report.failures:
            console.print(f"  {failure['id']} {failure['outcome']}: {failure['reason']}", markup=False)
        if report.failed > len(report.failures):
            console.print(f"  listed {len(report.failures)} of {report.failed} failures; the grader's page has all")
        if report.stopped:
            console.print(f"stopped with {report.left} left: {report.stopped}", markup=False)

    emit(answer, human)
    finish(failed=report.failed + report.left)


def selection(opened: Store, runs: list[str], where: str | None, *, everything: bool) -> TrajectoryFilter:
    """Which trajectories. Raises BadInputError where nothing is named, and NotFoundError for a mistyped run."""
    if everything and runs:
        raise BadInputError("--all and --run go against each other; give one of them")
    if not (runs or where or everything):
        raise BadInputError("nothing says what to grade; give --run, --where or --all")
    if where is not None and not where.strip():
        raise BadInputError("--where is empty; give a search, as `workbench search` takes it")
    for name in runs:
        opened.runs.get(name)
    return TrajectoryFilter(run=tuple(dict.fromkeys(runs)) or None, text=where)


def selection_words(runs: list[str], where: str | None) -> str:
    named = ", ".join(runs) or "all runs"
    return named if where is None else f"{named} where {where}"


def register(app: typer.Typer) -> None:
    app.command("grade")(grade)
