"""kill -9 in the middle of a run, again and again: no paid reply is lost, none is paid twice, nothing becomes a zero.

The share that runs with every test kills a few times; `slow` kills 40 times and writes docs/evidence/grade-kills.json.
"""

import random
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from graders.gateway import GatewayOptions
from graders.registry import load_grader
from graders.runner import GradeReport, grade_run
from graders.spending import Price
from tests.graders.fake_endpoint import Answer, FakeEndpoint
from tests.graders.helpers import judge_saying, put, trajectory
from tests.support.evidence import write_evidence
from workbench.schema.canonical import content_hash
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.jobs.handle import NullJob

CHECKOUT = Path(__file__).resolve().parents[2]
CONCURRENCY = 4
LATENCY_S = 0.15
COST = Price(1.0, 2.0).of(100, 20)
SEED = 20261201


def command(url: str, endpoint: FakeEndpoint) -> list[str]:
    words = f"grade --grader answer-and-sources --run a --model judge --json --concurrency {CONCURRENCY}".split()
    words += ["--price-in", "1", "--price-out", "2", "--base-url", endpoint.base_url]
    return [sys.executable, "-m", "workbench", "--store", url, *words]


def go_on(store: Store, endpoint: FakeEndpoint) -> GradeReport:
    options = GatewayOptions(concurrency=CONCURRENCY, price=Price(1.0, 2.0))
    judge = load_grader("answer-and-sources", store=store, model="judge", base_url=endpoint.base_url, options=options)
    return grade_run(store, judge, TrajectoryFilter(run="a"), job=NullJob(), concurrency=CONCURRENCY)


def proof(url: str, endpoint: FakeEndpoint, *, kills: int, n: int, rng: random.Random) -> dict[str, Any]:
    """Kills the run at random moments, `kills` times, then lets it end; gives the counts of both sides."""
    with open_store(url) as store:
        put(store, [trajectory(index) for index in range(n)])
    say = judge_saying(lambda _: "yes")
    asked: Counter[str] = Counter()
    on_wire: set[str] = set()
    asked_again_after_death = 0
    lock = threading.Lock()

    def respond(request: dict[str, Any]) -> Answer:
        with lock:
            key = content_hash(request["messages"])
            asked[key] += 1
            on_wire.add(key)
        return Answer(body=say(request).body, hang_s=LATENCY_S)

    endpoint.responder = respond
    done = most_on_wire = lost = 0
    while done < kills:
        before = endpoint.calls
        process = subprocess.Popen(
            command(url, endpoint), cwd=CHECKOUT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 60
        while endpoint.calls == before and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        if process.poll() is not None:
            break  # nothing was left to ask: more trajectories would be needed
        time.sleep(rng.uniform(0.0, 2.5 * LATENCY_S))
        process.kill()
        process.wait()
        done += 1
        time.sleep(1.5 * LATENCY_S)  # the stub finishes what it was answering
        with open_store(url) as store:
            kept = count_kept(store)
        with lock:
            lost = len(asked) - kept  # asked, and no reply kept: at most what was on the wire at this kill
        most_on_wire = max(most_on_wire, lost)
    with open_store(url) as store:
        report = go_on(store, endpoint)
        asked_again_after_death = sum(asked.values()) - len(asked)
        again = go_on(store, endpoint)
        scores = store.grades.scores("answer-and-sources/judge", "a")["score"]
        recorded = sum(
            grade.usage.cost_usd or 0.0
            for identifier in store.trajectories.ids(TrajectoryFilter(run="a"))
            for grade in store.grades.for_trajectory(identifier)
        )
        kept = count_kept(store)
    return {
        "kills": done,
        "reports": n,
        "requests_answered_by_the_stub": sum(asked.values()),
        "different_requests": len(asked),
        "replies_kept": kept,
        "asked_again": asked_again_after_death,
        "most_asked_and_not_kept_at_a_kill": most_on_wire,
        "in_flight_allowed": CONCURRENCY,
        "graded": report.graded + report.cached,
        "failed": report.failed,
        "found_graded_by_another_run": again.cached,
        "scores_that_are_1": sum(score == 1.0 for score in scores),
        "scores": len(scores),
        "cost_recorded_usd": recorded,
        "cost_of_each_request_once_usd": len(asked) * COST,
        "most_times_one_request_was_asked": max(asked.values()),
    }


def count_kept(store: Store) -> int:
    from sqlalchemy import func, select

    from workbench.store.tables import ReplyTable

    with store.replies._db.read() as connection:
        return int(connection.scalar(select(func.count()).where(ReplyTable.reply.is_not(None))) or 0)


def check(found: dict[str, Any], kills: int) -> None:
    assert found["kills"] == kills
    assert (found["graded"], found["failed"]) == (found["reports"], 0)
    assert found["found_graded_by_another_run"] == found["reports"]
    assert found["scores_that_are_1"] == found["scores"] == found["reports"]
    assert found["replies_kept"] == found["different_requests"] == found["reports"]
    # Only what was on the wire when a process died may be asked again.
    assert found["asked_again"] <= kills * CONCURRENCY
    assert found["most_asked_and_not_kept_at_a_kill"] <= CONCURRENCY
    assert found["cost_recorded_usd"] == pytest.approx(found["cost_of_each_request_once_usd"])


def test_a_killed_run_goes_on_without_paying_twice(sqlite_url: str, endpoint: FakeEndpoint) -> None:
    check(proof(sqlite_url, endpoint, kills=1, n=16, rng=random.Random(1)), 1)


def test_a_polite_stop_keeps_what_is_under_way(sqlite_url: str, endpoint: FakeEndpoint) -> None:
    with open_store(sqlite_url) as store:
        put(store, [trajectory(index) for index in range(16)])
    say = judge_saying(lambda _: "yes")
    endpoint.responder = lambda request: Answer(body=say(request).body, hang_s=0.4)
    process = subprocess.Popen(
        command(sqlite_url, endpoint), cwd=CHECKOUT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    while endpoint.calls < CONCURRENCY and process.poll() is None:
        time.sleep(0.01)
    process.terminate()
    process.wait(30)
    with open_store(sqlite_url) as store:
        assert endpoint.calls == count_kept(store) == len(store.grades.scores("answer-and-sources/judge")["score"])
        assert store.jobs.list()[0].state == "stopped"
    assert endpoint.calls < 16


@pytest.mark.slow
def test_forty_kills_lose_no_paid_reply(sqlite_url: str, endpoint: FakeEndpoint) -> None:
    began = time.monotonic()
    found = proof(sqlite_url, endpoint, kills=40, n=600, rng=random.Random(SEED))
    code = ("graders", "rubrics", "workbench/store", "workbench/cli/grade.py", "tests/graders")
    write_evidence("grade-kills", found, seed=SEED, n=40, seconds=time.monotonic() - began, code=code)
    check(found, 40)
