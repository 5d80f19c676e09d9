"""Parquet and JSONL: read back by `datasets`, DuckDB and the importer; written whole or not at all."""

import gzip
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import fsspec
import pyarrow.parquet as pq
import pytest

import workbench
from tests.workbench.store.examples import example_trajectory, new
from workbench.errors import BadInputError
from workbench.ingest.importer import import_paths
from workbench.notebook import TABLES, Workbench, files
from workbench.notebook.columns import columns_of
from workbench.phases import analyse
from workbench.schema.grade import Grade
from workbench.schema.trajectory import Step, ToolCall
from workbench.store import Store, TrajectoryFilter, open_store
from workbench.store.jobs import NullJob

BODIED = ("runs", "trajectories", "steps", "citations", "grades", "ballots", "votes")


@pytest.fixture
def mixed(sqlite_store: Store) -> Iterator[Workbench]:
    """Two trajectories whose calls take arguments of one name and different kinds, graded once well and once not."""
    odd = example_trajectory(run="run-b", question="Which port\x00 is older, 中文?")
    calls = (ToolCall("d1", "search", "search", {"query": ["a", "b"]}), ToolCall("d2", "x,y", "other", {}))
    odd = type(odd)(**{**_fields(odd), "steps": (*odd.steps, Step("assistant", tool_calls=calls))})
    sqlite_store.trajectories.add_batch([new(one, analyse(one)) for one in (example_trajectory(), odd)])
    first = sqlite_store.trajectories.ids(TrajectoryFilter())[0]
    good, bad = Grade("g", "v1", "c", "scored", score=0.5), Grade("g", "v1", "d", "infra_failed", reason="no answer")
    sqlite_store.grades.add_many([(first, good), (first, bad)])
    with workbench.open(sqlite_store.url) as opened:
        yield opened


def _fields(trajectory: Any) -> dict[str, Any]:
    names = ("question", "question_id", "run", "model", "steps", "report", "attempt", "group", "policy_step", "outcome")
    return {name: getattr(trajectory, name) for name in names}


def offline_datasets(monkeypatch: pytest.MonkeyPatch, cache: Path) -> Any:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(cache))
    return pytest.importorskip("datasets")


@pytest.mark.parametrize("table", list(TABLES))
def test_parquet_has_the_frame_s_columns_and_rows(table: str, mixed: Workbench, tmp_path: Path) -> None:
    bodies = table in BODIED
    path = tmp_path / "table.parquet"
    written = mixed.to_parquet(path, table=table, bodies=bodies)
    read = pq.read_table(path)
    assert read.column_names == [column.name for column in columns_of(table, bodies=bodies)]
    assert read.num_rows == written.rows == len(getattr(mixed, table)())
    assert read.schema.field(0).metadata[b"about"]


def test_duckdb_reads_parquet_and_a_failure_is_null_in_it(mixed: Workbench, tmp_path: Path) -> None:
    mixed.to_parquet(tmp_path / "grades.parquet", table="grades")
    mixed.to_parquet(tmp_path / "steps.parquet", table="steps", bodies=True)
    with duckdb.connect() as db:
        mean = db.sql(f"SELECT avg(score), count(*), count(score) FROM '{tmp_path / 'grades.parquet'}'").fetchall()
        assert mean == [(0.5, 2, 1)]
        called = f"SELECT json_array_length(calls), tools FROM '{tmp_path / 'steps.parquet'}' WHERE tool_calls > 1"
        assert db.sql(called).fetchall() == [(2, "search, x,y")]


def test_datasets_reads_parquet(mixed: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = offline_datasets(monkeypatch, tmp_path / "cache")
    mixed.to_parquet(tmp_path / "t.parquet", table="trajectories", bodies=True)
    data = datasets.load_dataset(
        "parquet", data_files=str(tmp_path / "t.parquet"), split="train", cache_dir=str(tmp_path / "cache")
    )
    assert data["question"] == ["Which harbour has two lighthouses?", "Which port\x00 is older, 中文?"]
    assert data.features["imported_at"].dtype == "timestamp[us, tz=UTC]"


def test_native_jsonl_imports_back_to_the_same_ids(mixed: Workbench, sqlite_store: Store, tmp_path: Path) -> None:
    for name in ("all.jsonl", "all.jsonl.gz", "all.jsonl.zst"):
        assert mixed.to_jsonl(tmp_path / name).rows == 2
        with open_store(f"sqlite:///{tmp_path / name}.db") as other:
            report = import_paths(
                other, [tmp_path / name], analyse=analyse, job=NullJob(), quarantine_dir=tmp_path / "q"
            )
            assert (report.imported, report.quarantined) == (2, 0)
            assert other.trajectories.ids(TrajectoryFilter()) == sqlite_store.trajectories.ids(TrajectoryFilter())


def test_duckdb_reads_both_kinds_of_jsonl(mixed: Workbench, tmp_path: Path) -> None:
    mixed.to_jsonl(tmp_path / "native.jsonl")
    mixed.to_jsonl(tmp_path / "steps.jsonl.gz", table="steps", run="run-b")
    with duckdb.connect() as db:
        native = db.sql(f"SELECT run, len(steps) FROM read_json_auto('{tmp_path / 'native.jsonl'}') ORDER BY run")
        assert native.fetchall() == [("run-a", 6), ("run-b", 7)]
        rows = db.sql(f"SELECT count(*), max(position) FROM read_json_auto('{tmp_path / 'steps.jsonl.gz'}')")
        assert rows.fetchall() == [(7, 6)]


def test_datasets_reads_both_kinds_of_jsonl(mixed: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    datasets = offline_datasets(monkeypatch, tmp_path / "cache")
    mixed.to_jsonl(tmp_path / "native.jsonl")
    mixed.to_jsonl(tmp_path / "grades.jsonl", table="grades")
    for name, rows in (("native", 2), ("grades", 2)):
        data = datasets.load_dataset(
            "json", data_files=str(tmp_path / f"{name}.jsonl"), split="train", cache_dir=str(tmp_path / "cache")
        )
        assert len(data) == rows


def test_files_behind_an_address(mixed: Workbench) -> None:
    system = fsspec.filesystem("memory")
    try:
        mixed.to_parquet("memory://bucket/out/t.parquet")
        mixed.to_jsonl("memory://bucket/out/t.jsonl.gz")
        mixed.to_jsonl("memory://bucket/out/t.jsonl.gz")  # in the place of the first
        assert sorted(system.find("/bucket")) == ["/bucket/out/t.jsonl.gz", "/bucket/out/t.parquet"]
        lines = gzip.decompress(system.cat("/bucket/out/t.jsonl.gz")).splitlines()
        assert [json.loads(line)["run"] for line in lines] == ["run-a", "run-b"]
    finally:
        system.rm("/bucket", recursive=True)


@pytest.mark.parametrize("far", [False, True])
def test_a_failure_half_way_leaves_what_was_there(
    far: bool, mixed: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = fsspec.filesystem("memory" if far else "file")
    folder = "/bucket" if far else str(tmp_path)
    target = f"memory:/{folder}/t.jsonl" if far else tmp_path / "t.jsonl"
    system.mkdirs(folder, exist_ok=True)
    system.pipe(f"{folder}/t.jsonl", b"before")
    rows = iter((files._native, None))
    monkeypatch.setattr(files, "_native", lambda trajectory: next(rows)(trajectory))  # type: ignore[misc]
    with pytest.raises(TypeError):
        mixed.to_jsonl(target)
    assert system.cat(f"{folder}/t.jsonl") == b"before"
    assert [name for name in system.find(folder) if name.endswith(".part")] == []


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("t.csv", "does not end in .parquet"),
        ("nowhere/t.parquet", "the folder .* does not exist"),
        ("s4://bucket/t.parquet", "no address that can be written"),
        ("memory://t:secret@host/t.parquet", "holds a password"),
    ],
)
def test_a_place_that_cannot_be_written_is_a_sentence(
    path: str, said: str, mixed: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInputError, match=said) as error:
        mixed.to_parquet(path)
    assert "secret" not in str(error.value)


def test_wrong_names_write_nothing(mixed: Workbench, tmp_path: Path) -> None:
    wrong: list[tuple[str, dict[str, Any]]] = [("stepz", {}), ("steps", {"modle": "x"}), ("ballots", {"run": "run-a"})]
    for table, given in wrong:
        with pytest.raises(BadInputError):
            mixed.to_parquet(tmp_path / "t.parquet", table=table, **given)
    assert not (tmp_path / "t.parquet").exists()


def test_half_of_a_surrogate_pair_is_seen_and_not_fatal(sqlite_store: Store, tmp_path: Path) -> None:
    sqlite_store.trajectories.add_batch([new(example_trajectory(report="broken \ud83d here"))])
    with workbench.open(sqlite_store.url) as opened:
        assert opened.trajectories(bodies=True)["report"].tolist() == ["broken \\ud83d here"]
        opened.to_parquet(tmp_path / "t.parquet", bodies=True)
        opened.to_jsonl(tmp_path / "t.jsonl")
    assert json.loads((tmp_path / "t.jsonl").read_bytes())["report"] == "broken \ud83d here"


def test_memory_does_not_grow_with_what_is_written(
    sqlite_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "GROUP_BYTES", 300_000)
    monkeypatch.setattr("workbench.store.repositories.columns_base.BODY_CHARS", 300_000)

    def peak(first: int, n: int) -> int:
        """Bytes at the highest while `n` more trajectories of 130 KB, all different, are written twice."""
        page = "".join(f"{number:06d} of {first}. " for number in range(8_000))
        made = [example_trajectory(attempt=first + k, run=f"r{n}", page=f"{first + k} {page}") for k in range(n)]
        for one in made:
            sqlite_store.trajectories.add_batch([new(one)])
        with workbench.open(sqlite_store.url) as opened:
            tracemalloc.start()
            try:
                opened.to_parquet(tmp_path / "s.parquet", table="steps", bodies=True, run=f"r{n}")
                opened.to_jsonl(tmp_path / "s.jsonl", run=f"r{n}")
                return tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()

    peak(0, 1)  # what is imported on the way
    few, many = peak(100, 6), peak(1000, 24)
    assert many < few * 1.5, (few, many)
