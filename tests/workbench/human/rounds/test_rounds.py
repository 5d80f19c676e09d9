"""Rounds in the store: planned, created, invited to, closed."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.workbench.human.sample import RUNS, add, fill, question, report, trajectory_of
from workbench.errors import BadInputError, NotFoundError
from workbench.human.rounds import close_round, create_round, invite, link_of, plan_round, revoke, round_summary
from workbench.human.rounds.checks import Checks
from workbench.human.rounds.invitations import token_hash
from workbench.human.votes import counted_votes
from workbench.schema.ballot import Ballot
from workbench.store import Store

TWO = [RUNS[0].name, RUNS[1].name]
NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def test_plan_says_what_the_round_would_be_and_what_is_left_out(store: Store) -> None:
    fill(store, questions=5, missing=2)
    add(store, trajectory_of(RUNS[0], question(1), "A second try.", attempt=1))
    plan = plan_round(store, runs=TWO, raters=3, overlap=2)
    assert (len(plan.pairs), plan.n_ballots, plan.raters) == (3, 6, ("rater-1", "rater-2", "rater-3"))
    assert plan.missing == {TWO[0]: 0, TWO[1]: 2}
    assert plan.n_left_out == 2
    assert plan.further_attempts == {TWO[0]: 1, TWO[1]: 0}
    assert store.human.rounds() == ()


def test_trajectory_without_a_report_is_a_missing_side(store: Store) -> None:
    fill(store, questions=2)
    extra = question(9)
    add(store, trajectory_of(RUNS[0], extra, "A report."), trajectory_of(RUNS[1], extra, ""))
    plan = plan_round(store, runs=TWO, raters=1)
    assert len(plan.pairs) == 2
    assert plan.missing[TWO[1]] == 1


def test_round_of_a_simulated_run_says_so(sqlite_store: Store) -> None:
    fill(sqlite_store, simulated=True)
    plan = plan_round(sqlite_store, runs=TWO, raters=1)
    assert create_round(sqlite_store, plan, name="first")[0].simulated


def test_created_round_has_its_assignments_and_one_link_a_rater(store: Store) -> None:
    fill(store)
    round_, invitations = create_round(store, plan_round(store, runs=TWO, raters=2, seed=5), name="first", now=NOW)
    assert store.human.round(round_.id) == round_
    assert [one.rater for one in invitations] == ["rater-1", "rater-2"]
    assert link_of(invitations[0], "http://host:1/") == f"http://host:1/r/{invitations[0].token}"
    assignments = store.human.assignments(round_.id)
    assert len(assignments) == 4
    assert len({one.id for one in assignments}) == 4


def test_token_is_stored_as_its_hash_only_and_expires(store: Store) -> None:
    fill(store)
    plan = plan_round(store, runs=TWO, raters=1)
    round_, (invitation,) = create_round(store, plan, name="first", expires_in=timedelta(hours=1), now=NOW)
    find = store.human.rater_for_token
    assert find(invitation.token, NOW) is None
    assert find(token_hash(invitation.token), NOW) == (round_.id, "rater-1")
    assert find(token_hash(invitation.token), NOW + timedelta(hours=2)) is None


def test_token_stands_nowhere_in_the_database_file(sqlite_store: Store) -> None:
    fill(sqlite_store)
    _, (invitation,) = create_round(sqlite_store, plan_round(sqlite_store, runs=TWO, raters=1), name="first")
    path = sqlite_store.url.removeprefix("sqlite:///")
    held = b""
    for suffix in ("", "-wal"):
        with open(path + suffix, "rb") as file:  # noqa: PTH123
            held += file.read()
    assert token_hash(invitation.token).encode() in held
    assert invitation.token.encode() not in held


def test_new_invitation_replaces_the_lost_one(store: Store) -> None:
    fill(store)
    round_, (first,) = create_round(store, plan_round(store, runs=TWO, raters=1), name="first", now=NOW)
    second = invite(store, round_.id, "rater-1", now=NOW)
    assert store.human.rater_for_token(token_hash(first.token), NOW) is None
    assert store.human.rater_for_token(token_hash(second.token), NOW) == (round_.id, "rater-1")


def test_revoked_link_stops_working(store: Store) -> None:
    fill(store)
    round_, (one,) = create_round(store, plan_round(store, runs=TWO, raters=1), name="first", now=NOW)
    revoke(store, round_.id, "rater-1")
    assert store.human.rater_for_token(token_hash(one.token), NOW) is None
    with pytest.raises(NotFoundError, match="its raters are rater-1"):
        revoke(store, round_.id, "nobody")


def test_summary_hides_names_until_the_round_closes(store: Store) -> None:
    fill(store)
    round_, _ = create_round(store, plan_round(store, runs=TWO, raters=1), name="first")
    first, second, *_ = store.human.assignments(round_.id)
    for assignment, seconds in ((first, 4.0), (second, 60.0)):
        ballot = Ballot(assignment.id, round_.id, "rater-1", "left", seconds=seconds)
        store.human.cast(ballot, idempotency_key=f"key-{assignment.id}")
    store.human.set_aside(first.id, "too fast")
    summary = round_summary(store, round_.id)
    assert summary.runs == ()
    assert (summary.n_assigned, summary.n_cast, summary.n_set_aside, summary.n_fast) == (4, 2, 1, 1)
    assert summary.verdicts == {"left": 2, "right": 0, "both_good": 0, "both_fair": 0, "both_bad": 0}
    assert summary.median_seconds == 32.0
    assert close_round(store, round_.id).state == "closed"
    assert round_summary(store, round_.id).runs == tuple(TWO)


def test_closed_round_invites_nobody_and_keeps_its_time(store: Store) -> None:
    fill(store)
    round_, _ = create_round(store, plan_round(store, runs=TWO, raters=1), name="first")
    closed = close_round(store, round_.id)
    assert close_round(store, round_.id, now=NOW).closed_at == closed.closed_at
    with pytest.raises(BadInputError, match="is closed"):
        invite(store, round_.id, "rater-9")


@pytest.mark.parametrize(
    ("runs", "raters", "overlap", "sentence"),
    [
        (["vessel-7b_run"], 1, 1, "two or more different runs"),
        (["vessel-7b_run", "vessel-7b_run"], 1, 1, "two or more different runs"),
        (TWO, 0, 1, "at least one rater"),
        (TWO, 2, 3, "expected 1 to 2 raters a pair"),
        (TWO, 2, 0, "expected 1 to 2 raters a pair"),
    ],
)
def test_plans_that_make_no_sense_are_refused(
    sqlite_store: Store, runs: list[str], raters: int, overlap: int, sentence: str
) -> None:
    fill(sqlite_store)
    with pytest.raises(BadInputError, match=sentence):
        plan_round(sqlite_store, runs=runs, raters=raters, overlap=overlap)


def test_runs_that_share_no_question_are_refused(sqlite_store: Store) -> None:
    add(sqlite_store, trajectory_of(RUNS[0], question(1), report(RUNS[0], 1)))
    add(sqlite_store, trajectory_of(RUNS[1], question(2), report(RUNS[1], 2)))
    with pytest.raises(BadInputError, match="no question has a report from two of these runs"):
        plan_round(sqlite_store, runs=TWO, raters=1)


def test_unknown_run_is_not_found(sqlite_store: Store) -> None:
    fill(sqlite_store)
    with pytest.raises(NotFoundError):
        plan_round(sqlite_store, runs=[TWO[0], "nowhere"], raters=1)


def test_only_rating_ballots_become_votes(store: Store) -> None:
    fill(store, questions=12)
    plan = plan_round(store, runs=TWO, raters=1)
    round_, _ = create_round(store, plan, name="checked", dimensions={}, checks=Checks(1, 2, 3))
    given = store.human.assignments(round_.id)
    for one in given:
        store.human.cast(Ballot(one.id, round_.id, one.rater, "left"), idempotency_key=one.id)
    assert len(given) == 18
    close_round(store, round_.id)
    counted = counted_votes(store, round_id=round_.id)
    assert len(counted.votes) == len(counted.shown) == 12
    runs = [store.trajectories.row(pair[0]).model for pair in counted.shown if pair is not None]
    assert runs == [one.model_a for one in counted.votes]
