"""`workbench learn`: fit a judge on gold, and say first how good it is on questions that it has not seen."""

from typing import Annotated, Any

import typer
from rich.console import Console

from workbench.cli._figures import measured_text
from workbench.cli.context import emit, job, store


def learn(
    source: Annotated[str, typer.Option("--from", help="Grader whose stored grades are learned.")] = "gold",
    run: Annotated[list[str] | None, typer.Option(help="Only these runs; all where none is named.")] = None,
    name: Annotated[str, typer.Option(help="`learned`, or `learned-NAME`.")] = "learned",
) -> None:
    """Fit ridge regression on sentence embeddings of reports. Grade with --grader NAME (the latest) or NAME@version."""
    from graders.learned_fit import learn as fit

    with store(create=False) as opened, job(opened, "learn") as handle:
        for wanted in run or ():
            opened.runs.get(wanted)
        judge = fit(opened, source, runs=tuple(run or ()), name=name, job=handle)
        found: Any = judge.definition
        answer = {
            "grader": {"name": judge.name, "version": judge.version, "kind": judge.kind},
            "held_out": found["held_out"],
            "target": found["target"],
            "alpha": found["alpha"],
            "n_fitted": found["n"],
            "questions_fitted": len(found["questions"]),
        }
        handle.finish(answer)

    def human(console: Console) -> None:
        measured = answer["held_out"]
        console.print(
            f"held out: {measured['n']} reports to {measured['questions']} questions it was not fitted on "
            f"(target {source}; chance 0.5 for AUC and pairs)",
            style="bold",
            markup=False,
        )
        for grader, figures in measured["graders"].items():
            console.print(
                f"  {grader}: " + "; ".join(f"{k} {measured_text(v)}" for k, v in figures.items()), markup=False
            )
        console.print(
            f"fitted on {answer['n_fitted']} reports to {answer['questions_fitted']} questions, alpha "
            f"{answer['alpha']:g}; grade with --grader {judge.name} or {judge.name}@{judge.version[:8]}",
            markup=False,
        )

    emit(answer, human)


def register(app: typer.Typer) -> None:
    app.command("learn")(learn)
