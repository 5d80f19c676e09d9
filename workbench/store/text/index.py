"""The index: one row a part of a text, numbered so that the row's number says whose it is and in which field.

SQLite keeps it as a contentless FTS5 table, PostgreSQL as tsvectors under a GIN index; both get the same tokens.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, text

from workbench.schema.trajectory import Step
from workbench.store.engine import Backend
from workbench.store.text.query import FIELDS, LONGEST_PHRASE, Term
from workbench.store.text.tokens import tokens

PART_BITS, FIELD_BITS = 16, 2
OWNER_SHIFT = PART_BITS + FIELD_BITS
PART_TOKENS = 8000  # PostgreSQL: at most 16,383 positions and 1 MB a tsvector
SMALL_PART_TOKENS = 256  # where a token stands more often than PostgreSQL counts (255)
_MOST_POSITIONS = 255
_LAST_PART = 2**PART_BITS - 1
_OVERLAP = LONGEST_PHRASE - 1

CREATE: dict[Backend, tuple[str, ...]] = {
    "sqlite": ("CREATE VIRTUAL TABLE text_index USING fts5(tokens, content='', tokenize='ascii')",),
    "postgresql": (
        "CREATE TABLE text_index (id BIGINT PRIMARY KEY, tokens TSVECTOR NOT NULL)",
        "CREATE INDEX ix_text_index_tokens ON text_index USING gin (tokens)",
    ),
}
_INSERT: dict[Backend, str] = {
    "sqlite": "INSERT INTO text_index (rowid, tokens) VALUES (:id, :tokens)",
    "postgresql": "INSERT INTO text_index (id, tokens) VALUES (:id, CAST(:tokens AS TSVECTOR))",
}


def add_texts(connection: Connection, backend: Backend, items: Iterable[tuple[int, str, Sequence[str]]]) -> int:
    """Indexes (owner, field, texts): the owner is a trajectory's number, for the field `result` a document's.

    No phrase goes from one text into the next. Gives the number of rows.
    """
    rows = [
        {"id": (owner << OWNER_SHIFT) | (FIELDS.index(field) << PART_BITS) | part, "tokens": written}
        for owner, field, texts in items
        for part, written in enumerate(_parts(texts, backend))
    ]
    if rows:
        connection.execute(text(_INSERT[backend]), rows)
    return len(rows)


def _parts(texts: Sequence[str], backend: Backend) -> Iterator[str]:
    made = 0
    for one in texts:
        words = tokens(one)
        for part in _windows(words, PART_TOKENS):
            crowded = backend == "postgresql" and max(Counter(part).values(), default=0) > _MOST_POSITIONS
            for piece in _windows(part, SMALL_PART_TOKENS - 1) if crowded else (part,):
                if made > _LAST_PART:
                    return
                made += 1
                yield " ".join(piece) if backend == "sqlite" else _vector(piece)


def _windows(words: list[str], size: int) -> Iterator[list[str]]:
    """Parts that overlap, so that every phrase stands whole in one of them."""
    start = 0
    while start < len(words):
        yield words[start : start + size]
        if start + size >= len(words):
            return
        start += size - _OVERLAP


def _vector(words: list[str]) -> str:
    places: dict[str, list[str]] = {}
    for place, word in enumerate(words, 1):
        places.setdefault(word, []).append(str(place))
    return " ".join(f"'{word}':{','.join(where)}" for word, where in places.items())


def match_expression(term: Term, backend: Backend) -> str:
    """The term in the backend's language. Tokens hold letters, digits and marks only: nothing to escape."""
    if backend == "sqlite":
        return '"' + " ".join(term.tokens) + '"' + (" *" if term.prefix else "")
    return " <-> ".join(f"'{word}'" for word in term.tokens) + (":*" if term.prefix else "")


def searched(steps: Iterable[Step]) -> list[str]:
    """The texts in the arguments of search calls."""
    return [
        found
        for step in steps
        for call in step.tool_calls
        if call.kind == "search"
        for found in searched_in(call.arguments)
    ]


def searched_in(value: Any) -> Iterator[str]:
    """Every text in the arguments of one search call, in order."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting.extend(reversed(list(one.values())))
        elif isinstance(one, (list, tuple)):
            waiting.extend(reversed(one))
