"""Jobs as rows: made, listed, asked, and never with a secret in them."""

import pytest

from workbench.errors import BadInputError, NotFoundError
from workbench.store import Store
from workbench.store.jobs.rate import Rate

KEY = "sk-planted-0123456789"


def test_job_is_made_and_listed_newest_first(store: Store) -> None:
    first = store.jobs.create("import", ("import", "a.jsonl"))
    second = store.jobs.create("grade", ("grade", "--run", "r"))
    assert (first.state, first.arguments, first.pid) == ("queued", ("import", "a.jsonl"), None)
    assert [job.id for job in store.jobs.list()] == [second.id, first.id]
    assert [job.id for job in store.jobs.list(limit=1)] == [second.id]
    assert store.jobs.get(first.id) == first


def test_unknown_job_is_said_so(store: Store) -> None:
    for ask in (store.jobs.get, store.jobs.log, store.jobs.attach):
        with pytest.raises(NotFoundError, match="no job 'j-none'"):
            ask("j-none")


def test_argument_with_a_key_is_refused_by_the_keys_name(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(BadInputError, match="holds the value of OPENAI_API_KEY") as found:
        store.jobs.create("grade", ("grade", f"--header=Bearer {KEY}"))
    assert KEY not in str(found.value)
    assert store.jobs.list() == ()


def test_key_in_a_log_line_or_error_is_replaced_by_its_name(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    job = store.jobs.create("grade", ())
    with store.jobs.attach(job.id) as handle:
        handle.log(f"refused: bad key {KEY}", "warning")
        handle.fail(f"401 for {KEY}")
    assert store.jobs.log(job.id)[0].text == "refused: bad key [OPENAI_API_KEY]"
    assert store.jobs.get(job.id).error == "401 for [OPENAI_API_KEY]"


def test_empty_key_hides_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "")
    assert store.jobs.create("grade", ("grade",)).arguments == ("grade",)


def test_waiting_job_is_stopped_at_once(store: Store) -> None:
    job = store.jobs.create("import", ())
    assert store.jobs.request(job.id, "stop").state == "stopped"


@pytest.mark.parametrize("action", ["pause", "resume"])
def test_waiting_job_cannot_be_paused_or_resumed(store: Store, action: str) -> None:
    job = store.jobs.create("import", ())
    with pytest.raises(BadInputError, match="has not begun"):
        store.jobs.request(job.id, action)  # type: ignore[arg-type]


def test_ended_job_cannot_be_asked_for_anything(store: Store) -> None:
    job = store.jobs.create("import", ())
    with store.jobs.attach(job.id) as handle:
        handle.finish({"read": 3})
    with pytest.raises(BadInputError, match="is done, so there is nothing to stop"):
        store.jobs.request(job.id, "stop")
    assert store.jobs.get(job.id).result == {"read": 3}


def test_log_lines_are_numbered_and_can_be_read_from_the_middle(store: Store) -> None:
    job = store.jobs.create("import", ())
    with store.jobs.attach(job.id) as handle:
        for text in ("one", "two", "three \x00"):
            handle.log(text)
        handle.finish({})
    assert [(line.ordinal, line.text) for line in store.jobs.log(job.id)] == [(0, "one"), (1, "two"), (2, "three \x00")]
    assert [line.text for line in store.jobs.log(job.id, since=2)] == ["three \x00"]


def test_rate_and_time_left_come_from_the_last_minute() -> None:
    rate = Rate()
    assert rate.per_s(0.0) is None
    rate.note(0.0, 0)
    assert rate.per_s(0.5) is None
    rate.note(10.0, 20)
    assert rate.per_s(10.0) == 2.0
    assert rate.left_s(10.0, 60) == 20.0
    assert rate.left_s(10.0, None) is None
    for at_s in range(20, 130, 10):  # ten times as fast from now on
        rate.note(float(at_s), 20 + (at_s - 10) * 20)
    assert rate.per_s(120.0) == 20.0


def test_rate_falls_while_nothing_moves_and_is_measured_anew_after_a_pause() -> None:
    rate = Rate()
    rate.note(0.0, 0)
    rate.note(10.0, 10)
    assert rate.per_s(20.0) == 0.5
    rate.restart()
    assert rate.per_s(20.0) is None
    rate.note(20.0, 10)
    assert rate.per_s(30.0) == 0.0
    assert rate.left_s(30.0, 100) is None
