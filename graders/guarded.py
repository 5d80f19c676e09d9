"""A client for an address that a user typed: it goes nowhere else, and reads no more than a reply can be long."""

import asyncio
from collections.abc import AsyncIterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from graders.endpoint import Endpoint
from graders.faults import RequestRefusedError, UnusableReplyError
from graders.pools import spread_over_pools, unlimited

# The longest replies of models today take about half a megabyte; a list of every token's probability some more.
MOST_REPLY_BYTES = 16 * 2**20


@dataclass(slots=True)
class Found:
    """What the guard saw of one answer; the client library reports a lost connection, or a status that it made up."""

    status: int | None = None
    error: Exception | None = None


FOUND: ContextVar[Found | None] = ContextVar("found_by_guard", default=None)


class GuardedClients:
    """Clients by event loop and endpoint: a connection belongs to the loop that opened it."""

    def __init__(self, most_bytes: int = MOST_REPLY_BYTES) -> None:
        self._most_bytes = most_bytes
        self._loop: asyncio.AbstractEventLoop | None = None
        self._clients: dict[tuple[str, str | None], Any] = {}

    def client_for(self, endpoint: Endpoint, timeout_s: float) -> Any:
        """An `openai.AsyncOpenAI`, made once a loop."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._loop, self._clients = loop, {}
        key = (str(endpoint.base_url), endpoint.api_key)
        if key not in self._clients:
            self._clients[key] = self._make(endpoint, timeout_s)
        return self._clients[key]

    def _make(self, endpoint: Endpoint, timeout_s: float) -> Any:
        import httpx
        import openai

        async def guard(response: Any) -> None:
            holder = FOUND.get()
            if holder is not None:
                holder.status = response.status_code
            if response.is_redirect:
                where = urlsplit(response.headers.get("location", "")).netloc or "another path"
                _found(
                    RequestRefusedError(
                        f"{endpoint.base_url} sends the request elsewhere ({where[:100]}, {response.status_code}); "
                        "prompts go to the address that was given and no other. Give the right one as --base-url"
                    )
                )
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                _found(UnusableReplyError(f"{endpoint.base_url} sends a compressed reply, which was not asked for"))
            response.stream = _bounded_stream(httpx.AsyncByteStream)(response.stream, self._most_bytes, endpoint)

        http: Any = httpx.AsyncClient(
            follow_redirects=False,
            timeout=timeout_s,
            limits=unlimited(httpx),
            mounts=spread_over_pools(httpx),
            headers={"accept-encoding": "identity"},
            event_hooks={"response": [guard]},
        )
        return openai.AsyncOpenAI(
            base_url=endpoint.base_url, api_key=endpoint.api_key or "none", max_retries=0, http_client=http
        )


def _found(error: Exception) -> None:
    holder = FOUND.get()
    if holder is not None:
        holder.error = error
    raise error


def _bounded_stream(base: Any) -> Any:
    """The class needs httpx's as its base, and httpx is imported with litellm and not before."""

    class Bounded(base):  # type: ignore[misc]
        def __init__(self, inner: Any, most: int, endpoint: Endpoint) -> None:
            self._inner = inner
            self._left = most
            self._most = most
            self._endpoint = endpoint

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for chunk in self._inner:
                self._left -= len(chunk)
                if self._left < 0:
                    _found(UnusableReplyError(f"{self._endpoint.base_url} sends more than {self._most} bytes"))
                yield chunk

        async def aclose(self) -> None:
            await self._inner.aclose()

    return Bounded
