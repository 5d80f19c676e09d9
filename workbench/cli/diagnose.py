"""`workbench diagnose`: is it the research or the writing that holds a run back?"""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from workbench.cli.context import emit, finish, job, note, store
from workbench.errors import BadInputError

if TYPE_CHECKING:
    from workbench.diagnosis.plan import DiagnosisPlan
    from workbench.diagnosis.report import DiagnosisReport
    from workbench.diagnosis.swap_report import SwapTable
    from workbench.schema.protocols import ReportWriter
    from workbench.store import Store


def diagnose(
    run: Annotated[str, typer.Option(help="Run to diagnose.")],
    writer: Annotated[
        str, typer.Option(help="Who writes again: a model, `self`, path/file.py:Object, or `frozen` (simulated web).")
    ],
    grader: Annotated[str, typer.Option(help="Reads both reports: built-in name, rubric YAML, path/file.py:Object.")],
    reference: Annotated[
        str | None, typer.Option(help="Run with stronger research on the same questions; without it, only writing.")
    ] = None,
    reference_score: Annotated[
        float | None, typer.Option(min=0, max=1, help="A score to reach, in place of a reference run.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Model of an LLM grader.")] = None,
    base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint that serves --model.")] = None,
    writer_base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible endpoint of the writers.")] = None,
    evidence_chars: Annotated[int, typer.Option(min=1000, help="Room for evidence in a writer's prompt.")] = 240_000,
    limit: Annotated[int | None, typer.Option(min=1, help="Trajectories, spread over questions.")] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Grades a report, to see the grader's own noise.")] = 1,
    swap: Annotated[
        str | None, typer.Option(help="RUN,RUN,...: research of each written up by the writer of each.")
    ] = None,
    swap_writer: Annotated[
        list[str] | None, typer.Option(help="Writer of each --swap run, in order; without it the run's own model.")
    ] = None,
    least_effect: Annotated[float, typer.Option(min=0, max=1, help="A smaller difference is none.")] = 0.02,
    spend_limit: Annotated[float | None, typer.Option(min=0, help="US dollars for grader and for writer each.")] = None,
    price_in: Annotated[float | None, typer.Option(min=0, help="US dollars a million input tokens.")] = None,
    price_out: Annotated[float | None, typer.Option(min=0, help="US dollars a million output tokens.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Reports at once.")] = 4,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds to wait for one reply.")] = 180.0,
    plan: Annotated[bool, typer.Option("--plan", help="Say what it takes, and call nobody.")] = False,
) -> None:
    """Have a writer write again from exactly the evidence a run collected; the same grader reads both reports."""
    from graders.gateway import GatewayOptions
    from graders.registry import describe, load_grader
    from graders.spending import Price
    from graders.writer_registry import load_writer
    from workbench.cli._graders import EXTRA_GRADERS
    from workbench.cli._writers import extra_writers
    from workbench.diagnosis import lab
    from workbench.diagnosis.plan import plan_diagnosis

    if (price_in is None) != (price_out is None):
        raise BadInputError("--price-in and --price-out go together; found only one of them")
    price = None if price_in is None or price_out is None else Price(price_in, price_out)
    wire = GatewayOptions(timeout_s=timeout, concurrency=concurrency, spend_limit_usd=spend_limit, price=price)
    with store(create=False) as opened:
        judge = load_grader(grader, store=opened, model=model, base_url=base_url, extra=EXTRA_GRADERS, options=wire)

        def by(word: str) -> "ReportWriter":
            return load_writer(
                word,
                store=opened,
                base_url=writer_base_url,
                evidence_chars=evidence_chars,
                extra=extra_writers(),
                options=wire,
            )

        writes = by(writer)
        runs = [name.strip() for name in (swap or "").split(",") if name.strip()]
        options = lab.DiagnosisOptions(
            reference=reference,
            reference_score=reference_score,
            limit=limit,
            repeats=repeats,
            least_effect=least_effect,
            concurrency=concurrency,
            swap=tuple((name, by(word)) for name, word in _teams(opened, runs, swap_writer or [])),
        )
        note(describe(judge))
        if plan:
            planned = plan_diagnosis(opened, judge, writes, run, options)
            emit(planned.to_json(), lambda console: _show_plan(console, planned))
            return
        with job(opened, "diagnose") as handle:
            report = lab.diagnose(opened, judge, writes, run, options, job=handle)
            answer = {"id": lab.diagnosis_id(judge, writes, run, options), **report.to_json()}
            handle.finish(answer)
    emit(answer, lambda console: _show(console, report))
    finish(failed=report.failed)


def _teams(opened: "Store", runs: list[str], writers: list[str]) -> list[tuple[str, str]]:
    """Each run with the word for its writer."""
    if len(runs) == 1 or len(set(runs)) < len(runs):
        raise BadInputError("--swap needs two or more different runs, as in --swap RUN,RUN")
    if writers and len(writers) != len(runs):
        raise BadInputError(
            f"{len(writers)} --swap-writer for {len(runs)} runs of --swap; expected one a run, in order"
        )
    words = writers or ["self"] * len(runs)
    return [
        (name, _own_model(opened, name) if word == "self" else word) for name, word in zip(runs, words, strict=True)
    ]


def _own_model(opened: "Store", run: str) -> str:
    """The one model of a run: in a swap table it must be named, as it writes up other runs' evidence too."""
    found = opened.runs.get(run).model
    if not found or "," in found:
        raise BadInputError(f"run {run!r} does not say one model that wrote it; name one a run with --swap-writer")
    return found


def _show_plan(console: Console, planned: "DiagnosisPlan") -> None:
    console.print(f"{planned.pairs} pairs over {planned.questions} questions", style="bold", markup=False)
    console.print(
        f"{planned.writes} reports to write ({planned.found} found written), {planned.grades} grades to make",
        markup=False,
    )
    cost = (
        "unknown (no price for this writer)" if planned.writing_usd is None else f"at most ${planned.writing_usd:.4f}"
    )
    console.print(
        f"writing: about {planned.tokens_in} tokens in, at most {planned.tokens_out} out, {cost}", markup=False
    )


def _show(console: Console, report: "DiagnosisReport") -> None:
    own, rewritten = (getattr(figure, "value", None) for figure in (report.own, report.rewritten))
    if own is not None and rewritten is not None:
        console.print(f"{own:.2f} -> {rewritten:.2f}", style="bold", markup=False)
    console.print(f"{report.verdict}: {report.reason}", style="bold", markup=False)
    console.print(
        f"{report.n} of {report.n_chosen} pairs of {report.run} over {report.n_questions} questions, written again by "
        f"{report.writer.name}, read by {report.grader.name}",
        markup=False,
    )
    table = Table(box=None, pad_edge=False)
    for heading in ("figure", "mean [interval]"):
        table.add_column(heading)
    rows = {
        "own report": report.own,
        "written again": report.rewritten,
        f"written again from {report.reference or 'the reference'}": report.reference_rewritten,
        "writing part": report.parts["writing"].gap,
        "research part": report.parts["research"].gap,
        "harness and packing": report.harness_loss,
    }
    for name, figure in rows.items():
        table.add_row(name, figure.text())
    console.print(table)
    for failure in report.failures:
        console.print(
            f"  {failure.n} {failure.stage} of {failure.run} {failure.outcome}: {failure.first_reason}", markup=False
        )
    left_out = ", ".join(f"{n} {why}" for why, n in (report.packing.left_out or {}).items()) or "0"
    if report.packing.kept or report.packing.shortened:
        console.print(
            f"documents: {report.packing.kept} whole, {report.packing.shortened} shortened, left out: {left_out}; "
            f"{report.packing.unknown_numbers} citations of none of them",
            markup=False,
        )
    cost = "unknown (no price)" if report.cost_usd is None else f"${report.cost_usd:.4f}"
    noise = "not measured" if report.rerun_noise is None else f"{report.rerun_noise:.3f}"
    console.print(f"rerun noise {noise}, cost {cost}", markup=False)
    if report.swap is not None:
        _show_swap(console, report.swap)


def _show_swap(console: Console, swap: "SwapTable") -> None:
    table = Table(title="research of (rows) by writer of (columns)", box=None, pad_edge=False)
    table.add_column("")
    for writer in swap.writers:
        table.add_column(writer)
    cells = iter(swap.cells)
    for run in swap.runs:
        table.add_row(run, *(next(cells).mean.text() for _ in swap.writers))
    console.print(table)
    for split in swap.splits:
        noise = "not measured" if split.noise_sd is None else f"{split.noise_sd:.3f}"
        console.print(
            f"{split.research_a} -> {split.research_b}: gap {split.gap.text()} = research {split.phi_research.text()} "
            f"+ writing {split.phi_writing.text()}; interaction {split.interaction.text()}; judge noise {noise}",
            markup=False,
        )
    for loss in swap.harness:
        console.print(f"own reports of {loss.run} minus {loss.writer} again: {loss.loss.text()}", markup=False)


def register(app: typer.Typer) -> None:
    app.command("diagnose")(diagnose)
