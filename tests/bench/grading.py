"""How fast grading is: through the gateway beside a bare client, with every reply kept, and with every grade stored.

The stub is a process of its own, so that its work is not counted against either side; both meet the same one in turns.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from graders.asking import wire_request
from graders.gateway import Gateway, GatewayOptions
from graders.registry import REPLY_TOKENS
from graders.rubric_judge import JudgeOptions, RubricJudge
from graders.runner import grade_run
from rubrics.library import load_library
from tests.graders.helpers import put, trajectory
from workbench.schema.grade import GradingCase
from workbench.schema.protocols import ModelRequest
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.jobs import NullJob

SEED = 20261202
IN_FLIGHT = 128
LATENCY_S = 1.0
N = 384
N_CACHED = 1000
ROUNDS = 5

_STUB = """
import asyncio, json, sys
LATENCY = float(sys.argv[1])

def reply(request):
    properties = request.get("response_format", {}).get("json_schema", {}).get("schema", {}).get("properties", {})
    text = "ok"
    if "verdicts" in properties:
        asked = properties["verdicts"]["properties"]
        said = {name: {"quote": "", "reason": "so it is", "verdict": "yes"} for name in asked}
        text = json.dumps({"key": properties["key"]["enum"][0], "verdicts": said})
    message = {"role": "assistant", "content": text}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    choices = [{"index": 0, "finish_reason": "stop", "message": message}]
    whole = {"id": "c", "object": "chat.completion", "created": 1, "model": "stub", "choices": choices, "usage": usage}
    return json.dumps(whole).encode()

async def serve(reader, writer):
    try:
        while True:
            head = await reader.readuntil(b"\\r\\n\\r\\n")
            fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\\r\\n")[1:] if b": " in line)
            body = await reader.readexactly(int(fields[b"content-length"]))
            await asyncio.sleep(LATENCY)
            out = reply(json.loads(body))
            head = b"HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: %d\\r\\n\\r\\n"
            writer.write(head % len(out) + out)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()

async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0, backlog=1024, limit=2**22)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


@contextmanager
def stub(latency_s: float) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", _STUB, str(latency_s)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    finally:
        process.kill()
        process.wait()


def measure() -> dict[str, Any]:
    """Every figure, with the rounds that they are medians of."""
    with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/bench.db") as store:
        put(store, [trajectory(index) for index in range(N_CACHED)])
        ids = store.trajectories.ids(TrajectoryFilter())
        return against_a_bare_client(store, ids[:N]) | cached(store, ids)


def judge_at(store: Store, base_url: str, *, concurrency: int = IN_FLIGHT, seed: int = 1) -> RubricJudge:
    options = JudgeOptions("stub", base_url, max_tokens=REPLY_TOKENS, seed=seed)
    gateway = Gateway(store.replies, options=GatewayOptions(concurrency=concurrency))
    return RubricJudge(load_library("answer-and-sources"), options, gateway)


def _requests(judge: RubricJudge, store: Store, ids: Sequence[str]) -> list[ModelRequest]:
    """The very requests of a grading run."""
    from rubrics.judging.material import material_of
    from rubrics.judging.prompt import plan_requests

    out: list[ModelRequest] = []
    for identifier in ids:
        case = store.trajectories.get(identifier)
        plan = plan_requests(judge.rubric, material_of(case.question, case.report, case))
        out.extend(wire_request(judge.options, request, repeat=judge.repeat) for request in plan.requests)
    return out


def against_a_bare_client(store: Store, ids: Sequence[str]) -> dict[str, Any]:
    """Replies a second: httpx alone, httpx over as many pools as the gateway has, the gateway with its durable cache,
    and whole grades kept in the store."""
    rounds: dict[str, list[float]] = {"bare_client": [], "bare_client_pools": [], "gateway": [], "whole_grades": []}
    with stub(LATENCY_S) as base_url:
        asyncio.run(_through_gateway(store, base_url, _requests(judge_at(store, base_url), store, ids[:4])))
        for number in range(ROUNDS):
            seed = 1000 * (number + 1)  # other requests, so that nothing is found kept
            requests = _requests(judge_at(store, base_url, seed=seed), store, ids)
            rounds["bare_client"].append(asyncio.run(_bare(base_url, requests)))
            rounds["bare_client_pools"].append(asyncio.run(_bare(base_url, requests, pools=True)))
            rounds["gateway"].append(asyncio.run(_through_gateway(store, base_url, requests)))
            judge = judge_at(store, base_url, seed=seed + 1)
            began = time.perf_counter()
            report = _grade(store, judge, len(ids))
            assert (report.graded, report.failed) == (len(ids), 0)
            rounds["whole_grades"].append(len(requests) / (time.perf_counter() - began))
    ratios = {
        f"{name}_to_{peer}": [mine / bare for mine, bare in zip(rounds[name], rounds[peer], strict=True)]
        for name in ("gateway", "whole_grades")
        for peer in ("bare_client", "bare_client_pools")
    }
    return {
        "requests_a_round": len(requests),
        "in_flight": IN_FLIGHT,
        "latency_s": LATENCY_S,
        "replies_a_second": rounds,
        "ratio": {name: statistics.median(values) for name, values in ratios.items()},
        "ratios_by_round": ratios,
        "load_average_at_the_end": os.getloadavg()[0],
    }


def _grade(store: Store, judge: RubricJudge, n: int) -> Any:
    return grade_run(store, judge, TrajectoryFilter(), job=NullJob(), concurrency=IN_FLIGHT, limit=n)


async def _bare(base_url: str, requests: Sequence[ModelRequest], *, pools: bool = False) -> float:
    import httpx

    from graders.pools import spread_over_pools

    slots = asyncio.Semaphore(IN_FLIGHT)
    limits = httpx.Limits(max_connections=IN_FLIGHT, max_keepalive_connections=IN_FLIGHT)
    mounts = spread_over_pools(httpx) if pools else {}
    async with httpx.AsyncClient(timeout=60.0, limits=limits, trust_env=False, mounts=mounts) as client:

        async def one(request: ModelRequest) -> None:
            schema = {"type": "json_schema", "json_schema": {"name": "v", "schema": request.schema}}
            body = {"model": "stub", "messages": list(request.messages), "response_format": schema}
            async with slots:
                answer = await client.post(f"{base_url}/chat/completions", json=body)
            json.loads(answer.content)["choices"][0]["message"]["content"]

        began = time.perf_counter()
        await asyncio.gather(*(one(request) for request in requests))
        return len(requests) / (time.perf_counter() - began)


async def _through_gateway(store: Store, base_url: str, requests: Sequence[ModelRequest]) -> float:
    gateway = judge_at(store, base_url).gateway
    began = time.perf_counter()
    await asyncio.gather(*(gateway.send(request) for request in requests))
    return len(requests) / (time.perf_counter() - began)


def cached(store: Store, ids: Sequence[str]) -> dict[str, Any]:
    """Grades a second where no call is made: each reply kept (cases in memory; whole run), and each grade stored."""
    with stub(0.0) as base_url:
        first = judge_at(store, base_url, seed=77)
        _grade(store, first, len(ids))
    # The stub is gone: a call would be a failed grade.
    cases = [_case(store, identifier) for identifier in ids]
    rates: dict[str, list[float]] = {"judge_of_kept_replies": [], "run_of_kept_replies": [], "run_of_stored_grades": []}
    for number in range(ROUNDS):
        rates["judge_of_kept_replies"].append(asyncio.run(_judge_all(judge_at(store, base_url, seed=77), cases)))
        again = _Again(judge_at(store, base_url, seed=77), number)
        began = time.perf_counter()
        report = _grade(store, again, len(ids))
        assert (report.graded, report.failed) == (len(ids), 0)
        rates["run_of_kept_replies"].append(len(ids) / (time.perf_counter() - began))
        began = time.perf_counter()
        assert _grade(store, again, len(ids)).cached == len(ids)
        rates["run_of_stored_grades"].append(len(ids) / (time.perf_counter() - began))
    medians = {name: statistics.median(values) for name, values in rates.items()}
    return {"grades_cached": len(ids), "grades_a_second": medians, "grades_a_second_by_round": rates}


class _Again(RubricJudge):
    """The same judge under another version: other grades, of the same replies."""

    def __init__(self, judge: RubricJudge, number: int) -> None:
        super().__init__(judge.rubric, judge.options, judge.gateway)
        self.version = f"again-{number}"

    def repeated(self, repeat: int) -> RubricJudge:
        assert repeat == 0
        return self


def _case(store: Store, identifier: str) -> GradingCase:
    found = store.trajectories.get(identifier)
    return GradingCase(found.question, found.report, found)


async def _judge_all(judge: RubricJudge, cases: Sequence[GradingCase]) -> float:
    began = time.perf_counter()
    grades = await asyncio.gather(*(judge.grade(case) for case in cases))
    assert all(grade.outcome == "scored" for grade in grades)
    return len(cases) / (time.perf_counter() - began)
