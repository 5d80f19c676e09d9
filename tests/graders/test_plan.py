"""A plan says what a run then takes, asks nobody, and what it can show follows from the stored spread."""

import math
from pathlib import Path
from typing import Any

import pytest

from graders.ensemble import Ensemble, Rule
from graders.gateway import Gateway, GatewayOptions
from graders.grade_plan import plan_grades, plan_pairs
from graders.pair_runner import compare_runs, pairs_of
from graders.pairwise import LongerGrader, PointwisePairs, load_pairwise
from graders.plan_power import ASSUMED_SDS, RunShape, sights
from graders.planning import calls_of
from graders.rate_limits import Limits, RateLimits
from graders.registry import load_grader
from graders.repeated import RepeatedGrader
from graders.rubric_judge import JudgeOptions, RubricJudge
from graders.runner import grade_run
from graders.spending import Price
from rubrics.library import load_library
from tests.graders.fake_endpoint import FakeEndpoint, completion
from tests.graders.helpers import judge_saying, put, trajectory
from workbench.schema.grade import Grade, GradingCase
from workbench.stats.estimate import Estimate, NotMeasured
from workbench.stats.power import PairedDesign
from workbench.store import Store, TrajectoryFilter
from workbench.store.jobs import NullJob

RUN = TrajectoryFilter(run="a")
PRICE = Price(1.0, 2.0)


def judge(store: Store, endpoint: FakeEndpoint, *, batch_size: int | None = None, **more: Any) -> RubricJudge:
    gateway = Gateway(store.replies, options=GatewayOptions(**{"price": PRICE, "lanes": RateLimits(), **more}))
    options = JudgeOptions("judge", endpoint.base_url, max_tokens=500, batch_size=batch_size)
    return RubricJudge(load_library("answer-and-sources"), options, gateway)


@pytest.fixture
def yes(endpoint: FakeEndpoint) -> FakeEndpoint:
    endpoint.responder = judge_saying(lambda _: "yes")
    return endpoint


def test_a_plan_counts_the_calls_that_the_run_then_makes(sqlite_store: Store, yes: FakeEndpoint) -> None:
    put(sqlite_store, [trajectory(n) for n in range(5)])
    before = sqlite_store.content_hash()
    plan = plan_grades(sqlite_store, judge(sqlite_store, yes, batch_size=1), RUN, repeats=2).calls
    assert (yes.calls, sqlite_store.content_hash(), sqlite_store.grades.graders()) == (0, before, ())
    assert (plan.wanted, plan.to_make, plan.kept, plan.tokens_out, plan.cost_usd) == (10, 10, 0, None, None)
    report = grade_run(sqlite_store, judge(sqlite_store, yes, batch_size=1), RUN, job=NullJob(), repeats=2)
    assert plan.calls == plan.calls_most == yes.calls
    assert plan.cost_most_usd is not None
    assert report.cost_usd is not None
    assert 0 < report.cost_usd < plan.cost_most_usd
    assert plan.tokens_out_most == 500 * yes.calls


def test_what_is_kept_costs_nothing_again(sqlite_store: Store, yes: FakeEndpoint) -> None:
    ids = put(sqlite_store, [trajectory(n) for n in range(4)])
    grade_run(sqlite_store, judge(sqlite_store, yes), TrajectoryFilter(ids=ids[:2]), job=NullJob())
    half = plan_grades(sqlite_store, judge(sqlite_store, yes), RUN).calls
    assert (half.wanted, half.to_make, half.calls, half.kept) == (4, 2, 2, 0)
    # Stored grades of this version say how long replies are and how long they take.
    assert half.tokens_out == 2 * 20
    assert half.cost_usd == pytest.approx(PRICE.of(half.tokens_in, half.tokens_out))
    assert half.by_latency_s is not None
    # Of another version of the same wording the replies are kept, and no grade is.
    other = judge(sqlite_store, yes)
    other.version = "of-another-aggregation"
    again = plan_grades(sqlite_store, other, RUN).calls
    assert (again.to_make, again.calls, again.kept) == (4, 2, 2)


def test_a_kept_reply_that_cannot_be_read_may_be_asked_again(sqlite_store: Store, endpoint: FakeEndpoint) -> None:
    put(sqlite_store, [trajectory(0)])
    endpoint.script.append(completion("what?"))
    endpoint.responder = judge_saying(lambda _: "yes")
    assert grade_run(sqlite_store, judge(sqlite_store, endpoint), RUN, job=NullJob()).failed == 1
    plan = plan_grades(sqlite_store, judge(sqlite_store, endpoint), RUN).calls
    assert (plan.calls, plan.calls_most, plan.kept) == (0, 1, 1)


def test_time_is_what_requests_or_tokens_a_minute_allow(sqlite_store: Store, yes: FakeEndpoint) -> None:
    put(sqlite_store, [trajectory(n) for n in range(6)])
    slow = plan_grades(sqlite_store, judge(sqlite_store, yes, limits=Limits(rpm=30)), RUN).calls
    assert slow.at_rate_limits_s == pytest.approx(6 * 60 / 30)
    by_tokens = plan_grades(sqlite_store, judge(sqlite_store, yes, limits=Limits(tpm=1000)), RUN).calls
    assert by_tokens.at_rate_limits_s == pytest.approx((by_tokens.tokens_in + 6 * 500) * 60 / 1000)
    assert plan_grades(sqlite_store, judge(sqlite_store, yes), RUN).calls.at_rate_limits_s is None


def test_an_unknown_price_is_unknown(sqlite_store: Store, yes: FakeEndpoint) -> None:
    put(sqlite_store, [trajectory(0)])
    plan = plan_grades(sqlite_store, judge(sqlite_store, yes, price=None), RUN).calls
    assert (plan.calls, plan.cost_usd, plan.cost_most_usd) == (1, None, None)


def test_graders_within_graders_are_counted(sqlite_store: Store, yes: FakeEndpoint, tmp_path: Path) -> None:
    run = trajectory(0)
    case = GradingCase(run.question, run.report, run)
    one = judge(sqlite_store, yes)
    two = judge(sqlite_store, yes, batch_size=1)
    assert len(calls_of(one, case) or ()) == 1
    assert len(calls_of(two, case) or ()) == 2
    assert len(calls_of(Ensemble("both", [one, two], Rule()), case) or ()) == 3
    drawn = calls_of(RepeatedGrader(one, 3), case) or []
    assert [call.repeat for call in drawn] == [0, 1, 2]
    assert len({call.request.seed for call in drawn}) == 3
    assert calls_of(load_grader("citations", store=sqlite_store), case) == []
    own = tmp_path / "own.py"
    own.write_text("def score(case):\n    return 0.5\n")
    assert calls_of(load_grader(f"{own}:score", store=sqlite_store), case) is None


def test_a_grader_of_ones_own_has_an_unknown_plan(sqlite_store: Store, tmp_path: Path) -> None:
    put(sqlite_store, [trajectory(0)])
    own = tmp_path / "own.py"
    own.write_text("def score(case):\n    return 0.5\n")
    grader = load_grader(f"{own}:score", store=sqlite_store)
    assert plan_grades(sqlite_store, grader, RUN).calls.calls is None
    grade_run(sqlite_store, grader, RUN, job=NullJob())
    assert plan_grades(sqlite_store, grader, RUN).calls.calls == 0


def test_reports_that_are_alike_are_paid_for_once(sqlite_store: Store, yes: FakeEndpoint) -> None:
    put(sqlite_store, [trajectory(n, run=run) for n in range(3) for run in ("a", "b")])
    both = TrajectoryFilter(run=("a", "b"))
    plan = plan_grades(sqlite_store, judge(sqlite_store, yes), both).calls
    assert (plan.to_make, plan.calls, plan.kept) == (6, 3, 3)
    grade_run(sqlite_store, judge(sqlite_store, yes), both, job=NullJob())
    assert yes.calls == 3


def test_pairs_are_planned_in_both_orders(sqlite_store: Store, yes: FakeEndpoint) -> None:
    put(sqlite_store, [trajectory(n, run=run, report=f"{run} says {n}.") for n in range(3) for run in ("a", "b")])
    pairs = pairs_of(sqlite_store, ["a", "b"])
    pairwise = load_pairwise("pairwise", store=sqlite_store, model="judge", base_url=yes.base_url)
    plan = plan_pairs(sqlite_store, pairwise, pairs)
    assert (plan.n, plan.calls.calls, yes.calls) == (3, 6, 0)
    pointwise = PointwisePairs(judge(sqlite_store, yes))
    planned = plan_pairs(sqlite_store, pointwise, pairs).calls.calls
    compare_runs(sqlite_store, pointwise, pairs, job=NullJob())
    assert planned == yes.calls == 6


def test_pairs_show_how_far_a_share_must_be_from_one_half(sqlite_store: Store) -> None:
    reports = ["short", "a longer one", "x", "a still longer one"]
    put(sqlite_store, [trajectory(n, run="a", report=report) for n, report in enumerate(reports)])
    put(sqlite_store, [trajectory(n, run="b", report="of ten c.") for n in range(4)])
    pairs, grader = pairs_of(sqlite_store, ["a", "b"]), LongerGrader()
    (before,) = plan_pairs(sqlite_store, grader, pairs, difference=0.2).can_show
    assert before.basis == "assumed"
    assert dict(before.by_sd)[0.5] == pytest.approx(PairedDesign(0.25).detectable(4))
    compare_runs(sqlite_store, grader, pairs, job=NullJob())
    (after,) = plan_pairs(sqlite_store, grader, pairs, difference=0.2).can_show
    assert after.basis == "stored"
    assert len(after.power) == len(after.questions_needed) == 1


def shape(run: str, scores: dict[str, list[list[float]]]) -> RunShape:
    """Of each question a list of attempts, each a list of repeats."""
    questions = {q: [f"{run}-{q}-{i}" for i in range(len(attempts))] for q, attempts in scores.items()}
    flat = {f"{run}-{q}-{i}": tuple(s) for q, attempts in scores.items() for i, s in enumerate(attempts)}
    return RunShape(run, questions, flat)


def test_without_grades_the_spread_is_assumed_and_said_to_be() -> None:
    empty: dict[str, list[list[float]]] = {f"q{n}": [[]] for n in range(50)}
    (found,) = sights([shape("a", empty), shape("b", empty)], repeats=1, difference=0.1)
    assert found.basis == "assumed"
    assert isinstance(found.detectable, NotMeasured)
    assert found.by_sd == tuple((sd, PairedDesign(sd**2).detectable(50)) for sd in ASSUMED_SDS)
    assert found.questions_needed == tuple(PairedDesign(sd**2).questions_for(0.1) for sd in ASSUMED_SDS)
    # By hand: (1.959964 + 0.841621) * 0.2 / sqrt(50)
    assert dict(found.by_sd)[0.2] == pytest.approx(2.801585 * 0.2 / math.sqrt(50), rel=1e-6)


def test_the_stored_spread_of_differences_is_used() -> None:
    a = {f"q{n}": [[0.5 + 0.1 * (n % 2)]] for n in range(20)}
    b = {f"q{n}": [[0.5]] for n in range(20)}
    (found,) = sights([shape("a", a), shape("b", b)], repeats=1)
    assert found.basis == "stored"
    assert isinstance(found.detectable, Estimate)
    assert found.detectable.value == pytest.approx(2.801585 * 0.05 * math.sqrt(20 / 19) / math.sqrt(20), rel=1e-6)
    assert found.detectable.low is not None


def test_more_repeats_take_away_the_graders_own_noise_and_nothing_else() -> None:
    """Two repeats that differ by 0.2 around the same truth: the grader's variance is 0.02, the truth's is 0."""
    noisy = {f"q{n}": [[0.4, 0.6]] for n in range(12)}
    differing = {f"q{n}": [[0.2 + 0.05 * (n % 4), 0.4 + 0.05 * (n % 4)]] for n in range(12)}
    two, eight = (
        sights([shape("a", noisy), shape("b", differing)], repeats=repeats)[0].detectable for repeats in (2, 8)
    )
    assert isinstance(two, Estimate)
    assert isinstance(eight, Estimate)
    z2_n = 2.801585**2 / 12
    gained = 2 * 0.02 * (1 / 2 - 1 / 8)
    assert two.value**2 - eight.value**2 == pytest.approx(min(gained, two.value**2 / z2_n) * z2_n, rel=1e-4)
    assert eight.low is None  # seen under other repeats


def test_runs_that_share_no_question_show_nothing() -> None:
    (found,) = sights([shape("a", {"q0": [[0.5]]}), shape("b", {"q1": [[0.5]]})], repeats=1)
    assert (found.basis, found.questions) == ("none", 0)


def test_a_lone_run_is_planned_against_one_like_it() -> None:
    (found,) = sights([shape("a", {f"q{n}": [[0.5], [0.6]] for n in range(9)})], repeats=1)
    assert (found.runs, found.basis, found.attempts) == (("a", "another run like it"), "assumed", (2.0, 2.0))


def test_stored_grades_of_the_selection_reach_the_plan(sqlite_store: Store) -> None:
    ids = put(sqlite_store, [trajectory(n, run=run) for n in range(12) for run in ("a", "b")])
    grader = load_grader("citations", store=sqlite_store)
    rows = [
        (name, Grade(grader.name, grader.version, "c", "scored", 0.25 + 0.05 * (at % 5), 0.0, "s"))
        for at, name in enumerate(ids)
    ]
    sqlite_store.grades.add_many(rows)
    plan = plan_grades(sqlite_store, grader, TrajectoryFilter(run=("a", "b")), difference=0.05)
    assert (plan.n, plan.questions, plan.runs, plan.calls.calls, plan.calls.to_make) == (24, 12, ("a", "b"), 0, 0)
    (found,) = plan.can_show
    assert (found.basis, found.questions) == ("stored", 12)
    assert len(found.power) == 1
    assert plan.to_json()["comparisons"] == 1
