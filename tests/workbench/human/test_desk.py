"""The desk: what a rater is shown next, what is kept, what counts."""

from typing import Any

import pytest

from tests.workbench.human.conftest import Opened, open_round
from workbench.errors import BadInputError, NotFoundError
from workbench.human.desk import CastBallot, ClosedError, Desk
from workbench.human.rounds import close_round
from workbench.store import Store

SCORES = {"depth": (4, 2), "readability": (3, 3)}


def view_of(desk: Desk, opened: Opened, rater: str = "rater-1") -> Any:
    return desk.view(opened.round.id, rater)


def ballot(assignment: str, **changes: Any) -> CastBallot:
    given = {"verdict": "left", "scores": SCORES, "reason": "It names the obstacle.", "seconds": 40.0, **changes}
    return CastBallot(assignment, **given)


def cast(
    desk: Desk,
    opened: Opened,
    assignment: str,
    *,
    key: str = "key-of-this-pair",
    rater: str = "rater-1",
    **changes: Any,
) -> str:
    return desk.cast(opened.round.id, rater, ballot(assignment, **changes), idempotency_key=key)


def test_rater_goes_through_the_pairs_to_the_end(opened: Opened) -> None:
    desk = Desk(opened.store)
    seen = []
    for done in range(4):
        view = view_of(desk, opened)
        assert view["state"] == "pair"
        assert view["progress"] == {"done": done, "total": 4}
        assert view["can_undo"] is (done > 0)
        seen.append(view["assignment"])
        assert cast(desk, opened, view["assignment"]) == "recorded"
    assert len(set(seen)) == 4
    assert view_of(desk, opened)["state"] == "done"
    assert view_of(desk, opened, "rater-2")["progress"] == {"done": 0, "total": 4}


def test_time_left_is_told_at_the_raters_own_pace_once_there_is_one(opened_sqlite: Opened) -> None:
    desk = Desk(opened_sqlite.store)
    for _ in range(3):
        assert view_of(desk, opened_sqlite)["minutes_left"] is None
        cast(desk, opened_sqlite, view_of(desk, opened_sqlite)["assignment"], seconds=180.0)
    assert view_of(desk, opened_sqlite)["minutes_left"] == 3


def test_ballot_sent_twice_counts_once(opened: Opened) -> None:
    desk = Desk(opened.store)
    assignment = view_of(desk, opened)["assignment"]
    assert cast(desk, opened, assignment) == "recorded"
    assert cast(desk, opened, assignment) == "already"
    assert cast(desk, opened, assignment, key="another-key-of-it", verdict="right") == "already"
    (kept,) = opened.store.human.ballots(opened.round.id)
    assert (kept.verdict, kept.scores, kept.reason, kept.seconds) == ("left", SCORES, "It names the obstacle.", 40.0)


def test_one_key_for_two_pairs_loses_neither(opened_sqlite: Opened) -> None:
    desk = Desk(opened_sqlite.store)
    for _ in range(2):
        assert cast(desk, opened_sqlite, view_of(desk, opened_sqlite)["assignment"], key="the same key") == "recorded"
    assert len(opened_sqlite.store.human.ballots(opened_sqlite.round.id)) == 2


def test_undo_brings_the_last_ballot_back_to_correct(opened: Opened) -> None:
    desk = Desk(opened.store)
    first = view_of(desk, opened)["assignment"]
    cast(desk, opened, first)
    assert desk.undo(opened.round.id, "rater-1")
    view = view_of(desk, opened)
    assert view["assignment"] == first
    assert view["draft"] == {
        "verdict": "left",
        "scores": {"depth": [4, 2], "readability": [3, 3]},
        "reason": "It names the obstacle.",
        "seconds": 40.0,
    }
    assert opened.store.human.ballots(opened.round.id) == ()
    assert cast(desk, opened, first, key="a new key for it", verdict="right") == "recorded"
    assert not Desk(opened.store).undo(opened.round.id, "rater-2")


def test_late_repetition_of_an_undone_ballot_does_not_bring_it_back(opened_sqlite: Opened) -> None:
    desk = Desk(opened_sqlite.store)
    first = view_of(desk, opened_sqlite)["assignment"]
    cast(desk, opened_sqlite, first)
    desk.undo(opened_sqlite.round.id, "rater-1")
    assert cast(desk, opened_sqlite, first) == "already"
    assert opened_sqlite.store.human.ballots(opened_sqlite.round.id) == ()


def test_draft_is_kept_and_goes_with_the_ballot(opened: Opened) -> None:
    desk = Desk(opened.store)
    assignment = view_of(desk, opened)["assignment"]
    desk.save_draft(opened.round.id, "rater-1", assignment, {"reason": "half a thou"})
    assert view_of(Desk(opened.store), opened)["draft"] == {"reason": "half a thou"}
    cast(desk, opened, assignment)
    assert view_of(desk, opened)["draft"] is None


def test_another_raters_pair_is_not_there(opened: Opened) -> None:
    desk = Desk(opened.store)
    theirs = view_of(desk, opened, "rater-2")["assignment"]
    for attempt in (
        lambda: cast(desk, opened, theirs),
        lambda: desk.save_draft(opened.round.id, "rater-1", theirs, {}),
        lambda: cast(desk, opened, "a-nowhere"),
    ):
        with pytest.raises(NotFoundError, match="not on your list"):
            attempt()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"scores": {"depth": (1, 2)}}, "scores still missing: readability"),
        ({"scores": {**SCORES, "charm": (1, 2)}}, "unknown dimensions: charm"),
        ({"reason": "  "}, "a reason is asked for"),
    ],
)
def test_incomplete_ballot_is_refused_with_what_is_missing(
    sqlite_store: Store, changes: dict[str, Any], sentence: str
) -> None:
    opened = open_round(sqlite_store, reason_required=True)
    desk = Desk(sqlite_store)
    with pytest.raises(BadInputError, match=sentence):
        cast(desk, opened, view_of(desk, opened)["assignment"], **changes)
    assert sqlite_store.human.ballots(opened.round.id) == ()


def test_closed_round_shows_nothing_and_takes_nothing(opened: Opened) -> None:
    desk = Desk(opened.store)
    assignment = view_of(desk, opened)["assignment"]
    close_round(opened.store, opened.round.id)
    assert view_of(desk, opened) == {"state": "closed"}
    for attempt in (
        lambda: cast(desk, opened, assignment),
        lambda: desk.undo(opened.round.id, "rater-1"),
        lambda: desk.save_draft(opened.round.id, "rater-1", assignment, {}),
    ):
        with pytest.raises(ClosedError):
            attempt()


def test_side_shown_is_the_side_recorded(opened_sqlite: Opened) -> None:
    desk = Desk(opened_sqlite.store)
    view = view_of(desk, opened_sqlite)
    (assignment,) = [
        a for a in opened_sqlite.store.human.assignments(opened_sqlite.round.id) if a.id == view["assignment"]
    ]
    left = opened_sqlite.store.trajectories.get(assignment.left)
    marker = left.run[:5]  # the sample's reports carry five letters of their run, which no name gives away
    assert marker in view["left"] and marker not in view["right"]
    cast(desk, opened_sqlite, assignment.id, verdict="left")
    (vote,) = opened_sqlite.store.human.votes(opened_sqlite.round.id)
    assert (vote.model_a, vote.winner) == (left.model, "model_a")
