"""kill -9 in the middle of a run: no paid reply is lost, none is paid twice, nothing becomes a zero."""

import signal
import subprocess
import sys
import time
from pathlib import Path

from graders.gateway import GatewayOptions
from graders.registry import load_grader
from graders.runner import GradeReport, grade_run
from tests.graders.fake_endpoint import Answer, FakeEndpoint
from tests.graders.helpers import judge_saying, put, trajectory
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.jobs.handle import NullJob

CHECKOUT = Path(__file__).resolve().parents[2]
N = 12
CONCURRENCY = 2


def command(url: str, endpoint: FakeEndpoint) -> list[str]:
    words = f"grade --grader answer-and-sources --run a --model judge --json --concurrency {CONCURRENCY}".split()
    return [sys.executable, "-m", "workbench", "--store", url, *words, "--base-url", endpoint.base_url]


def go_on(store: Store, endpoint: FakeEndpoint) -> GradeReport:
    options = GatewayOptions(concurrency=CONCURRENCY)
    judge = load_grader("answer-and-sources", store=store, model="judge", base_url=endpoint.base_url, options=options)
    return grade_run(store, judge, TrajectoryFilter(run="a"), job=NullJob(), concurrency=CONCURRENCY)


def test_a_killed_run_goes_on_without_paying_twice(sqlite_url: str, endpoint: FakeEndpoint) -> None:
    with open_store(sqlite_url) as store:
        put(store, [trajectory(n) for n in range(N)])
    say = judge_saying(lambda _: "yes")
    endpoint.responder = lambda request: Answer(body=say(request).body, hang_s=0.15)
    null = subprocess.DEVNULL
    first = subprocess.Popen(command(sqlite_url, endpoint), cwd=CHECKOUT, stdout=null, stderr=null)
    deadline = time.monotonic() + 60
    while endpoint.calls < 6 and time.monotonic() < deadline:
        time.sleep(0.01)
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert 6 <= endpoint.calls < N
    with open_store(sqlite_url) as store:
        report = go_on(store, endpoint)
        assert report.graded + report.cached == N
        assert (report.failed, report.mean_score) == (0, 1.0)
        # Only what was on the wire when the process died may have been asked again.
        assert endpoint.calls <= N + CONCURRENCY
        assert go_on(store, endpoint).cached == N
        assert endpoint.calls <= N + CONCURRENCY
        assert store.grades.scores("answer-and-sources/judge", "a")["score"] == [1.0] * N
