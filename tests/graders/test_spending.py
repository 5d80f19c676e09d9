"""The spend limit stops before it is passed, whatever runs at once."""

import asyncio

import pytest

from graders.faults import NoPriceError, RetryableError, SpendLimitError
from graders.gateway import Gateway
from graders.spending import Price, Purse, most_input_tokens
from tests.graders.fake_endpoint import FakeEndpoint, completion
from tests.graders.helpers import ask, gateway_to, patient
from workbench.schema.grade import Usage
from workbench.schema.protocols import ModelReply, ModelRequest, TransportError
from workbench.store import Store

DEAR = Price(input_usd_per_m=1000.0, output_usd_per_m=10_000.0)


def test_the_limit_holds_under_concurrency_and_cached_replies_are_free(
    sqlite_store: Store, endpoint: FakeEndpoint
) -> None:
    endpoint.responder = lambda _: completion("x", tokens=(10, 10))
    gateway = gateway_to(sqlite_store, price=DEAR, spend_limit_usd=2.0)

    async def many() -> list[ModelReply | BaseException]:
        sent = [gateway.send(ask(endpoint, f"number {n}", max_tokens=20)) for n in range(40)]
        return await asyncio.gather(*sent, return_exceptions=True)

    results = asyncio.run(many())
    replies = [result for result in results if isinstance(result, ModelReply)]
    assert replies
    assert any(isinstance(result, SpendLimitError) for result in results)
    assert gateway.purse.spent_usd == pytest.approx(0.11 * endpoint.calls)
    assert gateway.purse.spent_usd <= 2.0
    free = gateway_to(sqlite_store, price=DEAR, spend_limit_usd=0.0)
    answered = next(n for n, result in enumerate(results) if isinstance(result, ModelReply))
    assert asyncio.run(free.send(ask(endpoint, f"number {answered}", max_tokens=20))).usage.cached


def test_a_limit_without_a_price_is_refused(endpoint: FakeEndpoint) -> None:
    with pytest.raises(NoPriceError, match="--price-in"):
        asyncio.run(gateway_to(None, spend_limit_usd=1.0).send(ask(endpoint)))
    assert endpoint.calls == 0


def test_a_listed_model_has_its_price_held_against_the_limit() -> None:
    request = ModelRequest("gpt-4o-mini", ({"role": "user", "content": "x" * 10_000},), max_tokens=10_000)
    with pytest.raises(SpendLimitError, match="may cost up to"):
        asyncio.run(gateway_to(None, spend_limit_usd=0.0001).send(request))


class Lossy:
    """A transport whose answer is lost on the way."""

    async def send(self, request: ModelRequest) -> ModelReply:  # noqa: ARG002
        raise RetryableError("lost", maybe_billed=True)


def test_a_request_whose_answer_was_lost_counts_against_the_limit_but_is_no_cost() -> None:
    gateway = Gateway(None, options=patient(price=DEAR, spend_limit_usd=100.0), transport=Lossy())
    with pytest.raises(TransportError):
        asyncio.run(gateway.send(ModelRequest("m", ({"role": "user", "content": "x"},), max_tokens=10)))
    assert gateway.purse.spent_usd == 0.0
    assert gateway.purse.unsure_usd > 0.0


def test_an_unknown_cost_is_not_zero() -> None:
    purse = Purse()
    purse.settle(0.0, None)
    assert (purse.unpriced, purse.calls, purse.spent_usd) == (1, 1, 0.0)


def test_the_bound_on_input_tokens_counts_bytes() -> None:
    request = ModelRequest("m", ({"role": "user", "content": "中文"},))
    assert most_input_tokens(request) >= 6


def test_price_by_hand() -> None:
    assert Price(1.0, 2.0).of(1_000_000, 500_000) == pytest.approx(2.0)
    assert Usage().cost_usd is None
