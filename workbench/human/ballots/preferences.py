"""Ballots as preference pairs for DPO and its like: one question, the report people preferred, the one they did not."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import orjson

from workbench.errors import BadInputError
from workbench.human.votes import CountedVotes
from workbench.store import Store


@dataclass(frozen=True, slots=True)
class ExportedPreferences:
    """`pairs` written; `undecided` left out for too small a margin; `imported` votes have no report in the store."""

    pairs: int
    undecided: int
    imported: int
    path: Path


def export_preferences(store: Store, counted: CountedVotes, path: Path, *, margin: int = 1) -> ExportedPreferences:
    """Writes JSONL, whole or not at all: `prompt`, `chosen`, `rejected` (texts), and what the choice rests on.

    The names are those that TRL's DPO trainer takes; `question_id` is there to split by question, never by row: two
    pairs of one question share reports. A pair is decided by at least `margin` more votes than for the other report;
    a tie of any kind is a vote for neither. Raises BadInputError for another ending or a margin below 1.
    """
    if path.suffix.lower() not in (".jsonl", ".ndjson"):
        raise BadInputError(f"{path}: preference pairs are written to .jsonl")
    if margin < 1:
        raise BadInputError(f"a margin of {margin} votes; expected 1 or more")
    said: dict[tuple[str, str, str], Counter[str]] = {}
    imported = 0
    for vote, pair in zip(counted.votes, counted.shown, strict=True):
        if pair is None:
            imported += 1
            continue
        low, high = sorted(pair)
        winner = {"model_a": pair[0], "model_b": pair[1]}.get(vote.winner, "tie")
        said.setdefault((vote.question_id, low, high), Counter())[winner] += 1
    rows, undecided = [], 0
    for (question_id, low, high), votes in sorted(said.items()):
        chosen, rejected = (low, high) if votes[low] > votes[high] else (high, low)
        if votes[chosen] - votes[rejected] < margin:
            undecided += 1
            continue
        rows.append(
            {
                "prompt": store.trajectories.row(chosen).question,
                "chosen": store.trajectories.report(chosen),
                "rejected": store.trajectories.report(rejected),
                "question_id": question_id,
                "chosen_id": chosen,
                "rejected_id": rejected,
                "votes_for": votes[chosen],
                "votes_against": votes[rejected],
                "ties": votes["tie"],
            }
        )
    part = path.with_name(path.name + ".part")
    part.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    part.replace(path)
    return ExportedPreferences(len(rows), undecided, imported, path)
