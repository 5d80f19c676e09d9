"""Full-text search over questions, reports, queries and tool results, in place of the substring column."""

import logging

import sqlalchemy as sa
from alembic import op

from workbench.store.codec import document_keys, unpack_json, unpack_text
from workbench.store.engine import Backend
from workbench.store.text.index import CREATE, add_texts, searched_in
from workbench.store.types import unescape_text

revision = "0003"
down_revision = "0002"

BATCH = 50
_log = logging.getLogger("workbench.store")


def upgrade() -> None:
    connection = op.get_bind()
    for statement in CREATE[_backend(connection)]:
        op.execute(statement)
    _fill(connection)
    op.drop_column("bodies", "search")


def _backend(connection: sa.Connection) -> Backend:
    return "sqlite" if connection.dialect.name == "sqlite" else "postgresql"


def _fill(connection: sa.Connection) -> None:
    """What the store holds already, some trajectories in memory at a time."""
    backend = _backend(connection)
    total = connection.scalar(sa.text("SELECT count(*) FROM trajectories")) or 0
    done, after = 0, -1
    heads = sa.text(
        "SELECT t.seq, t.question, b.report FROM trajectories t JOIN bodies b ON b.trajectory = t.seq "
        "WHERE t.seq > :after ORDER BY t.seq LIMIT :most"
    )
    while rows := connection.execute(heads, {"after": after, "most": BATCH}).all():
        after = rows[-1].seq
        for row in rows:
            texts = {"question": [unescape_text(row.question)], "report": [unpack_text(row.report)]}
            add_texts(connection, backend, [(row.seq, texts | _of_steps(connection, row.seq))])
        done += len(rows)
        _log.info("full-text index: %d of %d trajectories", done, total)


def _of_steps(connection: sa.Connection, trajectory: int) -> dict[str, list[str]]:
    steps = sa.text("SELECT payload FROM steps WHERE trajectory = :trajectory ORDER BY position")
    document = sa.text("SELECT body FROM documents WHERE key = :key")
    queries: list[str] = []
    documents: dict[str, str] = {}
    for row in connection.execute(steps, {"trajectory": trajectory}):
        payload = unpack_json(row.payload)
        for key in document_keys(payload):
            if key not in documents:
                documents[key] = unpack_text(connection.execute(document, {"key": key}).scalar_one())
        for call in payload.get("tool_calls", ()):
            if call.get("kind") == "search":
                queries.extend(searched_in(call.get("arguments")))
    return {"query": queries, "result": list(documents.values())}
