"""Specs, targets, exports, stress trials and training curves."""

from dataclasses import replace

import pytest

from tests.workbench.store.examples import example_trajectory, new
from workbench.errors import BadInputError, NotFoundError
from workbench.schema.reward import QuestionTarget
from workbench.store import Store, StressTrial


def test_spec_is_kept_under_its_version(store: Store) -> None:
    assert store.rewards.save_spec({"name": "a", "lambda": 0.5}, "v1", name="a")
    assert not store.rewards.save_spec({"name": "other"}, "v1", name="a")
    assert store.rewards.spec("v1") == {"name": "a", "lambda": 0.5}
    assert [(row.version, row.name, row.round_id) for row in store.rewards.specs()] == [("v1", "a", None)]
    with pytest.raises(NotFoundError, match="no reward spec"):
        store.rewards.spec("v2")


def test_targets_come_back_by_question(store: Store) -> None:
    targets = (QuestionTarget("q1", 3, 5, 2), QuestionTarget("q2", 0, 0, 1))
    assert store.rewards.save_targets("v1", targets[::-1], meta={"runs": ["a"]})
    assert not store.rewards.save_targets("v1", (), meta={})
    assert store.rewards.targets("v1") == targets
    (row,) = store.rewards.targets_list()
    assert (row.version, row.n_questions, row.meta) == ("v1", 2, {"runs": ["a"]})
    with pytest.raises(NotFoundError, match="no targets"):
        store.rewards.targets("v2")


def test_table_of_no_targets_is_listed_with_zero(store: Store) -> None:
    store.rewards.save_targets("v1", (), meta={})
    assert store.rewards.targets("v1") == ()
    assert store.rewards.targets_list()[0].n_questions == 0


def test_exports_are_listed_newest_first(store: Store) -> None:
    store.rewards.record_export("/jobs/1", "v1", "trl", {"gates": {}})
    store.rewards.record_export("/jobs/2", "v1", "verl", {})
    assert [(row.folder, row.trainer) for row in store.rewards.exports()] == [("/jobs/2", "verl"), ("/jobs/1", "trl")]
    assert store.rewards.exports()[1].manifest == {"gates": {}}


def test_stress_trial_is_unique_and_a_failed_one_gives_way(store: Store) -> None:
    id_ = store.trajectories.add_batch([new(example_trajectory())]).ids[0]
    trial = StressTrial("judge", "v1", "padding", "length", id_, 0, "scored", 0.5, 0.75, {"quality": 0.25})
    failed = replace(trial, outcome="infra_failed", attacked_score=None)
    assert store.stress.add_trial(failed)
    assert store.stress.add_trial(trial)
    assert not store.stress.add_trial(replace(trial, attacked_score=0.0))
    assert not store.stress.add_trial(failed)
    assert store.stress.add_trial(replace(trial, seed=1))
    columns = store.stress.trials("v1", "run-a")
    assert columns["attacked_score"] == [0.75, 0.75]
    assert columns["trajectory_id"] == [id_, id_]
    assert columns["terms"] == [{"quality": 0.25}] * 2
    assert store.stress.trials("v2")["seed"] == store.stress.trials(run="run-b")["seed"] == []


def test_stress_report_replaces_the_older_one(store: Store) -> None:
    store.stress.save_report("v1", "run-a", {"verdict": "none_found"})
    store.stress.save_report("v1", "run-a", {"verdict": "holes_found"})
    assert store.stress.report("v1", "run-a") == {"verdict": "holes_found"}
    assert [(row.grader_version, row.run) for row in store.stress.reports()] == [("v1", "run-a")]
    with pytest.raises(NotFoundError, match="no stress report"):
        store.stress.report("v1", "run-b")


def test_curve_has_one_column_a_metric_with_gaps_as_none(store: Store) -> None:
    store.training.create("t1", spec_version="v1", export_folder="/jobs/1", config={"lr": 2e-4})
    store.training.log("t1", 2, {"reward": 0.5})
    store.training.log("t1", 1, {"reward": 0.25, "sites": 3})
    store.training.log("t1", 2, {"reward": 0.75, "kl": float("nan")})  # the step again, after a resume
    assert store.training.metrics("t1") == {
        "step": [1, 2],
        "reward": [0.25, 0.75],
        "sites": [3.0, None],
        "kl": [None, None],
    }
    (row,) = store.training.runs()
    assert (row.run, row.spec_version, row.last_step, row.config) == ("t1", "v1", 2, {"lr": 2e-4})


def test_number_that_no_column_holds_is_said_so(store: Store) -> None:
    store.training.create("t1", spec_version="v1", export_folder="/jobs/1", config={})
    with pytest.raises(BadInputError, match="cannot hold a value"):
        store.training.log("t1", 2**70, {"reward": 1.0})


def test_training_run_is_resumed_on_its_spec_only(store: Store) -> None:
    store.training.create("t1", spec_version="v1", export_folder="/jobs/1", config={})
    store.training.create("t1", spec_version="v1", export_folder="/jobs/1", config={"lr": 1.0})
    assert store.training.runs()[0].config == {}
    with pytest.raises(BadInputError, match="trains on spec v1; expected v2"):
        store.training.create("t1", spec_version="v2", export_folder="/jobs/1", config={})
    with pytest.raises(NotFoundError, match="no training run 't2'"):
        store.training.log("t2", 0, {"reward": 1.0})
