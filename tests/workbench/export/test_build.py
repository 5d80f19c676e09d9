"""What an export writes, when it refuses, and that equal stores give equal bytes."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.workbench.export.exporting import checklist_spec, export, rows
from tests.workbench.reward.small_store import REFERENCE, ROLLOUTS, RUN, fill
from workbench.errors import BadInputError
from workbench.export.build import export_job
from workbench.export.golden import CASES
from workbench.phases import analyse
from workbench.reward.core.spec import parse_spec, spec_version
from workbench.reward.reference import build_from_store, save_targets
from workbench.schema.grade import Grade
from workbench.store import Store

SECRET = "canary-3f9c1e"


def digest_of(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_equal_stores_give_equal_bytes_whatever_their_order(store: Store, exported: Path, tmp_path: Path) -> None:
    # Other backend (on the second parameter), other folder, rollouts brought in backwards.
    fill(store, tuple(reversed(ROLLOUTS)))
    save_targets(store, build_from_store(store, [REFERENCE]))
    again = export(store, tmp_path / "another-name")
    assert digest_of(again) == digest_of(exported)


def test_export_twice_from_one_store_gives_equal_bytes(ready_store: Store, tmp_path: Path) -> None:
    first, second = export(ready_store, tmp_path / "one"), export(ready_store, tmp_path / "two")
    assert digest_of(first) == digest_of(second)


def test_golden_rows_cover_every_case(exported: Path) -> None:
    golden = rows(exported, "golden.jsonl")
    assert {row["case"] for row in golden} == set(CASES)
    between = [row["expected"] for row in golden if row["case"] == "between"]
    assert all(0 < row["components"]["shaping"] < 1 for row in between)
    for row in golden:
        if row["case"] in ("failed_judge", "no_target"):
            assert row["expected"]["reward"] is None
            assert set(row["expected"]["components"].values()) == {None}
    manifest = json.loads((exported / "manifest.json").read_text())
    assert manifest["golden"]["rows"] == manifest["golden"]["as_messages"] == len(golden)


def test_cases_that_the_store_lacks_are_planted_and_marked(sqlite_store: Store, tmp_path: Path) -> None:
    fill(sqlite_store, ROLLOUTS[4:5])
    save_targets(sqlite_store, build_from_store(sqlite_store, [RUN]))
    golden = rows(export(sqlite_store, tmp_path / "job"), "golden.jsonl")
    assert {row["case"]: row["planted"] for row in golden} == {case: case != "full_shaping" for case in CASES}


def test_expected_rewards_are_the_stores_own_figures(ready_store: Store, exported: Path) -> None:
    golden = {row["id"]: row for row in rows(exported, "golden.jsonl") if not row["planted"]}
    scores = ready_store.grades.scores("checklist")
    stored = dict(zip(scores["trajectory_id"], scores["score"], strict=True))
    assert len(golden) >= 8
    assert all(row["expected"]["components"]["quality"] == stored[id_] for id_, row in golden.items())


def test_nothing_of_this_machine_or_of_its_secrets_is_in_the_folder(
    ready_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("REWARD_JUDGE_KEY", "OPENAI_API_KEY", "WORKBENCH_STORE"):
        monkeypatch.setenv(name, SECRET)
    folder = export(ready_store, tmp_path / "job")
    checkout = str(Path(__file__).resolve().parents[3])
    for path in folder.rglob("*"):
        if path.is_file():
            text = path.read_bytes().decode("utf-8", errors="replace")
            assert not [word for word in (SECRET, checkout, str(tmp_path)) if word in text], path


def test_closed_gates_refuse_and_leave_nothing_behind(ready_store: Store, tmp_path: Path) -> None:
    with pytest.raises(BadInputError) as caught:
        export(ready_store, tmp_path / "out" / "job", force=None)
    assert "2 of 3 gates do not hold: stress is not_measured" in str(caught.value)
    assert "agreement is not_measured" in str(caught.value)
    assert not list((tmp_path / "out").iterdir())
    assert ready_store.rewards.exports() == ()


def test_reason_of_a_forced_export_stands_in_the_manifest(exported: Path) -> None:
    manifest = json.loads((exported / "manifest.json").read_text())
    assert manifest["forced"] == "a test"
    assert {name: gate["state"] for name, gate in manifest["gates"].items()} == {
        "stress": "not_measured",
        "agreement": "not_measured",
        "golden": "passed",
    }


def test_specification_without_gates_needs_no_force(ready_store: Store, tmp_path: Path) -> None:
    spec = replace(checklist_spec(), gates={})
    assert export_job(ready_store, spec, "trl", tmp_path / "job").manifest["forced"] is None


def test_store_whose_figures_the_code_does_not_give_is_refused_even_by_force(
    ready_store: Store, tmp_path: Path
) -> None:
    # An analysis by other rules: one more query than the code of today counts.
    victim = ROLLOUTS[4]
    old = analyse(victim)
    activity = replace(old.activity, distinct_queries=old.activity.distinct_queries + 1)
    ready_store.trajectories.replace_analysis(victim.id, replace(old, activity=activity))
    with pytest.raises(BadInputError, match="the frozen code gives other rewards than this store"):
        export(ready_store, tmp_path / "job", force="no matter what")
    assert not (tmp_path / "job").exists()


def test_grade_that_the_code_does_not_give_is_refused(ready_store: Store, tmp_path: Path) -> None:
    for item in ROLLOUTS:
        if item.run == RUN:
            grade = Grade("checklist", "other", "case", "scored", score=0.123, raw=0.123, scheme="x")
            ready_store.grades.add(item.id, grade)
    spec = replace(checklist_spec(), quality_grader="checklist@other")
    with pytest.raises(BadInputError, match="component quality is"):
        export_job(ready_store, spec, "trl", tmp_path / "job", force="no matter what")


def test_folder_with_something_in_it_is_left_alone(ready_store: Store, tmp_path: Path) -> None:
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "mine.txt").write_text("keep")
    with pytest.raises(BadInputError, match="is there already"):
        export(ready_store, tmp_path / "job")
    assert (tmp_path / "job" / "mine.txt").read_text() == "keep"


def test_export_is_recorded_with_the_specification_it_holds(ready_store: Store, tmp_path: Path) -> None:
    folder = export(ready_store, tmp_path / "job")
    (record,) = ready_store.rewards.exports()
    spec = parse_spec(json.loads((folder / "spec.json").read_text()))
    assert (record.folder, record.trainer) == (str(folder), "trl")
    assert record.spec_version == spec_version(spec) == record.manifest["spec"]["version"]
    assert parse_spec(ready_store.rewards.spec(record.spec_version)) == spec
    assert spec.targets.startswith("targets@")


def test_sheets_and_questions_are_those_of_the_targets(exported: Path) -> None:
    assert [row["question_id"] for row in rows(exported, "targets.jsonl")] == ["q-broad", "q-easy", "q-plain"]
    assert [row["question_id"] for row in rows(exported, "sheets.jsonl")] == ["q-broad", "q-easy", "q-plain"]
    assert all(row["question"] for row in rows(exported, "questions.jsonl"))


@pytest.mark.parametrize(
    ("change", "trainer", "sentence"),
    [
        ({"report_source": "frozen_writer:w1"}, "trl", "can score only the report that the agent wrote"),
        ({"quality_grader": "gold"}, "trl", "the store holds no grade by gold"),
        ({"targets": "targets@nowhere"}, "trl", "targets 'nowhere' fit 0 of 1 saved tables"),
        ({}, "verl", "this version exports to trl"),
    ],
)
def test_what_a_trainer_cannot_run_is_refused(
    ready_store: Store, tmp_path: Path, change: dict[str, str], trainer: str, sentence: str
) -> None:
    with pytest.raises(Exception, match=sentence):
        export_job(ready_store, replace(checklist_spec(), **change), trainer, tmp_path / "job", force="x")  # type: ignore[arg-type]
    assert not (tmp_path / "job").exists()


def test_grader_that_lives_here_only_cannot_be_carried(ready_store: Store, tmp_path: Path) -> None:
    ready_store.grades.register("gold", "g1", "gold", {"world": "needed"})
    ready_store.grades.add(ROLLOUTS[4].id, Grade("gold", "g1", "case", "scored", score=0.5, raw=0.5, scheme="x"))
    spec = replace(checklist_spec(), quality_grader="gold")
    with pytest.raises(BadInputError, match="of kind 'gold' and no rubric is stored"):
        export_job(ready_store, spec, "trl", tmp_path / "job", force="x")
