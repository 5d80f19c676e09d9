"""`workbench targets`: per-question targets from reference runs."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from workbench.cli import context
from workbench.errors import BadInputError

SITE_COUNTS = ("opened", "cited", "seen_or_opened")
app = typer.Typer(help="Targets per question: the most that any reference rollout used.", no_args_is_help=True)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="targets")


@app.command()
def build(
    run: Annotated[list[str], typer.Option("--run", help="A reference run; give it once a run.")],
    leave_out: Annotated[
        list[str] | None, typer.Option("--leave-out", help="A run that must not set its own targets.")
    ] = None,
    counts: Annotated[str, typer.Option(help=f"Which sites count: {', '.join(SITE_COUNTS)}.")] = "opened",
) -> None:
    """Builds targets from reference runs and saves them under their content hash."""
    from workbench.reward.reference import build_from_store, save_targets
    from workbench.reward.targets import summarise

    if counts not in SITE_COUNTS:
        raise BadInputError(f"--counts is {counts!r}; expected one of {', '.join(SITE_COUNTS)}")
    with context.store(create=False) as store:
        table = build_from_store(store, run, counts=counts, leave_out=leave_out or ())
        save_targets(store, table)
    summary = summarise(table)
    answer = {
        "questions": summary.questions,
        "query_median": summary.query_median,
        "site_median": summary.site_median,
        "no_search_share": summary.no_search_share,
        "version": table.version,
        "counts": table.counts,
        "runs": list(table.runs),
        "left_out": list(table.left_out),
    }

    def show(console: Console) -> None:
        console.print(
            f"targets@{table.version}: {summary.questions} questions from {', '.join(table.runs)}; "
            f"median {summary.query_median:g} queries, {summary.site_median:g} sites {table.counts}; "
            f"no reference searched on {summary.no_search_share:.1%}"
        )

    context.emit(answer, show)


@app.command("list")
def list_tables() -> None:
    """Shows the saved tables, the newest first."""
    with context.store(create=False) as store:
        rows = store.rewards.targets_list()
    answer = {"targets": [{"version": row.version, "questions": row.n_questions, "meta": row.meta} for row in rows]}

    def show(console: Console) -> None:
        table = Table("version", "questions", "sites count", "runs", "left out")
        for row in rows:
            meta = row.meta
            table.add_row(
                row.version,
                str(row.n_questions),
                meta["counts"],
                ", ".join(meta["runs"]),
                ", ".join(meta["left_out"]),
            )
        console.print(table if rows else "no targets yet: workbench targets build --run RUN")

    context.emit(answer, show)
