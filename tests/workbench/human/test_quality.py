"""Checks among the pairs, practice with feedback, and what they and the ballots say of a rater."""

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from tests.workbench.human.sample import RUNS, add, fill, trajectory_of
from tests.workbench.human.votes import results, vote
from workbench.errors import BadInputError
from workbench.human.desk import CastBallot, Desk
from workbench.human.quality import RaterQuality, influence_of_raters, round_quality
from workbench.human.rounds import close_round, create_round, plan_round
from workbench.human.rounds.checks import Checks, with_checks
from workbench.human.rounds.pairing import pairs_of, seat
from workbench.human.rounds.training import read_training_pairs
from workbench.schema.ballot import Assignment, Ballot, BallotVerdict, Round
from workbench.stats.estimate import Estimate, NotMeasured
from workbench.store import Store, TrajectoryFilter

TWO = [RUNS[0].name, RUNS[1].name]
WITH_ALL = Checks(training=1, attention=2, repeats=3)


@pytest.fixture
def store(sqlite_store: Store) -> Store:
    """One kind of database: nothing here is told by the other."""
    return sqlite_store


def made(store: Store, *, questions: int = 12, raters: int = 2, checks: Checks = WITH_ALL) -> Round:
    fill(store, questions=questions)
    plan = plan_round(store, runs=TWO, raters=raters, overlap=raters, seed=3)
    round_, _ = create_round(store, plan, name="checked", dimensions={}, checks=checks)
    return round_


def of_rater(store: Store, round_: Round, rater: str = "rater-1") -> tuple[Assignment, ...]:
    return store.human.assignments(round_.id, rater)


def cast(store: Store, one: Assignment, verdict: BallotVerdict, *, seconds: float = 60.0) -> None:
    store.human.cast(Ballot(one.id, one.round_id, one.rater, verdict, seconds=seconds), idempotency_key=one.id)


def quality(store: Store, round_: Round, rater: str = "rater-1") -> RaterQuality:
    (found,) = [one for one in round_quality(store, round_.id) if one.rater == rater]
    return found


def test_every_rater_gets_practice_first_and_checks_among_the_pairs(store: Store) -> None:
    round_ = made(store)
    for rater in ("rater-1", "rater-2"):
        mine = of_rater(store, round_, rater)
        assert [one.position for one in mine] == list(range(18))
        assert Counter(one.purpose for one in mine) == {"rating": 12, "training": 1, "attention": 2, "repeat": 3}
        assert mine[0].purpose == "training"
        assert all(one.expected is None for one in mine if one.purpose in ("rating", "repeat"))


def test_check_puts_the_answer_beside_the_same_runs_answer_to_another_question(store: Store) -> None:
    round_ = made(store)
    for one in of_rater(store, round_):
        if one.purpose in ("training", "attention"):
            left, right = store.trajectories.row(one.left), store.trajectories.row(one.right)
            assert left.run == right.run
            assert (left.question_id == one.question_id) == (one.expected == "left")
            assert (right.question_id == one.question_id) == (one.expected == "right")


def test_repeat_is_an_earlier_pair_with_sides_swapped_and_others_between() -> None:
    pairs, _ = pairs_of({run: {f"q{q}": f"{run}-{q}" for q in range(30)} for run in ("a", "b")})
    for seed in range(30):
        seats = seat(pairs, ["r"], overlap=1, rng=random.Random(seed))
        found = with_checks(seats, pairs, Checks(attention=2, repeats=5), rng=random.Random(seed))
        first = {(one.seat.left, one.seat.right): one.seat.position for one in found if one.purpose == "rating"}
        repeats = [one.seat for one in found if one.purpose == "repeat"]
        assert len({(one.left, one.right) for one in repeats}) == 5
        assert all(one.position - first[(one.right, one.left)] > 5 for one in repeats)


def test_more_repeats_than_half_the_pairs_and_checks_without_questions_are_refused(store: Store) -> None:
    with pytest.raises(BadInputError, match="at most 2"):
        made(store, questions=4, checks=Checks(repeats=3))
    pairs, _ = pairs_of({"a": {"q": "a-q"}, "b": {"q": "b-q"}})
    seats = seat(pairs, ["r"], overlap=1, rng=random.Random(1))
    with pytest.raises(BadInputError, match="reports on two questions"):
        with_checks(seats, pairs, Checks(attention=1), rng=random.Random(1))


def test_practice_pair_is_told_apart_and_gives_feedback_after_the_ballot(sqlite_store: Store) -> None:
    round_ = made(sqlite_store, raters=1)
    desk = Desk(sqlite_store)
    practice = of_rater(sqlite_store, round_)[0]
    view = desk.view(round_.id, "rater-1")
    assert view["practice"] is True
    assert view["question"] == next(
        row.question
        for row in (sqlite_store.trajectories.row(side) for side in (practice.left, practice.right))
        if row.question_id == practice.question_id
    )
    assert desk.feedback(round_.id, "rater-1", practice.id) is None  # not before the ballot
    assert practice.expected is not None
    desk.cast(round_.id, "rater-1", CastBallot(practice.id, practice.expected, {}, "", 9.0), idempotency_key="12345678")
    told = desk.feedback(round_.id, "rater-1", practice.id)
    assert told is not None and told.startswith("As we see it too.") and f"The {practice.expected} one" in told
    after = desk.view(round_.id, "rater-1")
    assert after["practice"] is False
    assert desk.feedback(round_.id, "rater-1", str(after["assignment"])) is None


def test_checks_and_repeats_look_like_any_pair_to_the_browser(sqlite_store: Store) -> None:
    round_ = made(sqlite_store, raters=1)
    desk, keys = Desk(sqlite_store), set()
    for one in of_rater(sqlite_store, round_)[1:]:
        view = desk.view(round_.id, "rater-1")
        if view["assignment"] != one.id:  # the practice pair
            cast(sqlite_store, of_rater(sqlite_store, round_)[0], "left")
            view = desk.view(round_.id, "rater-1")
        assert view["assignment"] == one.id
        keys.add((frozenset(view), view["practice"]))
        assert one.purpose not in json.dumps({k: v for k, v in view.items() if k not in ("left", "right")})
        cast(sqlite_store, one, "left")
    assert len(keys) == 1


def test_attentive_consistent_rater_has_no_warning(store: Store) -> None:
    round_ = made(store)
    for rater in ("rater-1", "rater-2"):
        for one in of_rater(store, round_, rater):
            first = store.trajectories.row(one.left).run == TWO[0]
            cast(store, one, one.expected or ("left" if first else "right"))
    found = quality(store, round_)
    assert (found.n, found.median_seconds, found.n_fast, found.warnings) == (12, 60.0, 0, ())
    for share in (found.attention, found.repeats, found.with_others, found.practice):
        assert isinstance(share, Estimate) and share.value == 1.0
    assert found.influence is None  # it would name a model while the round is open
    close_round(store, round_.id)
    assert quality(store, round_).influence is not None


def test_fast_and_one_sided_rater_is_warned_about(store: Store) -> None:
    round_ = made(store, raters=1)
    for one in of_rater(store, round_):
        cast(store, one, "left", seconds=3.0)
    warnings = " | ".join(quality(store, round_).warnings)
    assert "too fast: 12 of 12 ballots in under 15 s" in warnings
    assert "one-sided: 100% of 12 verdicts for the left" in warnings
    found = quality(store, round_)
    assert isinstance(found.repeats, Estimate) and found.repeats.value == 0.0  # sides are swapped the second time
    assert isinstance(found.with_others, NotMeasured)


def test_rater_who_says_the_same_of_every_pair_is_warned_about(store: Store) -> None:
    round_ = made(store, raters=1)
    for one in of_rater(store, round_):
        cast(store, one, "both_fair")
    warnings = quality(store, round_).warnings
    assert warnings == (
        "nearly always the same: both fair 12 of 12",
        "2 of 2 attention checks missed",
    )


def test_influence_is_what_the_ratings_move_by() -> None:
    even = results(("a", "b", 5), ("b", "a", 5))
    others = [vote(v.model_a, v.model_b, v.winner, rater=f"r{k % 2}") for k, v in enumerate(even)]
    loud = [vote("a", "b", rater="loud") for _ in range(10)]
    found = influence_of_raters([*others, *loud])
    assert {name: one.model for name, one in found.items()}["loud"] in ("a", "b")
    assert abs(found["loud"].points) > max(abs(found[name].points) for name in ("r0", "r1"))
    assert found["loud"].points * (1 if found["loud"].model == "a" else -1) > 0
    assert influence_of_raters(loud) == {}


def test_training_pairs_of_the_owners_come_from_a_file(store: Store, tmp_path: Path) -> None:
    fill(store, questions=2)
    columns = store.trajectories.columns(TrajectoryFilter())
    by_question: dict[str, list[str]] = {}
    for identity, question in zip(columns["id"], columns["question_id"], strict=True):
        by_question.setdefault(question, []).append(identity)
    (left, right), (other, _) = by_question.values()
    path = tmp_path / "training.jsonl"
    good = {"left": left, "right": right, "expected": "both_good", "feedback": "Both name the crane."}
    path.write_text(json.dumps(good) + "\n\n")
    (pair,) = read_training_pairs(store, path)
    assert (pair.left, pair.right, pair.expected) == (left, right, "both_good")
    plan = plan_round(store, runs=TWO, raters=1)
    round_, _ = create_round(store, plan, name="t", training=[pair])
    assert store.human.assignments(round_.id)[0].feedback == "Both name the crane."
    for bad, sentence in (
        ({**good, "expected": "maybe"}, "line 1: expected"),
        ({**good, "right": other}, "answer different questions"),
        ({**good, "right": "t-none"}, "line 1: .*t-none"),
    ):
        path.write_text(json.dumps(bad))
        with pytest.raises(BadInputError, match=sentence):
            read_training_pairs(store, path)


def test_masked_check_shows_no_model_of_the_round(sqlite_store: Store) -> None:
    fill(sqlite_store, questions=3)
    add(sqlite_store, trajectory_of(RUNS[0], "Another?", f"Written by {RUNS[0].model}.", attempt=0))
    plan = plan_round(sqlite_store, runs=TWO, raters=1)
    round_, _ = create_round(sqlite_store, plan, name="m", dimensions={}, checks=Checks(attention=1))
    desk = Desk(sqlite_store)
    for one in of_rater(sqlite_store, round_):
        shown = json.dumps(desk.view(round_.id, "rater-1"))
        assert not any(run.model in shown or run.name in shown for run in RUNS[:2])
        cast(sqlite_store, one, "left")
