"""Requests, judges' replies and stored trajectories that the grader tests share."""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from graders.gateway import Gateway, GatewayOptions
from graders.rate_limits import RateLimits
from graders.retry import RetryPolicy
from tests.graders.fake_endpoint import Answer, FakeEndpoint, Responder, completion
from workbench.phases import analyse
from workbench.schema.canonical import JsonObject
from workbench.schema.protocols import ModelRequest
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory
from workbench.store import NewTrajectory, Store


def no_sleep(waits: list[float]) -> Callable[[float], Awaitable[None]]:
    """Remembers the waits instead of waiting."""

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    return sleep


def patient(waits: list[float] | None = None, **more: Any) -> GatewayOptions:
    """Options that try three times and wait for nothing."""
    waits = waits if waits is not None else []
    policy = RetryPolicy(attempts=3, sleep=no_sleep(waits))
    # Time passes by waiting alone.
    lanes = RateLimits(clock=lambda: sum(waits), sleep=no_sleep(waits))
    return GatewayOptions(**{"retry": policy, "timeout_s": 20.0, "lanes": lanes, **more})


def gateway_to(store: Store | None, **more: Any) -> Gateway:
    return Gateway(store.replies if store is not None else None, options=patient(**more))


def ask(endpoint: FakeEndpoint, text: str = "hello", **more: Any) -> ModelRequest:
    values: dict[str, Any] = {"max_tokens": 50, "base_url": endpoint.base_url, **more}
    return ModelRequest("judge", ({"role": "user", "content": text},), **values)


def judge_saying(verdict: Callable[[str], object]) -> Responder:
    """Answers a judge's request in the asked form: the verdict on each criterion is `verdict(its id)`."""

    def respond(request: dict[str, Any]) -> Answer:
        properties = request["response_format"]["json_schema"]["schema"]["properties"]
        asked = properties["verdicts"]["properties"]
        entries = {name: {"quote": "", "reason": "so it is", "verdict": verdict(name)} for name in asked}
        return completion(json.dumps({"key": properties["key"]["enum"][0], "verdicts": entries}))

    return respond


PAGE = "The Alder Bridge is 3.5 km long. " * 5


def trajectory(n: int = 0, *, run: str = "a", report: str | None = None, opened: bool = True) -> Trajectory:
    """One search, one page opened, one report that cites it."""
    url = f"https://bridges.example/{n}"
    steps: tuple[Step, ...] = (
        Step("user", text=f"How long is bridge {n}?"),
        Step("assistant", tool_calls=(ToolCall("c1", "search", "search", {"query": f"bridge {n} length"}),)),
        Step("tool", tool_results=(ToolResult("c1", f"Bridges of the north {url} all about them"),)),
    )
    if opened:
        steps += (
            Step("assistant", tool_calls=(ToolCall("c2", "visit", "visit", {"url": url}),)),
            Step("tool", tool_results=(ToolResult("c2", PAGE),)),
        )
    text = f"The Alder Bridge {n} is 3.5 km long ([source]({url}))." if report is None else report
    steps += (Step("assistant", text=text),)
    return Trajectory(f"How long is bridge {n}?", f"q-{n}", run, "agent", steps, text, outcome="completed")


def put(store: Store, trajectories: Sequence[Trajectory]) -> tuple[str, ...]:
    """Stores them and gives their ids, in order."""
    items = [NewTrajectory(t, analyse(t), b"{}", "test") for t in trajectories]
    for run in sorted({t.run for t in trajectories}):
        store.runs.ensure(run, model="agent")
    store.trajectories.add_batch(items)
    return tuple(t.id for t in trajectories)


SHEET: JsonObject = {"facts": [{"id": "length", "any_of": ["3.5 km"], "subject_any_of": ["Alder Bridge"]}]}
