"""Requests and tokens a minute by provider, shared by a process; and a provider's wish to be left alone.

A lane lets requests go in the order in which they came, evenly spaced: so no minute holds more than the limit, whatever
window the provider counts by. A request larger than a minute's tokens goes, and those after it wait for what it used.
"""

import asyncio
import os
import threading
import time
import weakref
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from graders.faults import RetryableError
from rubrics.judging.text import estimate_tokens
from workbench.errors import BadInputError
from workbench.schema.protocols import ModelRequest

ENVIRONMENT_NAME = "WORKBENCH_RATE_LIMITS"
# Waits are cut into pieces, since what a reply really used may bring the next start forward.
_PIECE_S = 0.5
_FORM = "expected provider=REQUESTS/TOKENS a minute, with commas between, as openai=500/200000,anthropic=50/"


@dataclass(frozen=True, slots=True)
class Limits:
    """Per minute; None is no limit."""

    rpm: float | None = None
    tpm: float | None = None

    def __post_init__(self) -> None:
        if any(value is not None and not value > 0 for value in (self.rpm, self.tpm)):
            raise BadInputError(
                f"rate limits must be above 0; found {self.rpm} requests and {self.tpm} tokens a minute"
            )

    def tightest(self, other: "Limits") -> "Limits":
        """The lower of each limit."""
        return Limits(_lower(self.rpm, other.rpm), _lower(self.tpm, other.tpm))


class Lane:
    """The road to one provider. State is shared by threads; each event loop keeps its own queue, first come first."""

    def __init__(
        self, name: str, limits: Limits, clock: Callable[[], float], sleep: Callable[[float], Awaitable[None]]
    ):
        self.name = name
        self.limits = limits
        self._clock = clock
        self._sleep = sleep
        self._guard = threading.Lock()
        self._next_request = self._next_token = self._held_until = float("-inf")
        self._queues: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = weakref.WeakKeyDictionary()

    async def enter(self, tokens: int, *, longest_wait_s: float) -> None:
        """Waits for its turn and books `tokens`. Raises RetryableError, without waiting, where the provider has asked
        to be left alone for longer than `longest_wait_s`."""
        self._refuse_if_closed(longest_wait_s)
        if not self._queue().locked() and self._take(tokens) == 0.0:
            return
        # FIFO by asyncio's own promise; who is cancelled while waiting has booked nothing.
        async with self._queue():
            while (wait_s := self._take(tokens)) > 0.0:
                self._refuse_if_closed(longest_wait_s)
                await self._sleep(min(wait_s, _PIECE_S))

    def settle(self, booked: int, used: int) -> None:
        """Corrects what was booked by what the reply says was used."""
        if self.limits.tpm is not None:
            with self._guard:
                self._next_token += (used - booked) * 60.0 / self.limits.tpm

    def hold(self, seconds: float) -> None:
        """The provider asked for silence: no request of anyone leaves before it is over."""
        with self._guard:
            self._held_until = max(self._held_until, self._clock() + seconds)

    def tighten(self, limits: Limits) -> None:
        with self._guard:
            self.limits = self.limits.tightest(limits)

    def _take(self, tokens: int) -> float:
        """0 and booked, or the seconds until it may be tried again."""
        with self._guard:
            now = self._clock()
            start = max(self._next_request, self._next_token, self._held_until)
            if start > now:
                return start - now
            if self.limits.rpm is not None:
                self._next_request = now + 60.0 / self.limits.rpm
            if self.limits.tpm is not None:
                self._next_token = now + tokens * 60.0 / self.limits.tpm
            return 0.0

    def _refuse_if_closed(self, longest_wait_s: float) -> None:
        left_s = self._held_until - self._clock()
        if left_s > longest_wait_s:
            raise RetryableError(f"{self.name} has asked to be left alone", wait_s=round(left_s, 1))

    def _queue(self) -> asyncio.Lock:
        with self._guard:
            return self._queues.setdefault(asyncio.get_running_loop(), asyncio.Lock())


class RateLimits:
    """Lanes by provider; made when first used, with the limits of the table or none."""

    def __init__(
        self,
        table: Mapping[str, Limits] | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._table = dict(table or {})
        self._clock = clock
        self._sleep = sleep
        self._lanes: dict[str, Lane] = {}
        self._guard = threading.Lock()

    def lane(self, provider: str) -> Lane:
        with self._guard:
            if provider not in self._lanes:
                limits = self._table.get(provider, Limits())
                self._lanes[provider] = Lane(provider, limits, self._clock, self._sleep)
            return self._lanes[provider]


_shared: RateLimits | None = None
_shared_guard = threading.Lock()


def shared_limits() -> RateLimits:
    """The limits of this process, by the table in WORKBENCH_RATE_LIMITS. Raises BadInputError if it is unreadable."""
    global _shared
    with _shared_guard:
        if _shared is None:
            _shared = RateLimits(read_table(os.environ.get(ENVIRONMENT_NAME, "")))
        return _shared


def read_table(text: str) -> dict[str, Limits]:
    """`openai=500/200000,127.0.0.1:8000=60/` -> limits by provider. Raises BadInputError."""
    table: dict[str, Limits] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        name, equals, numbers = entry.partition("=")
        rpm, slash, tpm = numbers.partition("/")
        try:
            if not (name and equals and slash):
                raise ValueError
            table[name.strip()] = Limits(float(rpm) if rpm.strip() else None, float(tpm) if tpm.strip() else None)
        except ValueError:
            raise BadInputError(f"{ENVIRONMENT_NAME} cannot be read at {entry!r}; {_FORM}") from None
    return table


def provider_of(request: ModelRequest) -> str:
    """`host:port` of an address, else what stands before the first slash of the model's name, else the name."""
    if request.base_url is not None:
        return urlsplit(request.base_url).netloc
    return request.model.partition("/")[0]


def tokens_booked(request: ModelRequest) -> int:
    """What a provider counts before it answers: the prompt, and all that the reply may take."""
    return sum(estimate_tokens(message["content"]) for message in request.messages) + (request.max_tokens or 0)


def _lower(a: float | None, b: float | None) -> float | None:
    known = [value for value in (a, b) if value is not None]
    return min(known) if known else None
