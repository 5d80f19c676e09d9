"""The log of a round's ballots: every step sealed, and whatever is done behind its back shown."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from sqlalchemy import create_engine, text

from tests.workbench.human.sample import RUNS, fill
from workbench.human.rounds import close_round, create_round, plan_round
from workbench.schema.ballot import Assignment, Ballot
from workbench.store import Store, open_store

TWO = [RUNS[0].name, RUNS[1].name]


@pytest.fixture
def assignments(store: Store) -> tuple[Assignment, ...]:
    fill(store, questions=6)
    round_, _ = create_round(store, plan_round(store, runs=TWO, raters=2), name="sealed", dimensions={})
    given = store.human.assignments(round_.id)
    for one in given:
        store.human.cast(
            Ballot(one.id, round_.id, one.rater, "left", reason="why", seconds=2.5), idempotency_key=one.id
        )
    return given


def run_sql(store: Store, statement: str, **values: object) -> None:
    engine = create_engine(store.url)
    with engine.begin() as connection:
        connection.execute(text(statement), values)
    engine.dispose()


def problems(store: Store, assignments: tuple[Assignment, ...], *, head: str | None = None) -> str:
    return " | ".join(store.human.audit(assignments[0].round_id, head=head).problems)


def test_every_step_is_sealed_and_fits(store: Store, assignments: tuple[Assignment, ...]) -> None:
    first, second = assignments[0], assignments[1]
    store.human.undo(first.id, first.rater)
    store.human.cast(Ballot(first.id, first.round_id, first.rater, "right"), idempotency_key="again")
    store.human.set_aside(second.id, "not serious")
    store.human.set_aside(second.id, "")
    store.human.set_aside(second.id, "too fast")
    close_round(store, first.round_id, now=datetime(2026, 11, 30, tzinfo=UTC))
    found = store.human.audit(first.round_id)
    assert (found.problems, found.complete, found.unlogged) == ((), True, 0)
    events = [one.event for one in store.human.log(first.round_id)]
    assert events == [
        "opened", *["cast"] * 6, "undone", "cast", "set_aside", "counted_again", "set_aside", "closed",
    ]  # fmt: skip
    assert store.human.audit(first.round_id, head=found.head).problems == ()
    assert found.head == store.human.log(first.round_id)[-1].hash


def test_repeated_request_is_one_entry(store: Store, assignments: tuple[Assignment, ...]) -> None:
    one = assignments[0]
    store.human.cast(Ballot(one.id, one.round_id, one.rater, "left"), idempotency_key=one.id)
    assert not store.human.undo(one.id, "somebody else")
    close_round(store, one.round_id)
    close_round(store, one.round_id)
    assert [entry.event for entry in store.human.log(one.round_id)] == ["opened", *["cast"] * 6, "closed"]


TAMPERED: dict[str, tuple[str, str]] = {
    "verdict": ("UPDATE ballots SET verdict = 'right' WHERE assignment_id = :a", "is not the one that was cast"),
    "reason": ("UPDATE ballots SET reason = 'because' WHERE assignment_id = :a", "is not the one that was cast"),
    "gone": ("DELETE FROM ballots WHERE assignment_id = :a", "was cast and is gone"),
    "aside": ("UPDATE ballots SET set_aside = 'x' WHERE assignment_id = :a", "was set aside, or counted again"),
    "undone": ("UPDATE ballots SET undone_at = created_at WHERE assignment_id = :a", "was taken back, or brought back"),
    "entry": ("UPDATE ballot_log SET body = '{}' WHERE hash = :middle", "was changed after it was sealed"),
    "event": ("UPDATE ballot_log SET event = 'undone' WHERE hash = :middle", "was changed after it was sealed"),
    "cut out": ("DELETE FROM ballot_log WHERE hash = :middle", "does not follow the one before"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_is_done_behind_the_logs_back_shows(store: Store, assignments: tuple[Assignment, ...], what: str) -> None:
    statement, sentence = TAMPERED[what]
    middle = store.human.log(assignments[0].round_id)[3]
    values = {"a": assignments[2].id, "middle": middle.hash}
    run_sql(store, statement, **{name: value for name, value in values.items() if f":{name}" in statement})
    assert sentence in problems(store, assignments)


def test_ballot_put_in_by_hand_shows(store: Store, assignments: tuple[Assignment, ...]) -> None:
    one = assignments[0]
    store.human.add_assignments(
        one.round_id, [Assignment("extra", one.round_id, one.rater, one.question_id, one.left, one.right, 99)]
    )
    run_sql(
        store,
        "INSERT INTO ballots (assignment_id, round_id, rater, verdict, scores, reason, created_at, set_aside,"
        " idempotency_key) SELECT 'extra', round_id, rater, verdict, scores, reason, created_at, '', 'k'"
        " FROM ballots WHERE assignment_id = :a",
        a=one.id,
    )
    assert "1 ballots have no entry" in problems(store, assignments)


def test_end_cut_off_shows_only_by_a_head_noted_before(store: Store, assignments: tuple[Assignment, ...]) -> None:
    head = store.human.audit(assignments[0].round_id).head
    last = store.human.log(assignments[0].round_id)[-1]
    run_sql(store, "DELETE FROM ballot_log WHERE hash = :h", h=last.hash)
    run_sql(store, "DELETE FROM ballots WHERE assignment_id = :a", a=str(last.body["assignment"]))
    assert problems(store, assignments) == ""
    assert "was sealed anew or cut off" in problems(store, assignments, head=head)


def test_round_from_before_the_log_is_said_to_be_so(store: Store, assignments: tuple[Assignment, ...]) -> None:
    run_sql(store, "DELETE FROM ballot_log")
    found = store.human.audit(assignments[0].round_id)
    assert (found.complete, found.unlogged, found.head, found.problems) == (False, 6, None, ())


def test_ballots_cast_at_once_make_one_chain(store: Store) -> None:
    fill(store, questions=12)
    round_, _ = create_round(store, plan_round(store, runs=TWO, raters=4), name="at once", dimensions={})
    given = store.human.assignments(round_.id)
    failures: list[Exception] = []

    def rate(rater: str) -> None:
        try:
            with open_store(store.url) as own:
                for one in given:
                    if one.rater == rater:
                        own.human.cast(Ballot(one.id, round_.id, rater, "left"), idempotency_key=one.id)
        except Exception as error:
            failures.append(error)

    work: list[Callable[[], None]] = [lambda rater=rater: rate(rater) for rater in sorted({o.rater for o in given})]  # type: ignore[misc]
    threads = [threading.Thread(target=one) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    found = store.human.audit(round_.id)
    assert (found.n_entries, found.problems) == (13, ())
