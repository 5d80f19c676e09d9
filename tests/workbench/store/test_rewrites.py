"""Rewritten reports, their grades and the diagnoses made of them."""

from typing import Any

import pytest

from tests.workbench.store.examples import example_trajectory, new
from tests.workbench.store.test_grades import failed, scored
from workbench.errors import NotFoundError
from workbench.schema.grade import Usage
from workbench.schema.writing import WrittenReport
from workbench.store import Store


def written(report: str | None = "Vell has two lighthouses [2].", **changes: Any) -> WrittenReport:
    values: dict[str, Any] = {"writer": "large", "writer_version": "w1", "case_hash": "c1", "outcome": "written"}
    return WrittenReport(**(values | {"report": report} | changes))


def unwritten(**changes: Any) -> WrittenReport:
    return written(None, **({"outcome": "writer_failed", "reason": "the reply was cut off"} | changes))


@pytest.fixture
def id_(store: Store) -> str:
    return store.trajectories.add_batch([new(example_trajectory())]).ids[0]


def test_a_rewrite_comes_back_equal(store: Store, id_: str) -> None:
    made = written(usage=Usage(10, 5, 0.25, 1.5), repeat=1, detail={"kept": [1, 2], "odd": "\ud800"})
    key = store.rewrites.add(id_, made)

    assert store.rewrites.find(key) == made
    assert store.rewrites.for_trajectory(id_) == ((key, made),)
    assert store.rewrites.find("none") is None


@pytest.mark.parametrize("outcome", ["writer_failed", "infra_failed"])
def test_a_failed_rewrite_gives_way_and_a_written_one_stays(store: Store, id_: str, outcome: str) -> None:
    key = store.rewrites.add(id_, unwritten(outcome=outcome))
    assert store.rewrites.add(id_, written()) == key
    store.rewrites.add(id_, written("another text"))

    found = store.rewrites.find(key)
    assert found is not None
    assert found.report == "Vell has two lighthouses [2]."


def test_a_failed_grade_of_a_rewrite_gives_way_and_a_score_stays(store: Store, id_: str) -> None:
    key = store.rewrites.add(id_, written())
    assert store.rewrites.add_grade(key, failed())
    assert store.rewrites.add_grade(key, scored(0.7))
    assert not store.rewrites.add_grade(key, scored(0.1))

    assert [grade.score for grade in store.rewrites.grades(key, "v1")] == [0.7]
    assert store.rewrites.grades(key, "v2") == ()
    assert store.grades.for_trajectory(id_) == ()


def test_columns_hold_a_row_for_a_report_without_a_grade(store: Store, id_: str) -> None:
    key = store.rewrites.add(id_, written())
    store.rewrites.add(id_, unwritten(writer_version="w2"))
    store.rewrites.add_grade(key, scored(0.7))
    columns = store.rewrites.columns("v1", ["run-a"])

    assert columns["writer_version"] == ["w1", "w2"]
    assert columns["score"] == [0.7, None]
    assert columns["outcome"] == ["written", "writer_failed"]
    assert store.rewrites.columns("v1", ["other"])["score"] == []


def test_what_is_not_there_cannot_be_rewritten_or_graded(store: Store) -> None:
    with pytest.raises(NotFoundError):
        store.rewrites.add("t-none", written())
    with pytest.raises(NotFoundError):
        store.rewrites.add_grade("none", scored(0.7))


def test_a_diagnosis_is_replaced_by_the_next_answer_to_the_same_question(store: Store) -> None:
    store.diagnoses.save("d1", "fixed_evidence", "g1", {"verdict": "both"})
    store.diagnoses.save("d2", "fixed_evidence", "g1", {"verdict": "not_shown"})
    store.diagnoses.save("d1", "fixed_evidence", "g1", {"verdict": "writing_limited"})

    assert [row.id for row in store.diagnoses.list()] == ["d1", "d2"]
    assert store.diagnoses.get("d1").report == {"verdict": "writing_limited"}
    with pytest.raises(NotFoundError):
        store.diagnoses.get("d3")
