"""A bundle and its checkpoints are one run: what was searched, read, quoted and claimed, and nothing invented."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.shared_data import shared
from workbench.ingest.folder import LocalFolder, NoFolder
from workbench.ingest.format import PartOfError
from workbench.ingest.formats import evidence_bundle
from workbench.ingest.registry import detect_format


def source(name: str) -> dict[str, Any]:
    return {"uri": f"https://{name}.example/", "metadata": {"document_version_id": name, "source_title": name.upper()}}


def claim(task: str, number: int, document: str, quote: str) -> dict[str, Any]:
    span = {"document_version_id": document, "quote": quote, "start_offset": None}
    return {"claim_id": f"j:claim:{task}:{number:02}", "claim": f"c{number}", "evidence_spans": [span]}


BUNDLE: dict[str, Any] = {
    "report_markdown": "It is so [2] (t1:01).",
    "accepted_claims": [claim("t1", 1, "a", "q1"), claim("t1", 2, "a", "q1")],
    "qualified_claims": [claim("t2", 1, "b", "q2")],
    "sources": [source("a"), source("b")],
    "run_manifest": {"job_id": "j", "status": "completed"},
}


def checkpoint(task: str, sequence: int, claims: list[dict[str, Any]], **output: Any) -> dict[str, Any]:
    packets = [{"claims": claims, "artifacts": [source("a"), source("b")]}]
    return {
        "checkpoint_id": task,
        "task_id": task,
        "sequence": sequence,
        "output": {"objective": f"do {task}", **output},
        "result": {"evidence_packets": packets},
    }


CHECKPOINTS = [
    {"checkpoint_id": "critic", "task_id": "critic", "sequence": 3, "output": {}, "result": {"evidence_packets": []}},
    checkpoint("t2", 2, BUNDLE["qualified_claims"], queries=[{"query": "x", "tool": "web_search"}]),
    checkpoint("t1", 1, BUNDLE["accepted_claims"], queries=[], page_urls=["https://a.example/"] * 2),
]


def test_checkpoints_are_read_with_the_bundle_in_the_order_of_their_ends(tmp_path: Path) -> None:
    (tmp_path / "scheduler_checkpoints.json").write_text(json.dumps(CHECKPOINTS), "utf-8")
    assert detect_format(BUNDLE) is evidence_bundle.FORMAT
    (given,) = evidence_bundle.expand(BUNDLE, LocalFolder(tmp_path, "report_bundle.json"))
    draft = evidence_bundle.read(given)
    assert [(step.role, step.agent) for step in draft.steps] == [
        ("user", ""),
        *[(role, "t1") for role in ("assistant", "tool", "assistant")],
        *[(role, "t2") for role in ("assistant", "tool", "assistant")],
        ("assistant", "critic"),
    ]
    visit, search = draft.steps[1].tool_calls, draft.steps[4].tool_calls
    assert [(call.kind, call.arguments) for call in (*visit, *search)] == [
        ("visit", {"url": "https://a.example/"}),
        ("visit", {"url": "https://a.example/"}),
        ("search", {"query": "x"}),
    ]
    page, found = draft.steps[2].tool_results, draft.steps[5].tool_results
    assert [(r.call_id, r.text) for r in page] == [(visit[0].id, "A https://a.example/\nq1")]
    assert [(r.call_id, r.text) for r in found] == [("", "B https://b.example/\nq2")]
    assert draft.question == "[question not recorded] Tasks of the run:\n- do t1\n- do t2"
    assert draft.meta["question_recorded"] is False
    sources: Any = draft.meta["sources"]
    assert {key: each["title"] for key, each in sources.items()} == {
        "1": "A",
        "2": "B",
        "t1:01": "A",
        "t1:02": "A",
        "t2:01": "B",
    }


def test_without_checkpoints_the_quotes_answer_no_call() -> None:
    (given,) = evidence_bundle.expand({**BUNDLE, "question": "x?"}, NoFolder("b.json"))
    draft = evidence_bundle.read(given)
    assert [step.role for step in draft.steps] == ["user", "tool", "assistant"]
    assert draft.question == "x?"


def test_a_checkpoint_is_part_of_the_bundle() -> None:
    assert detect_format(CHECKPOINTS[0]) is evidence_bundle.FORMAT
    with pytest.raises(PartOfError, match="bundle"):
        list(evidence_bundle.expand(CHECKPOINTS[0], NoFolder("scheduler_checkpoints.json")))


def test_wrong_types_cost_only_themselves() -> None:
    bad = {"report_markdown": "r", "accepted_claims": [3, {"evidence_spans": 3}], "sources": [{"metadata": 3}]}
    draft = evidence_bundle.read({**bad, "checkpoints": [3, {"output": {"queries": 3}, "result": 3, "sequence": "x"}]})
    assert draft.report == "r"


def test_shared_run_has_its_known_numbers() -> None:
    path = shared("evidence-bundle-live-runs/live_route_demo/report_bundle.json")
    (given,) = evidence_bundle.expand(json.loads(path.read_bytes()), LocalFolder(path.parent, path.name))
    draft = evidence_bundle.read(given)
    kinds = [call.kind for step in draft.steps for call in step.tool_calls]
    assert (kinds.count("search"), kinds.count("visit")) == (39, 20)
    assert draft.meta["claims"] == {"accepted_claims": 259, "qualified_claims": 2}
    sources: Any = draft.meta["sources"]
    assert sum(key.isdigit() for key in sources) == 98
