"""Seats: every pair rated as often as asked, work shared, sides balanced, the same for the same seed."""

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.human.rounds.pairing import Seat, pairs_of, seat


def reports(n_runs: int, n_questions: int) -> dict[str, dict[str, str]]:
    return {f"run{r}": {f"q{q}": f"t-{r}-{q}" for q in range(n_questions)} for r in range(n_runs)}


def runs_of(one: Seat) -> tuple[str, str]:
    return one.left.split("-")[1], one.right.split("-")[1]


def test_pairs_are_all_pairs_of_runs_on_each_question() -> None:
    pairs, missing = pairs_of(reports(3, 4))
    assert len(pairs) == 3 * 4
    assert missing == {"run0": 0, "run1": 0, "run2": 0}


def test_question_with_a_missing_side_is_left_out_and_counted() -> None:
    have = reports(3, 3)
    del have["run1"]["q2"]
    pairs, missing = pairs_of(have)
    assert missing == {"run0": 0, "run1": 1, "run2": 0}
    assert sorted((p.first_run, p.second_run) for p in pairs if p.question_id == "q2") == [("run0", "run2")]


@given(st.integers(2, 4), st.integers(1, 8), st.integers(1, 5), st.integers(0, 99), st.data())
@settings(max_examples=60, deadline=None)
def test_seats_hold_what_they_promise(
    n_runs: int, n_questions: int, n_raters: int, seed: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(1, n_raters))
    raters = [f"r{i}" for i in range(n_raters)]
    pairs, _ = pairs_of(reports(n_runs, n_questions))
    seats = seat(pairs, raters, overlap=overlap, rng=random.Random(seed))
    assert len(seats) == len(pairs) * overlap
    shown = Counter((one.question_id, frozenset((one.left, one.right))) for one in seats)
    assert set(shown.values()) == {overlap}
    per_rater = Counter((one.rater, one.question_id, frozenset((one.left, one.right))) for one in seats)
    assert set(per_rater.values()) == {1}  # nobody meets a pair twice
    load = [sum(1 for one in seats if one.rater == rater) for rater in raters]
    assert max(load) - min(load) <= 1
    for rater in raters:
        assert sorted(one.position for one in seats if one.rater == rater) == list(range(load[raters.index(rater)]))
    sides = Counter(runs_of(one) for one in seats)
    for a in range(n_runs):
        for b in range(a + 1, n_runs):
            assert abs(sides[(str(a), str(b))] - sides[(str(b), str(a))]) <= 1
    for rater in raters:
        mine = Counter(runs_of(one) for one in seats if one.rater == rater)
        for a in range(n_runs):
            for b in range(a + 1, n_runs):
                assert abs(mine[(str(a), str(b))] - mine[(str(b), str(a))]) <= 1


def test_seed_decides_sides_and_order() -> None:
    pairs, _ = pairs_of(reports(2, 20))
    first, again, other = (seat(pairs, ["r"], overlap=1, rng=random.Random(seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_side_of_a_run_cannot_be_told_from_the_position() -> None:
    pairs, _ = pairs_of(reports(2, 12))
    on_left = [0] * 12
    for seed in range(400):
        for one in seat(pairs, ["r"], overlap=1, rng=random.Random(seed)):
            on_left[one.position] += runs_of(one) == ("0", "1")
    assert all(150 < count < 250 for count in on_left)  # 200 expected, standard deviation 10
