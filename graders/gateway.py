"""The one way to a model: cached, patient with the wire, within a spend limit. Only this module knows litellm."""

import asyncio
import logging
import os
import time
from dataclasses import dataclass, field
from typing import Any

from graders.endpoint import Endpoint, Resolver, resolve
from graders.faults import RequestRefusedError, RetryableError
from graders.guarded import FOUND, Found, GuardedClients
from graders.rate_limits import Lane, Limits, RateLimits, provider_of, shared_limits, tokens_booked
from graders.redact import redact_known
from graders.reply_cache import ReplyCache
from graders.retry import RetryPolicy, with_retries
from graders.spending import Price, Purse
from graders.wire_faults import typed_fault
from workbench.errors import MissingExtraError, WorkbenchError
from workbench.schema.grade import Usage
from workbench.schema.protocols import ModelReply, ModelRequest, Transport, TransportError
from workbench.store.repositories.replies import Replies

_SCHEMA_WORDS = ("response_format", "json_schema", "structured output", "grammar")


@dataclass(frozen=True, slots=True)
class GatewayOptions:
    """`timeout_s` for one attempt; `concurrency` requests on the wire at once. Price None: as litellm's table says.

    `limits` (requests and tokens a minute) tighten the provider's lane for the whole process; `lanes` None: the
    process's own.
    """

    timeout_s: float = 90.0
    concurrency: int = 8
    spend_limit_usd: float | None = None
    price: Price | None = None
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    limits: Limits = field(default_factory=Limits)
    lanes: RateLimits | None = None


class Gateway:
    """A Transport that asks once, tries again after transport faults only, and stops before the spend limit is passed.

    Raises TransportError where no reply came, GradingStoppedError where none will come until a person acts.
    """

    def __init__(
        self,
        replies: Replies | None,
        *,
        options: GatewayOptions | None = None,
        transport: Transport | None = None,
        resolver: Resolver = resolve,
    ) -> None:
        self.options = options or GatewayOptions()
        self.purse = Purse(self.options.spend_limit_usd)
        self._resolver = resolver
        self._transport = transport or LitellmTransport(resolver, self.options.timeout_s, self.options.price)
        self._cache = ReplyCache(replies) if replies is not None else None
        self._lanes = self.options.lanes or shared_limits()
        self._slots: tuple[asyncio.AbstractEventLoop, asyncio.Semaphore] | None = None

    async def send(self, request: ModelRequest, *, repeat: int = 0) -> ModelReply:
        """The reply to `request`; `repeat` tells draws of one request apart in the cache."""

        cache = self._cache
        if cache is not None and (kept := await cache.kept(request, repeat)) is not None:
            return kept

        async def ask() -> ModelReply:
            # The slot comes before the claim, which is given back between attempts: nobody waits for one who waits.
            async with self._semaphore():
                if cache is None:
                    return await self._fetch(request)
                return await cache.reply_to(request, repeat, lambda: self._fetch(request))

        if isinstance(self._transport, LitellmTransport):
            # Loading it takes seconds, in which no claim should be held.
            await litellm_ready()
        return await with_retries(ask, self.options.retry)

    async def _fetch(self, request: ModelRequest) -> ModelReply:
        lane = self.lane(request)
        booked = tokens_booked(request) if lane.limits.tpm is not None else 0
        await lane.enter(booked, longest_wait_s=self.options.retry.longest_wait_s)
        reserved = self.purse.reserve(request, await self._price(request))
        try:
            reply = await self._transport.send(request)
        except BaseException as error:
            # A cancelled request has left already, and so has one whose answer was lost on the way.
            lost = getattr(error, "maybe_billed", not isinstance(error, TransportError | WorkbenchError))
            self.purse.give_back(reserved, maybe_billed=lost)
            if isinstance(error, RetryableError) and error.wait_s is not None:
                # What one request is told holds for all that go there.
                lane.hold(error.wait_s)
            raise
        self.purse.settle(reserved, reply.usage.cost_usd)
        lane.settle(booked, reply.usage.input_tokens + reply.usage.output_tokens)
        return reply

    def lane(self, request: ModelRequest) -> Lane:
        """The road that this request takes, with its limits."""
        lane = self._lanes.lane(provider_of(request))
        lane.tighten(self.options.limits)
        return lane

    async def _price(self, request: ModelRequest) -> Price | None:
        if self.options.spend_limit_usd is None:
            return None
        if self.options.price is not None:
            return self.options.price
        endpoint = await self._resolver(request)
        return endpoint.price or (None if endpoint.base_url else listed_price(endpoint.model))

    def _semaphore(self) -> asyncio.Semaphore:
        """One a loop: a semaphore of a loop that has ended cannot be waited for in the next."""
        loop = asyncio.get_running_loop()
        if self._slots is None or self._slots[0] is not loop:
            self._slots = (loop, asyncio.Semaphore(self.options.concurrency))
        return self._slots[1]


class LitellmTransport:
    """One request through litellm, without any retry of its own; faults typed and free of secrets."""

    def __init__(self, resolver: Resolver = resolve, timeout_s: float = 90.0, price: Price | None = None) -> None:
        self._resolver = resolver
        self._timeout_s = timeout_s
        self._price = price
        self._without_schema: set[tuple[str, str | None]] = set()
        self._clients = GuardedClients()

    async def send(self, request: ModelRequest) -> ModelReply:
        litellm = await litellm_ready()
        endpoint = await self._resolver(request)
        where = (endpoint.model, endpoint.base_url)
        structured = request.schema is not None and where not in self._without_schema
        if structured and endpoint.base_url is None:
            structured = bool(litellm.supports_response_schema(endpoint.model))
        try:
            return await self._call(litellm, request, endpoint, structured)
        except RequestRefusedError as error:
            if not structured or not any(word in str(error).lower() for word in _SCHEMA_WORDS):
                raise
            # The server knows no schema: the strict parser reads what comes without one.
            self._without_schema.add(where)
            return await self._call(litellm, request, endpoint, False)

    async def _call(self, litellm: Any, request: ModelRequest, endpoint: Endpoint, structured: bool) -> ModelReply:
        arguments: dict[str, Any] = {
            "model": endpoint.model,
            "messages": [dict(message) for message in request.messages],
            "temperature": request.temperature,
            "timeout": self._timeout_s,
            "max_retries": 0,
            "num_retries": 0,
            "drop_params": True,
            **request.extra,
        }
        optional = {
            "seed": request.seed,
            "max_tokens": request.max_tokens,
            "api_base": endpoint.base_url,
            "api_key": endpoint.api_key,
            "client": None if endpoint.base_url is None else self._clients.client_for(endpoint, self._timeout_s),
        }
        arguments |= {name: value for name, value in optional.items() if value is not None}
        if structured:
            schema = {"name": "verdicts", "schema": request.schema, "strict": True}
            arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
        began = time.monotonic()
        found = Found()
        FOUND.set(found)
        try:
            # Its own time-out counts from byte to byte; a server that trickles is stopped by this one.
            response = await asyncio.wait_for(litellm.acompletion(**arguments), self._timeout_s)
        except TimeoutError:
            message = f"no reply from {endpoint.model} within {self._timeout_s:g} s"
            raise RetryableError(message, maybe_billed=True) from None
        except Exception as error:
            if found.error is not None:
                raise found.error from None
            # Without its cause: the chain may quote headers and addresses that carry a key.
            raise typed_fault(error, endpoint.model, answered=found.status) from None
        return _reply(response, time.monotonic() - began, self._price or endpoint.price, endpoint)


def _reply(response: Any, latency_s: float, price: Price | None, endpoint: Endpoint) -> ModelReply:
    choices = getattr(response, "choices", None)
    choice: Any = choices[0] if isinstance(choices, list) and choices else None
    message = getattr(choice, "message", None)
    text = getattr(message, "content", None)
    if message is None or not isinstance(text, str | None):
        raise RetryableError(f"the answer of {endpoint.model} holds no choice with a text", maybe_billed=True)
    usage = getattr(response, "usage", None)
    tokens_in = _count(getattr(usage, "prompt_tokens", 0))
    tokens_out = _count(getattr(usage, "completion_tokens", 0))
    cost: float | None = None
    if price is not None:
        cost = price.of(tokens_in, tokens_out)
    elif endpoint.base_url is None:
        # A server of one's own may carry a provider's model name; its price is then unknown, not the provider's.
        cost = (getattr(response, "_hidden_params", None) or {}).get("response_cost")
    # A lone surrogate cannot be stored as UTF-8; what a server echoes of a key must not be stored at all.
    text = redact_known((text or "").encode("utf-8", errors="backslashreplace").decode("utf-8"))
    finish = str(getattr(choice, "finish_reason", None) or "stop")
    return ModelReply(text, Usage(tokens_in, tokens_out, cost, latency_s), finish)


def _count(value: object) -> int:
    """Tokens as a server counts them; what is no count is 0. Below 0 it would pay money back."""
    return max(0, int(value)) if isinstance(value, int | float) and 0 <= value < 2**53 else 0


def listed_price(model: str) -> Price | None:
    """The price in litellm's bundled table; None where it does not list the model."""
    try:
        info = load_litellm().get_model_info(model)
    except Exception:  # litellm raises a bare Exception for a model that it does not list
        return None
    into, out = info.get("input_cost_per_token"), info.get("output_cost_per_token")
    return None if into is None or out is None else Price(into * 1e6, out * 1e6)


_loaded: Any = None


async def litellm_ready() -> Any:
    """litellm, loaded on a thread the first time."""
    global _loaded
    if _loaded is None:
        _loaded = await asyncio.to_thread(load_litellm)
    return _loaded


def load_litellm() -> Any:
    """litellm, quiet, offline but for the calls asked of it. Takes seconds the first time: never at start-up."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    try:
        import litellm
    except ImportError:
        raise MissingExtraError(
            "graders that call a model need litellm; install it with: pip install -e '.[app]'"
        ) from None
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    for name in ("LiteLLM", "httpx", "openai"):
        # At INFO these log addresses, and some providers take their key in the address.
        logging.getLogger(name).setLevel(logging.CRITICAL if name == "LiteLLM" else logging.WARNING)
    return litellm
