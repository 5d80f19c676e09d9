"""Citations graded by what the run retrieved: typed failures, supports kept, no guess written over a reading."""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from graders.citation_check.checker import SupportChecker
from graders.citation_check.grader import SupportGrader
from graders.citation_check.judged import JudgedChecker
from graders.exchanges import exchanges_of
from graders.faults import GradingStoppedError
from graders.planning import calls_of
from graders.registry import load_grader
from graders.repeated import RepeatedGrader
from graders.rubric_judge import JudgeOptions
from graders.runner import grade_run
from rubrics.judging.support import CitedClaim, SupportVerdict
from tests.graders.fake_endpoint import Answer, FakeEndpoint, Responder, completion, failure
from tests.graders.helpers import PAGE, gateway_to, put, trajectory
from workbench.cli.main import main
from workbench.reward.core.quality import DETERMINISTIC
from workbench.schema.analysis import Support
from workbench.schema.canonical import JsonValue
from workbench.schema.grade import Grade, GraderKind, GradingCase, Usage
from workbench.schema.protocols import Grader, RepeatableGrader
from workbench.schema.trajectory import Trajectory
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import NullJob

QUOTE = "The Alder Bridge is 3.5 km long."


class Saying:
    """A checker that says one thing of every claim, and remembers what it was asked."""

    def __init__(self, support: Support, *, name: str = "words", kind: GraderKind = "deterministic") -> None:
        self.support, self.name, self.kind, self.version = support, name, kind, name
        self.asked: list[CitedClaim] = []

    @property
    def definition(self) -> dict[str, JsonValue]:
        return {"says": self.support, "name": self.name}

    async def check(self, question: str, claims: Sequence[CitedClaim]) -> tuple[tuple[SupportVerdict, ...], Usage]:
        assert question
        self.asked += claims
        verdict = SupportVerdict(self.support, 0.5, quote="there", reason="so it is")
        return (verdict,) * len(claims), Usage(cost_usd=0.0)


def judge_saying(verdict: Callable[[str], str], quote: str = QUOTE) -> Responder:
    """Answers in the asked form; `verdict(prompt)` is the verdict on every claim of it."""

    def respond(request: dict[str, Any]) -> Answer:
        properties = request["response_format"]["json_schema"]["schema"]["properties"]
        said = verdict(request["messages"][1]["content"])
        entries = {
            name: {"quote": quote, "reason": "so it is", "verdict": said}
            for name in properties["verdicts"]["properties"]
        }
        return completion(json.dumps({"key": properties["key"]["enum"][0], "verdicts": entries}))

    return respond


def judged(endpoint: FakeEndpoint, store: Store | None = None, **gateway: Any) -> SupportGrader:
    options = JudgeOptions("some/judge", endpoint.base_url, max_tokens=500)
    return SupportGrader(JudgedChecker(options, gateway_to(store, **gateway)))


def grade(grader: Grader, made: Trajectory, report: str | None = None) -> Grade:
    case = GradingCase(made.question, made.report if report is None else report, made)
    return asyncio.run(grader.grade(case))


def rows(found: Grade) -> list[dict[str, Any]]:
    return json.loads(json.dumps(found.detail["citations"]))  # type: ignore[no-any-return]


def run(store: Store, grader: Grader, repeats: int = 1) -> Any:
    return grade_run(store, grader, TrajectoryFilter(), job=NullJob(), repeats=repeats)


def support(store: Store, identifier: str) -> list[str]:
    return [citation.support for citation in store.trajectories.analysis(identifier).citations]


def test_checkers_and_grader_are_what_they_say(endpoint: FakeEndpoint) -> None:
    grader = judged(endpoint)
    assert isinstance(grader.checker, SupportChecker)
    assert isinstance(grader, Grader)
    assert isinstance(grader, RepeatableGrader)
    assert (grader.name, grader.kind) == ("citation-support/judge", "llm")
    assert grader.repeated(3).version == grader.version


def test_the_grade_carries_score_figures_and_every_citation() -> None:
    found = grade(SupportGrader(Saying("supported")), trajectory())
    assert (found.outcome, found.score) == ("scored", 1.0)
    assert found.scheme.startswith("f1(accuracy,coverage)")
    assert {v.criterion_id: (v.label, v.value) for v in found.verdicts} == {
        "accuracy": ("all", 1.0),
        "coverage": ("all", 1.0),
    }
    assert found.detail["effective"] == 1
    assert found.detail["checker"] == {"name": "words", "kind": "deterministic"}
    (row,) = rows(found)
    assert (row["support"], row["quote"]) == ("supported", "there")


def test_the_report_of_the_case_is_read_and_not_the_trajectorys_own() -> None:
    checker = Saying("supported")
    report = "It is 3.5 km long (https://bridges.example/0). It cost 12 million dollars in all."
    found = grade(SupportGrader(checker), trajectory(), report)
    assert [claim.claim.strip(" .()") for claim in checker.asked] == ["It is 3.5 km long"]
    assert (found.detail["cited_claims"], found.detail["uncited_claims"]) == (1, 1)


def test_no_trace_no_report_and_nothing_to_cite_abstain_unasked() -> None:
    checker = Saying("supported")
    grader = SupportGrader(checker)
    bare = Trajectory("How long?", "q", "r", "m", (), "It is 3.5 km long (https://x.example).", meta={"trace": False})
    answers = [
        asyncio.run(grader.grade(GradingCase("How long?", "It is long."))),
        grade(grader, trajectory(report="")),
        grade(grader, bare),
        grade(grader, trajectory(report="It is long.")),
    ]
    assert [(found.outcome, found.score) for found in answers] == [("abstained", None)] * 4
    assert all(found.reason for found in answers)
    assert checker.asked == []


def test_an_uncited_report_that_should_cite_scores_zero() -> None:
    found = grade(SupportGrader(Saying("supported")), trajectory(report="It cost 12 million dollars in 1931."))
    assert (found.outcome, found.score, found.detail["accuracy"]) == ("scored", 0.0, None)


def test_a_model_reads_claim_and_page_and_its_cost_is_in_the_grade(endpoint: FakeEndpoint) -> None:
    endpoint.responder = judge_saying(lambda prompt: "supported" if PAGE.strip() in prompt else "unrelated")
    found = grade(judged(endpoint), trajectory())
    assert (found.outcome, found.score) == ("scored", 1.0)
    assert found.usage.input_tokens > 0


def test_a_quote_that_stands_nowhere_is_no_support(endpoint: FakeEndpoint) -> None:
    endpoint.responder = judge_saying(lambda _: "supported", quote="It spans four miles of water.")
    found = grade(judged(endpoint), trajectory())
    assert (found.outcome, found.score) == ("judge_failed", None)
    (row,) = rows(found)
    assert "does not stand in the document" in row["reason"]


def test_a_lost_connection_is_an_infrastructure_failure_and_a_refusal_the_judges(endpoint: FakeEndpoint) -> None:
    endpoint.responder = lambda _: failure(500)
    assert grade(judged(endpoint), trajectory()).outcome == "infra_failed"
    endpoint.responder = lambda _: completion("I would rather not.")
    assert grade(judged(endpoint), trajectory()).outcome == "judge_failed"


def test_a_reached_spend_limit_stops_and_fails_no_case(endpoint: FakeEndpoint) -> None:
    grader = judged(endpoint, spend_limit_usd=0.0)
    with pytest.raises(GradingStoppedError):
        grade(grader, trajectory())
    assert endpoint.calls == 0


def test_a_second_run_of_the_same_check_makes_no_call(endpoint: FakeEndpoint, sqlite_store: Store) -> None:
    endpoint.responder = judge_saying(lambda _: "supported")
    put(sqlite_store, [trajectory(n) for n in range(2)])
    assert run(sqlite_store, judged(endpoint, sqlite_store)).graded == 2
    calls = endpoint.calls
    assert calls == 2
    other = judged(endpoint, sqlite_store)
    assert [grade(other, trajectory(n)).usage.cached for n in range(2)] == [True, True]
    assert endpoint.calls == calls


def test_a_plan_names_the_calls_that_are_made_and_the_prompts_can_be_seen_after(
    endpoint: FakeEndpoint, sqlite_store: Store
) -> None:
    endpoint.responder = judge_saying(lambda _: "supported")
    report = "It is 3.5 km long (https://bridges.example/0). It cost 12 million dollars in 1931."
    (identifier,) = put(sqlite_store, [trajectory(report=report)])
    grader = judged(endpoint, sqlite_store)
    planned = calls_of(grader, GradingCase("How long is bridge 0?", report, sqlite_store.trajectories.get(identifier)))
    run(sqlite_store, grader)
    assert planned is not None
    assert endpoint.calls == len(planned) == 1
    (kept,) = sqlite_store.grades.for_trajectory(identifier)
    (exchange,) = exchanges_of(sqlite_store, identifier, kept)
    assert exchange.messages == planned[0].request.messages
    assert QUOTE in exchange.reply
    assert calls_of(SupportGrader(Saying("partly")), GradingCase("q", report, trajectory(report=report))) == []


def test_a_kept_reply_that_cannot_be_read_is_drawn_again(endpoint: FakeEndpoint, sqlite_store: Store) -> None:
    endpoint.responder = lambda _: completion("no")
    put(sqlite_store, [trajectory()])
    assert run(sqlite_store, judged(endpoint, sqlite_store)).failed == 1
    endpoint.responder = judge_saying(lambda _: "supported")
    assert run(sqlite_store, judged(endpoint, sqlite_store)).graded == 1


def test_supports_stand_beside_the_citations_once_graded(sqlite_store: Store) -> None:
    report = "It is 3.5 km long (https://bridges.example/0). It opened in 1931 (https://never.example/x)."
    (identifier,) = put(sqlite_store, [trajectory(report=report)])
    run(sqlite_store, SupportGrader(Saying("partly")))
    assert support(sqlite_store, identifier) == ["partly", "not_checked"]
    assert sqlite_store.trajectories.row(identifier).citations_by_support["partly"] == 1


def test_words_do_not_write_over_what_a_model_read_unless_asked(endpoint: FakeEndpoint, sqlite_store: Store) -> None:
    endpoint.responder = judge_saying(lambda _: "contradicted")
    (identifier,) = put(sqlite_store, [trajectory()])
    run(sqlite_store, SupportGrader(Saying("partly")))
    run(sqlite_store, judged(endpoint, sqlite_store))
    assert support(sqlite_store, identifier) == ["contradicted"]
    words = SupportGrader(Saying("supported", name="other words"))
    run(sqlite_store, words)
    assert support(sqlite_store, identifier) == ["contradicted"]
    command = ["--store", sqlite_store.url, "phases", "supports", "--run", "a"]
    assert main([*command, f"{words.name}@{words.version}"]) == 0
    assert support(sqlite_store, identifier) == ["supported"]
    run(sqlite_store, load_grader("citations", store=sqlite_store))
    assert main([*command, "citations"]) == 2


def test_a_small_models_guess_writes_over_nothing(sqlite_store: Store) -> None:
    (identifier,) = put(sqlite_store, [trajectory()])
    run(sqlite_store, SupportGrader(Saying("partly")))
    run(sqlite_store, SupportGrader(Saying("supported", name="small", kind="local_model")))
    assert support(sqlite_store, identifier) == ["partly"]


def test_what_was_not_checked_leaves_what_is_known(sqlite_store: Store) -> None:
    (identifier,) = put(sqlite_store, [trajectory()])
    run(sqlite_store, SupportGrader(Saying("partly")))
    run(sqlite_store, SupportGrader(Saying("not_checked", name="mute")))
    assert support(sqlite_store, identifier) == ["partly"]


def test_the_mean_of_several_checks_is_a_grade_too() -> None:
    found = grade(RepeatedGrader(SupportGrader(Saying("partly")), 3), trajectory())
    assert (found.outcome, found.score) == ("scored", 0.5)


def test_without_a_model_words_decide_and_the_reward_reads_the_same_score(sqlite_store: Store) -> None:
    grader = load_grader("citation-support", store=sqlite_store)
    assert (grader.name, grader.kind) == ("citation-support", "deterministic")
    made = trajectory(report="The Alder Bridge is 3.5 km long (https://bridges.example/0). It cost 12 million in 1931.")
    found, quality = grade(grader, made), DETERMINISTIC["citation-support"](made, None, None)
    assert (found.score, found.scheme, found.verdicts) == (quality.score, quality.scheme, quality.verdicts)
    assert found.score is not None
    assert 0.0 < found.score < 1.0


def test_with_a_model_that_model_decides(endpoint: FakeEndpoint, sqlite_store: Store) -> None:
    endpoint.responder = judge_saying(lambda _: "contradicted")
    grader = load_grader("citation-support", store=sqlite_store, model="judge", base_url=endpoint.base_url)
    assert (grader.name, grader.kind) == ("citation-support/judge", "llm")
    assert grade(grader, trajectory()).score == 0.0


def test_embeddings_check_by_name(sqlite_store: Store) -> None:
    grader = load_grader("citation-support-embedding", store=sqlite_store)
    assert (grader.name, grader.kind) == ("citation-support-embedding", "learned")
    found = grade(grader, trajectory(report="The Alder Bridge is 3.5 km long (https://bridges.example/0)."))
    assert (found.outcome, found.score) == ("scored", 1.0)


def test_the_command_line_grades_citations_and_show_counts_them(
    sqlite_store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    (identifier,) = put(
        sqlite_store, [trajectory(report="The Alder Bridge is 3.5 km long (https://bridges.example/0).")]
    )
    assert main(["--store", sqlite_store.url, "--json", "grade", "--grader", "citation-support", "--run", "a"]) == 0
    assert json.loads(capsys.readouterr().out)["graded"] == 1
    assert main(["--store", sqlite_store.url, "--json", "show", identifier]) == 0
    assert json.loads(capsys.readouterr().out)["citations"]["by_support"]["supported"] == 1


def test_a_report_that_repeats_itself_gains_and_loses_nothing() -> None:
    said = "The Alder Bridge is 3.5 km long (https://bridges.example/0).\n\nIt cost 12 million dollars in 1931.\n\n"
    once, thrice = (grade(SupportGrader(Saying("supported")), trajectory(report=said * n)) for n in (1, 3))
    assert (thrice.score, thrice.detail["effective"]) == (once.score, once.detail["effective"])
    assert once.detail["uncited_claims"] == thrice.detail["uncited_claims"] == 1
