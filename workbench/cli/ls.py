"""`workbench ls`: trajectories by what they are, and runs at a glance."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Column, Table

from workbench.cli._terminal import line
from workbench.cli.context import emit, store
from workbench.errors import BadInputError
from workbench.store import Page, RunSummary, TrajectoryFilter, TrajectoryRow

OUTCOMES = ("completed", "truncated", "failed", "unknown")
DEFAULT_LIMIT = 20


def register(app: typer.Typer) -> None:
    @app.command()
    def ls(
        run: Annotated[str | None, typer.Option("--run", help="Of this run.")] = None,
        model: Annotated[str | None, typer.Option("--model", help="Of this model.")] = None,
        question: Annotated[str | None, typer.Option("--question", help="Of the question with this id.")] = None,
        outcome: Annotated[str | None, typer.Option("--outcome", help=f"One of {', '.join(OUTCOMES)}.")] = None,
        text: Annotated[
            str | None, typer.Option("--text", help="As `search` finds it: words, phrases, fields.")
        ] = None,
        grader: Annotated[
            str | None, typer.Option("--grader", help="Show this grader's score: name or name@version.")
        ] = None,
        sort: Annotated[str, typer.Option("--sort", help="imported, question, run, score, steps ...")] = "imported",
        desc: Annotated[bool, typer.Option("--desc", help="Largest first.")] = False,
        limit: Annotated[int, typer.Option("--limit", min=1, help="How many to show.")] = DEFAULT_LIMIT,
        offset: Annotated[int, typer.Option("--offset", min=0, help="How many to pass over.")] = 0,
        runs: Annotated[bool, typer.Option("--runs", help="An overview of the runs instead.")] = False,
    ) -> None:
        """List trajectories, or with --runs the runs."""
        with store(create=False) as opened:
            if runs:
                show_runs(opened.runs.list())
                return
            if outcome is not None and outcome not in OUTCOMES:
                raise BadInputError(f"--outcome is {outcome!r}; expected one of {', '.join(OUTCOMES)}")
            if run is not None:
                opened.runs.get(run)  # a mistyped run is an error, and not an empty list
            wanted = TrajectoryFilter(
                run=run,
                model=model,
                question_id=question,
                outcome=outcome,  # type: ignore[arg-type]  # checked above
                text=text,
                grader=grader,
            )
            page = opened.trajectories.page(
                wanted,
                sort=sort,  # type: ignore[arg-type]  # the store checks it
                descending=desc,
                offset=offset,
                limit=limit,
            )
        show_page(page, grader)


def show_page(page: Page[TrajectoryRow], grader: str | None) -> None:
    """The list as a table, or as JSON: `total offset trajectories[]`."""

    def human(console: Console) -> None:
        head = Column("id", no_wrap=True)
        table = Table(
            head, Column("run", overflow="fold"), "question", "outcome", "steps", "queries", "sites", "report", box=None
        )
        if grader:
            table.add_column("score")
        for row in page.items:
            score = () if not grader else (line("-" if row.score is None else f"{row.score:.3f}"),)
            table.add_row(
                line(row.id),
                line(row.run),
                line(row.question, 60),
                line(row.outcome),
                line(str(row.steps)),
                line(str(row.activity.distinct_queries)),
                line(str(row.activity.sites_opened)),
                line(f"{row.report_chars:,}"),
                *score,
            )
        if page.items:
            console.print(table)
        first = page.offset + 1 if page.items else 0
        console.print(
            f"{first}-{page.offset + len(page.items)} of {page.total}" if page.items else f"0 of {page.total}"
        )

    emit({"total": page.total, "offset": page.offset, "trajectories": [row_to_json(row) for row in page.items]}, human)


def row_to_json(row: TrajectoryRow) -> dict[str, object]:
    return {
        "id": row.id,
        "question": row.question,
        "question_id": row.question_id,
        "run": row.run,
        "model": row.model,
        "attempt": row.attempt,
        "group": row.group,
        "policy_step": row.policy_step,
        "outcome": row.outcome,
        "steps": row.steps,
        "queries": row.activity.queries,
        "distinct_queries": row.activity.distinct_queries,
        "sites_opened": row.activity.sites_opened,
        "near_duplicate_queries": row.activity.near_duplicate_queries,
        "repeated_opens": row.activity.repeated_opens,
        "redundancy": row.activity.redundancy,
        "duration_s": row.activity.duration_s,
        "cost_usd": row.activity.cost_usd,
        "tool_calls": row.activity.tool_calls,
        "citations": sum(row.citations_by_retrieval.values()),
        "report_chars": row.report_chars,
        "score": row.score,
    }


def show_runs(runs: tuple[RunSummary, ...]) -> None:
    """The runs as a table, or as JSON: `total runs[]`."""

    def human(console: Console) -> None:
        # Names are folded and never cut: what tells two runs apart often stands at the end.
        names = (Column("run", overflow="fold"), Column("model", overflow="fold"))
        table = Table(*names, "trajectories", "questions", "", box=None)
        for run in runs:
            table.add_row(
                line(run.name),
                line(run.model),
                line(f"{run.n:,}"),
                line(f"{run.n_questions:,}"),
                line("simulated" if run.simulated else ""),
            )
        console.print(table if runs else "no runs yet: workbench import PATH")

    emit(
        {
            "total": len(runs),
            "runs": [
                {
                    "name": run.name,
                    "model": run.model,
                    "simulated": run.simulated,
                    "trajectories": run.n,
                    "questions": run.n_questions,
                    "created_at": run.created_at,
                    "meta": run.meta,
                }
                for run in runs
            ],
        },
        human,
    )
