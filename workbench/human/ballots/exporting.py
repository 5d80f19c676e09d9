"""Votes to a file in the arena form, which `import_votes` reads back to the same votes."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from workbench.errors import BadInputError
from workbench.human.ballots.arena import FIELDS, row_of
from workbench.human.ballots.reading import escape_cell
from workbench.schema.ballot import Vote
from workbench.schema.canonical import JsonValue
from workbench.store import Store, TrajectoryFilter


@dataclass(frozen=True, slots=True)
class ExportedVotes:
    """How many votes stand in `path`."""

    exported: int
    path: Path


def export_votes(store: Store, votes: Sequence[Vote], path: Path) -> ExportedVotes:
    """Writes `.csv` or `.jsonl`, whole or not at all. In CSV `scores` is JSON in a cell, and a cell that a spreadsheet
    would take for a formula stands behind an apostrophe. Raises BadInputError for another ending.
    """
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".jsonl", ".ndjson"):
        raise BadInputError(f"{path}: votes are written to .csv or .jsonl, not {suffix or 'a file without ending'}")
    rows = [row_of(vote, question=question) for vote, question in zip(votes, _questions(store, votes), strict=True)]
    part = path.with_name(path.name + ".part")
    if suffix == ".csv":
        _write_csv(part, rows)
    else:
        part.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    part.replace(path)
    return ExportedVotes(len(rows), path)


def _write_csv(path: Path, rows: Sequence[dict[str, JsonValue]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(FIELDS)
        for row in rows:
            cells = {**row, "scores": orjson.dumps(row["scores"]).decode() if row["scores"] else ""}
            writer.writerow([escape_cell(str(cells[field])) for field in FIELDS])


def _questions(store: Store, votes: Sequence[Vote]) -> list[str]:
    """Texts of the questions, empty where the store has no trajectory on one."""
    texts: dict[str, str] = {}
    for vote in votes:
        if vote.question_id and vote.question_id not in texts:
            page = store.trajectories.page(TrajectoryFilter(question_id=vote.question_id), limit=1)
            texts[vote.question_id] = page.items[0].question if page.items else ""
    return [texts.get(vote.question_id, "") for vote in votes]
