"""kill -9 in the middle of a run: no paid reply is lost, none is paid twice, nothing becomes a zero."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.graders.fake_endpoint import Answer, FakeEndpoint
from tests.graders.helpers import judge_saying, put, trajectory
from workbench.store import open_store

CHECKOUT = Path(__file__).resolve().parents[2]
N = 14
CONCURRENCY = 2


def grade(url: str, endpoint: FakeEndpoint) -> list[str]:
    words = ["--grader", "answer-and-sources", "--run", "a", "--model", "judge", "--timeout", "1", "--json"]
    return [
        sys.executable, "-m", "workbench", "--store", url, "grade", *words,
        "--base-url", endpoint.base_url, "--concurrency", str(CONCURRENCY),
    ]  # fmt: skip


def test_a_killed_run_goes_on_without_paying_twice(sqlite_url: str, endpoint: FakeEndpoint) -> None:
    with open_store(sqlite_url) as store:
        put(store, [trajectory(n) for n in range(N)])
    say = judge_saying(lambda _: "yes")
    endpoint.responder = lambda request: Answer(body=say(request).body, hang_s=0.15)
    first = subprocess.Popen(
        grade(sqlite_url, endpoint), cwd=CHECKOUT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60
    while endpoint.calls < 6 and time.monotonic() < deadline:
        time.sleep(0.01)
    first.send_signal(signal.SIGKILL)
    first.wait()
    assert endpoint.calls >= 6
    done = subprocess.run(
        grade(sqlite_url, endpoint), cwd=CHECKOUT, capture_output=True, text=True, check=False, timeout=90
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    assert answer["graded"] + answer["cached"] == N
    assert (answer["failed"], answer["mean_score"]) == (0, 1.0)
    # Only what was on the wire when the process died may have been asked again.
    assert endpoint.calls <= N + CONCURRENCY
    third = subprocess.run(grade(sqlite_url, endpoint), cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert json.loads(third.stdout)["cached"] == N
    assert endpoint.calls <= N + CONCURRENCY
    with open_store(sqlite_url) as store:
        columns = store.grades.scores("answer-and-sources/judge", "a")
        assert columns["score"] == [1.0] * N
