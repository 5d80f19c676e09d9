"""`workbench import` as a user runs it: answers, exit codes, and nothing written on bad usage."""

import json
import subprocess
import sys
from pathlib import Path

from tests.support.evidence import ROOT
from tests.workbench.ingest.importing import chat, write_lines
from workbench.store import open_store

KEYS = {"read", "imported", "duplicates", "quarantined", "quarantine_path", "skipped_files", "runs"}


def workbench(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command in a folder, with its default store there."""
    return subprocess.run(
        [sys.executable, "-m", "workbench", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )


def test_folder_with_good_and_bad_records_ends_with_3_and_one_json_document(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    write_lines(tmp_path / "in" / "a.jsonl", [chat("a"), b"{broken", chat("b"), chat("b")])
    (tmp_path / "in" / "notes.md").write_text("notes")
    done = workbench(tmp_path, "import", "in", "--json", "--store", "sqlite:///s.db", "--model", "m")
    assert done.returncode == 3, done.stderr
    answer = json.loads(done.stdout)
    assert answer.keys() >= KEYS
    assert (answer["read"], answer["imported"], answer["duplicates"], answer["quarantined"]) == (4, 2, 1, 1)
    assert answer["skipped_files"] == [
        {"path": "in/notes.md", "reason": "it is not JSON or JSONL; it begins with 'notes'"}
    ]
    assert (tmp_path / answer["quarantine_path"]).read_text().count("\n") == 1
    with open_store(f"sqlite:///{tmp_path / 's.db'}") as store:
        (job,) = store.jobs.list()
        assert (job.kind, job.state, job.failed_items, job.result["imported"]) == ("import", "done", 1, 2)
        assert job.done == job.total


def test_clean_import_ends_with_0_and_a_sentence(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", [chat("a")])
    done = workbench(tmp_path, "--store", "sqlite:///s.db", "import", "a.jsonl", "--run", "mine", "--model", "m")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "1 read: 1 imported, 0 already there, 0 set aside\nruns: mine\n"


def test_bad_usage_ends_with_2_and_leaves_nothing_behind(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", [chat("a")])
    for arguments, said in ((["gone.jsonl"], "not found: gone.jsonl"), (["a.jsonl", "--format", "csv"], "'csv'")):
        done = workbench(tmp_path, "import", "--json", "--store", "sqlite:///s.db", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]
