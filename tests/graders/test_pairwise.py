"""Pairs of reports judged: both orders asked, failures typed, every judgment kept once, figures with intervals."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graders.callable import CallableGrader
from graders.pair_runner import compare_runs, pairs_of
from graders.pair_stored import stored_pairs
from graders.pair_summary import summarise
from graders.pairwise import LongerGrader, PointwisePairs, load_pairwise
from graders.pairwise_judge import PairwiseJudge
from graders.rubric_judge import JudgeOptions
from rubrics.judging.pairwise import LonePolicy
from tests.graders.fake_endpoint import Answer, FakeEndpoint, Responder, completion, failure
from tests.graders.helpers import gateway_to, put, trajectory
from workbench.cli.main import main
from workbench.errors import BadInputError, NotFoundError
from workbench.schema.ballot import Vote
from workbench.schema.grade import CriterionVerdict, OrderVerdict, PairCase, PairGrade, Usage
from workbench.store import Store, open_store
from workbench.store.jobs import NullJob

PAIR = PairCase("How long?", "SHORT one", "LONG one, much longer")


def judge_choosing(choose: Callable[[str], str]) -> Responder:
    """Answers in the asked form: `choose(prompt up to Report B)` is every verdict."""

    def respond(request: dict[str, Any]) -> Answer:
        properties = request["response_format"]["json_schema"]["schema"]["properties"]
        asked = properties["verdicts"]["properties"]
        up_to_b = request["messages"][1]["content"].partition("<<<REPORT B")[0]
        entries = {name: {"quote": "", "reason": "so", "verdict": choose(up_to_b)} for name in asked}
        return completion(json.dumps({"key": properties["key"]["enum"][0], "verdicts": entries}))

    return respond


def prefers(word: str) -> Responder:
    return judge_choosing(lambda a: "report_a" if word in a else "report_b")


FIRST = judge_choosing(lambda _: "report_a")


def judge(endpoint: FakeEndpoint, store: Store | None = None, lone: LonePolicy = "fail") -> PairwiseJudge:
    options = JudgeOptions("judge", endpoint.base_url, max_tokens=500)
    return PairwiseJudge(options, gateway_to(store), lone=lone)


def ask(grader: Any, pair: PairCase = PAIR) -> PairGrade:
    grade: PairGrade = asyncio.run(grader.compare(pair))
    return grade


def test_both_orders_are_asked_and_a_consistent_judge_is_believed(endpoint: FakeEndpoint) -> None:
    endpoint.responder = prefers("SHORT")
    grade = ask(judge(endpoint))
    assert endpoint.calls == 2
    assert (grade.outcome, grade.preference, grade.consistent) == ("scored", 1.0, True)
    assert grade.dimensions["readability"] == 1.0
    assert [order.first for order in grade.orders] == ["left", "right"]
    assert grade.usage.input_tokens == 200


def test_a_judge_that_follows_the_place_makes_a_tie_and_says_so(endpoint: FakeEndpoint) -> None:
    endpoint.responder = FIRST
    grade = ask(judge(endpoint))
    assert (grade.preference, grade.consistent) == (0.5, False)
    assert "overall" in grade.detail["inconsistent"]  # type: ignore[operator]


def once_then(first: Answer, rest: Responder) -> Callable[[FakeEndpoint], None]:
    """One of the two calls gets `first` each time it is made; which one is known by the report shown first."""

    def scripted(endpoint: FakeEndpoint) -> None:
        endpoint.responder = lambda r: (
            first if r["messages"][1]["content"].find("SHORT") < r["messages"][1]["content"].find("LONG") else rest(r)
        )

    return scripted


@pytest.mark.parametrize(
    ("bad", "outcome"),
    [
        pytest.param(completion("Report B. [[B]]"), "judge_failed", id="prose"),
        pytest.param(completion(""), "judge_failed", id="empty"),
        pytest.param(completion('{"key": "0123456789ab", "verdicts": {}}'), "judge_failed", id="another's reply"),
        pytest.param(completion('{"key": "', finish="length"), "judge_failed", id="cut off"),
        pytest.param(failure(500), "infra_failed", id="500"),
        pytest.param(failure(429), "infra_failed", id="429"),
        pytest.param(Answer(reset=True), "infra_failed", id="reset"),
        pytest.param(Answer(body=b'{"choices": [{"mess', cut=True), "infra_failed", id="half a body"),
        pytest.param(Answer(body=b"<html>"), "infra_failed", id="no JSON"),
    ],
)
def test_one_lost_order_is_a_typed_failure_and_never_a_tie(endpoint: FakeEndpoint, bad: Answer, outcome: str) -> None:
    once_then(bad, prefers("SHORT"))(endpoint)
    grade = ask(judge(endpoint))
    assert (grade.outcome, grade.preference) == (outcome, None)
    assert "left report first" in grade.reason
    alone = ask(judge(endpoint, lone="take"))
    assert (alone.outcome, alone.preference, alone.consistent) == ("scored", 1.0, None)


def test_what_decides_a_preference_is_in_the_version(endpoint: FakeEndpoint) -> None:
    plain = judge(endpoint)
    assert plain.version == judge(endpoint).version == plain.repeated(3).version
    assert plain.version != judge(endpoint, lone="take").version
    other = PairwiseJudge(plain.options, plain.gateway, dimensions={"overall": "Which?"})
    assert other.version != plain.version


def test_a_failed_pair_is_tried_again_and_a_judged_one_is_not(store: Store, endpoint: FakeEndpoint) -> None:
    put(store, [trajectory(n, run=run, report=f"{run} says {n}") for n in range(3) for run in ("x", "y")])
    pairs = pairs_of(store, ["x", "y"])
    grader = judge(endpoint, store)
    endpoint.responder = lambda _: completion("I cannot say.")
    first = compare_runs(store, grader, pairs, job=NullJob())
    assert (first.scored, first.failed, first.cached) == (0, 3, 0)
    assert [grade.preference for _, grade in first.judged] == [None] * 3
    endpoint.responder = prefers("x says")
    calls = endpoint.calls
    second = compare_runs(store, grader, pairs, job=NullJob())
    assert (second.scored, second.failed) == (3, 0)
    third = compare_runs(store, grader, pairs, job=NullJob())
    assert (third.scored, third.cached) == (0, 3)
    assert endpoint.calls == calls + 6
    # Another draw of the sides finds the same judgments, with the runs where they belong.
    for seed in range(4):
        other = compare_runs(store, grader, pairs_of(store, ["x", "y"], seed=seed), job=NullJob())
        table: Any = summarise(other.judged)["runs"]
        assert (other.cached, table[0]["wins"], table[0]["losses"]) == (3, 3, 0)


def test_a_judgment_comes_back_from_the_store_as_it_went_in(store: Store) -> None:
    x, y = put(store, [trajectory(0, run="x", report="a"), trajectory(0, run="y", report="b")])
    orders = (
        OrderVerdict("left", "scored", (CriterionVerdict("overall", "left", 1.0, "so", "q"),)),
        OrderVerdict("right", "judge_failed", reason="no JSON"),
    )
    grade = PairGrade(
        "p", "v", "scored", 1.0, usage=Usage(1, 2, 0.5, 1.0), dimensions={"depth": 0.5}, orders=orders, detail={"k": 1}
    )
    failed = PairGrade("p", "v", "infra_failed", reason="down", repeat=1)
    assert store.pairs.add_many([(x, y, grade), (x, y, failed)]) == 2
    assert store.pairs.add_many([(x, y, PairGrade("p", "v", "scored", 0.0))]) == 0
    assert store.pairs.of_grader("v") == ((x, y, grade), (x, y, failed))
    assert store.pairs.existing("v") == {(x, y, 0)}
    with pytest.raises(NotFoundError):
        store.pairs.add_many([(x, "nobody", PairGrade("p", "w", "scored", 0.0))])
    assert store.pairs.existing("w") == frozenset()


def test_a_judge_that_follows_the_place_is_found_out(store: Store, endpoint: FakeEndpoint) -> None:
    put(store, [trajectory(n, run=run, report=f"{run} says {n}" * n) for n in range(1, 13) for run in ("x", "yy")])
    endpoint.responder = FIRST
    report = compare_runs(store, judge(endpoint), pairs_of(store, ["x", "yy"]), job=NullJob())
    found: Any = summarise(report.judged)
    assert (found["runs"][0]["ties"], found["runs"][0]["win_share"]["value"]) == (12, 0.5)
    assert found["order_consistency"]["value"] == 0.0
    assert (found["first_shown_wins"]["value"], found["position_bias"]) == (1.0, "first")
    longer: Any = summarise(compare_runs(store, LongerGrader(), pairs_of(store, ["x", "yy"]), job=NullJob()).judged)
    assert (longer["longer_wins"]["value"], longer["runs"][0]["losses"]) == (1.0, 12)
    assert longer["order_consistency"]["value"] is None


def test_pairs_share_a_question_and_sides_are_drawn(store: Store) -> None:
    put(store, [trajectory(n, run=run, report=f"{run} {n}") for n in range(40) for run in ("x", "y")])
    put(store, [trajectory(99, run="x", report="alone")])
    pairs = pairs_of(store, ["x", "y"])
    assert len(pairs) == 40
    assert 8 < sum(pair.swapped for pair in pairs) < 32
    assert {frozenset((p.left, p.right)) for p in pairs} == {
        frozenset((p.left, p.right)) for p in pairs_of(store, ["y", "x"])
    }
    assert [(p.left, p.right) for p in pairs] == [(p.left, p.right) for p in pairs_of(store, ["y", "x"])]
    assert len(pairs_of(store, ["x", "y"], limit=5)) == 5
    with pytest.raises(BadInputError, match="two or more"):
        pairs_of(store, ["x", "x"])


def test_any_grader_of_reports_compares_by_its_scores(store: Store, tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "def length(case):\n    return None if not case.report else min(1.0, len(case.report) / 100)\n"
        "from workbench.schema.grade import PairGrade\n"
        "class Pairs:\n    name, version, kind = 'mine', 'v1', 'callable'\n"
        "    async def compare(self, pair): return PairGrade('mine', 'v1', 'scored', 0.5)\n",
        encoding="utf-8",
    )
    assert ask(load_pairwise(f"{own}:length", store=store)).preference == 0.0
    near = load_pairwise(f"{own}:length", store=store, margin=0.5)
    assert isinstance(near, PointwisePairs)
    assert ask(near).preference == 0.5
    unscored = ask(near, PairCase("q", "", "text"))
    assert (unscored.outcome, unscored.preference) == ("abstained", None)
    assert ask(load_pairwise(f"{own}:Pairs", store=store)).grader == "mine"
    with pytest.raises(BadInputError, match="unknown grader"):
        load_pairwise("nothing", store=store)


def test_the_verb_answers_with_its_contracted_keys(sqlite_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    with open_store(sqlite_url) as opened:
        put(opened, [trajectory(n, run=run, report=run * (n + 3)) for n in range(3) for run in ("x", "yy", "zzz")])
    assert main(["--store", sqlite_url, "--json", "compare", "--grader", "longer", "--runs", "x", "yy", "zzz"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {"grader", "pairs", "scored", "cached", "failed", "left", "cost_usd", "failures", "summary"} <= answer.keys()
    assert (answer["scored"], len(answer["summary"]["runs"])) == (9, 3)
    assert [(t["first"], t["second"], t["wins"]) for t in answer["summary"]["runs"]] == [
        ("x", "yy", 0), ("x", "zzz", 0), ("yy", "zzz", 0),
    ]  # fmt: skip
    assert main(["--store", sqlite_url, "compare", "--grader", "longer", "--runs", "x", "yy", "zzz"]) == 0
    assert "found judged 9" in capsys.readouterr().out


def test_a_judge_that_cannot_be_read_ends_the_verb_with_3(
    sqlite_url: str, endpoint: FakeEndpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_store(sqlite_url) as opened:
        put(opened, [trajectory(0, run=run, report=f"{run} says") for run in ("x", "y")])
    words = ["compare", "--grader", "pairwise", "--model", "judge", "--base-url", endpoint.base_url, "--runs", "x", "y"]
    endpoint.responder = lambda _: completion("no")
    assert main(["--store", sqlite_url, "--json", *words]) == 3
    assert json.loads(capsys.readouterr().out)["failed"] == 1
    endpoint.responder = prefers("x says")
    assert main(["--store", sqlite_url, "--json", *words]) == 0
    healed = json.loads(capsys.readouterr().out)
    assert (healed["scored"], healed["summary"]["runs"][0]["wins"]) == (1, 1)


def test_verdicts_kept_as_votes_are_rated_apart_from_people(
    sqlite_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_store(sqlite_url) as opened:
        put(opened, [trajectory(n, run=run, report=run * (n + 3)) for n in range(3) for run in ("x", "yy")])
        opened.human.add_votes([Vote("x", "yy", "model_a", rater="ann", question_id="q-0", source="people")])
    words = ["compare", "--grader", "longer", "--runs", "x", "yy", "--as-votes", "len"]
    assert main(["--store", sqlite_url, "--json", *words]) == 0
    assert json.loads(capsys.readouterr().out)["votes"] == 3
    assert main(["--store", sqlite_url, *words]) == 2
    assert main(["--store", sqlite_url, "--json", "ratings"]) == 0
    people = json.loads(capsys.readouterr().out)
    assert people["n_ballots"] == 1
    assert "judge:len" in " ".join(people["notes"])
    assert main(["--store", sqlite_url, "--json", "ratings", "--source", "judge:len"]) == 0
    graders = json.loads(capsys.readouterr().out)
    assert graders["n_ballots"] == 3
    assert {row["name"]: row["wins"] for row in graders["ratings"]} == {"x": 0, "yy": 3}
    assert "not of people" in " ".join(graders["notes"])


def test_stored_judgments_come_back_in_one_table_whichever_run_was_named_first(store: Store) -> None:
    put(store, [trajectory(n, run=run, report=f"{run} says so") for run in ("zeta", "alphabet") for n in range(3)])
    compare_runs(store, LongerGrader(), pairs_of(store, ["zeta", "alphabet"]), job=NullJob())
    judged = stored_pairs(store, LongerGrader().version)
    assert {pair.runs for pair, _ in judged} == {("alphabet", "zeta")}
    summary: Any = summarise(judged)
    assert [(t["first"], t["wins"], t["losses"]) for t in summary["runs"]] == [("alphabet", 3, 0)]
    assert store.pairs.counts() == {LongerGrader().version: 3}


@pytest.mark.parametrize(("low", "high", "share"), [(0.7, 0.8, 0.5), (0.7, 0.81, 0.0), (0.1 + 0.2, 0.3, 0.5)])
def test_a_gap_of_the_margin_itself_is_a_tie(low: float, high: float, share: float) -> None:
    scores = {PAIR.left: low, PAIR.right: high}
    grader = PointwisePairs(CallableGrader(lambda case: scores[case.report], name="own", definition={}), 0.1)
    assert ask(grader).preference == share
