"""`workbench search TEXT`: where a text stands in questions, reports, queries and tool results."""

from typing import Annotated

import typer
from rich.console import Console

from workbench.cli._terminal import line
from workbench.cli.context import emit, store
from workbench.errors import BadInputError
from workbench.store import Store, TrajectoryFilter, TrajectoryRow
from workbench.store.repositories.trajectory_search import AROUND_CHARS

HELP = (
    'Words that must all be there, in any case of letters; "a phrase"; -word to exclude; begin*; and fields: '
    "question: report: query: result: run: model:"
)


def register(app: typer.Typer) -> None:
    @app.command()
    def search(
        text: Annotated[str, typer.Argument(metavar="TEXT", help=HELP)],
        run: Annotated[str | None, typer.Option("--run", help="In this run only.")] = None,
        limit: Annotated[int, typer.Option("--limit", min=1, help="How many to show.")] = 20,
        offset: Annotated[int, typer.Option("--offset", min=0, help="How many to pass over.")] = 0,
    ) -> None:
        """Find trajectories by what their question, report, queries and tool results say."""
        if not text.strip():
            raise BadInputError("there is nothing to look for; give a text")
        with store(create=False) as opened:
            if run is not None:
                opened.runs.get(run)
            page = opened.trajectories.page(TrajectoryFilter(text=text, run=run), offset=offset, limit=limit)
            found = [describe(opened, row, text) for row in page.items]

        def human(console: Console) -> None:
            for hit in found:
                console.print(line(f"{hit['id']}  {hit['run']}  {hit['question']}", console.width))
                console.print(line(f"    {place(hit)}: {hit['excerpt']}"), style="dim")
            console.print(f"{len(found)} of {page.total}")

        emit({"total": page.total, "offset": page.offset, "found": found}, human)


def place(hit: dict[str, object]) -> str:
    return str(hit["where"] or "no text") + ("" if hit["step"] is None else f" of step {hit['step']}")


def describe(opened: Store, row: TrajectoryRow, text: str) -> dict[str, object]:
    """The first match with what stands around it; a search by run, model or exclusion alone has none to show."""
    shown: dict[str, object] = {"id": row.id, "run": row.run, "question": row.question}
    for match in opened.trajectories.snippets(row.id, text):
        cut = match.excerpt_start + len(match.excerpt)
        more = "" if cut < match.end + AROUND_CHARS else "…"
        return shown | {
            "where": match.field,
            "step": match.position,
            "ordinal": match.ordinal,
            "start": match.start,
            "end": match.end,
            "excerpt": ("…" if match.excerpt_start else "") + match.excerpt + more,
        }
    return shown | {"where": None, "step": None, "ordinal": 0, "start": 0, "end": 0, "excerpt": ""}
