"""Logs of agents' own runners."""

from typing import Any

from tests.workbench.ingest.format_examples.chats import REPORT, URL
from tests.workbench.ingest.format_examples.example import Example, encoded, lines, stream, zipped
from tests.workbench.store.examples import example_trajectory
from workbench.schema.trajectory import trajectory_to_json

QUESTION = "Which harbour has two lighthouses?"


def _atif(session: str, *steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    agent = {"name": session, "version": "1", "model_name": "m"}
    return {"schema_version": "ATIF-v1.7", "session_id": session, "agent": agent, "steps": list(steps), **more}


_SEARCHED = {
    "step_id": 2,
    "source": "agent",
    "message": "",
    "reasoning_content": "Look.",
    "tool_calls": [{"tool_call_id": "c1", "function_name": "web_search", "arguments": {"query": "a"}}],
    "observation": {
        "results": [{"source_call_id": "c1", "content": URL, "subagent_trajectory_ref": [{"session_id": "kid"}]}]
    },
}
_ASKED = {"step_id": 1, "source": "user", "message": QUESTION}
MAIN = _atif("top", _ASKED, _SEARCHED, continued_trajectory_ref="main.cont-1.json")
CONTINUED = _atif("top", _ASKED | {"is_copied_context": True}, {"source": "agent", "message": REPORT})
CHILD = _atif("kid", {"source": "user", "message": "part"}, {"source": "agent", "message": "found"})

_HASH = "a" * 32
SAMPLE = {
    "id": 7,
    "epoch": 1,
    "input": QUESTION,
    "messages": [
        {"role": "user", "content": f"attachment://{_HASH}"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "c", "function": "web_search", "arguments": {"query": "a"}}],
        },
        {"role": "tool", "content": URL, "tool_call_id": "c"},
        {"role": "assistant", "content": REPORT},
    ],
    "scores": {"match": {"value": "C"}},
    "attachments": {_HASH: QUESTION},
}
INSPECT = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}}

SWE = {
    "history": [
        {"role": "system", "content": "rules", "agent": "main"},
        {"role": "user", "content": "example", "is_demo": True, "agent": "main"},
        {"role": "user", "content": "Mend the lamp.", "agent": "main"},
        {"role": "assistant", "content": "look", "action": "open lamp.py", "agent": "main"},
        {"role": "user", "content": "code", "agent": "main"},
        {"role": "assistant", "content": "done", "action": "submit", "agent": "main"},
    ],
    "trajectory": [
        {"action": "open lamp.py", "observation": "code", "response": "look", "execution_time": 0.5},
        {"action": "submit", "observation": "diff", "response": "done"},
    ],
    "info": {"exit_status": "submitted", "submission": "diff"},
}
_STEP = {"thought": "look", "action": "web_search", "action_input": {"query": "it's"}, "observation": URL}
RUNNER = {"question": QUESTION, "steps": [_STEP, repr(_STEP)], "final_answer": REPORT}

_WRITES = {
    "type": "ai",
    "content": "",
    "tool_calls": [
        {"name": "write_file", "args": {"path": "/out/vell.md", "content": REPORT}, "id": "c1", "type": "tool_call"}
    ],
    "additional_kwargs": {"reasoning_content": "Write."},
}
THREAD = {
    "values": {
        "messages": [
            {"type": "human", "content": [{"type": "text", "text": QUESTION}]},
            _WRITES,
            {"type": "tool", "name": "write_file", "tool_call_id": "c1", "content": "OK", "status": "success"},
            {"type": "ai", "content": ""},
        ],
        "artifacts": ["/out/vell.md"],
    },
    "next": [],
}


def _said(id_: str, agent: str, content: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return "message_chunk", {
        "thread_id": "t",
        "agent": agent,
        "id": id_,
        "role": "assistant",
        "content": content,
        **more,
    }


REPLAY = stream(
    ("message_chunk", {"thread_id": "t", "id": "u1", "role": "user", "content": QUESTION}),
    _said("a1", "researcher", "Let me "),
    (
        "tool_calls",
        {
            "thread_id": "t",
            "agent": "researcher",
            "id": "a1",
            "role": "assistant",
            "tool_calls": [{"name": "web_search", "args": {}, "id": "c0"}],
            "tool_call_chunks": [{"name": "web_search", "args": '{"query"', "id": "c0", "index": 0}],
        },
    ),
    (
        "tool_call_chunks",
        {
            "thread_id": "t",
            "agent": "researcher",
            "id": "a1",
            "role": "assistant",
            "tool_call_chunks": [{"name": None, "args": ': "a"}', "id": "", "index": 0}],
        },
    ),
    (
        "tool_call_result",
        {
            "thread_id": "t",
            "agent": "researcher",
            "id": "r1",
            "role": "assistant",
            "tool_call_id": "c0",
            "content": URL,
        },
    ),
    _said("a2", "reporter", REPORT, finish_reason="stop"),
)

EXAMPLES: tuple[Example, ...] = (
    lines("native", dict(trajectory_to_json(example_trajectory()))),
    Example("atif", {"main.json": encoded(MAIN), "main.cont-1.json": encoded(CONTINUED), "kid.json": encoded(CHILD)}),
    lines("inspect-log", INSPECT | {"samples": [SAMPLE, SAMPLE | {"epoch": 2}]}, trajectories=2),
    Example(
        "inspect-log",
        {
            "example.eval": zipped(
                {
                    "_journal/start.json": INSPECT,
                    "samples/7_epoch_1.json": SAMPLE,
                    "samples/7_epoch_2.json": SAMPLE | {"epoch": 2},
                    "header.json": INSPECT,
                }
            )
        },
        2,
        contained=True,
    ),
    lines("swe-agent", SWE, name="example.traj"),
    lines("step-runner", RUNNER),
    lines("langgraph-thread", THREAD, name="1.thread.json"),
    lines(
        "openhands",
        {"id": 0, "source": "user", "action": "message", "args": {"content": QUESTION}},
        {"id": 1, "source": "agent", "action": "browse", "args": {"url": URL, "thought": "look"}},
        {"id": 2, "source": "agent", "observation": "browse", "cause": 1, "content": "a page", "extras": {}},
        {"id": 3, "source": "agent", "action": "finish", "args": {"final_thought": REPORT}},
    ),
    lines("message-log", {"role": "user", "content": QUESTION}, {"role": "assistant", "content": REPORT}),
    Example("deerflow-replay", {"example.txt": REPLAY}, contained=True),
)
