"""Full-text search over questions, reports, queries and tool results, in place of the substring column."""

import logging
from collections.abc import Iterable

import sqlalchemy as sa
from alembic import op

from workbench.store.codec import document_keys, unpack_json, unpack_text
from workbench.store.engine import Backend
from workbench.store.migrations.kinds import BIGINT, TEXT
from workbench.store.text.index import CREATE, add_texts, searched_in
from workbench.store.types import unescape_text

revision = "0003"
down_revision = "0002"

BATCH = 200
_log = logging.getLogger("workbench.store")


def upgrade() -> None:
    op.create_table(
        "text_documents",
        sa.Column("number", BIGINT, autoincrement=True, nullable=False),
        sa.Column("key", TEXT, nullable=False),
        sa.ForeignKeyConstraint(["key"], ["documents.key"], name=op.f("fk_text_documents_key")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_text_documents")),
        sa.UniqueConstraint("key", name=op.f("uq_text_documents_key")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "document_uses",
        sa.Column("document", BIGINT, autoincrement=False, nullable=False),
        sa.Column("trajectory", BIGINT, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["document"], ["text_documents.number"], name=op.f("fk_document_uses_document")),
        sa.ForeignKeyConstraint(["trajectory"], ["trajectories.seq"], name=op.f("fk_document_uses_trajectory")),
        sa.PrimaryKeyConstraint("document", "trajectory", name=op.f("pk_document_uses")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_document_uses_trajectory"), "document_uses", ["trajectory"], unique=False)
    connection = op.get_bind()
    for statement in CREATE[_backend(connection)]:
        op.execute(statement)
    _fill(connection)
    op.drop_column("bodies", "search")


def _backend(connection: sa.Connection) -> Backend:
    return "sqlite" if connection.dialect.name == "sqlite" else "postgresql"


def _fill(connection: sa.Connection) -> None:
    """What the store holds already, some hundred rows in memory at a time."""
    backend = _backend(connection)
    connection.execute(sa.text("INSERT INTO text_documents (key) SELECT key FROM documents ORDER BY key"))
    total = connection.scalar(sa.text("SELECT count(*) FROM trajectories")) or 0
    done, after = 0, -1
    heads = sa.text(
        "SELECT t.seq, t.question, b.report FROM trajectories t JOIN bodies b ON b.trajectory = t.seq "
        "WHERE t.seq > :after ORDER BY t.seq LIMIT :most"
    )
    while rows := connection.execute(heads, {"after": after, "most": BATCH}).all():
        first, after = rows[0].seq, rows[-1].seq
        queries, uses = _of_steps(connection, first, after)
        items: list[tuple[int, str, list[str]]] = []
        for row in rows:
            items.append((row.seq, "question", [unescape_text(row.question)]))
            items.append((row.seq, "report", [unpack_text(row.report)]))
            items.append((row.seq, "query", queries.get(row.seq, [])))
        add_texts(connection, backend, items)
        _link(connection, uses)
        done += len(rows)
        _log.info("full-text index: %d of %d trajectories", done, total)
    after = -1
    documents = sa.text(
        "SELECT n.number, d.body FROM text_documents n JOIN documents d ON d.key = n.key "
        "WHERE n.number > :after ORDER BY n.number LIMIT :most"
    )
    while rows := connection.execute(documents, {"after": after, "most": BATCH}).all():
        add_texts(connection, backend, [(row.number, "result", [unpack_text(row.body)]) for row in rows])
        after = rows[-1].number
        _log.info("full-text index: documents up to %d", after)


def _of_steps(connection: sa.Connection, first: int, last: int) -> tuple[dict[int, list[str]], set[tuple[str, int]]]:
    statement = sa.text(
        "SELECT trajectory, payload FROM steps WHERE trajectory BETWEEN :first AND :last ORDER BY trajectory, position"
    )
    queries: dict[int, list[str]] = {}
    uses: set[tuple[str, int]] = set()
    for row in connection.execute(statement, {"first": first, "last": last}):
        payload = unpack_json(row.payload)
        uses.update((key, row.trajectory) for key in document_keys(payload))
        for call in payload.get("tool_calls", ()):
            if call.get("kind") == "search":
                queries.setdefault(row.trajectory, []).extend(searched_in(call.get("arguments")))
    return queries, uses


def _link(connection: sa.Connection, uses: Iterable[tuple[str, int]]) -> None:
    rows = [{"key": key, "trajectory": trajectory} for key, trajectory in sorted(uses)]
    if rows:
        link = "INSERT INTO document_uses SELECT number, :trajectory FROM text_documents WHERE key = :key"
        connection.execute(sa.text(link.replace(":trajectory", "CAST(:trajectory AS BIGINT)")), rows)
