"""One row of the arena form, checked: `model_a model_b winner`, and what ours adds.

Ours adds `both_good` and `both_fair` to the winners `model_a model_b tie both_bad`, and the fields `rater`,
`question_id`, `question`, `reason`, `scores` (dimension -> [a, b], each 1..5), `source` and `ordinal`.
"""

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from workbench.schema.ballot import Vote
from workbench.schema.canonical import JsonValue, question_key

FIELDS: tuple[str, ...] = (
    "model_a", "model_b", "winner", "rater", "question_id", "question", "reason", "scores", "source", "ordinal",
)  # fmt: skip
# How arenas and tools spell the same answer.
WINNERS: Mapping[str, str] = {
    "model_a": "model_a", "a": "model_a", "left": "model_a",
    "model_b": "model_b", "b": "model_b", "right": "model_b",
    "tie": "tie", "draw": "tie",
    "both_bad": "both_bad", "bothbad": "both_bad", "tie (bothbad)": "both_bad", "both bad": "both_bad",
    "both_good": "both_good", "both good": "both_good",
    "both_fair": "both_fair", "both fair": "both_fair",
}  # fmt: skip
# What no database keeps: NUL, and halves of surrogate pairs (bytes that were not UTF-8 arrive as such).
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class RowError(ValueError):
    """The row is no vote; the message says why."""


def _text(value: object) -> object:
    """Numbers as names are common in public files: worker 58, prompt 8."""
    if value is None:
        return ""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _scores(value: object) -> object:
    if value is None or value == "":
        return {}
    return json.loads(value) if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_text)]
Name = Annotated[str, BeforeValidator(_text), Field(min_length=1, max_length=500)]
Score = Annotated[int, Field(ge=1, le=5)]


class ArenaRow(BaseModel):
    """A row as it comes in. Fields that are not ours are ignored."""

    model_config = ConfigDict(extra="ignore", protected_namespaces=())

    model_a: Name
    model_b: Name
    winner: Annotated[str, Field(max_length=100)]
    rater: Text = ""
    question_id: Text = ""
    question: Text = ""
    reason: Text = ""
    scores: Annotated[
        dict[str, Annotated[list[Score], Field(min_length=2, max_length=2)]], BeforeValidator(_scores)
    ] = {}
    source: Text = ""
    ordinal: Annotated[int, Field(ge=0, lt=2**63)] | None = None

    @field_validator("winner")
    @classmethod
    def _known(cls, value: str) -> str:
        found = WINNERS.get(value.strip().casefold())
        if found is None:
            raise ValueError(f"winner is {value[:80]!r}; expected one of {', '.join(dict.fromkeys(WINNERS.values()))}")
        return found


def vote_of(row: Mapping[str, Any], *, source: str, ordinal: int) -> Vote:
    """The vote a row holds, keyed by its own source and ordinal where it has both. Raises RowError."""
    try:
        read = ArenaRow.model_validate(row)
    except (ValidationError, RecursionError) as error:
        raise RowError(_sentence(error)) from None
    if read.model_a == read.model_b:
        raise RowError(f"both sides are {read.model_a!r}; a vote needs two different models")
    own_key = bool(read.source) and read.ordinal is not None
    vote = Vote(
        model_a=read.model_a,
        model_b=read.model_b,
        winner=read.winner,  # type: ignore[arg-type]  # one of WINNERS, checked above
        rater=read.rater,
        question_id=read.question_id or (question_key(read.question) if read.question else ""),
        source=read.source if own_key else source,
        ordinal=read.ordinal if own_key and read.ordinal is not None else ordinal,
        reason=read.reason,
        scores={name: (pair[0], pair[1]) for name, pair in read.scores.items()},
    )
    texts = (vote.model_a, vote.model_b, vote.rater, vote.question_id, vote.source, vote.reason, *vote.scores)
    if any(_UNSTORABLE.search(text) for text in texts):
        raise RowError("holds a NUL or bytes that are not UTF-8, which no database keeps")
    return vote


def row_of(vote: Vote, *, question: str = "") -> dict[str, JsonValue]:
    """The inverse of `vote_of`, with the question's text where it is known."""
    return {
        "model_a": vote.model_a,
        "model_b": vote.model_b,
        "winner": vote.winner,
        "rater": vote.rater,
        "question_id": vote.question_id,
        "question": question,
        "reason": vote.reason,
        "scores": {name: list(pair) for name, pair in vote.scores.items()},
        "source": vote.source,
        "ordinal": vote.ordinal,
    }


def _sentence(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return "nested too deeply to be a vote"
    first = error.errors()[0]
    field, text = ".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")
    if first["type"] == "missing":
        return f"no {field}; expected model_a, model_b and winner (other names: --column {field}=NAME)"
    return text if text.startswith(field) else f"{field}: {text}"
