"""kill -9 in the middle of a run, again and again: no paid reply is lost, none is paid twice, nothing becomes a zero.

The share that runs with every test kills a few times; `slow` kills 60 times and writes docs/evidence/grade-kills.json.
"""

import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from graders.gateway import GatewayOptions
from graders.pair_runner import PairReport, compare_runs, pairs_of
from graders.pairwise import load_pairwise
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


@dataclass(frozen=True)
class Done:
    """What the store holds at the end: items `made` or found there, `failed`, `cached` when run once more, the value
    of each, and the sum of their costs."""

    made: int
    failed: int
    cached: int
    values: tuple[float | None, ...]
    cost_usd: float


@dataclass(frozen=True)
class Subject:
    """A verb that is killed. `calls` an item; a judge that always says `verdict` gives each item `value`."""

    words: str
    calls: int
    verdict: str
    value: float
    go_on: Callable[[Store, FakeEndpoint], Done]


def options() -> GatewayOptions:
    return GatewayOptions(concurrency=CONCURRENCY, price=Price(1.0, 2.0))


def grade_on(store: Store, endpoint: FakeEndpoint) -> Done:
    def once() -> GradeReport:
        judge = load_grader(
            "answer-and-sources", store=store, model="judge", base_url=endpoint.base_url, options=options()
        )
        return grade_run(store, judge, TrajectoryFilter(run="a"), job=NullJob(), concurrency=CONCURRENCY)

    first, again = once(), once()
    ids = store.trajectories.ids(TrajectoryFilter(run="a"))
    kept = [grade for identifier in ids for grade in store.grades.for_trajectory(identifier)]
    cost = sum(grade.usage.cost_usd or 0.0 for grade in kept)
    return Done(first.graded + first.cached, first.failed, again.cached, tuple(grade.score for grade in kept), cost)


def compare_on(store: Store, endpoint: FakeEndpoint) -> Done:
    def once() -> PairReport:
        judge = load_pairwise("pairwise", store=store, model="judge", base_url=endpoint.base_url, options=options())
        pairs = pairs_of(store, ["a", "b"])
        return compare_runs(store, judge, pairs, job=NullJob(), concurrency=CONCURRENCY)

    first, again = once(), once()
    kept = [grade for _, grade in again.judged]
    cost = sum(grade.usage.cost_usd or 0.0 for grade in kept)
    return Done(first.scored + first.cached, first.failed, again.cached, tuple(g.preference for g in kept), cost)


GRADE = Subject("grade --grader answer-and-sources --run a", 1, "yes", 1.0, grade_on)
# Whoever stands first wins in both orders: a tie.
COMPARE = Subject("compare --grader pairwise --runs a b", 2, "report_a", 0.5, compare_on)


def command(url: str, endpoint: FakeEndpoint, subject: Subject = GRADE) -> list[str]:
    words = f"{subject.words} --model judge --json --concurrency {CONCURRENCY}".split()
    words += ["--price-in", "1", "--price-out", "2", "--base-url", endpoint.base_url]
    return [sys.executable, "-m", "workbench", "--store", url, *words]


def proof(
    url: str, endpoint: FakeEndpoint, *, kills: int, n: int, rng: random.Random, subject: Subject = GRADE
) -> dict[str, Any]:
    """Kills the run at random moments, `kills` times, then lets it end; gives the counts of both sides."""
    with open_store(url) as store:
        put(store, [trajectory(index) for index in range(n)])
        put(store, [trajectory(index, run="b", report=f"Bridge {index} is short.") for index in range(n)])
    say = judge_saying(lambda _: subject.verdict)
    asked: Counter[str] = Counter()
    asked_in_life: set[str] = set()
    asked_again_after_death = 0
    lock = threading.Lock()

    def respond(request: dict[str, Any]) -> Answer:
        with lock:
            key = content_hash(request["messages"])
            asked[key] += 1
            asked_in_life.add(key)
        return Answer(body=say(request).body, hang_s=LATENCY_S)

    endpoint.responder = respond
    done = most_lost = kept = 0
    while done < kills:
        before, kept_before = endpoint.calls, kept
        with lock:
            asked_in_life.clear()
        process = subprocess.Popen(
            command(url, endpoint, subject), cwd=CHECKOUT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
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
            # Nothing kept is asked again, so all of these were new to the store; what is missing was on the wire.
            lost = len(asked_in_life) - (kept - kept_before)
        most_lost = max(most_lost, lost)
    with open_store(url) as store:
        at_the_end = subject.go_on(store, endpoint)
        asked_again_after_death = sum(asked.values()) - len(asked)
        kept = count_kept(store)
    return {
        "kills": done,
        "items": n,
        "calls_an_item": subject.calls,
        "requests_answered_by_the_stub": sum(asked.values()),
        "different_requests": len(asked),
        "replies_kept": kept,
        "asked_again": asked_again_after_death,
        "most_asked_and_not_kept_at_a_kill": most_lost,
        "in_flight_allowed": CONCURRENCY,
        "made": at_the_end.made,
        "failed": at_the_end.failed,
        "found_by_another_run": at_the_end.cached,
        "values_as_the_judge_said": sum(value == subject.value for value in at_the_end.values),
        "values": len(at_the_end.values),
        "cost_recorded_usd": at_the_end.cost_usd,
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
    assert (found["made"], found["failed"]) == (found["items"], 0)
    assert found["found_by_another_run"] == found["items"]
    assert found["values_as_the_judge_said"] == found["values"] == found["items"]
    assert found["replies_kept"] == found["different_requests"] == found["items"] * found["calls_an_item"]
    # Only what was on the wire when a process died may be asked again.
    assert found["asked_again"] <= kills * CONCURRENCY
    assert found["most_asked_and_not_kept_at_a_kill"] <= CONCURRENCY
    assert found["cost_recorded_usd"] == pytest.approx(found["cost_of_each_request_once_usd"])


def test_a_killed_run_goes_on_without_paying_twice(sqlite_url: str, endpoint: FakeEndpoint) -> None:
    check(proof(sqlite_url, endpoint, kills=1, n=16, rng=random.Random(1)), 1)


def test_a_killed_comparison_goes_on_without_paying_twice(sqlite_url: str, endpoint: FakeEndpoint) -> None:
    check(proof(sqlite_url, endpoint, kills=2, n=16, rng=random.Random(2), subject=COMPARE), 2)


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
def test_forty_kills_lose_no_paid_reply(tmp_path: Path, endpoint: FakeEndpoint) -> None:
    began = time.monotonic()
    rng = random.Random(SEED)
    graded = proof(f"sqlite:///{tmp_path / 'grade.db'}", endpoint, kills=40, n=600, rng=rng)
    compared = proof(f"sqlite:///{tmp_path / 'compare.db'}", endpoint, kills=20, n=200, rng=rng, subject=COMPARE)
    code = ("graders", "rubrics", "workbench/store", "workbench/cli", "tests/graders")
    found = {"grade": graded, "compare": compared}
    write_evidence("grade-kills", found, seed=SEED, n=60, seconds=time.monotonic() - began, code=code)
    check(graded, 40)
    check(compared, 20)
