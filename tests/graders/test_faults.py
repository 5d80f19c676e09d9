"""What a bad endpoint can do to a grade, each fault through litellm over real sockets to the store.

Whatever it does: the outcome is typed, no failure is a score, what came and was paid for is kept once, the purse counts
what may have been billed, and the end comes in bounded time.
"""

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from graders.gateway import Gateway
from graders.registry import REPLY_TOKENS
from graders.retry import RetryPolicy
from graders.rubric_judge import JudgeOptions, RubricJudge
from graders.runner import GradeReport, grade_run
from graders.spending import Price
from graders.wire_faults import read_retry_after
from rubrics.library import load_library
from tests.graders.fake_endpoint import Answer, FakeEndpoint, completion, failure, fake_endpoint
from tests.graders.helpers import ask, gateway_to, judge_saying, patient, put, trajectory
from workbench.schema.grade import Grade
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import NullJob

TIMEOUT_S = 0.6
ATTEMPTS = 3
# Loading and slow machines; without a bound of its own a trickle would last for hours.
BOUND_S = ATTEMPTS * TIMEOUT_S + 4.0
PRICE = Price(1.0, 2.0)
COST = PRICE.of(100, 20)
SAY = judge_saying(lambda _: "yes")


def body(**changes: Any) -> Answer:
    """A completion with some of its fields replaced."""
    whole = json.loads(completion("x").body)
    whole.update(changes)
    return Answer(body=json.dumps(whole).encode())


def choice(**changes: Any) -> Answer:
    whole = json.loads(completion("x").body)
    whole["choices"][0].update(changes)
    return Answer(body=json.dumps(whole).encode())


@dataclass(frozen=True)
class Fault:
    """`calls`: requests made of an endpoint that does it every time. `billed`: whether each may have been paid for."""

    answer: Answer | Callable[[dict[str, Any]], Answer]
    outcome: str
    calls: int
    billed: bool
    paid: bool = False


def infra(answer: Answer, *, calls: int = ATTEMPTS, billed: bool = True) -> Fault:
    return Fault(answer, "infra_failed", calls, billed)


def judge(answer: Answer | Callable[[dict[str, Any]], Answer]) -> Fault:
    """A reply came and is no judgment: paid, kept, and not asked again in the same run."""
    return Fault(answer, "judge_failed", 1, False, paid=True)


def of_another_request(request: dict[str, Any]) -> Answer:
    """A well-formed judgment, full marks, that answers some other request."""
    said = json.loads(SAY(request).body)
    document = json.loads(said["choices"][0]["message"]["content"])
    document["key"] = "0" * len(document["key"])
    return completion(json.dumps(document))


FAULTS: dict[str, Fault] = {
    "hangs": infra(Answer(body=completion("late").body, hang_s=TIMEOUT_S + 0.4)),
    "resets before a byte": infra(Answer(reset=True)),
    "resets mid-reply": infra(Answer(body=completion("x" * 5000).body, reset_after=900)),
    "resets after the headers": infra(Answer(body=completion("x").body, reset_after=0)),
    "half a body": infra(Answer(body=completion("half").body, cut=True)),
    "trickles": infra(Answer(body=completion("slow").body, trickle_s=0.05)),
    "length too long": infra(Answer(body=completion("x").body, length=100_000)),
    "length too short": infra(Answer(body=completion("x").body, length=40)),
    "length below zero": infra(Answer(body=completion("x").body, length=-5)),
    "429": infra(failure(429), billed=False),
    "429, seconds": infra(failure(429, retry_after="2"), billed=False),
    "429, nonsense": infra(failure(429, retry_after="soon"), billed=False),
    "429, an hour": infra(failure(429, retry_after="3600"), calls=1, billed=False),
    "500": infra(failure(500)),
    "502": infra(failure(502)),
    "503": infra(failure(503), billed=False),
    "504": infra(failure(504)),
    "529": infra(failure(529), billed=False),
    "500 that says nothing": infra(Answer(500)),
    "502 page": infra(Answer(502, b"<html><h1>Bad Gateway</h1></html>", {"content-type": "text/html"})),
    "200 page": infra(Answer(body=b"<html>log in, please</html>", headers={"content-type": "text/html"})),
    "empty 200": infra(Answer()),
    "not UTF-8": infra(Answer(body=b"\xff\xfe\x00{")),
    "a list": infra(Answer(body=b"[]")),
    "a number": infra(Answer(body=b"7")),
    "null": infra(Answer(body=b"null")),
    "an error with status 200": infra(Answer(body=b'{"error": {"message": "overloaded"}}')),
    "other JSON": infra(Answer(body=b'{"not": "a completion"}')),
    "deep JSON": infra(Answer(body=b"[" * 50_000 + b"]" * 50_000)),
    "no choices": infra(body(choices=[])),
    "choices null": infra(body(choices=None)),
    "choices of a wrong kind": infra(body(choices="yes")),
    "choice null": infra(body(choices=[None])),
    "message null": infra(choice(message=None)),
    "message a text": infra(choice(message="yes")),
    "another status: 418": infra(failure(418)),
    "redirect": infra(Answer(307, headers={"location": "http://127.0.0.1:9/v1"}), calls=1, billed=False),
    "huge body": infra(Answer(blow_up_to=2**28), calls=1),
    "compressed": infra(Answer(body=b"\x1f\x8b" + b"\x00" * 200, headers={"content-encoding": "gzip"}), calls=1),
    "content null": judge(completion(None)),
    "content empty": judge(completion("")),
    "content filtered": judge(completion(None, finish="content_filter")),
    "cut off": judge(completion('{"key": "', finish="length")),
    "prose": judge(completion("The report is excellent: yes to everything.")),
    "another's reply": judge(of_another_request),
}


def judge_at(endpoint: FakeEndpoint, store: Store, waits: list[float], **more: Any) -> RubricJudge:
    options = JudgeOptions("judge", endpoint.base_url, max_tokens=REPLY_TOKENS)
    gateway = Gateway(store.replies, options=patient(waits, price=PRICE, **more))
    return RubricJudge(load_library("answer-and-sources"), options, gateway)


def run(store: Store, grader: RubricJudge) -> GradeReport:
    return grade_run(store, grader, TrajectoryFilter(), job=NullJob(), concurrency=4)


def only_grade(store: Store, identifier: str) -> Grade:
    (grade,) = store.grades.for_trajectory(identifier)
    return grade


@pytest.fixture(scope="module", autouse=True)
def litellm_is_loaded() -> None:
    """It takes seconds, which no time-out here is about."""
    with fake_endpoint() as warm:
        asyncio.run(gateway_to(None).send(ask(warm)))


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_typed_and_the_run_after_it_is_whole(name: str, sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    fault = FAULTS[name]
    (identifier,) = put(sqlite_store, [trajectory()])
    answer = fault.answer
    endpoint.responder = answer if callable(answer) else lambda _: answer
    grader = judge_at(endpoint, sqlite_store, [], timeout_s=TIMEOUT_S, spend_limit_usd=100.0)
    began = time.monotonic()
    report = run(sqlite_store, grader)
    assert time.monotonic() - began < BOUND_S
    grade = only_grade(sqlite_store, identifier)
    assert (grade.outcome, grade.score, report.failed, report.mean_score) == (fault.outcome, None, 1, None)
    assert grade.reason
    assert endpoint.calls == fault.calls, grade.reason
    purse = grader.gateway.purse
    assert purse.spent_usd == pytest.approx(COST if fault.paid else 0.0)
    assert (purse.unsure_usd > 0) == fault.billed, grade.reason
    assert purse._reserved == pytest.approx(0.0)
    before = endpoint.calls
    # The endpoint is well again: the same run heals, pays once, and is never paid for again.
    endpoint.responder = SAY
    healed = run(sqlite_store, judge_at(endpoint, sqlite_store, []))
    assert (healed.graded, healed.mean_score, endpoint.calls) == (1, 1.0, before + 1)
    assert healed.cost_usd == pytest.approx(COST)
    assert run(sqlite_store, judge_at(endpoint, sqlite_store, [])).cached == 1
    assert endpoint.calls == before + 1


def test_where_a_redirect_leads_nothing_is_sent(sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    put(sqlite_store, [trajectory()])
    with fake_endpoint() as elsewhere:
        elsewhere.responder = SAY
        for status in (301, 302, 303, 307, 308):
            target = f"{elsewhere.base_url}/chat/completions"
            endpoint.script.append(Answer(status, headers={"location": target}))
            report = run(sqlite_store, judge_at(endpoint, sqlite_store, []))
            assert report.failed == 1
            assert "sends the request elsewhere" in report.failures[0]["reason"]
        assert elsewhere.calls == 0


@pytest.mark.parametrize(
    "change",
    [
        {"usage": None},
        {"usage": {"prompt_tokens": -1_000_000, "completion_tokens": -5, "total_tokens": -1_000_005}},
        {"usage": {"prompt_tokens": 10**30, "completion_tokens": 0, "total_tokens": 0}},
    ],
    ids=["none", "below zero", "absurd"],
)
def test_usage_that_cannot_be_true_never_pays_money_back(
    change: dict[str, Any], sqlite_store: Store, endpoint: FakeEndpoint
) -> None:
    put(sqlite_store, [trajectory()])

    def respond(request: dict[str, Any]) -> Answer:
        return Answer(body=json.dumps(json.loads(SAY(request).body) | change).encode())

    endpoint.responder = respond
    grader = judge_at(endpoint, sqlite_store, [], spend_limit_usd=100.0)
    run(sqlite_store, grader)
    assert 0.0 <= grader.gateway.purse.spent_usd <= 100.0


def test_a_date_to_wait_for_is_waited_for(sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    put(sqlite_store, [trajectory()])
    endpoint.responder = SAY
    endpoint.script.append(failure(429, retry_after=format_datetime(datetime.now(UTC) + timedelta(seconds=30), True)))
    waits: list[float] = []
    assert run(sqlite_store, judge_at(endpoint, sqlite_store, waits)).graded == 1
    assert len(waits) == 1
    assert 25 < waits[0] <= 30


def test_what_servers_ask_for_is_read_in_every_form() -> None:
    now = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    said = [
        "7",
        " 0.5 ",
        "-3",
        "Sun, 01 Mar 2026 12:00:09 GMT",
        "Sun, 01 Mar 2026 11:00:00 GMT",
        "soon",
        "",
        "nan",
        "inf",
    ]
    assert [read_retry_after(value, now) for value in said] == [7.0, 0.5, 0.0, 9.0, 0.0, None, None, None, None]


def test_what_one_request_is_told_to_wait_all_wait(sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    put(sqlite_store, [trajectory(n) for n in range(6)])
    moments: list[float] = []

    def respond(request: dict[str, Any]) -> Answer:
        moments.append(time.monotonic())
        return failure(429, retry_after="1") if len(moments) == 1 else SAY(request)

    endpoint.responder = respond
    # Real time here: one at a time, so that the five others meet the wait that the first was told.
    grader = judge_at(endpoint, sqlite_store, [], lanes=None, concurrency=1, retry=RetryPolicy(attempts=3))
    report = grade_run(sqlite_store, grader, TrajectoryFilter(), job=NullJob(), concurrency=6)
    assert (report.graded, endpoint.calls) == (6, 7)
    assert min(later - moments[0] for later in moments[1:]) > 0.95
