"""The jobs verb: listed with N of M, started in the background, refused with a sentence."""

import json
import os
import pty
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from tests.workbench.store.examples import example_trajectory
from workbench.cli.context import bar_words
from workbench.cli.main import main
from workbench.phases import analyse
from workbench.schema.job import JOB_ENDED, Job
from workbench.schema.trajectory import trajectory_to_json
from workbench.store import NewTrajectory, Store

KEY = "sk-planted-0123456789"


def run_json(store: Store, *argv: str, capsys: pytest.CaptureFixture[str]) -> Any:
    assert main(["--store", store.url, "--json", *argv]) == 0
    return json.loads(capsys.readouterr().out)


def test_jobs_are_listed_newest_first_with_n_of_m(sqlite_store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b", "c"):
        sqlite_store.jobs.create("import", ("import", name))
    answer = run_json(sqlite_store, "jobs", "list", "--limit", "2", capsys=capsys)
    assert answer["total"] == 3
    assert [job["arguments"][1] for job in answer["jobs"]] == ["c", "b"]
    assert main(["--store", sqlite_store.url, "jobs", "list", "--limit", "2"]) == 0
    assert capsys.readouterr().out.rstrip().endswith("2 of 3")


def test_started_job_runs_to_its_end_and_its_answer_is_kept(
    sqlite_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    path = tmp_path / "one.jsonl"
    path.write_text(json.dumps(trajectory_to_json(example_trajectory())) + "\n")
    job = run_json(sqlite_store, "jobs", "start", "--", "import", str(path), "--run", "given", capsys=capsys)
    assert job["arguments"] == ["import", str(path), "--run", "given"]
    until = time.monotonic() + 120
    while (shown := run_json(sqlite_store, "jobs", "show", job["id"], capsys=capsys))["state"] != "done":
        assert time.monotonic() < until, f"still {shown['state']}: {shown}"
        time.sleep(0.1)
    assert shown["result"]["imported"] == 1
    assert sqlite_store.runs.get("given").n == 1
    while not (lines := run_json(sqlite_store, "jobs", "log", job["id"], capsys=capsys)["lines"]):
        assert time.monotonic() < until, "its output did not reach the log"
        time.sleep(0.1)
    assert any("1 imported" in line["text"] for line in lines)


@pytest.mark.parametrize(
    ("verb", "sentence"),
    [
        (("import", "nowhere.jsonl"), "not found: nowhere.jsonl; expected files"),
        (("ls", "--run", "nobody"), "no run 'nobody' in the store"),
        (("export", "--spec", "nothing", "job"), "no specification 'nothing': no such file"),
        (("import", "--no-such-option"), "No such option"),
    ],
)
def test_job_refused_before_it_begins_keeps_the_sentence(
    sqlite_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: tuple[str, ...], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    job = sqlite_store.jobs.create(verb[0], verb)
    assert main(["--store", sqlite_store.url, "--job", job.id, *verb]) == 2
    ended = sqlite_store.jobs.get(job.id)
    assert ended.state == "failed"
    assert sentence in ended.error
    assert ended.ended_at is not None


def test_spawned_job_that_is_refused_shows_its_sentence_and_can_be_resumed(
    sqlite_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    path = tmp_path / "later.jsonl"
    job = sqlite_store.jobs.create("import", ("import", str(path)), folder=str(tmp_path))
    sqlite_store.jobs.spawn(job, sqlite_store.url)
    assert f"not found: {path}" in _ended(sqlite_store, job.id, "failed").error
    path.write_text(json.dumps(trajectory_to_json(example_trajectory())) + "\n")
    sqlite_store.jobs.resume(job.id, sqlite_store.url)
    assert _ended(sqlite_store, job.id, "done").error == ""


def _ended(store: Store, job_id: str, state: str) -> Job:
    until = time.monotonic() + 120
    while (job := store.jobs.get(job_id)).state not in JOB_ENDED:
        assert time.monotonic() < until, f"still {job.state}"
        time.sleep(0.1)
    assert job.state == state, job.error
    return job


def test_verb_that_never_attaches_ends_its_row_too(sqlite_store: Store) -> None:
    job = sqlite_store.jobs.create("ls", ("ls",))
    assert main(["--store", sqlite_store.url, "--job", job.id, "ls"]) == 0
    assert sqlite_store.jobs.get(job.id).state == "done"


def test_job_of_another_process_is_not_ended_by_a_refusal(sqlite_store: Store) -> None:
    job = sqlite_store.jobs.create("import", ("import", "x"))
    with sqlite_store.jobs.attach(job.id):
        code = "import sys; from workbench.cli.main import main; sys.exit(main(sys.argv[1:]))"
        argv = (sys.executable, "-c", code, "--store", sqlite_store.url, "--job", job.id, "ls", "--run", "nobody")
        assert subprocess.run(argv, capture_output=True, check=False).returncode == 2
        assert sqlite_store.jobs.get(job.id).state == "running"


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["start", "--", "jobs", "list"], "'jobs' is no verb that can be a job; expected one of"),
        (["start", "--", "import", "x", "--store", "sqlite:///y.db"], "--store belongs before the verb"),
        (["start", "--", "import", KEY], "holds the value of OPENAI_API_KEY"),
        (["show", "j-none"], "no job 'j-none' in the store"),
        (["pause", "j-none"], "no job 'j-none' in the store"),
        (["log", "j-none"], "no job 'j-none' in the store"),
    ],
)
def test_what_cannot_be_is_refused(
    sqlite_store: Store,
    argv: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert main(["--store", sqlite_store.url, "jobs", *argv]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert sentence in " ".join(err.split())
    assert KEY not in err
    assert sqlite_store.jobs.count() == 0


def test_waiting_job_is_stopped(sqlite_store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    job = sqlite_store.jobs.create("import", ("import", "x"))
    assert run_json(sqlite_store, "jobs", "stop", job.id, capsys=capsys)["state"] == "stopped"
    assert main(["--store", sqlite_store.url, "jobs", "pause", job.id]) == 2
    assert f"jobs resume {job.id}" in " ".join(capsys.readouterr().err.split())


def test_the_bar_says_rate_failures_cost_and_time_left() -> None:
    figures = {"rate_per_s": 12.34, "failed_items": 2, "cost_usd": 0.0123, "left_s": 3725.0}
    assert bar_words(figures) == "12.3 a second, 2 failed, 0.0123 USD, 1 h 2 min left"
    assert bar_words({"rate_per_s": None, "failed_items": 0, "cost_usd": None, "left_s": None}) == ""


def test_a_bar_on_a_terminal_and_none_in_a_pipe(sqlite_store: Store) -> None:
    """The verb's own process, its stderr a terminal."""
    sqlite_store.trajectories.add_batch([NewTrajectory(t := example_trajectory(), analyse(t), b"{}", "test")])
    words = ["--store", sqlite_store.url, "--json", "grade", "--grader", "citations", "--all"]
    master, slave = pty.openpty()
    process = subprocess.Popen([sys.executable, "-m", "workbench", *words], stdout=subprocess.PIPE, stderr=slave)
    os.close(slave)
    out, _ = process.communicate(timeout=60)
    said = os.read(master, 65536).decode()
    os.close(master)
    assert json.loads(out)["n"] == 1
    assert "1/1" in said
    piped = subprocess.run([sys.executable, "-m", "workbench", *words], capture_output=True, check=False, timeout=60)
    assert b"1/1" not in piped.stderr
