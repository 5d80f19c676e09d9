"""Atomic or batched: the study finds a planted batch effect, none where there is none, and says what each way costs."""

import dataclasses
import hashlib
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graders.batching.choice import choose
from graders.batching.figures import compare
from graders.batching.records import Asked, Verdicts
from graders.batching.study import arms_of, places_of, study_batching
from graders.rubric_judge import JudgeOptions, RubricJudge
from rubrics.judging.rubric import Criterion, Rubric, rubric_to_json
from tests.batching_study.planted import LEVELS, Plant, truths
from tests.graders.fake_endpoint import Answer, FakeEndpoint, Responder, completion, failure
from tests.graders.helpers import gateway_to, put, trajectory
from workbench.cli.main import main
from workbench.errors import BadInputError
from workbench.stats.estimate import Estimate
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.jobs.handle import NullJob

IDS = ("a", "b", "c", "d")
RUBRIC = Rubric("four", tuple(Criterion(name, f"It holds {name}") for name in IDS))
WORDS = ("not", "partly", "fully")
N = 24
ALL = TrajectoryFilter()


def planted(plant: Plant) -> Responder:
    """Answers as the plant says; what is true of a report is written in it."""

    def respond(request: dict[str, Any]) -> Answer:
        properties = request["response_format"]["json_schema"]["schema"]["properties"]
        asked = list(properties["verdicts"]["properties"])
        prompt = request["messages"][-1]["content"]
        true = dict(re.findall(r"\b([a-d])=([0-2])", prompt))
        seed = hashlib.sha256(
            json.dumps([request["seed"], asked, sorted(true.items()), prompt[:400]]).encode()
        ).digest()
        said = plant.say([int(true[name]) for name in asked], np.random.default_rng(int.from_bytes(seed[:8], "big")))
        words = {name: WORDS[label] for name, label in zip(asked, said, strict=True)}
        entries = {name: {"quote": "", "reason": "", "verdict": word} for name, word in words.items()}
        return completion(json.dumps({"key": properties["key"]["enum"][0], "verdicts": entries}))

    return respond


def filled(store: Store, n: int = N) -> None:
    true, _ = truths(n, len(IDS), 1, np.random.default_rng(3))
    reports = [" ".join(f"{name}={label}" for name, label in zip(IDS, row, strict=True)) for row in true]
    put(store, [trajectory(number, report=f"Report {number}: {text}") for number, text in enumerate(reports)])


def judge(store: Store, endpoint: FakeEndpoint, **options: Any) -> RubricJudge:
    return RubricJudge(RUBRIC, JudgeOptions("judge", endpoint.base_url, **options), gateway_to(store, concurrency=8))


@pytest.mark.parametrize(
    ("plant", "take", "effect"),
    [
        (Plant("none", noise=0.1), "batched", None),
        (Plant("order", 1.0, noise=0.05), "atomic", "order"),
        (Plant("halo", 0.9, noise=0.05), "atomic", "halo"),
    ],
    ids=["nothing", "order", "halo"],
)
def test_a_planted_batch_effect_is_found_over_the_wire_and_named(
    sqlite_store: Store, endpoint: FakeEndpoint, plant: Plant, take: str, effect: str | None
) -> None:
    filled(sqlite_store)
    endpoint.responder = planted(plant)
    found = study_batching(sqlite_store, judge(sqlite_store, endpoint), ALL, job=NullJob(), concurrency=8)
    assert [cost.failed for cost in found.cost.values()] == [0, 0, 0]
    assert found.choice.take == take
    assert found.choice.shown == (take == "atomic")
    effects = {"order": found.figures.order, "halo": found.figures.halo}
    named = {name for name, figure in effects.items() if isinstance(figure, Estimate) and figure.above(0.0)}
    assert named == ({effect} if effect else set())
    if effect == "order":
        assert "d" in found.choice.named  # asked last
        assert "a" not in found.choice.named  # asked first
    assert found.cost["atomic"].calls == N * 2 * len(IDS) == 4 * found.cost["batched"].calls
    assert endpoint.calls == N * 2 * (len(IDS) + 2)


def test_a_study_resumes_and_its_grades_stay_of_use(sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    filled(sqlite_store, 4)
    endpoint.responder = planted(Plant("none"))
    first = study_batching(sqlite_store, judge(sqlite_store, endpoint), ALL, job=NullJob())
    asked = endpoint.calls
    again = study_batching(sqlite_store, judge(sqlite_store, endpoint), ALL, job=NullJob())
    assert endpoint.calls == asked
    assert again.to_json() == first.to_json()
    # The batched arm is the judge that `grade` makes.
    assert first.graders["batched"] == f"four/judge@{judge(sqlite_store, endpoint).version[:8]}"


def test_failures_are_counted_and_are_no_verdicts(sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    filled(sqlite_store, 6)
    say = planted(Plant("none", noise=0.0))

    def respond(request: dict[str, Any]) -> Answer:
        properties = request["response_format"]["json_schema"]["schema"]["properties"]
        broken = "Report 3:" in request["messages"][-1]["content"] and len(properties["verdicts"]["properties"]) > 1
        return failure(400, "refused") if broken else say(request)

    endpoint.responder = respond
    found = study_batching(sqlite_store, judge(sqlite_store, endpoint), ALL, job=NullJob())
    assert (found.cost["atomic"].failed, found.cost["batched"].failed) == (0, 2)
    assert [(figure.n, figure.missing, figure.moved) for figure in found.figures.criteria] == [(5, 1, 0.0)] * 4


def test_a_judge_of_bare_verdicts_says_a_few_words_both_ways(endpoint: FakeEndpoint) -> None:
    bare = RubricJudge(RUBRIC, JudgeOptions("m", endpoint.base_url, max_reply_chars=0, max_tokens=9), gateway_to(None))
    options = {arm: made.options for arm, made in arms_of(bare, None).items()}
    assert {one.max_reply_chars for one in options.values()} == {60}
    assert (options["atomic"].batch_size, options["batched"].batch_size) == (1, None)


def test_places_are_those_of_the_calls_that_are_planned(endpoint: FakeEndpoint) -> None:
    mixed = Rubric("mixed", (*RUBRIC.criteria[:3], Criterion("t", "Searches serve", scope="trace"), RUBRIC.criteria[3]))
    assert places_of(mixed, None) == {"a": 0, "b": 1, "c": 2, "d": 3, "t": 0}
    assert places_of(mixed, 2) == {"a": 0, "b": 1, "c": 0, "d": 1, "t": 0}
    alone = Rubric("alone", (Criterion("a", "It holds"), Criterion("t", "Searches serve", scope="trace")))
    made = RubricJudge(alone, JudgeOptions("m", endpoint.base_url), gateway_to(None))
    with pytest.raises(BadInputError, match="nothing to choose"):
        arms_of(made, None)


def verdicts(atomic: list[list[float]], batched: list[list[float]]) -> Verdicts:
    """One criterion beside a constant one; rows are reports, columns repeats."""
    values = {
        arm: np.stack([np.array(table), np.full((len(table), 2), 0.5)], axis=2)
        for arm, table in (("atomic", atomic), ("batched", batched), ("reversed", batched))
    }
    asked = (Asked("one", LEVELS, 0, 1), Asked("still", LEVELS, 1, 0))
    scores = {arm: table.mean(axis=2) for arm, table in values.items()}
    return Verdicts(asked, tuple(f"q{n}" for n in range(len(atomic))), values, scores)  # type: ignore[arg-type]


def test_figures_by_hand() -> None:
    found = compare(verdicts([[1, 1], [0, 1], [0, 0], [1, 1]], [[1, 0], [0, 0], [0, 0], [1, 1]]))
    one, still = found.criteria
    # |a - b| over all pairs of repeats: 1/2, 1/2, 0, 0; atomic's own rerun: 0, 1, 0, 0
    assert (one.moved, one.atomic_rerun, one.batched_rerun) == (0.25, 0.25, 0.25)
    assert isinstance(one.excess, Estimate)
    assert one.excess.value == 0.0
    assert isinstance(one.shift, Estimate)
    assert one.shift.value == pytest.approx((-0.5 - 0.5) / 4)
    assert (still.moved, still.atomic_rerun) == (0.0, 0.0)
    assert isinstance(found.score.difference, Estimate)
    assert found.score.difference.value == pytest.approx(-0.125)


def test_missing_verdicts_are_left_out_by_report_and_counted() -> None:
    found = compare(verdicts([[1, math.nan], [0, 0], [1, 1]], [[1, 1], [0, 0], [1, 1]]))
    assert [(one.n, one.missing) for one in found.criteria] == [(2, 1), (3, 0)]


@pytest.mark.parametrize(("questions", "shown"), [(3, False), (40, False), (80, True)])
def test_batched_is_called_shown_only_where_a_move_could_not_have_been_missed(questions: int, shown: bool) -> None:
    agree = [[1.0, 1.0]] * questions
    choice = choose(compare(verdicts(agree, agree)), tolerance=0.05)
    assert (choice.take, choice.shown) == ("batched", shown)
    assert ("grade more" in choice.why) == (not shown)


def test_two_reports_that_both_moved_show_nothing_yet_and_six_do() -> None:
    def choice(n: int) -> str:
        return choose(compare(verdicts([[0.0, 0.0]] * n, [[0.5, 0.5]] * n)), tolerance=0.05).take

    assert (choice(2), choice(6)) == ("batched", "atomic")


def test_a_verdict_that_depends_on_its_place_settles_it_even_where_moves_are_not_shown() -> None:
    found = compare(verdicts([[1, 0], [0, 1]] * 10, [[1, 0], [0, 1]] * 10))
    assert choose(found, tolerance=0.05).take == "batched"
    fall = Estimate(0.3, 0.2, 0.4, 20, "by hand")
    choice = choose(dataclasses.replace(found, order=fall), tolerance=0.05)
    assert (choice.take, choice.shown) == ("atomic", True)
    assert "falls by 0.30 from the first place to the last" in choice.why


def test_a_move_within_the_tolerance_is_the_price_of_fewer_calls() -> None:
    atomic = [[0.5, 0.5]] * 40
    batched = [[1.0, 1.0] if n % 5 == 0 else [0.5, 0.5] for n in range(40)]
    found = compare(verdicts(atomic, batched))
    assert choose(found, tolerance=0.2).take == "batched"
    strict = choose(found, tolerance=0.0)
    assert (strict.take, strict.named) == ("atomic", ("one",))


def test_the_verb_says_which_way_why_and_at_what_cost(
    sqlite_url: str, endpoint: FakeEndpoint, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_store(sqlite_url) as store:
        filled(store, 8)
    endpoint.responder = planted(Plant("none", noise=0.0))
    rubric = tmp_path / "four.json"
    rubric.write_text(json.dumps({"kind": "rubric", **rubric_to_json(RUBRIC)}))
    words = ["rubrics", "batching", str(rubric), "--run", "a", "--model", "judge", "--base-url", endpoint.base_url]
    prices = ["--price-in", "1", "--price-out", "2"]
    assert main(["--store", sqlite_url, "--json", *words, *prices]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["take"], answer["shown"], answer["n_reports"], answer["repeats"]) == ("batched", False, 8, 2)
    assert "no move beyond" in answer["why"]
    assert {"criteria", "score", "effects", "cost", "graders", "excess", "tolerance", "moved"} <= answer.keys()
    atomic, batched = answer["cost"]["atomic"], answer["cost"]["batched"]
    assert (atomic["calls_a_grade"], batched["calls_a_grade"]) == (4, 1)
    assert atomic["cost_usd_a_grade"] == pytest.approx(4 * batched["cost_usd_a_grade"])
    assert main(["--store", sqlite_url, *words]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "take batched (not shown): no move beyond" in told
    assert "atomic: 4.0 calls" in told
