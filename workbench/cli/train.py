"""`workbench train`: a small policy learns from an exported job folder, in the simulated web, on CPU."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from workbench.cli import context
from workbench.schema.canonical import JsonValue


def register(parent: typer.Typer) -> None:
    parent.command("train")(train)


def train(
    job: Annotated[Path, typer.Option(help="The job folder that `workbench export` wrote.")],
    run: Annotated[str, typer.Option(help="Name of the run; its rollouts are stored under it.")],
    steps: Annotated[int | None, typer.Option(help="Reinforcement-learning steps in all. Default: 40.")] = None,
    seed: Annotated[int | None, typer.Option(help="Decides questions and draws. Default: 0.")] = None,
    stage: Annotated[
        str | None,
        typer.Option(help="sft: make the shared start; rl: train from it; recipe: both. Default: recipe."),
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A YAML file with more settings; options stand over it.")] = None,
    runs_dir: Annotated[Path, typer.Option(help="Where checkpoints, rollout files and starts are kept.")] = Path(
        "training-runs"
    ),
    resume: Annotated[
        bool, typer.Option("--resume", help="Refuse to start anew where nothing can be resumed.")
    ] = False,
) -> None:
    """Trains on the reward of a job folder, which must be as it was exported; goes on where the run stopped.

    Rollouts come back into the store under the run's name, with their group and policy step.
    """
    from training.config import read_config
    from training.recipe import train as run_recipe
    from workbench.errors import MissingExtraError

    settings = read_config(config, {"run": run, "steps": steps, "seed": seed, "stage": stage})
    with context.store(create=False) as store, context.job(store, "train") as handle:
        try:
            report = run_recipe(store, job, settings, runs_dir=runs_dir, job=handle, must_resume=resume)
        except ModuleNotFoundError as error:
            if error.name not in ("torch", "transformers"):
                raise
            raise MissingExtraError(
                f"training needs {error.name}, which is not installed: `make full` brings it"
            ) from error
        answer: dict[str, JsonValue] = {
            "run": report.run,
            "stage": report.stage,
            "steps": report.steps,
            "resumed_from": report.resumed_from,
            "metrics": report.last,
            "rollouts_imported": report.rollouts_imported,
            "questions": report.questions,
            "questions_left_out": report.questions_left_out,
            "start": report.start,
            "start_made_now": report.start_made_now,
            "checkpoint": report.checkpoint,
        }
        handle.finish(answer)

    def show(console: Console) -> None:
        made = "made now" if report.start_made_now else "kept from before"
        console.print(f"{report.run}: start {report.start['version']} ({made})", markup=False)
        if report.stage != "sft":
            console.print(
                f"{report.steps} steps, {report.steps - report.resumed_from} of them now; "
                f"{report.rollouts_imported} rollouts imported",
                markup=False,
            )
        for name in ("reward", "quality", "shaping", "sites_opened", "distinct_queries"):
            if name in report.last:
                console.print(f"  {name}: {report.last[name]:.3f}", markup=False)
        console.print(f"checkpoint: {report.checkpoint}", markup=False)

    context.emit(answer, show)
