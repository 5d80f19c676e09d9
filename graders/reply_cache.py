"""Asks a model once for each request and repeat, whoever asks, in whatever process, and keeps the reply for good."""

import asyncio
import itertools
import os
import socket
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from graders.batcher import Batcher
from workbench.schema.canonical import JsonObject, JsonValue, content_hash
from workbench.schema.grade import Usage
from workbench.schema.protocols import ModelReply, ModelRequest
from workbench.store.repositories.replies import Replies

LEASE_S = 10.0
_POLL_S = (0.02, 0.05, 0.1, 0.2, 0.5)


def request_key(request: ModelRequest) -> str:
    """Hash of everything that decides a reply. Time-outs, retries and prices do not."""
    return content_hash(
        {
            "model": request.model,
            "messages": [dict(message) for message in request.messages],
            "temperature": request.temperature,
            "seed": request.seed,
            "max_tokens": request.max_tokens,
            "schema": request.schema,
            "base_url": request.base_url,
            "extra": request.extra,
        }
    )


class ReplyCache:
    """Claims are short and renewed while a fetch lasts: after a process died, another waits `lease_s` at most."""

    def __init__(self, replies: Replies, *, lease_s: float = LEASE_S) -> None:
        self._replies = replies
        self._lease_s = lease_s
        # Unique a cache, so that a process that died and came back is another owner.
        self._gets = Batcher[tuple[str, int], Any](replies.get_many)
        self._claims = Batcher[tuple[str, int], Any](self._claim_many)
        self._puts = Batcher[tuple[str, int, JsonObject], None](self._put_many)
        self._owner = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"

    async def kept(self, request: ModelRequest, repeat: int) -> ModelReply | None:
        """The kept reply, marked as cached, or None; asks nobody and waits for nobody."""
        found = await self._gets((request_key(request), repeat))
        return None if found is None else _cached(found.body)

    async def reply_to(
        self, request: ModelRequest, repeat: int, fetch: Callable[[], Awaitable[ModelReply]]
    ) -> ModelReply:
        """The kept reply, marked as cached, or that of `fetch`, kept before anyone reads it.

        While another asker fetches the same, this one waits for it. What `fetch` raises passes through, and frees the
        claim for the next asker.
        """
        key = request_key(request)
        for attempt in itertools.count():
            claim = await self._claims((key, repeat))
            if claim == "mine":
                return await self._fetch(key, repeat, fetch)
            if claim != "busy":
                return _cached(claim.body)
            await asyncio.sleep(_POLL_S[min(attempt, len(_POLL_S) - 1)])
        raise AssertionError("unreachable")

    async def _fetch(self, key: str, repeat: int, fetch: Callable[[], Awaitable[ModelReply]]) -> ModelReply:
        renewal = asyncio.create_task(self._renew(key, repeat))
        try:
            reply = await fetch()
        except BaseException:
            # Not awaited in a thread: a cancelled task must still free its claim.
            self._replies.release(key, repeat, self._owner)
            raise
        finally:
            renewal.cancel()
        # Handed in at once, so that a cancelled asker still keeps what was paid for.
        await asyncio.shield(self._puts((key, repeat, _to_json(reply))))
        return reply

    def _claim_many(self, wanted: Sequence[tuple[str, int]]) -> list[Any]:
        return self._replies.claim_many(wanted, owner=self._owner, lease_s=self._lease_s)

    def _put_many(self, replies: Sequence[tuple[str, int, JsonObject]]) -> list[None]:
        self._replies.put_many(replies)
        return [None] * len(replies)

    async def _renew(self, key: str, repeat: int) -> None:
        while True:
            await asyncio.sleep(self._lease_s / 4)
            if not await asyncio.to_thread(self._replies.renew, key, repeat, owner=self._owner, lease_s=self._lease_s):
                return


def _cached(body: JsonObject) -> ModelReply:
    reply = _from_json(body)
    return replace(reply, usage=replace(reply.usage, cached=True))


def _to_json(reply: ModelReply) -> dict[str, JsonValue]:
    usage = reply.usage
    return {
        "text": reply.text,
        "finish": reply.finish,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": usage.cost_usd,
        "latency_s": usage.latency_s,
    }


def _from_json(value: JsonObject) -> ModelReply:
    raw: Any = value
    usage = Usage(raw["input_tokens"], raw["output_tokens"], raw["cost_usd"], raw["latency_s"])
    return ModelReply(raw["text"], usage, raw["finish"])
