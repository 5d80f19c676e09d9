"""The index: what the texts of a trajectory say, field by field, under the trajectory's number.

SQLite keeps it as a contentless FTS5 table with one row a trajectory and one column a field. PostgreSQL keeps one row a
part of a field, as a tsvector under a GIN index. Both get the same tokens.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, text

from workbench.schema.trajectory import Step
from workbench.store.engine import Backend
from workbench.store.text.query import FIELDS, LONGEST_PHRASE, Term
from workbench.store.text.tokens import LONGEST_TOKEN, tokens

PART_TOKENS = 8000  # PostgreSQL: at most 16,383 positions and 1 MB a tsvector
SMALL_PART_TOKENS = 256  # where a token stands more often than PostgreSQL counts (255)
_MOST_POSITIONS = 255
_OVERLAP = LONGEST_PHRASE - 1
# Between two texts of one column: a token to FTS5 and never one of ours, so that no phrase goes over it.
_BETWEEN = " \u00b6 "
_TOO_LONG = re.compile(f"[A-Za-z0-9]{{{LONGEST_TOKEN + 1}}}")

CREATE: dict[Backend, tuple[str, ...]] = {
    "sqlite": (
        f"CREATE VIRTUAL TABLE text_index USING fts5({', '.join(FIELDS)}, content='', columnsize=0, tokenize='ascii')",
    ),
    # GIN's list of what waits to be merged is read by every search: kept to 256 kB of the usual 4 MB.
    "postgresql": (
        "CREATE TABLE text_index (trajectory BIGINT NOT NULL, field SMALLINT NOT NULL, part INTEGER NOT NULL, "
        "tokens TSVECTOR NOT NULL, CONSTRAINT pk_text_index PRIMARY KEY (trajectory, field, part), "
        "CONSTRAINT fk_text_index_trajectory FOREIGN KEY (trajectory) REFERENCES trajectories (seq) ON DELETE CASCADE)",
        "CREATE INDEX ix_text_index_tokens ON text_index USING gin (tokens) WITH (gin_pending_list_limit = 256)",
    ),
}
_INSERT: dict[Backend, str] = {
    "sqlite": f"INSERT INTO text_index (rowid, {', '.join(FIELDS)}) VALUES (:trajectory, :{', :'.join(FIELDS)})",
    "postgresql": "INSERT INTO text_index VALUES (:trajectory, :field, :part, CAST(:tokens AS TSVECTOR))",
}

Texts = Mapping[str, Sequence[str]]


def add_texts(connection: Connection, backend: Backend, items: Iterable[tuple[int, Texts]]) -> None:
    """Indexes (trajectory's number, texts by field). A trajectory comes once, with all that it says.

    No phrase goes from one text into the next.
    """
    if backend == "sqlite":
        rows = [_columns(number, texts) for number, texts in items]
    else:
        rows = [row for number, texts in items for row in _vectors(number, texts)]
    if rows:
        connection.execute(text(_INSERT[backend]), rows)


def _columns(number: int, texts: Texts) -> dict[str, Any]:
    return {"trajectory": number} | {
        field: _BETWEEN.join(_for_fts5(one) for one in texts.get(field, ())) for field in FIELDS
    }


def _for_fts5(one: str) -> str:
    """A text of which FTS5's `ascii` tokenizer makes our tokens: of ASCII it makes the same without our help."""
    return one if one.isascii() and not _TOO_LONG.search(one) else " ".join(tokens(one))


def _vectors(number: int, texts: Texts) -> Iterator[dict[str, Any]]:
    for index, field in enumerate(FIELDS):
        for part, written in enumerate(_parts(texts.get(field, ()))):
            yield {"trajectory": number, "field": index, "part": part, "tokens": written}


def _parts(texts: Sequence[str]) -> Iterator[str]:
    """Tsvectors of at most 8,000 tokens; short texts share one, with a gap between them that no phrase goes over."""
    waiting: list[list[str]] = []
    places = 0
    for one in texts:
        words = tokens(one)
        if waiting and places + len(words) > PART_TOKENS:
            yield from _pieces(waiting)
            waiting, places = [], 0
        if words:
            waiting.append(words)
            places += len(words) + 1
    if waiting:
        yield from _pieces(waiting)


def _pieces(together: list[list[str]]) -> Iterator[str]:
    if len(together) > 1:
        if max(Counter(word for words in together for word in words).values()) <= _MOST_POSITIONS:
            yield _vector(together)
        else:
            for words in together:
                yield from _pieces([words])
        return
    for part in _windows(together[0], PART_TOKENS):
        crowded = max(Counter(part).values(), default=0) > _MOST_POSITIONS
        for piece in _windows(part, SMALL_PART_TOKENS - 1) if crowded else (part,):
            yield _vector([piece])


def _windows(words: list[str], size: int) -> Iterator[list[str]]:
    """Parts that overlap, so that every phrase stands whole in one of them."""
    start = 0
    while start < len(words):
        yield words[start : start + size]
        if start + size >= len(words):
            return
        start += size - _OVERLAP


def _vector(texts: list[list[str]]) -> str:
    places: dict[str, list[str]] = {}
    place = 0
    for words in texts:
        for word in words:
            place += 1
            places.setdefault(word, []).append(str(place))
        place += 1
    return " ".join(f"'{word}':{','.join(where)}" for word, where in places.items())


def match_expression(term: Term, backend: Backend) -> str:
    """The term in the backend's language, without its field on PostgreSQL. Tokens hold letters, digits and marks only:
    nothing to escape."""
    if backend == "sqlite":
        field = f"{{{term.field}}} : " if term.field else ""
        return field + '"' + " ".join(term.tokens) + '"' + (" *" if term.prefix else "")
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
