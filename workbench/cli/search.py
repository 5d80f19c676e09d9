"""`workbench search TEXT`: where a text stands in questions and reports."""

from typing import Annotated

import typer
from rich.console import Console

from workbench.cli._terminal import line
from workbench.cli.context import emit, store
from workbench.errors import BadInputError
from workbench.store import Store, TrajectoryFilter, TrajectoryRow

AROUND_CHARS = 60


def register(app: typer.Typer) -> None:
    @app.command()
    def search(
        text: Annotated[str, typer.Argument(metavar="TEXT", help="What to look for, in any case of letters.")],
        run: Annotated[str | None, typer.Option("--run", help="In this run only.")] = None,
        limit: Annotated[int, typer.Option("--limit", min=1, help="How many to show.")] = 20,
        offset: Annotated[int, typer.Option("--offset", min=0, help="How many to pass over.")] = 0,
    ) -> None:
        """Find trajectories whose question or report holds a text."""
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
                console.print(line(f"    {hit['where']}: {hit['excerpt']}"), style="dim")
            console.print(f"{len(found)} of {page.total}")

        emit({"total": page.total, "offset": page.offset, "found": found}, human)


def describe(opened: Store, row: TrajectoryRow, text: str) -> dict[str, object]:
    """Where it stands first, with what stands around it."""
    where, body = "question", row.question
    place = find_folded(body, text)
    if place is None:
        where, body = "report", opened.trajectories.report(row.id)
        place = find_folded(body, text)
    start, end = place or (0, 0)
    before, after = max(0, start - AROUND_CHARS), min(len(body), end + AROUND_CHARS)
    excerpt = ("…" if before else "") + body[before:after] + ("…" if after < len(body) else "")
    return {
        "id": row.id,
        "run": row.run,
        "question": row.question,
        "where": where,
        "start": start,
        "end": end,
        "excerpt": excerpt,
    }


def find_folded(body: str, text: str) -> tuple[int, int] | None:
    """Where `text` stands in `body` in any case of letters, as offsets in `body`; folding may change lengths (ß)."""
    wanted = text.casefold()
    at = body.casefold().find(wanted)
    if at < 0:
        return None
    folded_at, start = 0, None
    for place, character in enumerate(body):
        if start is None and folded_at + len(character.casefold()) > at:
            start = place
        folded_at += len(character.casefold())
        if folded_at >= at + len(wanted):
            return (start if start is not None else place, place + 1)
    return None
