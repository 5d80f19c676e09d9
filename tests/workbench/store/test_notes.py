"""Notes stand until they are taken back, become filters, and say what is wrong with a bad one."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.workbench.store.examples import example_trajectory, new
from workbench.errors import BadInputError, NotFoundError
from workbench.schema.note import Note
from workbench.store import Store, TrajectoryFilter

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def ids(store: Store) -> tuple[str, ...]:
    return store.trajectories.add_batch([new(example_trajectory(attempt=n)) for n in range(3)]).ids


def on(trajectory_id: str, text: str = "cites a page it never opened", **changes: object) -> Note:
    values: dict[str, object] = {"kind": "mistake", "by": "a reviewer", "at": AT}
    return Note(trajectory_id=trajectory_id, text=text, **(values | changes))  # type: ignore[arg-type]


def test_note_comes_back_equal_wherever_it_stands(store: Store, ids: tuple[str, ...]) -> None:
    notes = [
        on(ids[0]),
        on(ids[0], anchor="step", position=2, kind="insight"),
        on(ids[0], anchor="report", start=3, end=9, kind="near_miss"),
    ]
    for note in notes:
        store.notes.add(note)
    assert set(store.notes.of_trajectory(ids[0])) == set(notes)
    assert store.notes.of_trajectory(ids[1]) == ()


def test_same_note_twice_is_one_and_one_taken_back_can_stand_again(store: Store, ids: tuple[str, ...]) -> None:
    first = store.notes.add(on(ids[0]))
    assert store.notes.add(replace(on(ids[0]), at=datetime(2026, 12, 1, tzinfo=UTC))) == first
    assert store.notes.of_trajectory(ids[0]) == (on(ids[0]),)
    store.notes.remove(first)
    assert store.notes.of_trajectory(ids[0]) == ()
    with pytest.raises(NotFoundError, match="no note"):
        store.notes.remove(first)
    store.notes.add(on(ids[0]))
    assert len(store.notes.of_trajectory(ids[0])) == 1


def test_notes_and_tags_filter_the_list_until_they_are_taken_back(store: Store, ids: tuple[str, ...]) -> None:
    store.notes.add(on(ids[0]))
    store.notes.add(on(ids[0], "again, further down"))
    hack = store.notes.add(on(ids[1], kind="hack"))
    store.notes.add(on(ids[2], "to show", kind="tag"))

    def found(word: str) -> set[str]:
        return set(store.trajectories.ids(TrajectoryFilter(noted=word)))

    assert found("mistake") == {ids[0]} and found("hack") == {ids[1]}
    assert found("tag") == found("tag:to show") == {ids[2]} and found("tag:other") == set()
    assert store.notes.kinds() == {"hack": 1, "mistake": 1, "tag:to show": 1}
    store.notes.remove(hack)
    assert found("hack") == set() and "hack" not in store.notes.kinds()


def test_note_on_what_is_not_there_is_refused(store: Store, ids: tuple[str, ...]) -> None:
    with pytest.raises(BadInputError, match="has no step 99"):
        store.notes.add(on(ids[0], anchor="step", position=99))
    with pytest.raises(NotFoundError, match="no trajectory"):
        store.notes.add(on("t-nowhere"))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"text": "  "}, "without words"),
        ({"kind": "praise"}, "expected one of mistake"),
        ({"anchor": "step"}, "needs its place"),
        ({"position": 3}, "needs its place"),
        ({"anchor": "report", "start": 5, "end": 5}, "expected 0 <= start < end"),
        ({"text": "x" * 20_001}, "20,000 are the most"),
    ],
)
def test_bad_note_says_what_was_expected(changes: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        on("t-1", **changes)  # type: ignore[arg-type]


def test_filter_is_kept_under_its_name_and_replaced(store: Store) -> None:
    store.notes.save_filter(" never opened ", "retrieval=not_retrieved")
    store.notes.save_filter("never opened", "retrieval=not_retrieved&run=run-a")
    assert store.notes.saved_filters() == {"never opened": "retrieval=not_retrieved&run=run-a"}
    store.notes.drop_filter("never opened")
    assert store.notes.saved_filters() == {}
    with pytest.raises(BadInputError, match="needs a name"):
        store.notes.save_filter(" ", "run=a")
