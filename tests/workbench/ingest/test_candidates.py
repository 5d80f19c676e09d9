"""Gathering records of one trace, expanding one record into several, and reading with the folder beside."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.workbench.ingest.importing import bring_in, write_lines
from tests.workbench.ingest.spans_of_traces import batch, otlp
from workbench.ingest import candidates, registry
from workbench.ingest.folder import NoFolder
from workbench.ingest.format import Draft, Folder, Format, PartOfError
from workbench.ingest.splitter import RawRecord
from workbench.store import Store, TrajectoryFilter


def _draft(record: Mapping[str, Any]) -> Draft:
    spans = record.get("records", [record])
    return Draft(question=spans[0]["q"], steps=(), report=" ".join(span["r"] for span in spans), meta={"trace": False})


def _expand(record: Mapping[str, Any], folder: Folder) -> Iterable[Mapping[str, Any]]:
    if "of" in record:
        raise PartOfError(f"it is part of {record['of']}")
    if "arms" in record:
        for arm in record["arms"]:
            yield {"q": record["q"], "r": arm}
        return
    beside = folder.json("beside.json")
    assert isinstance(beside, dict)
    yield {"q": record["q"], "r": beside[record["r"]]}


SPANS = Format("t-spans", "spans", lambda r: "trace" in r, _draft, gather=lambda r: r["trace"])
ARMS = Format("t-arms", "arms", lambda r: r.get("kind") == "arms", _draft, expand=_expand)


@pytest.fixture(autouse=True)
def _formats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "FORMATS", (*registry.FORMATS, SPANS, ARMS))


def _reports(store: Store) -> list[str]:
    return sorted(trajectory.report for trajectory in store.trajectories.iterate(TrajectoryFilter()))


def test_records_of_one_trace_are_one_trajectory_in_whatever_order_they_stand(store: Store, tmp_path: Path) -> None:
    spans = [{"trace": t, "q": f"question {t}", "r": f"{t}{n}"} for n in range(3) for t in ("a", "b")]
    path = write_lines(tmp_path / "spans.jsonl", [*spans, {"trace": None, "q": "", "r": ""}, b'{"trace": "a", "q"'])
    report = bring_in(store, path)
    assert (report.read, report.imported, report.quarantined) == (3, 2, 1)
    assert _reports(store) == ["a0 a1 a2", "b0 b1 b2"]
    [first, _] = store.trajectories.ids(TrajectoryFilter())
    assert json.loads(store.trajectories.source(first))["records"] == [s for s in spans if s["trace"] == "a"]
    assert bring_in(store, path).duplicates == 2


def test_trace_larger_than_a_record_may_be_is_set_aside_alone(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "RECORD_LIMIT_BYTES", 400)
    spans = [{"trace": "big", "q": "q", "r": "x" * 100}] * 5 + [{"trace": "small", "q": "q", "r": "kept"}]
    report = bring_in(store, write_lines(tmp_path / "spans.jsonl", spans))
    assert (report.read, report.imported, report.quarantined) == (2, 1, 1)
    assert _reports(store) == ["kept"]


def test_one_record_becomes_several_trajectories_and_a_part_of_another_none(store: Store, tmp_path: Path) -> None:
    write_lines(tmp_path / "arms.jsonl", [{"kind": "arms", "q": "which", "arms": ["one", "two"]}])
    write_lines(tmp_path / "part.jsonl", [{"kind": "arms", "of": "arms.jsonl"}])
    (tmp_path / "beside.json").write_text('{"key": "found beside"}')
    write_lines(tmp_path / "spread.jsonl", [{"kind": "arms", "q": "where", "r": "key"}])
    report = bring_in(store, tmp_path)
    assert (report.read, report.imported) == (3, 3)
    assert _reports(store) == ["found beside", "one", "two"]
    assert {Path(file.path).name: file.reason for file in report.skipped_files}[
        "part.jsonl"
    ] == "it is part of arms.jsonl"
    named = [store.trajectories.source_name(id_) for id_ in store.trajectories.ids(TrajectoryFilter())]
    assert named == ["arms.jsonl:1", "arms.jsonl:1#2", "spread.jsonl:1"]


def test_defect_in_taking_a_record_apart_costs_that_record_only(store: Store, tmp_path: Path) -> None:
    report = bring_in(
        store,
        write_lines(
            tmp_path / "arms.jsonl",
            [{"kind": "arms", "q": "which", "arms": 5}, {"kind": "arms", "q": "which", "arms": ["kept"]}],
        ),
    )
    assert (report.imported, report.quarantined) == (1, 1)


@pytest.mark.parametrize("name", ["../secret.json", "/etc/hostname", "link.json", "gone.json", "a\x00b"])
def test_a_format_sees_nothing_outside_the_folder_of_its_file(tmp_path: Path, name: str) -> None:
    from workbench.ingest.paths import local_file

    inner = tmp_path / "in"
    inner.mkdir()
    (tmp_path / "secret.json").write_text("{}")
    (inner / "link.json").symlink_to(tmp_path / "secret.json")
    (inner / "a.jsonl").write_text("{}")
    folder = local_file(inner / "a.jsonl").folder()
    assert folder.text(name) is None
    assert folder.json(name) is None
    assert folder.text("a.jsonl") == "{}"


def test_equal_rollouts_of_one_group_stay_two_and_a_file_read_again_adds_none(store: Store, tmp_path: Path) -> None:
    rollout = {"step": 3, "prompt": "Which?", "completion": "This.", "advantage": 0.0, "reward": 1.0}
    path = write_lines(tmp_path / "completions.jsonl", [rollout, rollout, rollout | {"step": 4}])
    assert bring_in(store, path).imported == 3
    assert bring_in(store, path).duplicates == 3


def test_span_nested_beyond_the_fast_writer_is_gathered() -> None:
    deep: Any = "x"
    for _ in range(300):
        deep = [deep]
    value = batch(otlp("a", 1, trace="deep") | {"events": deep})
    raw = RawRecord(json.dumps(value).encode(), 1, value=value)
    (found,) = candidates.Candidates(iter([raw]), NoFolder("x"))
    assert found.format is not None
    assert (found.format.name, found.record.problem) == ("otlp", "")
