"""The gateway's durable cache of replies: asked once, whoever asks, in whatever process."""

from datetime import timedelta
from typing import Literal

from sqlalchemy import delete, select, update

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
        now = self._now()
        until = now + timedelta(seconds=lease_s)
        here = (_R.key == key, _R.repeat == repeat)
        with self._db.write() as connection:
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
        now = self._now()
        row = {"key": key, "repeat": repeat, "owner": "", "leased_until": now, "at": now, "reply": pack_json(reply)}
        statement = self._db.insert(ReplyTable).values(**row)
        with self._db.write() as connection:
            connection.execute(
                statement.on_conflict_do_update(
                    index_elements=["key", "repeat"],
                    set_={"reply": statement.excluded.reply, "at": statement.excluded.at},
                    where=_R.reply.is_(None),
                )
            )

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
        with self._db.read() as connection:
            found = connection.execute(select(_R.reply, _R.at).where(_R.key == key, _R.repeat == repeat)).first()
        return None if found is None or found.reply is None else Reply(unpack_json(found.reply), found.at)
