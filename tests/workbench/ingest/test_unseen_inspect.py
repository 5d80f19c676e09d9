"""Inspect logs as other versions and other users keep them."""

from typing import Any

from workbench.ingest.formats import inspect_log
from workbench.ingest.registry import detect_format

ASKED: dict[str, Any] = {"role": "user", "content": "Who built it?"}
CALLED = {
    "role": "assistant",
    "content": "",
    "tool_calls": [{"id": "c", "function": "web_search", "arguments": {"q": "x"}}],
}
FOUND = {"role": "tool", "tool_call_id": "c", "function": "web_search", "content": "hit"}
SAID = {"role": "assistant", "content": "Ann."}


def _model(said: dict[str, Any], *given: dict[str, Any], **more: Any) -> dict[str, Any]:
    output = {"model": "m", "choices": [{"message": said, "stop_reason": "stop"}]}
    return {"event": "model", "model": "m", "input": list(given), "output": output, **more}


def _told(draft: Any) -> list[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    return [
        (s.role, s.text, tuple(c.name for c in s.tool_calls), tuple(r.text for r in s.tool_results))
        for s in draft.steps
    ]


WHOLE = [
    ("user", "Who built it?", (), ()),
    ("assistant", "", ("web_search",), ()),
    ("tool", "", (), ("hit",)),
    ("assistant", "Ann.", (), ()),
]


def test_events_alone_are_a_trajectory() -> None:
    events = [_model(CALLED, ASKED), _model(SAID, ASKED, CALLED, FOUND)]
    record = {"description": "d", "events": events, "expected": {}}
    assert detect_format(record) is inspect_log.FORMAT
    draft = inspect_log.read(record)
    assert _told(draft) == WHOLE
    assert (draft.report, draft.model) == ("Ann.", "m")


def test_events_without_an_answer_of_a_model_are_none() -> None:
    silent = {"event": "model", "model": "m", "input": [], "output": {}}
    assert detect_format({"description": "d", "events": [{"event": "span_begin"}, silent], "expected": {}}) is None


def test_sample_whose_messages_were_not_kept_is_read_from_its_events_and_their_pool() -> None:
    pool = [ASKED, CALLED, FOUND]
    first = _model(CALLED, input_refs=[[0, 1]])
    tool = {"event": "tool", "id": "c", "function": "web_search", "arguments": {"q": "x"}, "result": "hit"}
    sample = {
        "id": 1,
        "epoch": 2,
        "input": "Who built it?",
        "messages": [],
        "events": [first, tool, _model(SAID, input_refs=[[0, 3]])],
        "events_data": {"messages": pool, "calls": []},
    }
    draft = inspect_log.read(sample)
    assert _told(draft) == WHOLE
    assert draft.attempt == 1


def test_two_agents_that_say_the_same_are_two_turns() -> None:
    events = [
        {"event": "span_begin", "id": "a", "name": "lead", "type": "agent"},
        _model({"role": "assistant", "content": "ok"}, ASKED, span_id="a"),
        {"event": "span_begin", "id": "b", "name": "helper", "type": "agent", "parent_id": "a"},
        _model({"role": "assistant", "content": "ok"}, {"role": "user", "content": "help"}, span_id="b"),
    ]
    said = [(s.agent, s.text) for s in inspect_log.read({"events": events}).steps if s.role == "assistant"]
    assert said == [("lead", "ok"), ("helper", "ok")]
