"""The gateway against a real server on loopback, with litellm in the path."""

import asyncio
import time

import pytest

from graders.faults import ContextOverflowError, KeyRefusedError, NoSuchModelError, RequestRefusedError
from graders.gateway import Gateway, GatewayOptions, LitellmTransport, listed_price
from graders.reply_cache import LEASE_S, ReplyCache
from graders.retry import RetryPolicy
from tests.graders.fake_endpoint import Answer, FakeEndpoint, completion, failure
from tests.graders.helpers import ask, gateway_to, patient
from workbench.schema.grade import Usage
from workbench.schema.protocols import ModelReply, ModelRequest, TransportError
from workbench.store import Store


def send(gateway: Gateway, request: ModelRequest, *, repeat: int = 0) -> str:
    return asyncio.run(gateway.send(request, repeat=repeat)).text


def test_a_request_is_asked_once_and_answered_from_the_store_ever_after(store: Store, endpoint: FakeEndpoint) -> None:
    endpoint.responder = lambda _: completion(f"reply {endpoint.calls}")
    first = asyncio.run(gateway_to(store).send(ask(endpoint)))
    again = asyncio.run(gateway_to(store).send(ask(endpoint)))
    assert (first.text, again.text, endpoint.calls) == ("reply 1", "reply 1", 1)
    assert (first.usage.cached, again.usage.cached) == (False, True)
    assert (again.usage.input_tokens, again.usage.output_tokens) == (100, 20)


def test_repeats_and_any_part_of_a_request_are_other_draws(sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    gateway = gateway_to(sqlite_store)
    send(gateway, ask(endpoint))
    send(gateway, ask(endpoint), repeat=1)
    for changed in ({"seed": 2}, {"temperature": 0.5}, {"max_tokens": 51}, {"schema": {"type": "object"}}):
        send(gateway, ask(endpoint, **changed))
    assert endpoint.calls == 6


def test_fifty_askers_at_once_cost_one_call(store: Store, endpoint: FakeEndpoint) -> None:
    endpoint.responder = lambda _: Answer(body=completion("one").body, hang_s=0.2)
    gateways = [gateway_to(store), gateway_to(store)]

    async def all_at_once() -> list[str]:
        replies = await asyncio.gather(*(gateways[n % 2].send(ask(endpoint)) for n in range(50)))
        return [reply.text for reply in replies]

    assert asyncio.run(all_at_once()) == ["one"] * 50
    assert endpoint.calls == 1


def test_a_claim_is_held_as_long_as_its_fetch_lasts(store: Store, endpoint: FakeEndpoint) -> None:
    slow, other = (ReplyCache(store.replies, lease_s=0.4) for _ in range(2))

    async def fetch() -> ModelReply:
        await asyncio.sleep(1.2)
        return ModelReply("once", Usage())

    async def never() -> ModelReply:
        raise AssertionError("asked a second time while the first was under way")

    async def both() -> list[ModelReply]:
        first = asyncio.create_task(slow.reply_to(ask(endpoint), 0, fetch))
        await asyncio.sleep(0.2)
        return [await other.reply_to(ask(endpoint), 0, never), await first]

    assert [(reply.text, reply.usage.cached) for reply in asyncio.run(both())] == [("once", True), ("once", False)]


def test_no_more_requests_are_on_the_wire_than_allowed(endpoint: FakeEndpoint) -> None:
    endpoint.responder = lambda _: Answer(body=completion("x").body, hang_s=0.03)
    gateway = gateway_to(None, concurrency=3)

    async def many() -> None:
        await asyncio.gather(*(gateway.send(ask(endpoint, str(n))) for n in range(12)))

    asyncio.run(many())
    assert endpoint.calls == 12
    assert endpoint.most_at_once <= 3


@pytest.mark.parametrize(
    "fault",
    [
        failure(500),
        failure(503),
        failure(529),
        failure(429),
        Answer(body=b"<html>gateway</html>"),
        Answer(body=b'{"not": "a completion"}'),
        Answer(body=b"[]"),
        Answer(body=completion("half").body, cut=True),
        Answer(reset=True),
    ],
    ids=["500", "503", "529", "429", "html", "wrong-json", "list", "half-a-body", "reset"],
)
def test_transport_faults_are_tried_again(fault: Answer, sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    endpoint.script.extend([fault, fault])
    waits: list[float] = []
    gateway = Gateway(sqlite_store.replies, options=patient(waits))
    assert send(gateway, ask(endpoint)) == "ok"
    assert endpoint.calls == 3
    assert len(waits) == 2


def test_a_fault_that_stays_is_an_infrastructure_failure_and_frees_the_claim(
    store: Store, endpoint: FakeEndpoint
) -> None:
    endpoint.script.extend([failure(500)] * 3)
    with pytest.raises(TransportError, match="gave up after 3 attempts"):
        send(gateway_to(store), ask(endpoint))
    began = time.monotonic()
    assert send(gateway_to(store), ask(endpoint)) == "ok"
    assert time.monotonic() - began < 5.0


def test_the_server_is_waited_for_as_long_as_it_asks(endpoint: FakeEndpoint) -> None:
    endpoint.script.extend([failure(429, retry_after="7"), failure(503, retry_after="0.5")])
    waits: list[float] = []
    assert send(Gateway(None, options=patient(waits)), ask(endpoint)) == "ok"
    assert waits == [7.0, 0.5]


def test_a_server_that_asks_for_too_long_is_not_waited_for(endpoint: FakeEndpoint) -> None:
    endpoint.script.append(failure(429, retry_after="3600"))
    with pytest.raises(TransportError, match="asks to wait 3600 s"):
        send(gateway_to(None), ask(endpoint))
    assert endpoint.calls == 1


def test_an_endpoint_that_hangs_is_left_after_the_time_out(endpoint: FakeEndpoint) -> None:
    send(gateway_to(None), ask(endpoint))  # loads litellm outside the measured time
    endpoint.script.extend([Answer(body=completion("late").body, hang_s=3.0)])
    began = time.monotonic()
    assert send(gateway_to(None, timeout_s=0.5), ask(endpoint)) == "ok"
    assert time.monotonic() - began < 2.5


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (failure(401, "bad key"), KeyRefusedError),
        (failure(403, "not yours"), KeyRefusedError),
        (failure(404, "no such model"), NoSuchModelError),
        (failure(400, "temperature must be 1"), RequestRefusedError),
        (failure(422, "what?"), RequestRefusedError),
        (failure(400, "request (9000 tokens) exceeds the available context size (4096)"), ContextOverflowError),
    ],
)
def test_refusals_are_typed_and_not_tried_again(
    answer: Answer, error: type[Exception], sqlite_store: Store, endpoint: FakeEndpoint
) -> None:
    endpoint.script.append(answer)
    with pytest.raises(error):
        send(gateway_to(sqlite_store), ask(endpoint))
    assert endpoint.calls == 1


def test_a_missing_key_stops_the_run_with_a_sentence() -> None:
    request = ModelRequest("openai/gpt-4o-mini", ({"role": "user", "content": "hi"},))
    with pytest.raises(KeyRefusedError, match="environment"):
        send(gateway_to(None), request)


def test_a_server_without_schemas_is_asked_without_one_from_then_on(endpoint: FakeEndpoint) -> None:
    endpoint.script.append(failure(400, "response_format json_schema is not supported"))
    gateway = gateway_to(None)
    for n in range(2):
        assert send(gateway, ask(endpoint, str(n), schema={"type": "object"})) == "ok"
    assert ["response_format" in request for request in endpoint.requests] == [True, False, False]


def test_a_reply_without_text_is_a_reply(sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    endpoint.responder = lambda _: completion(None, finish="content_filter")
    reply = asyncio.run(gateway_to(sqlite_store).send(ask(endpoint)))
    assert (reply.text, reply.finish) == ("", "content_filter")


def test_a_reply_with_a_lone_surrogate_can_be_kept(store: Store, endpoint: FakeEndpoint) -> None:
    endpoint.responder = lambda _: completion("bad \ud800 half")
    assert send(gateway_to(store), ask(endpoint)) == send(gateway_to(store), ask(endpoint)) == "bad \\ud800 half"


def test_what_is_asked_for_reaches_the_server(endpoint: FakeEndpoint) -> None:
    schema = {"type": "object", "properties": {}}
    send(gateway_to(None), ask(endpoint, seed=7, temperature=0.0, max_tokens=33, schema=schema))
    (sent,) = endpoint.requests
    assert (sent["model"], sent["seed"], sent["temperature"], sent["max_tokens"]) == ("judge", 7, 0.0, 33)
    assert sent["response_format"]["json_schema"]["schema"] == schema


def test_a_cancelled_request_frees_its_claim(sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    send(gateway_to(None), ask(endpoint, "warm up"))
    endpoint.script.append(Answer(body=completion("late").body, hang_s=1.0))
    gateway = gateway_to(sqlite_store)

    async def give_up_then_ask() -> str:
        task = asyncio.create_task(gateway.send(ask(endpoint)))
        while endpoint.calls < 2:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return (await asyncio.wait_for(gateway.send(ask(endpoint)), LEASE_S - 1)).text

    assert asyncio.run(give_up_then_ask()) == "ok"


def test_an_own_server_with_a_providers_model_name_has_no_price(endpoint: FakeEndpoint) -> None:
    request = ModelRequest("gpt-4o-mini", ({"role": "user", "content": "hi"},), base_url=endpoint.base_url)
    assert asyncio.run(gateway_to(None).send(request)).usage.cost_usd is None


def test_prices_come_from_the_bundled_table_and_are_none_for_strangers() -> None:
    price = listed_price("gpt-4o-mini")
    assert price is not None
    assert 0 < price.input_usd_per_m < price.output_usd_per_m < 10
    assert listed_price("openai/no-such-model-anywhere") is None


def test_waits_grow_and_are_bounded() -> None:
    policy = RetryPolicy(attempts=10, backoff_s=1.0, longest_wait_s=20.0)
    waits = [policy.wait_s(n, None) or 0.0 for n in range(10)]
    assert all(2.0**n / 2 <= waits[n] <= 2.0**n for n in range(4))
    assert max(waits) <= 20.0


def test_transport_alone_makes_no_retry(endpoint: FakeEndpoint) -> None:
    endpoint.script.append(failure(500))
    with pytest.raises(TransportError):
        asyncio.run(LitellmTransport(timeout_s=5.0).send(ask(endpoint)))
    assert endpoint.calls == 1


def test_default_options_are_sane() -> None:
    options = GatewayOptions()
    assert options.spend_limit_usd is None
    assert options.retry.attempts * options.timeout_s < 600


def test_a_proxy_of_the_environment_is_not_gone_around(endpoint: FakeEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert send(gateway_to(None), ask(endpoint)) == "ok"
    for name in ("HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
        with pytest.raises(TransportError):
            send(gateway_to(None), ask(endpoint))
        monkeypatch.delenv(name)
    assert endpoint.calls == 1
