"""SWE-agent trajectories: demonstrations apart, actions tied to observations."""

import json
from typing import Any

from tests.support.shared_data import shared
from workbench.ingest.formats.swe_agent import FORMAT

HISTORY: list[dict[str, Any]] = [
    {"role": "system", "content": "rules", "agent": "main"},
    {"role": "user", "content": "example", "is_demo": True, "agent": "main"},
    {"role": "assistant", "content": "demo", "action": "ls", "is_demo": True, "agent": "main"},
    {"role": "user", "content": "fix it", "agent": "main"},
    {"role": "assistant", "content": "look", "action": "open a.py", "agent": "main"},
    {"role": "user", "content": "code", "agent": "main"},
    {"role": "assistant", "content": "done", "action": "submit", "agent": "main"},
]
TRAJECTORY = [
    {"action": "open a.py", "observation": "code", "response": "look", "execution_time": 0.5},
    {"action": "submit", "observation": "diff", "response": "done"},
]


def test_demonstrations_are_no_steps_and_the_last_observation_is_found() -> None:
    record = {"history": HISTORY, "trajectory": TRAJECTORY, "info": {"exit_status": "submitted", "submission": "diff"}}
    assert FORMAT.detect(record)
    draft = FORMAT.read(record)
    assert (draft.question, draft.report, draft.outcome) == ("fix it", "diff", "completed")
    assert [call.name for step in draft.steps for call in step.tool_calls] == ["open", "submit"]
    results = [result for step in draft.steps for result in step.tool_results]
    assert [result.text for result in results] == ["code", "diff"]
    assert all(result.call_id for result in results)
    assert [step.duration_s for step in draft.steps if step.role == "tool"] == [0.5, None]
    assert draft.meta["demonstration_messages"] == 2


def test_history_alone_is_read() -> None:
    record = {"history": [dict(message, message_type="action") for message in HISTORY]}
    assert FORMAT.detect(record)
    assert FORMAT.read(record).outcome == "completed"


def test_several_agents_are_named() -> None:
    changed = [*HISTORY[:5], HISTORY[5] | {"agent": "sub"}, HISTORY[6]]
    assert {step.agent for step in FORMAT.read({"history": changed}).steps} == {"main", "sub"}


def test_all_shared_trajectories_are_read() -> None:
    paths = sorted(shared("swe-agent-traj").glob("*.traj"))
    assert len(paths) == 15
    for path in paths:
        record = json.loads(path.read_bytes())
        assert FORMAT.detect(record)
        draft = FORMAT.read(record)
        own = [m for m in record["history"] if m["role"] == "assistant" and not m.get("is_demo")]
        assert len(own) == sum(step.role == "assistant" for step in draft.steps), path.name
        answered = {result.call_id for step in draft.steps for result in step.tool_results}
        assert "" not in answered
