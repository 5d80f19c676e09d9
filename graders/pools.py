"""Many connections to one server, in several pools.

A pool looks through all its connections at each request and each reply: with 128 of them in one pool, more time goes
there than into the requests. httpx is loaded with litellm and not before, so it is handed in.
"""

from functools import cache
from typing import Any
from urllib.request import getproxies

POOLS = 16


def unlimited(httpx: Any) -> Any:
    """As many connections as the gateway lets go at once; its semaphore is the limit."""
    return httpx.Limits(max_connections=None, max_keepalive_connections=256)


def spread_over_pools(httpx: Any) -> dict[str, Any]:
    """`mounts` of a client: for every address that no proxy of the environment stands before."""
    if "all" in getproxies():
        return {}
    context = _trust(httpx)

    class Pools(httpx.AsyncBaseTransport):  # type: ignore[misc]
        def __init__(self) -> None:
            self._pools = [httpx.AsyncHTTPTransport(verify=context, limits=unlimited(httpx)) for _ in range(POOLS)]
            self._waiting = [0] * POOLS

        async def handle_async_request(self, request: Any) -> Any:
            # The first of the least busy ones, so that a connection that is open is used again.
            at = min(range(POOLS), key=self._waiting.__getitem__)
            self._waiting[at] += 1
            try:
                return await self._pools[at].handle_async_request(request)
            finally:
                self._waiting[at] -= 1

        async def aclose(self) -> None:
            for pool in self._pools:
                await pool.aclose()

    return {"all://": Pools()}


@cache
def _trust(httpx: Any) -> Any:
    """The certificates of this machine, read once."""
    return httpx.create_ssl_context()
