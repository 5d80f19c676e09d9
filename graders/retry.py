"""Tries again after a transport fault, with patience that grows, and no more often than told."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from graders.faults import RetryableError
from workbench.schema.protocols import TransportError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """`attempts` in all, with waits of `backoff_s` x 2^n and jitter, or what the server asks for.

    No wait is longer than `longest_wait_s`.
    """

    attempts: int = 4
    backoff_s: float = 1.0
    longest_wait_s: float = 60.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    rng: random.Random = field(default_factory=random.Random)

    def wait_s(self, attempt: int, asked_s: float | None) -> float | None:
        """Seconds to wait after the failed attempt number `attempt` (from 0); None if the server asks for too long."""
        if asked_s is not None:
            return asked_s if asked_s <= self.longest_wait_s else None
        # Jitter, so that calls refused together do not come back together.
        return min(self.longest_wait_s, self.backoff_s * 2.0**attempt) * (0.5 + self.rng.random() / 2)


async def with_retries(call: Callable[[], Awaitable[T]], policy: RetryPolicy) -> T:
    """The result of `call`. Raises TransportError, saying how often it was tried, when patience ends."""
    for attempt in range(policy.attempts):
        try:
            return await call()
        except RetryableError as error:
            wait_s = policy.wait_s(attempt, error.wait_s)
            if wait_s is None:
                asked = f"the server asks to wait {error.wait_s:g} s, and {policy.longest_wait_s:g} s are allowed"
                raise TransportError(f"{error}; {asked}") from None
            if attempt + 1 == policy.attempts:
                raise TransportError(f"{error}; gave up after {policy.attempts} attempts") from None
            await policy.sleep(wait_s)
    raise AssertionError("unreachable: attempts is at least 1")
