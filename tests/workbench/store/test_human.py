"""Rounds, invitations, ballots and votes."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.workbench.store.examples import example_trajectory, new
from workbench.errors import BadInputError, NotFoundError
from workbench.schema.ballot import DEFAULT_DIMENSIONS, Assignment, Ballot, BallotVerdict, Round, Vote
from workbench.store import Store

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def example_round(**changes: object) -> Round:
    values: dict[str, object] = {
        "id": "r1",
        "name": "first",
        "runs": ("run-a", "run-b"),
        "dimensions": dict(DEFAULT_DIMENSIONS),
        "reason_required": True,
        "state": "open",
        "seed": 3,
        "simulated": False,
        "created_at": NOON,
    }
    return Round(**(values | changes))  # type: ignore[arg-type]


def ballot(verdict: BallotVerdict = "left", assignment: str = "a1", rater: str = "rater-1") -> Ballot:
    return Ballot(assignment, "r1", rater, verdict, {"readability": (4, 2)}, "clearer", 12.5, NOON)


@pytest.fixture
def assignments(store: Store) -> tuple[Assignment, ...]:
    """An open round of two pairs for one rater."""
    left = example_trajectory(run="run-a", model="model-a")
    right = example_trajectory(run="run-b", model="model-b")
    store.trajectories.add_batch([new(left), new(right)])
    pairs = (
        Assignment("a1", "r1", "rater-1", left.question_id, left.id, right.id, 0),
        Assignment("a2", "r1", "rater-1", left.question_id, right.id, left.id, 1),
    )
    store.human.create_round(example_round(), pairs)
    return pairs


def test_round_and_assignments_come_back_equal(store: Store, assignments: tuple[Assignment, ...]) -> None:
    assert store.human.round("r1") == example_round()
    assert store.human.rounds() == (example_round(),)
    assert store.human.assignments("r1") == assignments
    assert store.human.assignments("r1", "nobody") == ()


def test_making_a_round_again_changes_nothing(store: Store, assignments: tuple[Assignment, ...]) -> None:
    store.human.create_round(example_round(), assignments)
    assert store.human.assignments("r1") == assignments
    with pytest.raises(BadInputError, match="exists already as 'first'"):
        store.human.create_round(example_round(name="second"), ())


def test_assignment_of_an_unknown_trajectory_makes_no_round(store: Store) -> None:
    with pytest.raises(BadInputError, match="t-unknown"):
        store.human.create_round(example_round(), [Assignment("a1", "r1", "rater-1", "q", "t-unknown", "t-unknown", 0)])
    assert store.human.rounds() == ()


@pytest.mark.usefixtures("assignments")
def test_invitation_is_valid_until_it_expires_or_is_revoked(store: Store) -> None:
    store.human.add_rater("r1", "rater-1", "hash-1", NOON + timedelta(days=1))
    assert store.human.rater_for_token("hash-1", NOON) == ("r1", "rater-1")
    assert store.human.rater_for_token("hash-1", NOON + timedelta(days=2)) is None
    assert store.human.rater_for_token("hash-2", NOON) is None
    store.human.revoke_rater("r1", "rater-1")
    assert store.human.rater_for_token("hash-1", NOON) is None
    store.human.add_rater("r1", "rater-1", "hash-2", NOON + timedelta(days=1))
    assert store.human.rater_for_token("hash-2", NOON) == ("r1", "rater-1")
    with pytest.raises(NotFoundError, match="no rater 'nobody'"):
        store.human.revoke_rater("r1", "nobody")


@pytest.mark.usefixtures("assignments")
def test_raters_say_how_far_they_are(store: Store) -> None:
    store.human.add_rater("r1", "rater-1", "hash-1", NOON)
    store.human.cast(ballot(), idempotency_key="k1")
    (row,) = store.human.raters("r1")
    assert (row.rater, row.n_assigned, row.n_cast, row.revoked, row.expires_at) == ("rater-1", 2, 1, False, NOON)


@pytest.mark.usefixtures("assignments")
def test_ballot_counts_once_an_assignment(store: Store) -> None:
    assert store.human.cast(ballot("left"), idempotency_key="k1") == "recorded"
    assert store.human.cast(ballot("left"), idempotency_key="k1") == "already"
    assert store.human.cast(ballot("right"), idempotency_key="k2") == "already"
    assert store.human.ballots() == (ballot("left"),)


@pytest.mark.usefixtures("assignments")
def test_undone_ballot_frees_its_assignment_and_stays_in_the_history(store: Store) -> None:
    assert not store.human.undo("a1", "rater-1")
    store.human.cast(ballot("left"), idempotency_key="k1")
    assert not store.human.undo("a1", "other")
    assert store.human.undo("a1", "rater-1")
    assert store.human.ballots() == ()
    # The network may deliver the first request once more.
    assert store.human.cast(ballot("left"), idempotency_key="k1") == "already"
    assert store.human.cast(ballot("both_bad"), idempotency_key="k2") == "recorded"
    assert [one.verdict for one in store.human.ballots("r1")] == ["both_bad"]
    assert [one.verdict for one in store.human.history("a1")] == ["left", "both_bad"]


@pytest.mark.usefixtures("assignments")
def test_closed_round_takes_and_gives_back_no_ballot(store: Store) -> None:
    store.human.cast(ballot(), idempotency_key="k1")
    store.human.close_round("r1", NOON)
    store.human.close_round("r1", NOON + timedelta(days=1))
    assert store.human.round("r1").closed_at == NOON
    with pytest.raises(BadInputError, match="round r1 is closed"):
        store.human.cast(ballot(assignment="a2"), idempotency_key="k2")
    with pytest.raises(BadInputError, match="round r1 is closed"):
        store.human.undo("a1", "rater-1")


@pytest.mark.usefixtures("assignments")
def test_ballot_for_another_raters_assignment_is_refused(store: Store) -> None:
    with pytest.raises(BadInputError, match="not one of 'other'"):
        store.human.cast(ballot(rater="other"), idempotency_key="k1")


@pytest.mark.usefixtures("assignments")
def test_ballot_set_aside_is_kept_and_not_counted(store: Store) -> None:
    store.human.cast(ballot(), idempotency_key="k1")
    store.human.set_aside("a1", "left open over lunch")
    assert store.human.ballots()[0].set_aside == "left open over lunch"
    assert store.human.ballots(include_set_aside=False) == ()
    assert store.human.votes() == ()
    store.human.set_aside("a1", "")
    assert len(store.human.votes()) == 1
    with pytest.raises(NotFoundError, match="no ballot stands"):
        store.human.set_aside("a2", "why")


@pytest.mark.usefixtures("assignments")
def test_draft_lives_until_the_ballot_is_cast(store: Store) -> None:
    assert store.human.draft("a1") is None
    store.human.save_draft("a1", {"verdict": "left"})
    store.human.save_draft("a1", {"verdict": "right"})
    assert store.human.draft("a1") == {"verdict": "right"}
    store.human.cast(ballot(), idempotency_key="k1")
    assert store.human.draft("a1") is None


def test_votes_name_models_or_runs_whatever_the_side(store: Store, assignments: tuple[Assignment, ...]) -> None:
    store.human.cast(ballot("left", "a1"), idempotency_key="k1")
    store.human.cast(ballot("both_fair", "a2"), idempotency_key="k2")
    first, second = store.human.votes("r1")
    assert (first.model_a, first.model_b, first.winner) == ("model-a", "model-b", "model_a")
    assert (second.model_a, second.model_b, second.winner) == ("model-b", "model-a", "both_fair")
    assert (first.rater, first.question_id) == ("rater-1", assignments[0].question_id)
    assert first.scores == {"readability": (4, 2)}
    assert [vote.model_a for vote in store.human.votes("r1", by="run")] == ["run-a", "run-b"]


def test_imported_votes_are_known_by_source_and_ordinal(store: Store) -> None:
    votes = [Vote("m1", "m2", "tie", source="arena.csv", ordinal=n, scores={"depth": (1, 5)}) for n in range(3)]
    assert store.human.add_votes(votes) == (3, 0)
    assert store.human.add_votes([*votes, Vote("m1", "m2", "model_b", source="arena.csv", ordinal=3)]) == (1, 3)
    assert store.human.votes(source="arena.csv")[:3] == tuple(votes)
    assert store.human.votes(round_id="r1") == ()
    assert store.human.vote_sources() == {"arena.csv": 4}
