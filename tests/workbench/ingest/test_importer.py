"""The importer: every record is accounted for, nothing is imported twice, and nothing bad takes good with it."""

import base64
import gzip
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.shared_data import shared
from tests.workbench.ingest.importing import EVERYTHING, bring_in, chat, set_aside, write_lines
from tests.workbench.store.examples import example_trajectory
from workbench.errors import BadInputError, StoreError
from workbench.ingest import importer, registry
from workbench.ingest.format import Draft, Format
from workbench.phases import analyse
from workbench.schema.analysis import Analysis
from workbench.schema.trajectory import Trajectory, trajectory_to_json
from workbench.store import NewTrajectory, Store, TrajectoryFilter
from workbench.store.jobs import JobStopped, NullJob


def test_public_files_of_every_format_come_in_whole_and_a_second_time_not_at_all(store: Store) -> None:
    paths = [
        shared("webdancer-trajectories/sample_traj.jsonl"),
        shared("tau-bench-airline-gpt-4o"),
        shared("deep-research-bench/reports/open-deep-research_claude4-sonnet.jsonl"),
    ]
    report = bring_in(store, *paths, quarantine_dir=Path("unused"))
    assert (report.read, report.imported, report.quarantine_path) == (353, 353, None)
    assert report.runs == ("gpt-4o-airline", "open-deep-research_claude4-sonnet", "sample_traj")
    assert {run.name: (run.n, run.n_questions, run.model) for run in store.runs.list()} == {
        "gpt-4o-airline": (120, 30, "unknown"),
        "open-deep-research_claude4-sonnet": (73, 73, "open-deep-research_claude4-sonnet"),
        "sample_traj": (160, 143, "unknown"),
    }
    assert [Path(skipped.path).name for skipped in report.skipped_files] == ["LICENSE.upstream", "PROVENANCE.md"]
    before = store.content_hash()
    again = bring_in(store, *reversed(paths), quarantine_dir=Path("unused"))
    assert (again.read, again.imported, again.duplicates) == (353, 0, 353)
    assert store.content_hash() == before


def test_source_record_is_kept_byte_for_byte(sqlite_store: Store, tmp_path: Path) -> None:
    line = b'  {"messages": [{"role":"user","content":"why\\u003f"},{"role":"assistant","content":"so"}], "n": 1.50}\t'
    bring_in(sqlite_store, write_lines(tmp_path / "a.jsonl", [line]))
    (found,) = sqlite_store.trajectories.iterate(EVERYTHING)
    assert found.question == "why?"
    assert sqlite_store.trajectories.source(found.id) == line.lstrip()


def test_native_file_round_trips_with_its_ids(sqlite_store: Store, tmp_path: Path) -> None:
    trajectories = [example_trajectory(attempt=n, run="run-b", report=f"{n}") for n in range(3)]
    path = write_lines(tmp_path / "other-name.jsonl", [trajectory_to_json(t) for t in trajectories])
    report = bring_in(sqlite_store, path)
    assert report.runs == ("run-b",)
    assert list(sqlite_store.trajectories.iterate(EVERYTHING)) == trajectories


def test_bad_records_are_set_aside_with_their_bytes_and_reasons_and_good_ones_stay(
    sqlite_store: Store, tmp_path: Path
) -> None:
    bad = [
        b'{"messages": [',
        b'{"messages": "\xff\xfe"}',
        b"[" * 10_000,
        b'{"unrelated": 1}',
        b"17",
        json.dumps(chat("q") | {"messages": [{"role": "assistant", "content": "x"}]}).encode(),
        b'{"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "tool_calls": {"a": 1}}]}',
    ]
    lines = [line for n, record in enumerate(bad) for line in (json.dumps(chat(f"question {n}")).encode(), record)]
    report = bring_in(sqlite_store, write_lines(tmp_path / "a.jsonl", lines))
    assert (report.read, report.imported, report.quarantined) == (14, 7, 7)
    rows = set_aside(report)
    assert [base64.b64decode(r["raw_base64"]) if "raw_base64" in r else r["raw"].encode() for r in rows] == bad
    assert [(row["line"], row["record"], Path(row["source"]).name) for row in rows] == [
        (2 * n + 2, 2 * n + 2, "a.jsonl") for n in range(7)
    ]
    assert [row["format"] for row in rows] == [None, None, None, None, None, "openai-chat", "openai-chat"]
    reasons = [row["reason"] for row in rows]
    for reason, said in zip(
        reasons,
        [
            "not JSON",
            "not UTF-8",
            "nested too deeply",
            "it has unrelated (number)",
            "JSON int",
            "no user message",
            "tool_calls",
        ],
        strict=True,
    ):
        assert said in reason


def test_arguments_nested_beyond_what_can_be_stored_cost_one_record(sqlite_store: Store, tmp_path: Path) -> None:
    deep = json.dumps(chat("deep")).replace(
        '"content": "1. A page', '"x": ' + "[" * 900 + "]" * 900 + ', "content": "1. A page'
    )
    deeper = json.dumps(chat("deeper") | {"tag": 1}).replace('"tag": 1', '"tag": ' + "[" * 990 + "]" * 990)
    path = write_lines(tmp_path / "a.jsonl", [chat("a"), deep.encode(), deeper.encode(), chat("b")])
    report = bring_in(sqlite_store, path)
    assert report.imported >= 2
    assert all("nested too deeply" in row["reason"] for row in set_aside(report))


def test_record_over_the_limit_is_set_aside_whole(
    sqlite_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.ingest.record_file.split_lines.__kwdefaults__", {"limit": 10_000})
    long = json.dumps(chat("long", "x" * 20_000)).encode()
    report = bring_in(sqlite_store, write_lines(tmp_path / "a.jsonl", [chat("a"), long, chat("b")]))
    assert (report.imported, report.quarantined) == (2, 1)
    (row,) = set_aside(report)
    assert report.quarantine_path is not None
    assert (report.quarantine_path.parent / row["raw_file"]).read_bytes() == long
    assert "bytes; expected at most 10,000" in row["reason"]


def test_analysis_that_raises_costs_one_record(sqlite_store: Store, tmp_path: Path) -> None:
    def fails_on_b(trajectory: Trajectory) -> Analysis:
        if trajectory.question == "b":
            raise KeyError("phase")
        return analyse(trajectory)

    report = bring_in(sqlite_store, write_lines(tmp_path / "a.jsonl", [chat(q) for q in "abc"]), analyse=fails_on_b)
    assert (report.imported, report.quarantined) == (2, 1)
    assert set_aside(report)[0]["reason"] == "it cannot be analysed: KeyError: 'phase'"


def test_record_that_the_store_refuses_costs_one_record(store: Store, tmp_path: Path) -> None:
    records = [chat(f"q{n}") for n in range(20)]
    records[7]["attempt"] = 2**63
    report = bring_in(store, write_lines(tmp_path / "a.jsonl", records))
    assert (report.imported, report.quarantined) == (19, 1)
    assert "attempt" in set_aside(report)[0]["reason"]


def test_store_that_fails_ends_the_import_instead_of_blaming_records(
    sqlite_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(sqlite_store.trajectories, "add_batch", full)
    with pytest.raises(StoreError, match="full"):
        bring_in(sqlite_store, write_lines(tmp_path / "a.jsonl", [chat("a")]))


def test_path_that_does_not_exist_writes_nothing(sqlite_store: Store, tmp_path: Path) -> None:
    good = write_lines(tmp_path / "a.jsonl", [chat("a")])
    with pytest.raises(BadInputError, match="gone"):
        bring_in(sqlite_store, good, tmp_path / "gone")
    with pytest.raises(BadInputError, match="unknown format"):
        bring_in(sqlite_store, good, format="csv")
    assert sqlite_store.runs.list() == ()
    assert not (tmp_path / "quarantine").exists()


def test_files_without_a_trajectory_are_passed_over_with_a_reason(sqlite_store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    write_lines(folder / "a.jsonl", [chat("a")])
    write_lines(folder / "b.jsonl", [{"id": 1, "score": 0.5}, b"broken"])
    (folder / "c.md").write_text("# Notes\n")
    (folder / "d.jsonl").touch()
    (folder / "e.bin").write_bytes(b"PK\x03\x04")
    report = bring_in(sqlite_store, folder)
    assert (report.read, report.imported) == (1, 1)
    assert [(Path(s.path).name, s.reason.partition(";")[0]) for s in report.skipped_files] == [
        ("b.jsonl", "no trajectory among its 2 records"),
        ("c.md", "it is a Markdown text that does not say which question it answers"),
        ("d.jsonl", "it is empty"),
        ("e.bin", "it is a ZIP archive"),
    ]


def test_file_of_nothing_but_broken_records_is_set_aside_and_not_passed_over(
    sqlite_store: Store, tmp_path: Path
) -> None:
    report = bring_in(sqlite_store, write_lines(tmp_path / "a.jsonl", [b'{"messages": [', b'{"mess']))
    assert (report.read, report.quarantined, report.skipped_files) == (2, 2, ())


def test_forced_format_reads_what_detection_would_pass_over(sqlite_store: Store, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", [{"messages": [{"role": "user", "content": "q"}]}])
    assert bring_in(sqlite_store, path).read == 0
    report = bring_in(sqlite_store, path, format="openai-chat")
    assert (report.read, report.quarantined) == (1, 1)
    assert set_aside(report)[0]["format"] == "openai-chat"


def test_formats_may_be_mixed_in_one_file(sqlite_store: Store, tmp_path: Path) -> None:
    records: list[object] = [{"prompt": "a", "article": "x"}, chat("b"), {"prompt": "c", "article": "y"}]
    assert bring_in(sqlite_store, write_lines(tmp_path / "a.jsonl", records)).imported == 3


def test_new_format_is_one_record_in_the_registry(
    sqlite_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The example of docs/add-a-format.md."""

    def detect(record: Mapping[str, Any]) -> bool:
        return "ask" in record and "reply" in record

    def read(record: Mapping[str, Any]) -> Draft:
        return Draft(question=record["ask"], steps=(), report=record["reply"], outcome="completed")

    asked = Format(name="asked", looks_like='{"ask", "reply"}', detect=detect, read=read)
    monkeypatch.setattr(registry, "FORMATS", (*registry.FORMATS, asked))
    path = write_lines(tmp_path / "a.jsonl", [{"ask": "why?", "reply": "so"}, {"ask": 3, "reply": "so"}])
    report = bring_in(sqlite_store, path)
    assert (report.imported, report.quarantined) == (1, 1)
    assert set_aside(report)[0]["format"] == "asked"


def test_run_and_model_come_from_the_option_then_the_record_then_the_file(sqlite_store: Store, tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "from-file.jsonl",
        [chat("a"), chat("b", run="said", model="said-model"), {"prompt": "c", "article": "x"}],
    )
    report = bring_in(sqlite_store, path)
    named = {t.question: (t.run, t.model) for t in sqlite_store.trajectories.iterate(EVERYTHING)}
    assert named == {
        "a": ("from-file", "unknown"),
        "b": ("said", "said-model"),
        "c": ("from-file", "from-file"),
    }
    assert report.notes == ("no model is named in 1 of 3 records; --model NAME gives one",)
    bring_in(sqlite_store, path, run="mine", model="my-model")
    mine = sqlite_store.trajectories.iterate(TrajectoryFilter(run="mine"))
    assert {(t.run, t.model) for t in mine} == {("mine", "my-model")}
    assert sqlite_store.runs.get("mine").model == "my-model"


def test_distinct_answers_to_one_question_are_numbered_and_repeated_lines_are_duplicates(
    sqlite_store: Store, tmp_path: Path
) -> None:
    records = [chat("q", "first"), chat("q", "second"), chat("q", "first"), chat("other", "x"), chat("Q ", "third")]
    report = bring_in(sqlite_store, write_lines(tmp_path / "a.jsonl", records))
    assert (report.imported, report.duplicates) == (4, 1)
    attempts = sorted((t.question.strip().lower(), t.attempt) for t in sqlite_store.trajectories.iterate(EVERYTHING))
    assert attempts == [("other", 0), ("q", 0), ("q", 1), ("q", 2)]


def test_equal_rollouts_that_their_trainer_numbered_stay_two(sqlite_store: Store, tmp_path: Path) -> None:
    records = [chat("q", group="g", attempt=n, policy_step=5) for n in (0, 1)]
    assert bring_in(sqlite_store, write_lines(tmp_path / "a.jsonl", records)).imported == 2


def test_what_was_imported_before_does_not_change_ids(sqlite_store: Store, tmp_path: Path) -> None:
    part_1 = write_lines(tmp_path / "part-1.jsonl", [chat("q", "first")])
    part_2 = write_lines(tmp_path / "part-2.jsonl", [chat("q", "second")])
    bring_in(sqlite_store, part_2, run="r")
    bring_in(sqlite_store, part_1, part_2, run="r")
    report = bring_in(sqlite_store, part_2, part_1, run="r")
    assert (report.imported, report.duplicates) == (0, 2)


def test_simulated_trajectories_mark_their_run(sqlite_store: Store, tmp_path: Path) -> None:
    record = trajectory_to_json(example_trajectory()) | {"meta": {"simulated": True}}
    bring_in(sqlite_store, write_lines(tmp_path / "a.jsonl", [record]))
    assert sqlite_store.runs.get("run-a").simulated


def test_file_whose_name_is_no_utf_8_gives_a_run_that_an_address_can_name(sqlite_store: Store, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl"))
    assert bring_in(sqlite_store, write_lines(path, [chat("q")])).runs == ("caf\ufffd",)


def test_two_files_of_one_name_in_one_run_are_noted(sqlite_store: Store, tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
        write_lines(tmp_path / name / "out.jsonl", [chat(name)])
    report = bring_in(sqlite_store, tmp_path / "a", tmp_path / "b", model="m")
    assert report.notes == ("2 files went into one run, 'out'; where that is wrong, import them apart with --run",)


def test_stopped_import_keeps_its_batches_and_goes_on_when_run_again(
    sqlite_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class StopsAtThird(NullJob):
        checkpoints = 0

        def checkpoint(self) -> None:
            self.checkpoints += 1
            if self.checkpoints == 3:
                raise JobStopped

    monkeypatch.setattr(importer, "BATCH_RECORDS", 4)
    path = write_lines(tmp_path / "a.jsonl", [*(chat(f"q{n}") for n in range(10)), b"broken", chat("last")])
    with pytest.raises(JobStopped):
        bring_in(sqlite_store, path, job=(stopping := StopsAtThird()))
    assert len(sqlite_store.trajectories.ids(EVERYTHING)) in (8, 11)
    assert 0 < stopping.done <= stopping.total == path.stat().st_size  # type: ignore[operator]
    report = bring_in(sqlite_store, path)
    assert (report.read, report.imported + report.duplicates, report.quarantined) == (12, 11, 1)


def test_progress_reaches_the_size_of_the_files_and_counts_what_failed(sqlite_store: Store, tmp_path: Path) -> None:
    plain = write_lines(tmp_path / "a.jsonl", [chat("a"), b"{broken", chat("b")])
    packed = tmp_path / "b.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    job = NullJob()
    bring_in(sqlite_store, plain, packed, job=job)
    assert job.done == job.total == plain.stat().st_size + packed.stat().st_size
    assert job.failed == 2
    assert any("set aside record 2" in text for _, text in job.lines)


def test_batches_are_one_call_each(sqlite_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    add_batch = sqlite_store.trajectories.add_batch

    def counting(items: list[NewTrajectory]) -> Any:
        sizes.append(len(items))
        return add_batch(items)

    monkeypatch.setattr(sqlite_store.trajectories, "add_batch", counting)
    monkeypatch.setattr(importer, "BATCH_RECORDS", 3)
    bring_in(sqlite_store, write_lines(tmp_path / "a.jsonl", [chat(f"q{n}") for n in range(7)]))
    assert sizes == [3, 3, 1]


def test_log_names_the_first_records_set_aside_and_says_how_many_there_are(sqlite_store: Store, tmp_path: Path) -> None:
    job = NullJob()
    path = write_lines(tmp_path / "a.jsonl", [chat("a"), *([b"{broken"] * 60), json.dumps(["x" * 9000]).encode()])
    report = bring_in(sqlite_store, path, job=job, model="m")
    assert sum("set aside record" in text for _, text in job.lines) == 50
    assert report.notes[0].startswith("50 of 61 records set aside are in this log; all of them, with reasons, in ")


def test_reason_that_quotes_a_page_is_cut_and_says_so(sqlite_store: Store, tmp_path: Path) -> None:
    messages = [{"role": "x" * 9000, "content": ""}, {"role": "assistant", "content": "a"}]
    report = bring_in(sqlite_store, write_lines(tmp_path / "a.jsonl", [{"messages": messages}]))
    reason = set_aside(report)[0]["reason"]
    assert len(reason) < 600
    assert "characters)" in reason
