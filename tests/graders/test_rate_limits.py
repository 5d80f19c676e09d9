"""Requests and tokens a minute, by a clock that only waiting moves."""

import asyncio
import heapq
from collections.abc import Sequence
from itertools import pairwise

import pytest

from graders.faults import RetryableError
from graders.gateway import Gateway
from graders.rate_limits import Lane, Limits, RateLimits, provider_of, read_table
from tests.graders.fake_endpoint import FakeEndpoint
from tests.graders.helpers import ask, patient
from workbench.errors import BadInputError
from workbench.schema.grade import Usage
from workbench.schema.protocols import ModelReply, ModelRequest
from workbench.store import Store


class Clock:
    """Sleepers wake in the order of their moments; time jumps to the next one when all others have had their turn."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleepers: list[tuple[float, int]] = []
        self._count = 0

    async def sleep(self, seconds: float) -> None:
        self._count += 1
        mine = (self.now + seconds, self._count)
        heapq.heappush(self._sleepers, mine)
        try:
            while True:
                for _ in range(20):
                    await asyncio.sleep(0)
                if self._sleepers[0] is mine:
                    self.now = max(self.now, mine[0])
                    return
        finally:
            self._sleepers.remove(mine)
            heapq.heapify(self._sleepers)

    def lane(self, rpm: float | None = None, tpm: float | None = None) -> Lane:
        return RateLimits({"p": Limits(rpm, tpm)}, clock=lambda: self.now, sleep=self.sleep).lane("p")


async def starts(clock: Clock, lane: Lane, tokens: Sequence[int]) -> list[tuple[float, int]]:
    """(moment, index) of each request's start, in the order of starting."""
    out: list[tuple[float, int]] = []

    async def one(index: int, booked: int) -> None:
        await lane.enter(booked, longest_wait_s=1e9)
        out.append((clock.now, index))

    await asyncio.gather(*(one(index, booked) for index, booked in enumerate(tokens)))
    return out


def most_in_a_minute(moments: Sequence[float]) -> int:
    return max(sum(start <= other < start + 60.0 for other in moments) for start in moments)


def test_no_minute_holds_more_requests_than_allowed_and_none_overtakes() -> None:
    clock = Clock()
    begun = asyncio.run(starts(clock, clock.lane(rpm=30), [1] * 100))
    assert [index for _, index in begun] == list(range(100))
    assert most_in_a_minute([moment for moment, _ in begun]) <= 30
    assert begun[-1][0] == pytest.approx(99 * 2.0)


def test_no_minute_holds_more_tokens_than_allowed() -> None:
    clock = Clock()
    sizes = [300, 50, 700, 10, 10, 500, 900, 30] * 5
    begun = asyncio.run(starts(clock, clock.lane(tpm=1000), sizes))
    for start, _ in begun:
        window = [sizes[index] for moment, index in begun if start <= moment < start + 60.0]
        # One that begins at the very end of a window has its tokens booked in the next.
        assert sum(window) - window[-1] < 1000
    assert begun[-1][0] == pytest.approx(sum(sizes[:-1]) * 60 / 1000)


def test_a_request_larger_than_a_minute_goes_and_the_next_one_waits_for_it() -> None:
    clock = Clock()
    assert asyncio.run(starts(clock, clock.lane(tpm=100), [1000, 1])) == [(0.0, 0), (pytest.approx(600.0), 1)]


def test_what_was_booked_and_not_used_is_given_back_to_those_who_wait() -> None:
    clock = Clock()
    lane = clock.lane(tpm=1000)

    async def go() -> float:
        await lane.enter(1000, longest_wait_s=1e9)
        second = asyncio.create_task(lane.enter(10, longest_wait_s=1e9))
        await asyncio.sleep(0)
        lane.settle(1000, 100)
        await second
        return clock.now

    assert asyncio.run(go()) == pytest.approx(6.0, abs=0.5)


def test_silence_asked_for_holds_everyone_also_those_who_wait_already() -> None:
    clock = Clock()
    lane = clock.lane(rpm=60)

    async def go() -> list[tuple[float, int]]:
        begun = asyncio.create_task(starts(clock, lane, [1] * 5))
        while clock.now < 1.0:
            await asyncio.sleep(0)
        lane.hold(30.0)
        return await begun

    begun = asyncio.run(go())
    assert [index for _, index in begun] == list(range(5))
    after = [moment for moment, _ in begun if moment > 2.0]
    assert len(after) >= 3
    assert min(after) >= 31.0
    # And not all at once when it is over.
    assert all(later - earlier >= 0.99 for earlier, later in pairwise(after))


def test_a_silence_longer_than_anyone_waits_is_said_and_not_waited_for() -> None:
    clock = Clock()
    lane = clock.lane()
    lane.hold(3600.0)
    with pytest.raises(RetryableError, match="left alone") as caught:
        asyncio.run(lane.enter(1, longest_wait_s=60.0))
    assert (caught.value.wait_s, clock.now) == (3600.0, 0.0)


def test_who_is_cancelled_while_waiting_books_nothing() -> None:
    clock = Clock()
    lane = clock.lane(rpm=1)

    async def go() -> list[tuple[float, int]]:
        await lane.enter(1, longest_wait_s=1e9)
        waiting = asyncio.create_task(lane.enter(1, longest_wait_s=1e9))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        return await starts(clock, lane, [1])

    ((moment, _),) = asyncio.run(go())
    assert moment == pytest.approx(60.0)


def test_two_gateways_to_one_provider_share_its_lane_and_another_is_free() -> None:
    clock = Clock()
    lanes = RateLimits({"one": Limits(rpm=60)}, clock=lambda: clock.now, sleep=clock.sleep)
    moments: dict[str, list[float]] = {"one/a": [], "one/b": [], "two/a": []}

    class Wire:
        async def send(self, request: ModelRequest) -> ModelReply:
            moments[request.model].append(clock.now)
            return ModelReply("ok", Usage())

    async def go() -> None:
        gateways = [Gateway(None, options=patient(lanes=lanes), transport=Wire()) for _ in range(3)]
        requests = [ModelRequest(model, ({"role": "user", "content": "x"},)) for model in moments]
        await asyncio.gather(*(g.send(r) for _ in range(10) for g, r in zip(gateways, requests, strict=True)))

    asyncio.run(go())
    both = sorted(moments["one/a"] + moments["one/b"])
    assert both == pytest.approx([float(n) for n in range(20)])
    # Fair: neither of the two is served only after the other.
    assert abs(sum(moments["one/a"]) - sum(moments["one/b"])) <= 10.0
    assert moments["two/a"] == [0.0] * 10


def test_kept_replies_wait_for_no_limit(sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    asyncio.run(Gateway(sqlite_store.replies, options=patient()).send(ask(endpoint)))
    lanes = RateLimits()
    lanes.lane(provider_of(ask(endpoint))).hold(3600.0)
    again = Gateway(sqlite_store.replies, options=patient(lanes=lanes))
    assert asyncio.run(again.send(ask(endpoint))).usage.cached


def test_the_table_of_the_environment_is_read_or_refused() -> None:
    assert read_table("") == {}
    assert read_table("openai=500/200000, 127.0.0.1:8000=/90 ,x=5/") == {
        "openai": Limits(500, 200000),
        "127.0.0.1:8000": Limits(None, 90),
        "x": Limits(5, None),
    }
    for wrong in ("openai", "openai=", "openai=5", "=5/5", "openai=a/b", "openai=0/5", "openai=-1/", "openai=nan/"):
        with pytest.raises(BadInputError):
            read_table(wrong)


def test_a_provider_is_named_by_its_prefix_or_its_address() -> None:
    message = ({"role": "user", "content": "x"},)
    assert provider_of(ModelRequest("anthropic/claude", message)) == "anthropic"
    assert provider_of(ModelRequest("m", message, base_url="http://127.0.0.1:8000/v1")) == "127.0.0.1:8000"


def test_limits_of_the_command_line_only_tighten() -> None:
    lane = RateLimits({"p": Limits(100, 500)}).lane("p")
    lane.tighten(Limits(rpm=20, tpm=900))
    assert lane.limits == Limits(20, 500)
