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
    ballots.command("preferences")(preferences)
    ballots.command("audit")(audit)


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=".csv, .jsonl or .json.")],
    source: Annotated[str, typer.Option("--source", help="Name to keep the votes under. Default: the file's.")] = "",
    column: Annotated[
        list[str] | None, typer.Option("--column", help="FIELD=NAME where the file calls a field otherwise.")
    ] = None,
) -> None:
    """Import votes: model_a, model_b, winner (model_a model_b tie both_bad both_good both_fair), and optionally rater,
    question_id or question, reason, scores; or rows as PandaLM, AlpacaEval and MT-Bench write them. Rows that cannot be
    taken in are set aside with a reason; importing a file again changes nothing.

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
    reason: Annotated[str, typer.Option("--reason", help="Why; empty counts it again.")],
    assignment: Annotated[str, typer.Argument(metavar="[ASSIGNMENT]", help="Id of the ballot's assignment.")] = "",
    round: Annotated[str | None, typer.Option("--round", help="With --rater: of this round, id or name.")] = None,
    rater: Annotated[str | None, typer.Option("--rater", help="All ballots of this rater of the round.")] = None,
) -> None:
    """Do not count a ballot, or all of one rater's, from now on. They are kept, with the reason."""
    from workbench.human.rounds import find_round

    if bool(assignment) == bool(rater) or bool(rater) != bool(round):
        raise BadInputError("name one ballot by its ASSIGNMENT, or a rater's by --round ROUND --rater RATER")
    with store(create=False) as opened:
        chosen = [assignment]
        if round is not None:
            ballots = opened.human.ballots(find_round(opened, round).id)
            chosen = [one.assignment_id for one in ballots if one.rater == rater]
            if not chosen:
                raise BadInputError(f"no ballot of {rater!r} stands in round {round}")
        for one in chosen:
            opened.human.set_aside(one, reason)
    text = f"{len(chosen)} ballots {'set aside' if reason else 'count again'}"
    answer = {"assignment": assignment or None, "rater": rater, "ballots": len(chosen), "set_aside": reason}
    emit(answer, lambda console: console.print(text))


def preferences(
    file: Annotated[Path, typer.Argument(metavar="FILE", help=".jsonl to write.")],
    round: Annotated[str | None, typer.Option("--round", help="Of this closed round: id or name.")] = None,
    margin: Annotated[int, typer.Option("--margin", help="Votes more for the chosen report, at least.")] = 1,
) -> None:
    """Export what people preferred as prompt, chosen and rejected, as DPO trainers take it."""
    from workbench.human.ballots.preferences import export_preferences
    from workbench.human.rounds import find_round
    from workbench.human.votes import counted_votes

    with store(create=False) as opened:
        round_id = None if round is None else find_round(opened, round).id
        counted = counted_votes(opened, round_id=round_id)
        found = export_preferences(opened, counted, file, margin=margin)
    for text in counted.notes():
        note(text)
    if found.imported:
        note(f"{found.imported} imported votes have no report in the store and made no pair")
    answer = {
        "pairs": found.pairs,
        "undecided": found.undecided,
        "imported_without_report": found.imported,
        "path": str(found.path),
        "notes": list(counted.notes()),
    }
    said = f"{found.pairs} preference pairs in {found.path}; {found.undecided} pairs undecided"
    emit(answer, lambda console: console.print(said, markup=False))


def audit(
    round: Annotated[str, typer.Argument(metavar="ROUND", help="Id or name of the round.")],
    head: Annotated[str | None, typer.Option("--head", help="A head noted before; it must still be there.")] = None,
) -> None:
    """Check the sealed log of a round and every ballot against it. Keep the head elsewhere: it seals all before it."""
    from workbench.human.rounds import find_round

    with store(create=False) as opened:
        round_id = find_round(opened, round).id
        found = opened.human.audit(round_id, head=head)
    answer = {
        "round": round_id,
        "entries": found.n_entries,
        "ballots": found.n_ballots,
        "head": found.head,
        "complete": found.complete,
        "unlogged": found.unlogged,
        "problems": list(found.problems),
    }

    def human(console: Console) -> None:
        console.print(f"{found.n_entries} entries, {found.n_ballots} ballots; head {found.head or '(none)'}")
        if not found.complete:
            console.print(f"! the log was not kept from the start: nothing is known of {found.unlogged} ballots")
        for text in found.problems:
            console.print(f"! {text}", markup=False)
        if found.complete and not found.problems:
            console.print("every ballot is as it was cast")

    emit(answer, human)
    finish(failed=len(found.problems))


def _columns(given: list[str]) -> dict[str, str]:
    found = {}
    for text in given:
        field, equals, name = text.partition("=")
        if not (field and equals and name):
            raise BadInputError(f"--column {text!r}: expected FIELD=NAME, such as model_a=left")
        found[field] = name
    return found
