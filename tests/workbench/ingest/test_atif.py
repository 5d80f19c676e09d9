"""Harbor ATIF: results by order, copied context, sub-agents and continuations."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.shared_data import shared
from workbench.errors import BadInputError
from workbench.ingest.folder import LocalFolder
from workbench.ingest.format import Draft, PartOfError
from workbench.ingest.formats.atif import FORMAT


def step(source: str, message: object, *results: dict[str, Any], calls: int = 0, **more: object) -> dict[str, Any]:
    made: dict[str, Any] = {"source": source, "message": message, **more}
    if calls:
        made["tool_calls"] = [
            {"tool_call_id": f"c{n}", "function_name": "web_search", "arguments": {}} for n in range(calls)
        ]
    return made | ({"observation": {"results": list(results)}} if results else {})


def document(session: str, *steps: dict[str, Any], **more: object) -> dict[str, Any]:
    agent = {"name": session, "version": "1", "model_name": "m"}
    return {"schema_version": "ATIF-v1.7", "session_id": session, "agent": agent, "steps": list(steps), **more}


def drafts(folder: Path, **files: dict[str, Any]) -> tuple[dict[str, Draft], list[str]]:
    """Drafts by file and the files that are parts."""
    for name, value in files.items():
        (folder / f"{name}.json").write_text(json.dumps(value))
    return read_all(folder)


def read_all(folder: Path) -> tuple[dict[str, Draft], list[str]]:
    found, parts = {}, []
    for path in sorted(folder.glob("*.json")):
        record = json.loads(path.read_bytes())
        assert FORMAT.detect(record), path.name
        assert FORMAT.expand is not None
        try:
            (only,) = FORMAT.expand(record, LocalFolder(folder, path.name))
        except PartOfError:
            parts.append(path.name)
        else:
            found[path.name] = FORMAT.read(only)
    return found, parts


def test_results_without_ids_answer_calls_in_order(tmp_path: Path) -> None:
    acted = step("agent", "", {"content": "one"}, {"content": "two"}, calls=2, timestamp="2025-01-01T00:00:03Z")
    parts = [{"type": "text", "text": "why?"}, {"type": "image", "source": {"path": "x"}}]
    asked = step("user", parts, timestamp="2025-01-01T00:00:01Z")
    draft = drafts(tmp_path, a=document("s", asked, acted, step("agent", "so")))[0]["a.json"]
    assert draft.question == "why?\n[image]"
    assert [(r.call_id, r.text) for s in draft.steps for r in s.tool_results] == [("c0", "one"), ("c1", "two")]
    assert draft.steps[1].duration_s == 2
    assert (draft.report, draft.model, draft.outcome) == ("so", "m", "completed")


def test_continuation_is_joined_without_its_copied_context(tmp_path: Path) -> None:
    first = document(
        "s", step("user", "why?"), step("agent", "look", calls=1), continued_trajectory_ref="t.cont-1.json"
    )
    again = document("s", step("user", "why?", is_copied_context=True), step("agent", "so"))
    found, parts = drafts(tmp_path, **{"x": first, "x_cont1": again})
    assert parts == ["x_cont1.json"]
    assert [s.text for s in found["x.json"].steps] == ["why?", "look", "so"]
    assert found["x.json"].report == "so"


def test_sub_agents_stand_where_they_were_called(tmp_path: Path) -> None:
    child = document("kid", step("user", "part"), step("agent", "found", {"content": "r"}, calls=1))
    result = {"content": "given", "subagent_trajectory_ref": [{"session_id": "kid"}]}
    parent = document("s", step("user", "why?"), step("agent", "", result, calls=1), step("agent", "so"))
    across, parts = drafts(tmp_path, kid=child, top=parent)
    assert parts == ["kid.json"]
    steps = across["top.json"].steps
    assert [s.agent for s in steps] == ["", "", "kid", "kid", "kid", "", ""]
    assert [r.call_id for s in steps for r in s.tool_results] == ["c0#2", "c0"]
    wrapped = {"parent": parent, "child": child}
    assert drafts(tmp_path / "", w=wrapped)[0]["w.json"].steps == steps


def test_shared_files_join_to_whole_trajectories() -> None:
    found, parts = read_all(shared("atif-trajectories"))
    assert sorted(parts) == [
        "harbor_terminus2_continuation_cont1.json",
        "harbor_terminus2_sub_answers.json",
        "harbor_terminus2_sub_questions.json",
        "harbor_terminus2_sub_summary.json",
        "scout_terminus_2_hello-world-context-summarization-linear-history.trajectory.cont-1.json",
    ]
    assert len(found) == 10
    assert {s.agent for s in found["v17_embedded_subagents.json"].steps if s.agent}
    assert {s.agent for s in found["harbor_terminus2_summarization.json"].steps if s.agent}
    assert all(draft.report for draft in found.values())


def test_step_of_no_known_source_is_named() -> None:
    with pytest.raises(BadInputError, match="step 1 has source"):
        FORMAT.read(document("s", step("wizard", "x")))
