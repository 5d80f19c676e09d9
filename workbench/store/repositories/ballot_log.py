"""What happened to the ballots of a round, each entry sealed with the hash of the one before.

An entry changed, removed from within, or put between breaks the chain; a ballot changed behind the log's back no
longer fits its entry. Whoever can write the database could seal the whole chain anew: only a head kept elsewhere (it is
printed when a round closes) shows that, and shows that entries at the end were cut off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from sqlalchemy import Connection, insert, select

from workbench.schema.ballot import Ballot
from workbench.schema.canonical import JsonObject, JsonValue, content_hash
from workbench.store.engine import AnyRow
from workbench.store.repositories.base import Repository
from workbench.store.tables import BallotLogTable, BallotTable

LogEvent: TypeAlias = Literal["opened", "extended", "cast", "undone", "set_aside", "counted_again", "closed"]
_L, _B = BallotLogTable, BallotTable
# What the first entry of a round is sealed with.
START = ""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One thing that happened. `body` holds ids and hashes, no free text."""

    round_id: str
    at: datetime
    event: LogEvent
    body: JsonObject
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class Audit:
    """What the log of a round proves. `problems` are sentences, empty if everything fits.

    `head` seals all of it: None without entries. `complete` is False for a round opened before its log was kept; the
    `unlogged` ballots of such a round have no entry and nothing can be said of them.
    """

    n_entries: int
    n_ballots: int
    head: str | None
    complete: bool
    unlogged: int
    problems: tuple[str, ...]


class BallotLog(Repository):
    """Reading the log. Writing goes with what is logged, in its transaction (`append`)."""

    def log(self, round_id: str) -> tuple[LogEntry, ...]:
        """In order."""
        with self._db.read() as connection:
            rows = connection.execute(select(*_L.__table__.c).where(_L.round_id == round_id).order_by(_L.seq))
            return tuple(_entry(row) for row in rows)

    def audit(self, round_id: str, *, head: str | None = None) -> Audit:
        """Checks the chain, then every ballot against it. `head`: one noted before, which must still be there."""
        entries = self.log(round_id)
        with self._db.read() as connection:
            rows = connection.execute(select(*_B.__table__.c).where(_B.round_id == round_id).order_by(_B.seq)).all()
        problems = [*_broken_links(entries)]
        if head is not None and head not in {one.hash for one in entries}:
            problems.append(f"the head {head[:12]}... noted before is not in the log: it was sealed anew or cut off")
        complete = bool(entries) and entries[0].event == "opened"
        said, unlogged = _ballots_against(entries, rows)
        problems.extend(said)
        if complete and unlogged:
            problems.append(f"{unlogged} ballots have no entry: they were not cast through the workbench")
        last = entries[-1].hash if entries else None
        return Audit(len(entries), len(rows), last, complete, unlogged, tuple(problems))


def append(connection: Connection, round_id: str, event: LogEvent, body: JsonObject, *, at: datetime) -> str:
    """Seals one more entry and gives its hash. The caller holds the round, so that entries come one after another."""
    last = connection.scalar(select(_L.hash).where(_L.round_id == round_id).order_by(_L.seq.desc()).limit(1))
    previous = START if last is None else str(last)
    stamped = {**body, "at": at.astimezone(UTC).isoformat()}
    sealed = _seal(round_id, event, stamped, previous)
    row = {"round_id": round_id, "at": at, "event": event, "body": stamped, "previous": previous, "hash": sealed}
    connection.execute(insert(BallotLogTable).values(**row))
    return sealed


def ballot_hash(ballot: Ballot) -> str:
    """Of everything a rater said. What the owner does later (setting aside) has entries of its own."""
    return content_hash(
        {
            "assignment": ballot.assignment_id,
            "round": ballot.round_id,
            "rater": ballot.rater,
            "verdict": ballot.verdict,
            "scores": {name: list(pair) for name, pair in ballot.scores.items()},
            "reason": ballot.reason,
            "seconds": ballot.seconds,
        }
    )


def _seal(round_id: str, event: str, body: JsonObject, previous: str) -> str:
    return content_hash({"round": round_id, "event": event, "body": body, "previous": previous})


def _broken_links(entries: tuple[LogEntry, ...]) -> list[str]:
    found, previous = [], START
    for number, one in enumerate(entries, 1):
        where = f"entry {number} ({one.event}, {one.at:%Y-%m-%d %H:%M:%S})"
        if one.previous != previous:
            found.append(f"{where} does not follow the one before: an entry was removed or put in")
        if one.hash != _seal(one.round_id, one.event, one.body, one.previous):
            found.append(f"{where} was changed after it was sealed")
        previous = one.hash
    return found


def _ballots_against(entries: tuple[LogEntry, ...], rows: Sequence[AnyRow]) -> tuple[list[str], int]:
    """Sentences on ballots that do not fit their entries, and how many have none."""
    cast: dict[str, list[JsonValue]] = {}
    undone: dict[str, int] = {}
    aside: dict[str, JsonValue] = {}
    for one in entries:
        assignment = str(one.body.get("assignment", ""))
        if one.event == "cast":
            cast.setdefault(assignment, []).append(one.body.get("ballot"))
            aside.pop(assignment, None)
        elif one.event == "undone":
            undone[assignment] = undone.get(assignment, 0) + 1
        elif one.event in ("set_aside", "counted_again"):
            aside[assignment] = one.body.get("reason")
    problems: list[str] = []
    unlogged = 0
    there: dict[str, list[AnyRow]] = {}
    for row in rows:
        there.setdefault(row.assignment_id, []).append(row)
    for assignment, ballots in there.items():
        logged = cast.get(assignment, [])
        if not logged:
            unlogged += len(ballots)
            continue
        hashes = [ballot_hash(_as_ballot(row)) for row in ballots]
        if hashes != logged:
            problems.append(f"the ballot of {assignment} is not the one that was cast")
        elif sum(1 for row in ballots if row.undone_at is not None) != undone.get(assignment, 0):
            problems.append(f"the ballot of {assignment} was taken back, or brought back, without an entry")
        standing = [row.set_aside for row in ballots if row.undone_at is None]
        if standing and content_hash(standing[0]) != aside.get(assignment, content_hash("")):
            problems.append(f"the ballot of {assignment} was set aside, or counted again, without an entry")
    for assignment in cast.keys() - there.keys():
        problems.append(f"the ballot of {assignment} was cast and is gone")
    return sorted(problems), unlogged


def _as_ballot(row: AnyRow) -> Ballot:
    scores: Mapping[str, tuple[int, int]] = {name: (pair[0], pair[1]) for name, pair in row.scores.items()}
    return Ballot(row.assignment_id, row.round_id, row.rater, row.verdict, scores, row.reason, row.seconds)


def _entry(row: AnyRow) -> LogEntry:
    return LogEntry(row.round_id, row.at, row.event, row.body, row.previous, row.hash)
