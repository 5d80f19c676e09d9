"""One engine, opened the same way everywhere, and the two kinds of transaction that repositories use."""

import json
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias

from sqlalchemy import (
    ARRAY,
    Connection,
    CursorResult,
    Engine,
    Executable,
    Insert,
    Row,
    Select,
    column,
    create_engine,
    event,
    func,
    literal,
    select,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DataError, InterfaceError, OperationalError
from sqlalchemy.orm import DeclarativeBase

from workbench.errors import BadInputError, StoreError
from workbench.store.types import PORTABLE_TEXT, escape_text

AnySelect: TypeAlias = Select[*tuple[Any, ...]]
AnyRow: TypeAlias = Row[*tuple[Any, ...]]
Backend: TypeAlias = Literal["sqlite", "postgresql"]

BUSY_TIMEOUT_S = 30.0
# Numbers of advisory locks; any will do if they differ. Importers take turns: two that insert the same documents in
# another order would end in a deadlock.
UPGRADING, IMPORTING = 7_269_041, 7_269_042


def parse_url(text: str) -> tuple[URL, Backend]:
    """The URL with SQLite paths made absolute and PostgreSQL through psycopg 3. Raises StoreError for others."""
    try:
        url = make_url(text)
    except ArgumentError:
        raise StoreError(
            f"the store {text!r} is not a URL; expected sqlite:///path/to/file.db or postgresql://user@host/database"
        ) from None
    name = url.get_backend_name()
    if name == "sqlite":
        if not url.database or url.database == ":memory:" or url.database.startswith("file:"):
            raise StoreError(
                f"the store {text!r} names no file; expected sqlite:///path/to/file.db (a job's process opens it too)"
            )
        path = Path(url.database).expanduser().absolute()
        return url.set(drivername="sqlite", database=str(path)), "sqlite"
    if name == "postgresql":
        return url.set(drivername="postgresql+psycopg"), "postgresql"
    raise StoreError(f"the store {url.render_as_string()} is of kind {name!r}; expected sqlite or postgresql")


def make_engine(url: URL, backend: Backend) -> Engine:
    """SQLite: write-ahead log, foreign keys, 30 s of patience, a full sync at commit (a power cut loses nothing).

    Transactions begin explicitly: IMMEDIATE for writers, so that two of them queue up instead of failing half-way.
    """
    if backend == "postgresql":
        return create_engine(url, pool_pre_ping=True, max_overflow=32)
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_S, "isolation_level": None}, max_overflow=32)

    @event.listens_for(engine, "connect")
    def configure(connection: sqlite3.Connection, _record: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute("PRAGMA synchronous=FULL")
        _write_ahead_log(cursor)
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writer = connection.get_execution_options().get("writer", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writer else "BEGIN")

    return engine


def _write_ahead_log(cursor: sqlite3.Cursor) -> None:
    """Changing the journal mode ignores the busy time-out, so two processes that make a store together must retry."""
    until = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            if cursor.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.02)


@contextmanager
def _answering() -> Iterator[None]:
    """What a user can mend is said as a sentence: a full disk, a lost connection, a value that no column holds."""
    try:
        yield
    except (OperationalError, InterfaceError) as error:
        reason = str(error.orig).strip().splitlines()[0] if error.orig else str(error)
        raise StoreError(f"the store did not answer or refused a write: {reason}") from error
    except (DataError, OverflowError) as error:
        reason = str(getattr(error, "orig", error)).strip().splitlines()[0]
        raise BadInputError(f"the store cannot hold a value: {reason}") from error


class Database:
    """An engine and its transactions. Repositories hold one; nothing outside the store does."""

    def __init__(self, engine: Engine, backend: Backend) -> None:
        self.engine = engine
        self.backend: Backend = backend
        snapshot = {"isolation_level": "REPEATABLE READ"} if backend == "postgresql" else {}
        self._reader = engine.execution_options(**snapshot)
        self._writer = engine.execution_options(writer=True)
        self._turn = threading.Lock() if backend == "sqlite" else None
        self._watching = threading.Lock()
        self._watcher: Any = None

    def close(self) -> None:
        if self._watcher is not None:
            self._watcher.close()
        self.engine.dispose()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One consistent snapshot. Raises StoreError where the database does not answer."""
        with _answering(), self._reader.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: all of it or nothing. Raises StoreError where the database does not take it."""
        with self._in_turn(), _answering(), self._writer.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """Threads of one process take turns at writing to SQLite.

        SQLite's own waiting is a poll with growing pauses: of forty threads some came last for twenty seconds.
        """
        if self._turn is None or not self._turn.acquire(timeout=BUSY_TIMEOUT_S):
            yield  # who has waited that long is told by SQLite what is wrong
            return
        try:
            yield
        finally:
            self._turn.release()

    def mark(self) -> str:
        """A text that differs from an earlier one of this process once anything was written, by whomever.

        It may differ where nothing that one reads has changed: jobs write too.
        """
        if self.backend == "postgresql":
            with self.read() as connection:
                return str(connection.scalar(text("SELECT pg_current_snapshot()::text")))
        # The number counts what *other* connections committed, so it is asked on one that never writes.
        with _answering(), self._watching:
            if self._watcher is None:
                self._watcher = self.engine.raw_connection()
                self._watcher.detach()
            return str(self._watcher.cursor().execute("PRAGMA data_version").fetchone()[0])

    def take_turn(self, connection: Connection, lock: int) -> None:
        """Waits until no other transaction holds `lock`. SQLite's writers take turns as it is."""
        if self.backend == "postgresql":
            connection.execute(select(func.pg_advisory_xact_lock(lock)))

    def insert(self, table: type[DeclarativeBase]) -> "sqlite.Insert | postgresql.Insert":
        """An INSERT with the backend's ON CONFLICT."""
        return sqlite.insert(table) if self.backend == "sqlite" else postgresql.insert(table)

    def insert_new(
        self, connection: Connection, table: type[DeclarativeBase], rows: Sequence[dict[str, Any]], *returning: Any
    ) -> list[Any]:
        """Inserts the rows whose keys are not there yet; gives `returning` of those that were."""
        if not rows:
            return []
        statement: Insert = self.insert(table).on_conflict_do_nothing()
        if not returning:
            connection.execute(statement, rows)
            return []
        return list(connection.execute(statement.returning(*returning), rows).all())

    def values(self, texts: Sequence[str]) -> AnySelect:
        """SQL: a one-column table of these texts, however many (a list of parameters has a limit)."""
        escaped = [escape_text(text) for text in texts]
        if self.backend == "sqlite":
            table = func.json_each(json.dumps(escaped)).table_valued(column("value", PORTABLE_TEXT))
            return select(table.c.value)
        return select(func.unnest(literal(escaped, ARRAY(PORTABLE_TEXT))))


def rowcount(connection: Connection, statement: Executable) -> int:
    """Runs a data-changing statement and gives the number of rows that it touched."""
    result: CursorResult[Any] = connection.execute(statement)
    return result.rowcount
