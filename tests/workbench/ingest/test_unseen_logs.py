"""Logs of one message or one event a record."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.workbench.ingest.importing import EVERYTHING, bring_in
from workbench.schema.trajectory import Trajectory
from workbench.store import open_store

ASKED = "Who built it?"
USER = {"role": "user", "content": ASKED}
CALL = {"id": "c", "type": "function", "function": {"name": "web_search", "arguments": "{}"}}
CALLED = {"role": "assistant", "content": "", "tool_calls": [CALL]}
FOUND = {"role": "tool", "tool_call_id": "c", "content": "hit"}
SAID = {"role": "assistant", "content": "Ann."}


def imported(tmp_path: Path, url: str, text: str) -> tuple[Trajectory, ...]:
    (tmp_path / "log").write_text(text)
    with open_store(url) as store:
        report = bring_in(store, tmp_path / "log")
        assert report.quarantined == 0
        return tuple(store.trajectories.iterate(EVERYTHING))


def lines(records: Sequence[Any]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def roles(trajectory: Trajectory) -> list[str]:
    return [step.role for step in trajectory.steps]


def test_file_that_is_one_list_of_messages_is_one_trajectory(tmp_path: Path, sqlite_url: str) -> None:
    (found,) = imported(tmp_path, sqlite_url, json.dumps([USER, CALLED, FOUND, SAID], indent=1))
    assert roles(found) == ["user", "assistant", "tool", "assistant"]
    assert (found.question, found.report) == (ASKED, "Ann.")
    assert found.steps[2].tool_results[0].call_id == "c"


def test_each_line_that_is_a_list_of_messages_is_a_trajectory(tmp_path: Path, sqlite_url: str) -> None:
    other = {"role": "assistant", "content": "Bob."}
    found = imported(tmp_path, sqlite_url, lines([[USER, SAID], [USER, other], [USER, CALLED, FOUND, SAID]]))
    assert sorted((each.report, len(each.steps)) for each in found) == [("Ann.", 2), ("Ann.", 4), ("Bob.", 2)]


def test_session_log_is_one_trajectory_a_session(tmp_path: Path, sqlite_url: str) -> None:
    def line(session: str, kind: str, message: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"type": kind, "sessionId": session, "uuid": "u", "message": message} | more

    used = {"type": "tool_use", "id": "t", "name": "WebSearch", "input": {"query": "x"}}
    reply = {"id": "m", "type": "message", "role": "assistant", "model": "m1"}
    log = [
        {"type": "summary", "summary": "s", "leafUuid": "u"},
        line("one", "user", USER),
        line("one", "assistant", reply | {"content": [{"type": "thinking", "thinking": "look"}]}),
        line("one", "assistant", reply | {"content": [used]}),
        line("two", "user", {"role": "user", "content": "What is it?"}),
        line(
            "one", "user", {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "hit"}]}
        ),
        line("one", "user", {"role": "user", "content": "of the sub-agent"}, isSidechain=True),
        {"type": "system", "sessionId": "one", "uuid": "u", "content": "compacted"},
        line("one", "assistant", {"id": "n", **SAID, "model": "m1"}),
        line("two", "assistant", {"id": "o", **SAID, "model": "m1"}),
    ]
    first, second = sorted(imported(tmp_path, sqlite_url, lines(log)), key=lambda each: -len(each.steps))
    assert roles(first) == ["user", "assistant", "tool", "assistant"]
    assert (first.steps[1].reasoning, first.steps[2].tool_results[0].call_id) == ("look", "t")
    assert (first.model, first.report, first.meta["session_id"]) == ("m1", "Ann.", "one")
    assert first.meta["sub_agent_messages_left_in_source"] == 1
    assert (second.question, second.report) == ("What is it?", "Ann.")


def test_session_log_of_responses_items_is_read(tmp_path: Path, sqlite_url: str) -> None:
    def item(**payload: Any) -> dict[str, Any]:
        return {"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": payload}

    log = [
        {"timestamp": "2026-01-01T00:00:00Z", "type": "session_meta", "payload": {"id": "s"}},
        item(type="message", role="user", content=[{"type": "input_text", "text": ASKED}]),
        item(type="function_call", call_id="c", name="web_search", arguments="{}"),
        item(type="function_call_output", call_id="c", output="hit"),
        {"timestamp": "2026-01-01T00:00:00Z", "type": "event_msg", "payload": {"type": "token_count"}},
        item(type="message", role="assistant", content=[{"type": "output_text", "text": "Ann."}]),
    ]
    (found,) = imported(tmp_path, sqlite_url, lines(log))
    assert roles(found) == ["user", "assistant", "tool", "assistant"]
    assert (found.question, found.report) == (ASKED, "Ann.")


EVENTS: list[dict[str, Any]] = [
    {"id": 0, "source": "user", "action": "message", "args": {"content": ASKED}},
    {"id": 1, "source": "agent", "action": "run", "args": {"command": "ls", "thought": "look"}},
    {"id": 2, "source": "environment", "observation": "agent_state_changed", "content": "", "extras": {}},
    {"id": 3, "source": "agent", "action": "browse", "args": {"url": "https://a"}},
    {"id": 4, "source": "agent", "observation": "run", "cause": 1, "content": "no", "extras": {"exit_code": 2}},
    {"id": 5, "source": "agent", "observation": "browse", "cause": 3, "content": "page", "extras": {}},
    {"id": 6, "source": "agent", "action": "finish", "args": {"final_thought": "Ann.", "outputs": {}}},
]


def _check_events(found: Trajectory) -> None:
    calls = [call for step in found.steps for call in step.tool_calls]
    results = [result for step in found.steps for result in step.tool_results]
    assert [(call.name, call.kind) for call in calls] == [("run", "code"), ("browse", "visit")]
    assert [(result.call_id, result.is_error) for result in results] == [(calls[0].id, True), (calls[1].id, False)]
    assert (found.question, found.report, found.steps[1].reasoning) == (ASKED, "Ann.", "look")


def test_stream_of_actions_and_observations_is_tied_by_cause(tmp_path: Path, sqlite_url: str) -> None:
    (found,) = imported(tmp_path, sqlite_url, json.dumps(EVENTS))
    _check_events(found)


def test_evaluation_record_has_its_events_in_its_history(tmp_path: Path, sqlite_url: str) -> None:
    pairs = [[EVENTS[1], EVENTS[4] | {"cause": None}], [EVENTS[3], EVENTS[5] | {"cause": None}], [EVENTS[6]]]
    config = {"llm_config": {"model": "m"}}
    flat = {"instance_id": "a", "instruction": ASKED, "history": EVENTS, "metadata": config, "test_result": {}}
    paired = {"instance_id": "b", "instruction": ASKED, "history": pairs, "metadata": config}
    for found in imported(tmp_path, sqlite_url, lines([flat, paired])):
        _check_events(found)
        assert found.model == "m"
