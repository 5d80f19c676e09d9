"""The verb `train` as a process: its answer, and what a kill leaves behind."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import yaml

from tests.training.conftest import TINY, Workshop
from tests.training.test_recipe import assert_same_run
from training.recipe import train
from workbench.store import open_store
from workbench.store.jobs import NullJob

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {
    "max_turns": TINY.max_turns,
    "checkpoint_every": 1,
    "model": {"hidden": 32, "layers": 2, "heads": 2, "feed_forward": 64},
    "sft": {"steps": 6, "batch": 8, "warmup": 2, "questions": 24},
    "rl": {"questions": 2, "group": 3, "micro_batch": 4},
}


def command(url: str, job: Path, home: Path, run: str, steps: int) -> list[str]:
    config = home / "run.yaml"
    config.write_text(yaml.safe_dump(SETTINGS))
    options = ["--job", str(job), "--run", run, "--steps", str(steps), "--config", str(config)]
    return [
        sys.executable, "-m", "workbench", "--store", url, "--json", "train", *options, "--runs-dir", str(home / "runs")
    ]  # fmt: skip


def test_killed_run_goes_on_and_equals_an_uninterrupted_one(workshop: Workshop, tmp_path: Path) -> None:
    with workshop.copied_store(tmp_path) as store:
        url = store.url
        train(store, workshop.job, replace(TINY, run="whole"), runs_dir=tmp_path / "runs", job=NullJob())

    killed = subprocess.Popen(
        command(url, workshop.job, tmp_path, "killed", TINY.steps),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    first = tmp_path / "runs" / "killed" / "checkpoints" / "step-000001.pt"
    deadline = time.monotonic() + 60
    while not first.exists() and killed.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    killed.send_signal(signal.SIGKILL)
    assert killed.wait(timeout=30) == -signal.SIGKILL, "it ended before it could be killed"

    again = subprocess.run(
        [*command(url, workshop.job, tmp_path, "killed", TINY.steps), "--resume"],
        cwd=ROOT, capture_output=True, check=True, timeout=120,
    )  # fmt: skip
    answer = json.loads(again.stdout)
    assert (answer["run"], answer["steps"]) == ("killed", 3)
    assert answer["resumed_from"] in (1, 2)
    assert 0 <= answer["metrics"]["reward"] <= 1
    assert_same_run(tmp_path / "runs", "whole", "killed")
    with open_store(url) as store:
        assert store.runs.get("killed").n == store.runs.get("whole").n == 18


def test_changed_folder_ends_with_a_sentence_and_code_2(workshop: Workshop, tmp_path: Path) -> None:
    with workshop.copied_store(tmp_path) as store:
        url = store.url
    done = subprocess.run(
        command(url, tmp_path, tmp_path, "none", 1), cwd=ROOT, capture_output=True, text=True, check=False, timeout=60,
        env={**os.environ, "COLUMNS": "400"},
    )  # fmt: skip
    assert done.returncode == 2
    assert "holds no manifest.json" in done.stderr
    assert done.stdout == ""
