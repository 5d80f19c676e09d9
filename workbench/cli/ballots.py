"""`workbench ballots`: votes from and to files, and ballots set aside."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from workbench.cli.context import emit, finish, note, store, store_url
from workbench.errors import BadInputError


def register(app: typer.Typer) -> None:
    ballots = typer.Typer(help="Votes of people, in and out.", no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(ballots, name="ballots")
    ballots.command("import")(import_)
    ballots.command("export")(export)
    ballots.command("set-aside")(set_aside)


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=".csv or .jsonl in the arena form.")],
    source: Annotated[str, typer.Option("--source", help="Name to keep the votes under. Default: the file's.")] = "",
    column: Annotated[
        list[str] | None, typer.Option("--column", help="FIELD=NAME where the file calls a field otherwise.")
    ] = None,
) -> None:
    """Import votes: model_a, model_b, winner (model_a model_b tie both_bad both_good both_fair), and optionally rater,
    question_id or question, reason, scores. Rows that cannot be taken in are set aside with a reason; importing a file
    again changes nothing.

    Evalica's llmfao.csv, for one: --column model_a=left --column model_b=right --column rater=worker
    --column question_id=prompt
    """
    from workbench.cli.import_ import quarantine_dir
    from workbench.human.ballots import import_votes
    from workbench.human.ballots.reading import read_rows

    read_rows(file)  # before the store is opened, since opening may make it
    columns = _columns(column or [])
    with store() as opened:
        found = import_votes(opened, file, quarantine_dir=quarantine_dir(store_url()), source=source, columns=columns)
    answer = {
        "read": found.read,
        "imported": found.imported,
        "duplicates": found.duplicates,
        "quarantined": found.quarantined,
        "quarantine_path": None if found.quarantine_path is None else str(found.quarantine_path),
        "sources": list(found.sources),
    }

    def human(console: Console) -> None:
        counts = f"{found.read} read: {found.imported} imported, {found.duplicates} already there, "
        console.print(
            f"{counts}{found.quarantined} set aside; kept as {', '.join(found.sources) or 'none'}", markup=False
        )

    if found.quarantine_path:
        note(f"set aside, with reasons: {found.quarantine_path}")
    emit(answer, human)
    finish(failed=found.quarantined)


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=".csv or .jsonl to write.")],
    round: Annotated[str | None, typer.Option("--round", help="Of this closed round: id or name.")] = None,
    source: Annotated[str | None, typer.Option("--source", help="Of this imported source.")] = None,
) -> None:
    """Export the votes that count, in the arena form; `ballots import` reads them back."""
    from workbench.human.ballots import export_votes
    from workbench.human.rounds import find_round
    from workbench.human.votes import counted_votes

    with store(create=False) as opened:
        round_id = None if round is None else find_round(opened, round).id
        counted = counted_votes(opened, round_id=round_id, source=source)
        found = export_votes(opened, counted.votes, file)
    for text in counted.notes():
        note(text)
    answer = {"exported": found.exported, "path": str(found.path), "notes": list(counted.notes())}
    emit(answer, lambda console: console.print(f"{found.exported} votes in {found.path}", markup=False))


def set_aside(
    assignment: Annotated[str, typer.Argument(metavar="ASSIGNMENT", help="Id of the ballot's assignment.")],
    reason: Annotated[str, typer.Option("--reason", help="Why; empty counts it again.")],
) -> None:
    """Do not count a ballot from now on. It is kept, with the reason."""
    with store(create=False) as opened:
        opened.human.set_aside(assignment, reason)
    text = "set aside" if reason else "counts again"
    emit({"assignment": assignment, "set_aside": reason}, lambda console: console.print(f"{assignment}: {text}"))


def _columns(given: list[str]) -> dict[str, str]:
    found = {}
    for text in given:
        field, equals, name = text.partition("=")
        if not (field and equals and name):
            raise BadInputError(f"--column {text!r}: expected FIELD=NAME, such as model_a=left")
        found[field] = name
    return found
