"""The gateway's durable cache of replies: asked once, whoever asks, in whatever process."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Literal

from sqlalchemy import Connection, delete, select, update

from workbench.schema.canonical import JsonObject
from workbench.store.codec import pack_json, unpack_json
from workbench.store.engine import rowcount
from workbench.store.repositories.base import Repository
from workbench.store.rows import Reply
from workbench.store.tables import ReplyTable

_R = ReplyTable


class Replies(Repository):
    """A key stands for everything that decides a reply; the repeat tells draws of one key apart."""

    def claim(self, key: str, repeat: int, *, owner: str, lease_s: float) -> "Reply | Literal['mine', 'busy']":
        """The reply where it is there; else `mine` for exactly one of all who ask, and `busy` for the others.

        Whoever has `mine` must `put` or `release`; a lease that ran out (its owner died) passes to the next one. Two
        claims of one owner are two askers: the second is `busy` too.
        """
        return self.claim_many([(key, repeat)], owner=owner, lease_s=lease_s)[0]

    def claim_many(
        self, wanted: Sequence[tuple[str, int]], *, owner: str, lease_s: float
    ) -> "list[Reply | Literal['mine', 'busy']]":
        """As `claim` for each (key, repeat), in order, in one transaction."""
        # In one order everywhere, so that two askers never wait for each other's rows.
        order = sorted(range(len(wanted)), key=lambda place: wanted[place])
        answers: dict[int, Reply | Literal["mine", "busy"]] = {}
        with self._db.write() as connection:
            for place in order:
                answers[place] = self._claim(connection, *wanted[place], owner, lease_s)
        return [answers[place] for place in range(len(wanted))]

    def _claim(
        self, connection: Connection, key: str, repeat: int, owner: str, lease_s: float
    ) -> "Reply | Literal['mine', 'busy']":
        now = self._now()
        until = now + timedelta(seconds=lease_s)
        here = (_R.key == key, _R.repeat == repeat)
        row = {"key": key, "repeat": repeat, "owner": owner, "leased_until": until, "at": None, "reply": None}
        if self._db.insert_new(connection, ReplyTable, [row], _R.key):
            return "mine"
        lapsed = update(_R).where(*here, _R.reply.is_(None), _R.leased_until < now)
        if rowcount(connection, lapsed.values(owner=owner, leased_until=until)):
            return "mine"
        found = connection.execute(select(_R.reply, _R.at).where(*here)).first()
        if found is None or found.reply is None or found.at is None:
            return "busy"
        return Reply(unpack_json(found.reply), found.at)

    def put(self, key: str, repeat: int, reply: JsonObject) -> None:
        """Keeps the reply. The first one stays, so that a key never changes its answer."""
        self.put_many([(key, repeat, reply)])

    def put_many(self, replies: Sequence[tuple[str, int, JsonObject]]) -> None:
        """As `put` for each (key, repeat, reply), in one transaction."""
        now = self._now()
        rows = {
            (key, repeat): {
                "key": key,
                "repeat": repeat,
                "owner": "",
                "leased_until": now,
                "at": now,
                "reply": pack_json(reply),
            }
            for key, repeat, reply in reversed(replies)
        }
        statement = self._db.insert(ReplyTable)
        statement = statement.on_conflict_do_update(
            index_elements=["key", "repeat"],
            set_={"reply": statement.excluded.reply, "at": statement.excluded.at},
            where=_R.reply.is_(None),
        )
        if rows:
            with self._db.write() as connection:
                connection.execute(statement, [rows[key] for key in sorted(rows)])

    def renew(self, key: str, repeat: int, *, owner: str, lease_s: float) -> bool:
        """Lengthens a claim that is still this owner's, so that a lease can be short and a long call safe.

        False where it is not: another took over after it ran out, or the reply is there.
        """
        until = self._now() + timedelta(seconds=lease_s)
        mine = (_R.key == key, _R.repeat == repeat, _R.owner == owner, _R.reply.is_(None))
        with self._db.write() as connection:
            return rowcount(connection, update(_R).where(*mine).values(leased_until=until)) == 1

    def release(self, key: str, repeat: int, owner: str) -> None:
        """Gives up a claim without a reply, so that another may ask at once."""
        with self._db.write() as connection:
            mine = (_R.key == key, _R.repeat == repeat, _R.owner == owner, _R.reply.is_(None))
            connection.execute(delete(_R).where(*mine))

    def get(self, key: str, repeat: int) -> Reply | None:
        return self.get_many([(key, repeat)])[0]

    def get_many(self, wanted: Sequence[tuple[str, int]]) -> list[Reply | None]:
        """The reply of each (key, repeat), in order; None where there is none yet."""
        statement = select(_R.key, _R.repeat, _R.reply, _R.at).where(
            _R.key.in_(self._db.values(sorted({key for key, _ in wanted}))), _R.reply.is_not(None)
        )
        with self._db.read() as connection:
            found = {(row.key, row.repeat): row for row in connection.execute(statement)}
        rows = [found.get(one) for one in wanted]
        return [None if row is None or row.at is None else Reply(unpack_json(row.reply), row.at) for row in rows]

    def have(self, wanted: Sequence[tuple[str, int]]) -> frozenset[tuple[str, int]]:
        """Those of (key, repeat) to which there is a reply, without reading any."""
        statement = select(_R.key, _R.repeat).where(
            _R.key.in_(self._db.values(sorted({key for key, _ in wanted}))), _R.reply.is_not(None)
        )
        with self._db.read() as connection:
            return frozenset((row.key, row.repeat) for row in connection.execute(statement)) & frozenset(wanted)
