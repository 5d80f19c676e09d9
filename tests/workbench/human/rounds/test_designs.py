"""Designs of rounds: against a baseline, all pairs, or those that inform most; and what a plan says first."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.workbench.human.sample import RUNS, fill
from workbench.errors import BadInputError
from workbench.human.ratings.strengths import fit_bradley_terry
from workbench.human.rounds import RoundPlan, close_round, create_round, extend_round, plan_round, revoke
from workbench.human.rounds.active import choose_pairs, known_from
from workbench.human.rounds.designs import cell_of
from workbench.human.rounds.forecast import Assumptions, alternatives, forecast, forecast_plan, need
from workbench.human.rounds.pairing import pairs_of
from workbench.schema.ballot import Ballot, BallotVerdict
from workbench.store import Store

NAMES = [run.name for run in RUNS]
NONE_3 = np.zeros((3, 3))


def many(n_runs: int, n_questions: int) -> RoundPlan:
    """A plan over reports that no store needs to hold."""
    runs = tuple(f"run{i}" for i in range(n_runs))
    pool, missing = pairs_of({run: {f"q{q}": f"{run}-{q}" for q in range(n_questions)} for run in runs})
    return RoundPlan(runs, ("r1", "r2"), 1, 0, False, pool, missing, {}, pool=pool, budget=len(pool))


def test_one_target_and_five_others_on_ten_questions_take_50_ballots_or_150() -> None:
    plan = many(6, 10)
    assert forecast_plan(plan, Assumptions()).n_ballots == 150
    (baseline, half) = alternatives(plan, Assumptions())
    assert (baseline.name, baseline.forecast.n_ballots) == ("run0 against each", 50)
    assert (half.name, half.forecast.n_ballots) == ("5 of 10 questions", 75)
    gaps = [one.forecast.gap_half_width for one in (baseline, half)]
    assert all(gap is not None and gap > (forecast_plan(plan, Assumptions()).gap_half_width or 0) for gap in gaps)


def test_forecast_is_the_width_that_simulated_rounds_have() -> None:
    plan, rng = many(4, 30), np.random.default_rng(5)
    given = Assumptions(tie_share=0.2, question_sd=0.5)
    expected = forecast_plan(plan, given).half_width
    found = []
    for _ in range(300):
        wins, ties = np.zeros((4, 4)), np.zeros((4, 4))
        strengths = rng.normal(0, 0.5, (30, 4))
        for pair in plan.pool:
            i, j, q = int(pair.first_run[3:]), int(pair.second_run[3:]), int(pair.question_id[1:])
            if rng.random() < 0.2:
                ties[i, j] += 1
                ties[j, i] += 1
            elif rng.random() < 1 / (1 + np.exp(strengths[q, j] - strengths[q, i])):
                wins[i, j] += 1
            else:
                wins[j, i] += 1
        found.append(fit_bradley_terry(wins, ties).elo - 1000)
    assert expected == pytest.approx(1.96 * np.std(found), rel=0.12)


def test_overlap_cannot_make_up_for_too_few_questions() -> None:
    given = Assumptions()
    assert need(many(4, 40), given, half_width=40, minutes_a_rater=120).overlap is not None
    short = need(many(4, 5), given, half_width=40, minutes_a_rater=120)
    assert short.overlap is None and "questions" in short.says


def test_more_raters_are_needed_for_a_narrower_interval() -> None:
    wide, narrow = (need(many(4, 40), Assumptions(), half_width=w, minutes_a_rater=120).raters for w in (80, 45))
    assert wide is not None and narrow is not None and wide < narrow


def test_pairs_that_leave_runs_unconnected_have_no_width() -> None:
    plan = many(4, 3)
    apart = [pair for pair in plan.pool if {pair.first_run, pair.second_run} in ({"run0", "run1"}, {"run2", "run3"})]
    found = forecast(apart, plan.runs, overlap=1, given=Assumptions())
    assert (found.half_width, found.gap_half_width) == (None, None)


def test_fixed_baseline_asks_only_about_the_baseline(store: Store) -> None:
    fill(store, runs=3, questions=4)
    plan = plan_round(store, runs=NAMES, raters=2, design="fixed-baseline", baseline=NAMES[2])
    assert len(plan.pairs) == 8
    assert all(NAMES[2] in (pair.first_run, pair.second_run) for pair in plan.pairs)


def test_questions_are_drawn_by_the_seed(store: Store) -> None:
    fill(store, questions=6)
    drawn = [plan_round(store, runs=NAMES[:2], raters=1, questions=2, seed=s).pairs for s in range(6)]
    assert all(len(pairs) == 2 for pairs in drawn)
    assert len({tuple(pair.question_id for pair in pairs) for pairs in drawn}) > 1
    assert drawn[0] == plan_round(store, runs=NAMES[:2], raters=1, questions=2, seed=0).pairs


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"design": "best"}, "expected one of round-robin"),
        ({"design": "fixed-baseline"}, "takes one of"),
        ({"baseline": NAMES[0]}, "goes with the fixed-baseline design"),
        ({"design": "active", "ballots": 1}, "to connect 3 runs"),
        ({"design": "active", "ballots": 1000}, "all pairs"),
        ({"design": "active", "batch": 1}, "at least 2"),
        ({"questions": 99}, "4 have a report"),
    ],
)
def test_design_that_cannot_be_gets_a_sentence(store: Store, asked: dict[str, object], sentence: str) -> None:
    fill(store, runs=3, questions=4)
    with pytest.raises(BadInputError, match=sentence):
        plan_round(store, runs=NAMES, raters=2, **asked)  # type: ignore[arg-type]


def test_first_batch_connects_all_runs() -> None:
    for seed in range(20):
        nothing = np.zeros((8, 8))
        known, rng = known_from(nothing, nothing), np.random.default_rng(seed)
        chosen = choose_pairs(known, nothing, np.full((8, 8), 5), 8, rng=rng)
        met = {i for pair in chosen for i in pair}
        assert met == set(range(8))


def test_active_choice_turns_to_the_order_that_is_open() -> None:
    wins = np.array([[0, 20, 10.0], [20, 0, 40], [0, 0, 0]])  # the first two are even, the third lost everything
    known, rng = known_from(wins, NONE_3), np.random.default_rng(1)
    chosen = Counter(choose_pairs(known, wins + wins.T, np.full((3, 3), 99), 40, rng=rng))
    assert chosen[(0, 1)] > 25
    assert chosen[(0, 2)] + chosen[(1, 2)] >= 1  # exploration


def test_nothing_is_asked_beyond_what_is_free() -> None:
    free = np.array([[0, 1, 0], [0, 0, 2], [0, 0, 0]])
    chosen = choose_pairs(known_from(NONE_3, NONE_3), NONE_3, free, 10, rng=np.random.default_rng(1))
    assert Counter(chosen) == {(0, 1): 1, (1, 2): 2}


def test_what_is_known_before_any_vote_is_the_prior_alone() -> None:
    known = known_from(NONE_3, NONE_3)
    assert known.logits == pytest.approx([0, 0, 0])
    assert np.diag(known.covariance) == pytest.approx([4, 4, 4])  # one virtual tie: information 1/4


def cast(store: Store, round_id: str) -> None:
    """Every waiting ballot: the run named first wins."""
    done = {one.assignment_id for one in store.human.ballots(round_id)}
    for one in store.human.assignments(round_id):
        if one.id not in done:
            left, right = (NAMES.index(store.trajectories.row(side).run) for side in (one.left, one.right))
            verdict: BallotVerdict = "left" if left < right else "right"
            store.human.cast(Ballot(one.id, round_id, one.rater, verdict), idempotency_key=one.id)


def test_active_round_goes_on_in_batches_until_its_budget_is_spent(store: Store) -> None:
    fill(store, runs=3, questions=5)
    plan = plan_round(store, runs=NAMES, raters=2, design="active", ballots=11, batch=4, seed=3)
    round_, _ = create_round(store, plan, name="active")
    assert len(store.human.assignments(round_.id)) == 4
    added = []
    for _ in range(2):
        cast(store, round_.id)
        found = extend_round(store, round_.id)
        added.append((found.added, found.waiting, found.left))
    assert added == [(4, 0, 3), (3, 0, 0)]
    with pytest.raises(BadInputError, match="asked for its 11 ballots"):
        extend_round(store, round_.id)
    given = store.human.assignments(round_.id)
    asked = Counter((one.question_id, frozenset((one.left, one.right))) for one in given)
    assert set(asked.values()) == {1}  # no pair twice
    for rater in ("rater-1", "rater-2"):
        positions = [one.position for one in given if one.rater == rater]
        assert len(set(positions)) == len(positions)


def test_extension_says_why_it_cannot_be(store: Store) -> None:
    fill(store, runs=3, questions=4)
    fixed, _ = create_round(store, plan_round(store, runs=NAMES, raters=1), name="all")
    with pytest.raises(BadInputError, match="only an active one"):
        extend_round(store, fixed.id)
    active, _ = create_round(store, plan_round(store, runs=NAMES, raters=1, design="active"), name="active")
    revoke(store, active.id, "rater-1")
    with pytest.raises(BadInputError, match="0 raters have a working link"):
        extend_round(store, active.id)
    close_round(store, active.id)
    with pytest.raises(BadInputError, match="is closed"):
        extend_round(store, active.id)


def test_a_pair_of_runs_stays_balanced_in_side_over_batches(store: Store) -> None:
    fill(store, runs=2, questions=12)
    plan = plan_round(store, runs=NAMES[:2], raters=1, design="active", ballots=12, batch=1, seed=1)
    round_, _ = create_round(store, plan, name="one by one")
    for _ in range(11):
        extend_round(store, round_.id)
    on_left = Counter(store.trajectories.row(one.left).run for one in store.human.assignments(round_.id))
    assert on_left == {NAMES[0]: 6, NAMES[1]: 6}


def test_pairs_of_an_active_plan_are_spread_over_questions(store: Store) -> None:
    fill(store, runs=3, questions=6)
    plan = plan_round(store, runs=NAMES, raters=1, design="active", ballots=9, batch=6)
    load = Counter(pair.question_id for pair in plan.pairs)
    assert max(load.values()) <= 2
    assert len({cell_of(pair) for pair in plan.pairs}) == 6
    assert replace(plan, overlap=2).n_ballots == 12
