"""Streams kept as one event a line: one trajectory a reply, whatever stands between."""

from typing import Any

from workbench.ingest.candidates import Candidates
from workbench.ingest.folder import NoFolder
from workbench.ingest.splitter import RawRecord


def read(*events: dict[str, Any]) -> list[Any]:
    records = (RawRecord(b"", number, value=event) for number, event in enumerate(events, 1))
    found = []
    for candidate in Candidates(records, NoFolder("x.chunks.txt")):
        assert candidate.format is not None
        assert candidate.format.name == "provider-stream"
        value: Any = candidate.record.value
        found.append(candidate.format.read(value))
    return found


def created(name: str) -> dict[str, Any]:
    return {"type": "response.created", "response": {"id": name, "model": "m", "output": []}}


def delta(text: str) -> dict[str, Any]:
    return {"type": "response.output_text.delta", "item_id": "i", "delta": text}


def test_each_beginning_is_a_reply() -> None:
    one, two = read(created("a"), delta("O"), delta("ne."), created("b"), delta("Two."))
    assert (one.report, two.report) == ("One.", "Two.")
    assert one.outcome == "truncated"  # no event says that it was completed


def test_the_last_event_holds_the_whole_reply() -> None:
    call = {"type": "web_search_call", "id": "ws", "action": {"type": "search", "query": "q"}}
    text = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "One."}]}
    whole = {"id": "a", "object": "response", "status": "completed", "output": [call, text]}
    (draft,) = read(created("a"), delta("O"), {"type": "response.completed", "response": whole})
    assert (draft.report, draft.outcome) == ("One.", "completed")
    assert sum(len(step.tool_calls) for step in draft.steps) == 1


def test_pieces_of_several_replies_by_their_names() -> None:
    def piece(name: str, text: str) -> dict[str, Any]:
        return {"responseId": name, "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}}]}

    assert [draft.report for draft in read(piece("a", "On"), piece("b", "Two."), piece("a", "e."))] == ["One.", "Two."]
