"""Traces of spans."""

import json
from typing import Any

from tests.workbench.ingest.format_examples.chats import REPORT, URL
from tests.workbench.ingest.format_examples.example import Example, lines
from tests.workbench.ingest.spans_of_traces import batch, chat, monocle, otlp, parts

QUESTION = "Which harbour has two lighthouses?"
_ASKED = json.dumps([json.dumps({"human": QUESTION})])
_CALLS = json.dumps({"ai": {"name": "web_search", "args": {"query": "a"}, "id": "c1", "type": "tool_call"}})


def flat(trace: str) -> list[dict[str, Any]]:
    """Five flat spans of one trace in the order in which they ended."""
    return [
        monocle("l1b", "l1", "inference.modelapi", (1, 2), trace=trace),
        monocle("l1", "turn", "inference.framework", (1, 2), given=_ASKED, came=_CALLS, trace=trace),
        monocle(
            "s1",
            "turn",
            "agentic.tool.invocation",
            (3, 4),
            tool="web_search",
            given="{'query': 'a', 'max_results': 5}",
            came=URL,
            trace=trace,
        ),
        monocle(
            "l2",
            "turn",
            "inference.framework",
            (5, 6),
            given=_ASKED,
            came=json.dumps({"ai": f"{REPORT} {trace}"}),
            trace=trace,
        ),
        monocle(
            "turn", None, "agentic.turn", (0, 9), given=json.dumps([QUESTION]), came=f"{REPORT} {trace}", trace=trace
        ),
    ]


_USER = parts("user", {"type": "text", "content": QUESTION})
_CALL = parts("assistant", {"type": "tool_call", "id": "c1", "name": "web_search", "arguments": {"query": "a"}})
_REPLY = parts("tool", {"type": "tool_call_response", "id": "c1", "response": URL})
_END = parts("assistant", {"type": "reasoning", "content": "So."}, {"type": "text", "content": REPORT})
_OP, _IN, _OUT = "gen_ai__operation__name", "gen_ai__input__messages", "gen_ai__output__messages"
_FIRST = otlp("l1", 1, **{_OP: "chat", _IN: chat(_USER), _OUT: chat(_CALL)})
_TOOL = otlp("s1", 2, **{_OP: "execute_tool", "gen_ai__tool__name": "web_search", "gen_ai__tool__call__id": "c1"})
_SECOND = otlp("l2", 3, **{_OP: "chat", _IN: chat(_USER, _CALL, _REPLY), _OUT: chat(_END)})
_OTHER = otlp("l3", 1, trace="t2", **{_OP: "chat", _IN: chat(_USER), _OUT: chat(_END)})


def _observed(id_: str, kind: str, at: int, given: Any, came: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "traceId": "t",
        "parentObservationId": None,
        "type": kind,
        "name": more.pop("name", id_),
        "startTime": f"2026-01-01T00:00:{at:02}.000Z",
        "endTime": f"2026-01-01T00:00:{at + 1:02}.000Z",
        "input": given if isinstance(given, str) else json.dumps(given),
        "output": came if isinstance(came, str) else json.dumps(came),
        **more,
    }


_MESSAGE = {"role": "user", "content": QUESTION}
_TOOL_CALL = {"id": "c1", "type": "function", "function": {"name": "web-search", "arguments": '{"query": "a"}'}}
LANGFUSE = {
    "trace": {"id": "t", "input": None, "output": None, "scores": []},
    "observations": [
        _observed(
            "g2", "GENERATION", 5, [_MESSAGE], {"choices": [{"message": {"role": "assistant", "content": REPORT}}]}
        ),
        _observed("s1", "SPAN", 3, "{'query': 'a'}", {"content": URL, "type": "tool"}, name="Web-Search"),
        _observed("g1", "GENERATION", 1, [_MESSAGE], {"role": "assistant", "content": "", "tool_calls": [_TOOL_CALL]}),
    ],
}

EXAMPLES: tuple[Example, ...] = (
    lines("otel-spans", *flat("0xt"), *flat("0xu"), trajectories=2),
    lines("otlp", batch(_SECOND, _OTHER), batch(_FIRST, _TOOL), trajectories=2),
    lines("langfuse", LANGFUSE),
)
