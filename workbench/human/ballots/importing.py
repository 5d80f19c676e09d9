"""Votes of a file into the store: every row imported, a duplicate, or set aside with its reason."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from workbench.errors import BadInputError
from workbench.human.ballots.arena import FIELDS, RowError, vote_of
from workbench.human.ballots.reading import FileRow, read_rows
from workbench.human.ballots.shapes import arena_rows
from workbench.human.votes import ROUND_SOURCE, counted_votes
from workbench.ingest.quarantine import Quarantine
from workbench.ingest.splitter import RawRecord
from workbench.schema.ballot import Vote
from workbench.store import Store

BATCH = 1000


@dataclass(frozen=True, slots=True)
class ImportedVotes:
    """`read == imported + duplicates + quarantined`. `sources` are the names the votes are kept under."""

    read: int
    imported: int
    duplicates: int
    quarantined: int
    quarantine_path: Path | None
    sources: tuple[str, ...]


def import_votes(
    store: Store, path: Path, *, quarantine_dir: Path, source: str = "", columns: Mapping[str, str] | None = None
) -> ImportedVotes:
    """Rows of a CSV, JSONL or JSON file, in the arena form or one of `shapes`. Importing again changes nothing.

    A vote is known by source (the file's name unless given, or what the row says) and ordinal (the row's place, or what
    the row says). The same key with another content is set aside: two files of one name must not hide each other.
    `columns` maps our field names to the file's where they differ. Raises BadInputError for what is no such file.
    """
    mapped = dict(columns or {})
    if unknown := sorted(set(mapped) - set(FIELDS)):
        raise BadInputError(f"--column {unknown[0]}=...: no such field; fields are {', '.join(FIELDS)}")
    rows = read_rows(path)
    quarantine, known = Quarantine(quarantine_dir), _Known(store)
    fresh: list[Vote] = []
    read = imported = duplicates = 0

    def write() -> None:
        nonlocal imported, duplicates
        added, there = store.human.add_votes(fresh)
        imported, duplicates = imported + added, duplicates + there
        fresh.clear()

    try:
        for row, fields in _rows_of_votes(rows):
            read += 1
            try:
                vote = _vote(row, fields, mapped, source=source or path.name, ordinal=read - 1)
                if known.has(vote):
                    duplicates += 1
                else:
                    fresh.append(vote)
            except RowError as error:
                record = RawRecord(row.raw, row.line)
                quarantine.add(record, source=str(path), number=read, format_name="arena", reason=str(error))
            if len(fresh) >= BATCH:
                write()
        write()
    finally:
        quarantine.close()
    return ImportedVotes(read, imported, duplicates, quarantine.count, quarantine.path, known.sources)


def _rows_of_votes(rows: Iterator[FileRow]) -> Iterator[tuple[FileRow, Mapping[str, Any] | None]]:
    """Each row with the fields of each vote it holds; with None where its shape cannot be read."""
    for row in rows:
        try:
            found = (None,) if row.fields is None else arena_rows(row.fields)
        except RowError as error:
            yield replace(row, problem=str(error)), None
            continue
        for fields in found:
            yield row, fields


def _vote(
    row: FileRow, own: Mapping[str, Any] | None, columns: Mapping[str, str], *, source: str, ordinal: int
) -> Vote:
    if own is None:
        raise RowError(row.problem)
    # A column given another meaning must not be read under its own name too (llmfao's `left` holds a model).
    taken = set(columns.values())
    fields = {name: value for name, value in own.items() if name not in taken and name not in columns}
    for field, name in columns.items():
        if name not in own:
            raise RowError(f"no column {name!r}, which --column {field}={name} asks for")
        fields[field] = own[name]
    return vote_of(fields, source=source, ordinal=ordinal)


class _Known:
    """What the store and this import hold already, by source and ordinal."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._votes: dict[str, dict[int, Vote]] = {}

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(sorted(self._votes))

    def has(self, vote: Vote) -> bool:
        """Whether this very vote is there; from now on it is. RowError where its key is taken by another."""
        of_source = self._votes[vote.source] if vote.source in self._votes else self._load(vote.source)
        there = of_source.setdefault(vote.ordinal, vote)
        if there is vote:
            return False
        if there != vote:
            raise RowError(
                f"vote {vote.ordinal} of source {vote.source!r} is in the store with another content; "
                "if this is another file, import it with --source NAME"
            )
        return True

    def _load(self, source: str) -> dict[int, Vote]:
        round_id = source.removeprefix(ROUND_SOURCE)
        if source != round_id and any(one.id == round_id for one in self._store.human.rounds()):
            # An export that comes back to where its round is: those ballots count already.
            votes = counted_votes(self._store, round_id=round_id).votes
        else:
            votes = self._store.human.votes(source=source)
        return self._votes.setdefault(source, {vote.ordinal: vote for vote in votes})
