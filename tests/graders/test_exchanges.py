"""The prompts and replies behind a stored grade, as they were sent and as they came."""

from typing import Any

import pytest

from graders.deterministic import DeterministicGrader
from graders.exchanges import exchanges_of
from graders.rubric_judge import JudgeOptions, RubricJudge
from graders.runner import grade_run
from rubrics.judging.rubric import Criterion, Rubric
from tests.graders.fake_endpoint import Answer, FakeEndpoint, completion, failure
from tests.graders.helpers import SHEET, gateway_to, judge_saying, put, trajectory
from workbench.errors import NotFoundError
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs.handle import NullJob

RUBRIC = Rubric("pair", (Criterion("answers", "It answers"), Criterion("cites", "It cites")))
ALL = TrajectoryFilter()


def graded(store: Store, endpoint: FakeEndpoint, **options: Any) -> tuple[str, list[dict[str, Any]]]:
    """Grades one trajectory; gives its id and the bodies that reached the endpoint."""
    report = "\n".join(f"Bridge {n} is {n} km long and carries a road of two lanes." for n in range(120))
    (identity,) = put(store, [trajectory(report=report)])
    judge = RubricJudge(RUBRIC, JudgeOptions("judge", endpoint.base_url, **options), gateway_to(store))
    grade_run(store, judge, ALL, job=NullJob())
    return identity, [dict(request) for request in endpoint.requests]


def test_prompts_and_replies_are_those_of_the_wire(store: Store, endpoint: FakeEndpoint) -> None:
    endpoint.responder = judge_saying(lambda _: "fully")
    identity, sent = graded(store, endpoint, batch_size=1)
    (grade,) = store.grades.for_trajectory(identity)
    exchanges = exchanges_of(store, identity, grade)
    assert [exchange.criteria for exchange in exchanges] == [("answers",), ("cites",)]
    on_the_wire = sorted(str(request["messages"]) for request in sent)
    assert sorted(str([dict(message) for message in exchange.messages]) for exchange in exchanges) == on_the_wire
    assert all('"fully"' in exchange.reply for exchange in exchanges)


def test_a_prompt_that_was_packed_again_is_shown_as_it_was_taken(store: Store, endpoint: FakeEndpoint) -> None:
    say = judge_saying(lambda _: "fully")

    def respond(request: dict[str, Any]) -> Answer:
        if endpoint.calls == 1:
            return failure(400, "maximum context length exceeded")
        return say(request)

    endpoint.responder = respond
    identity, sent = graded(store, endpoint)
    (grade,) = store.grades.for_trajectory(identity)
    assert grade.outcome == "scored"
    (exchange,) = exchanges_of(store, identity, grade)
    assert [dict(message) for message in exchange.messages] == sent[-1]["messages"]


def test_replies_that_were_asked_once_more_are_shown_too(store: Store, endpoint: FakeEndpoint) -> None:
    endpoint.responder = lambda _: completion("I cannot say.")
    identity, _ = graded(store, endpoint)
    endpoint.responder = judge_saying(lambda _: "fully")
    judge = RubricJudge(RUBRIC, JudgeOptions("judge", endpoint.base_url), gateway_to(store))
    grade_run(store, judge, ALL, job=NullJob())
    (grade,) = store.grades.for_trajectory(identity)
    assert grade.outcome == "scored"
    (exchange,) = exchanges_of(store, identity, grade)
    assert exchange.draws == ("I cannot say.",)
    assert '"fully"' in exchange.reply


def test_what_cannot_be_shown_says_why(store: Store, endpoint: FakeEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    endpoint.responder = judge_saying(lambda _: "fully")
    identity, _ = graded(store, endpoint)
    grade_run(store, DeterministicGrader("checklist", {"q-0": SHEET}), ALL, job=NullJob())
    by_name = {grade.grader: grade for grade in store.grades.for_trajectory(identity)}
    with pytest.raises(NotFoundError, match="asks no model"):
        exchanges_of(store, identity, by_name["checklist"])
    monkeypatch.setattr("graders.exchanges.PROMPT_VERSION", "words-99")
    with pytest.raises(NotFoundError, match="words prompts as words-99"):
        exchanges_of(store, identity, by_name["pair/judge"])
