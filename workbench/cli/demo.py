"""`workbench demo`: the sample store, made by this project from its simulated web."""

import typer
from rich.console import Console

from workbench.cli import context

app = typer.Typer(
    help="The sample store: scripted agents in a simulated web, marked as simulated.", no_args_is_help=True
)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="demo")


@app.command()
def build() -> None:
    """Builds the sample store where --store points; what is there already stays."""
    from benchmarks.sample_store import build_sample_store, is_built

    with context.store() as store:
        if is_built(store):
            answer: dict[str, object] = {"built": False, "steps": {}}
        else:
            with context.job(store, "demo") as job:
                steps = build_sample_store(store, job=job)
                job.finish({"steps": steps})
            answer = {"built": True, "steps": steps}

    def show(console: Console) -> None:
        if not answer["built"]:
            console.print("the sample store is built already; `workbench demo info` shows what is in it")
        else:
            console.print("sample store built; everything in it is simulated")

    context.emit(answer, show)


@app.command()
def info() -> None:
    """Shows what the sample store holds."""
    from benchmarks.sample_store import is_built

    with context.store(create=False) as store:
        runs = [run for run in store.runs.list() if run.simulated]
        graders = [grader for grader in store.grades.graders() if grader.n_scored]
        answer = {
            "built": is_built(store),
            "runs": [
                {"name": run.name, "model": run.model, "trajectories": run.n, "questions": run.n_questions}
                for run in runs
            ],
            "graders": [
                {"name": g.name, "version": g.version, "scored": g.n_scored, "mean": g.mean_score} for g in graders
            ],
            "rounds": [{"id": r.id, "name": r.name, "state": r.state} for r in store.human.rounds() if r.simulated],
            "specs": [{"name": row.name, "version": row.version} for row in store.rewards.specs()],
        }

    def show(console: Console) -> None:
        if not runs:
            console.print("this store holds nothing simulated; `workbench demo build` makes the sample")
            return
        for run in runs:
            console.print(f"{run.name}: {run.n} trajectories on {run.n_questions} questions (simulated)", markup=False)
        for grader in graders:
            console.print(f"{grader.name}: {grader.n_scored} graded, mean {grader.mean_score:.3f}", markup=False)

    context.emit(answer, show)
