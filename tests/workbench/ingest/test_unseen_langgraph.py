"""LangGraph's histories of checkpoints and streams of a run."""

import json
from pathlib import Path
from typing import Any

from tests.workbench.ingest.importing import EVERYTHING, bring_in
from workbench.ingest.folder import NoFolder
from workbench.ingest.formats import langgraph_thread
from workbench.store import open_store

HUMAN = {"type": "human", "content": "Who built it?", "id": "1"}
CALLED = {"type": "ai", "content": "", "id": "2", "tool_calls": [{"name": "web_search", "args": {"q": "x"}, "id": "c"}]}
FOUND = {"type": "tool", "content": "hit", "id": "3", "tool_call_id": "c"}
SAID = {"type": "ai", "content": "Ann.", "id": "4"}
ALL = [HUMAN, CALLED, FOUND, SAID]


def _state(thread: str, said: int) -> dict[str, Any]:
    values = {"messages": ALL[:said]} if said else {}
    return {
        "values": values,
        "next": [] if said == len(ALL) else ["agent"],
        "config": {"configurable": {"thread_id": thread, "checkpoint_id": str(said)}},
        "metadata": {"step": said},
        "parent_config": None,
    }


def test_history_of_checkpoints_is_one_trajectory_a_thread(tmp_path: Path, sqlite_url: str) -> None:
    states = [_state("a", said) for said in (4, 3, 1, 0)] + [_state("b", said) for said in (0, 2)]
    (tmp_path / "history.json").write_text(json.dumps(states))
    with open_store(sqlite_url) as store:
        report = bring_in(store, tmp_path / "history.json")
        assert (report.imported, report.quarantined) == (2, 0)
        found = sorted(store.trajectories.iterate(EVERYTHING), key=lambda each: len(each.steps))
    assert [(len(each.steps), each.report, each.outcome) for each in found] == [
        (2, "", "truncated"),
        (4, "Ann.", "completed"),
    ]


def _read(*events: tuple[str, Any]) -> Any:
    record = {"events": [{"event": name, "data": data} for name, data in events]}
    assert langgraph_thread.detect(record)
    (state,) = langgraph_thread.expand(record, NoFolder("run.txt"))
    return langgraph_thread.read(state)


def test_stream_of_states_is_its_last_one() -> None:
    draft = _read(("metadata", {"run_id": "r"}), ("values", {"messages": ALL[:1]}), ("values", {"messages": ALL}))
    assert (len(draft.steps), draft.report) == (4, "Ann.")


def test_stream_of_updates_is_put_in_order() -> None:
    updates = [("updates", {"agent": {"messages": [message]}}) for message in ALL]
    assert [step.role for step in _read(*updates).steps] == ["user", "assistant", "tool", "assistant"]


def test_stream_of_messages_is_put_together_from_its_pieces() -> None:
    def piece(id_: str, content: str, **more: Any) -> tuple[str, Any]:
        return "messages", [{"type": "AIMessageChunk", "content": content, "id": id_} | more, {"langgraph_node": "a"}]

    draft = _read(
        ("messages", [HUMAN, {}]),
        piece("2", "", tool_call_chunks=[{"name": "web_search", "id": "c", "index": 0, "args": ""}]),
        piece("2", "", tool_call_chunks=[{"name": None, "id": None, "index": 0, "args": '{"q": '}]),
        piece("2", "", tool_call_chunks=[{"name": None, "id": None, "index": 0, "args": '"x"}'}]),
        ("messages", [FOUND, {}]),
        piece("4", "An"),
        piece("4", "n."),
    )
    (call,) = draft.steps[1].tool_calls
    assert (call.name, call.arguments, draft.steps[2].tool_results[0].call_id) == ("web_search", {"q": "x"}, call.id)
    assert draft.report == "Ann."
