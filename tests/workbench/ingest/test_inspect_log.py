"""Inspect logs in both forms."""

import io
import json
import zipfile
from typing import Any

import pytest

from tests.support.shared_data import shared
from workbench.errors import BadInputError
from workbench.ingest.containers import inspect_eval
from workbench.ingest.folder import NoFolder
from workbench.ingest.format import PartOfError
from workbench.ingest.formats.inspect_log import FORMAT

HASH = "a" * 32
PICTURE = "b" * 32
CALL = {"id": "c", "function": "web_search", "arguments": {"q": 1}}
FAILED = {"role": "tool", "content": "", "tool_call_id": "c", "error": {"message": "timed out"}}
SAMPLE: dict[str, Any] = {
    "id": 7,
    "epoch": 2,
    "input": f"attachment://{HASH}",
    "messages": [
        {
            "role": "user",
            "content": [{"type": "text", "text": f"attachment://{HASH}"}, {"type": "image", "image": "x"}],
        },
        {"role": "assistant", "content": "", "tool_calls": [CALL]},
        FAILED,
        {"role": "assistant", "content": f"done attachment://{PICTURE}"},
    ],
    "scores": {"match": {"value": "C"}},
    "attachments": {HASH: "why?", PICTURE: "data:image/png;base64,AAAA"},
}
LOG: dict[str, Any] = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "samples": [SAMPLE]}


def archive(**files: object) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, value in files.items():
            made.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    out.seek(0)
    return out


def test_log_and_archive_say_the_same() -> None:
    (from_json,) = FORMAT.expand(LOG, NoFolder("x")) if FORMAT.expand else ()
    packed = archive(**{"samples/7_epoch_2.json": SAMPLE, "header.json": {k: LOG[k] for k in ("status", "eval")}})
    assert inspect_eval.detect(packed.getvalue(), "log")
    (record,) = inspect_eval.records(packed)
    assert record.value == from_json
    draft = FORMAT.read(from_json)
    assert (draft.question, draft.attempt, draft.group, draft.model) == ("why?", 1, "t:7", "m")
    assert draft.meta["recorded_scores"] == {"match": "C"}
    assert draft.steps[0].text == "why?\n[image]"
    assert draft.steps[1].tool_calls[0].kind == "search"
    assert draft.steps[2].tool_results[0].is_error
    assert draft.steps[2].tool_results[0].text == "timed out"
    assert draft.report == "done [image/png]"


def test_log_without_samples_is_no_trajectory() -> None:
    assert FORMAT.expand is not None
    with pytest.raises(PartOfError, match="without samples"):
        list(FORMAT.expand(LOG | {"samples": []}, NoFolder("x")))


def test_archive_bomb_and_broken_sample_cost_only_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inspect_eval, "RECORD_LIMIT_BYTES", 5000)
    packed = archive(**{"samples/1.json": b" " * 100_000, "samples/2.json": b"{", "samples/3.json": SAMPLE})
    found = list(inspect_eval.records(packed))
    assert ["over 5,000" in found[0].problem, "no JSON" in found[1].problem, found[2].problem] == [True, True, ""]
    with pytest.raises(BadInputError, match="without samples"):
        list(inspect_eval.records(archive(a=b"")))


def test_shared_logs_are_read() -> None:
    folder, counts = shared("inspect-logs"), {}
    for path in sorted(folder.rglob("*.eval")):
        with path.open("rb") as file:
            assert inspect_eval.detect(file.read(4096), path.name)
            file.seek(0)
            found = list(inspect_eval.records(file))
        assert not any(record.problem for record in found)
        for record in found:
            assert isinstance(record.value, dict)
            assert FORMAT.read(record.value).steps
        counts[path.name[:12]] = len(found)
    assert len(counts) >= 5
    for path in sorted(folder.glob("*.json")):
        log = json.loads(path.read_bytes())
        assert FORMAT.detect(log)
        if log.get("samples") and path.name != "log_tool_call_error.json":  # that one has tool messages only
            assert FORMAT.expand is not None
            assert all(FORMAT.read(part).steps for part in FORMAT.expand(log, NoFolder("x")))
