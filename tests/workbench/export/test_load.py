"""A job folder in our own trainer's process: the frozen code scores, and it scores as the checkout does."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workbench.export.exporting import sign_again
from tests.workbench.reward.small_store import ROLLOUTS, SHEETS, grade_of
from workbench.errors import BadInputError
from workbench.export import load_job
from workbench.phases import analyse, facts_of
from workbench.reward.core.rollout import reward_of
from workbench.schema.reward import QuestionTarget
from workbench.schema.trajectory import trajectory_to_json

CHECKOUT = Path(__file__).resolve().parents[3]


def test_frozen_reward_equals_the_checkouts_on_every_rollout(exported: Path) -> None:
    job = load_job(exported)
    lines = (exported / "targets.jsonl").read_text().splitlines()
    targets = {row["question_id"]: QuestionTarget(**row) for row in map(json.loads, lines)}
    for item in ROLLOUTS:
        expected = reward_of(job.spec, facts_of(item, analyse(item)), grade_of(item).score, targets)
        found = job.score_trajectory(trajectory_to_json(item))
        assert found["reward"] == expected.value
        assert found["components"] == expected.components
        assert bool(found["dropped"]) == bool(expected.dropped)


def test_code_that_scores_is_the_folders_own(exported: Path) -> None:
    # In a process of its own: another test may have loaded the same code (its name is its hash) from another folder.
    code = (
        "import sys; from workbench.export.load import load_job; job = load_job(sys.argv[1]); "
        "scorer = type(sys.modules[job.score_trajectory.__module__].JOB).__module__; "
        "print(scorer, sys.modules[scorer].__file__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(exported)], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    module, file = done.stdout.split()
    assert module.startswith(json.loads((exported / "manifest.json").read_text())["package"])
    assert Path(file).is_relative_to(exported)


def test_what_a_trainer_needs_is_there(exported: Path) -> None:
    job = load_job(exported)
    assert job.component_names == ("quality", "shaping", "distinct_queries", "distinct_sites")
    assert [function.__name__ for function in job.reward_functions] == ["reward_fn", *job.component_names]
    assert list(job.reward_weights) == [1.0, 0.0, 0.0, 0.0, 0.0]
    assert {row["question_id"] for row in job.questions} == set(SHEETS)
    assert job.spec_version == json.loads((exported / "manifest.json").read_text())["spec"]["version"]


def test_two_jobs_live_side_by_side(exported: Path, folder: Path) -> None:
    spec = json.loads((folder / "spec.json").read_text())
    spec["shaping"]["weight"] = 0.0
    (folder / "spec.json").write_text(json.dumps(spec))
    sign_again(folder)
    rollout = trajectory_to_json(ROLLOUTS[4])
    shaped, plain = load_job(exported), load_job(folder)
    assert plain.score_trajectory(rollout)["reward"] == 0.5
    assert shaped.score_trajectory(rollout)["reward"] != 0.5
    assert plain.score_trajectory(rollout)["reward"] == 0.5


def test_changed_folder_is_refused_and_the_file_named(folder: Path) -> None:
    with (folder / "targets.jsonl").open("a") as file:
        file.write("\n")
    with pytest.raises(BadInputError, match=r"changed since its export: targets\.jsonl"):
        load_job(folder)


@pytest.mark.parametrize("content", [None, "{", "[]", '{"kind": "other"}'])
def test_folder_that_is_no_job_is_refused(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "manifest.json").write_text(content)
    with pytest.raises(BadInputError):
        load_job(tmp_path)
