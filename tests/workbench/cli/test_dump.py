"""dump: files from the command line, with the app's filters."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.workbench.store.examples import example_trajectory, many, new
from workbench.cli.main import main
from workbench.store import Store


@pytest.fixture
def filled(sqlite_store: Store) -> Store:
    sqlite_store.trajectories.add_batch([*many(3), new(example_trajectory(run="run-b"))])
    return sqlite_store


def test_a_name_given_twice_means_either(filled: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.parquet"
    where = ["--where", "run=run-a", "--where", "run=run-b", "--where", "has_report=true", "--where", "policy_step=7"]
    assert main(["--store", filled.url, "--json", "dump", str(path), *where]) == 0
    assert json.loads(capsys.readouterr().out) == {"path": str(path), "table": "trajectories", "rows": 4}
    assert pq.read_table(path).num_rows == 4


def test_lines_are_whole_trajectories_unless_a_table_is_named(filled: Store, tmp_path: Path) -> None:
    assert main(["--store", filled.url, "dump", str(tmp_path / "a.jsonl"), "--where", "run=run-b"]) == 0
    (line,) = (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["kind"] == "trajectory"
    assert main(["--store", filled.url, "dump", str(tmp_path / "b.jsonl"), "--table", "citations"]) == 0
    assert len((tmp_path / "b.jsonl").read_text(encoding="utf-8").splitlines()) == 8


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["t.csv"], "does not end in .jsonl"),
        (["t.parquet", "--table", "stepz"], "there is no table 'stepz'"),
        (["t.parquet", "--table", "native"], "native trajectories go into .jsonl"),
        (["t.jsonl", "--bodies"], "leave out --bodies"),
        (["t.parquet", "--where", "run"], "expected NAME=VALUE"),
        (["t.parquet", "--where", "run=none"], "no run 'none' in the store"),
        (["t.parquet", "--where", "modle=x"], "did you mean 'model'"),
        (["t.parquet", "--where", "min_score=high"], "expected a number"),
    ],
)
def test_bad_input_is_a_sentence_and_writes_nothing(
    argv: list[str],
    sentence: str,
    filled: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")
    assert main(["--store", filled.url, "dump", *argv]) == 2
    assert sentence in capsys.readouterr().err
    assert list((tmp_path / "out").iterdir()) == []
