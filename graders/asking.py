"""Asks a model all calls of a plan: how a reply that cannot be read is drawn again, and which failure counts first."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from graders.faults import ContextOverflowError, GradingStoppedError
from graders.gateway import Gateway
from rubrics.judging.prompt import JudgeRequest
from rubrics.judging.text import estimate_tokens
from workbench.schema.protocols import ModelReply, ModelRequest, TransportError

if TYPE_CHECKING:
    from graders.rubric_judge import JudgeOptions

# How often a plan is packed tighter before its prompt counts as too long.
REPACKS = 4
MOST_DRAWS = 20
_DRAW_SEEDS = 100_000
_T = TypeVar("_T")


async def ask_all(calls: Iterable[Coroutine[Any, Any, _T]]) -> list[_T]:
    """What all calls give, in order. Raises the gravest of their failures after every call has ended, so that no
    reply that was paid for is dropped."""
    results = await asyncio.gather(*calls, return_exceptions=True)
    errors = [result for result in results if isinstance(result, BaseException)]
    for kind in (GradingStoppedError, ContextOverflowError, TransportError, BaseException):
        for error in errors:
            if isinstance(error, kind):
                raise error
    return [result for result in results if not isinstance(result, BaseException)]


async def draw_reply(
    gateway: Gateway, request_of: Callable[[int], ModelRequest], readable: Callable[[ModelReply], bool], *, repeat: int
) -> ModelReply:
    """The reply to one call. A kept reply that cannot be read made a grade fail before; trying that grade again asks
    for one more draw (`request_of(draw)`), so that a failure can heal. A fresh reply is taken as it comes."""
    for draw in range(MOST_DRAWS):
        reply = await gateway.send(request_of(draw), repeat=repeat)
        if not reply.usage.cached or readable(reply):
            break
    return reply


def wire_request(options: "JudgeOptions", request: JudgeRequest, *, repeat: int, draw: int = 0) -> ModelRequest:
    """What goes over the wire for one call; each repeat and each further draw has a seed of its own."""
    return ModelRequest(
        model=options.model,
        messages=request.messages,
        temperature=options.temperature,
        seed=options.seed + repeat + _DRAW_SEEDS * draw,
        max_tokens=options.max_tokens,
        schema=request.schema,
        base_url=options.base_url,
    )


def tighter(budget_tokens: int | None, requests: Iterable[JudgeRequest]) -> int:
    """The room to try next, in tokens, where a server found a prompt of these too long."""
    longest = max(sum(estimate_tokens(m["content"]) for m in request.messages) for request in requests)
    return int(0.75 * (budget_tokens or longest))
