"""Parquet files of trajectories."""

import datetime
import json
from pathlib import Path

import pyarrow
import pyarrow.parquet

from tests.workbench.ingest.importing import bring_in, chat
from workbench.ingest.paths import local_file
from workbench.ingest.record_file import open_records
from workbench.store import Store, TrajectoryFilter


def _write(path: Path, rows: list[dict[str, object]]) -> Path:
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path, row_group_size=7)
    return path


def test_rows_become_the_trajectories_that_lines_would(store: Store, tmp_path: Path) -> None:
    chats = [chat(f"question {n}") for n in range(40)]
    for name in ("rows.parquet", "no-ending"):
        report = bring_in(store, _write(tmp_path / name, chats), run="r")
        assert (report.read, report.quarantined) == (40, 0)
    lines = tmp_path / "rows.jsonl"
    lines.write_text("".join(json.dumps(one) + "\n" for one in chats))
    assert bring_in(store, lines, run="r").duplicates == 40
    assert store.trajectories.page(TrajectoryFilter()).total == 40


def test_values_that_json_does_not_know_become_text(tmp_path: Path) -> None:
    row: dict[str, object] = {
        "raw": b"\xffab",
        "at": datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC),
        "x": float("nan"),
    }
    with open_records(local_file(_write(tmp_path / "a", [row]))) as file:
        [record] = file.records()
    assert record.value == {"raw": "\\xffab", "at": "2026-01-02T00:00:00+00:00", "x": None}


def test_damaged_file_is_passed_over_with_a_reason(store: Store, tmp_path: Path) -> None:
    whole = _write(tmp_path / "a.parquet", [chat("q")]).read_bytes()
    (tmp_path / "a.parquet").write_bytes(whole[:-40])
    report = bring_in(store, tmp_path / "a.parquet")
    assert report.read == 0
    assert "it is a Parquet file that cannot be read" in report.skipped_files[0].reason


def test_damage_in_one_row_group_costs_only_its_rows(store: Store, tmp_path: Path) -> None:
    path = _write(tmp_path / "a.parquet", [chat(f"question {n} {'x' * n}") for n in range(21)])
    second = pyarrow.parquet.ParquetFile(path).metadata.row_group(1).column(0)
    data = bytearray(path.read_bytes())
    data[second.data_page_offset : second.data_page_offset + 12] = b"\xff" * 12
    path.write_bytes(data)
    report = bring_in(store, path)
    assert (report.imported, report.quarantined) == (14, 1)
