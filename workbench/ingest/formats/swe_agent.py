"""SWE-agent `.traj`: `history` (chat messages, demonstrations among them) and `trajectory` (action and observation).

The mini agent's files have `messages` in their place, whose actions are commands in a fence of the text.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Format, Record, checked, other_fields
from workbench.ingest.messages import CallBook, content_text, last_word, looks_like_error, read_message
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Outcome, Step, ToolCall, ToolResult

_OWN = frozenset({"history", "info", "environment", "replay_config"})
_COMMAND = re.compile(r"```(?:bash|sh|mswea_bash_command)[ \t]*\n(.*?)\n?```", re.DOTALL)


class _Traj(Record):
    history: list[dict[str, Any]] = Field(default=[])
    trajectory: list[dict[str, Any]] = Field(default=[])


def detect(record: Mapping[str, Any]) -> bool:
    history, trajectory = record.get("history"), record.get("trajectory")
    if _is_mini(record):
        return True
    if _has(trajectory, "action") and _has(trajectory, "observation"):
        # Other runners keep such lists too.
        return not _OWN.isdisjoint(record) or _has(trajectory, "query") or _has(trajectory, "execution_time")
    return _has(history, "role") and (_has(history, "action") or _has(history, "message_type"))


def _is_mini(record: Mapping[str, Any]) -> bool:
    info = record.get("info")
    known = isinstance(info, Mapping) and {"exit_status", "submission"} <= info.keys()
    return known and _has(record.get("messages"), "role") and "history" not in record


def _mini_history(messages: list[Any]) -> list[dict[str, Any]]:
    made = [dict(message) for message in messages if isinstance(message, Mapping)]
    for message in made:
        if message.get("role") == "assistant" and not message.get("tool_calls"):
            text, _ = content_text(message.get("content"))
            if found := _COMMAND.search(text):
                message["action"] = found[1]
    return made


def _has(items: object, name: str) -> bool:
    return isinstance(items, list) and any(isinstance(item, Mapping) and name in item for item in items[:50])


def read(record: Mapping[str, Any]) -> Draft:
    """The report is the submitted patch; without one, what the agent said last. Demonstrations are no steps."""
    if _is_mini(record):
        messages = _mini_history(record["messages"])
        record = {**{name: value for name, value in record.items() if name != "messages"}, "history": messages}
    found = checked(_Traj, record)
    own = [message for message in found.history if message.get("is_demo") is not True]
    if not own:
        own = _from_trajectory(found.trajectory)
    steps = _steps(own, found.trajectory)
    question = next((step.text.strip() for step in steps if step.role == "user" and step.text.strip()), "")
    if not question:
        raise BadInputError("there is no user message outside the demonstrations; expected the task in it")
    if not any(step.role == "assistant" for step in steps):
        raise BadInputError("there is no step of the agent; expected at least one action")
    info = record.get("info")
    info = info if isinstance(info, Mapping) else {}
    submission = info.get("submission")
    report = submission if isinstance(submission, str) and submission.strip() else last_word(steps)
    meta: dict[str, JsonValue] = dict(other_fields(record, "history", "trajectory", "info"))
    meta |= {f"info_{name}": value for name, value in other_fields(info, "submission").items()}
    if demos := len(found.history) - len([m for m in found.history if m.get("is_demo") is not True]):
        meta["demonstration_messages"] = demos
    return Draft(question=question, steps=steps, report=report, outcome=_outcome(info, steps), meta=meta)


def _from_trajectory(trajectory: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Messages made from actions and observations; the prompt stands in the first item's `messages` or `query`."""
    prompt: list[Any] = next(
        (trajectory[0][k] for k in ("messages", "query") if trajectory and trajectory[0].get(k)), []
    )
    messages = [m for m in prompt if isinstance(m, Mapping) and m.get("is_demo") is not True]
    made: list[dict[str, Any]] = [dict(message) for message in messages]
    for item in trajectory:
        made.append({"role": "assistant", "content": item.get("response") or "", "action": item.get("action")})
        made.append({"role": "user", "content": item.get("observation") or ""})
    return made


def _steps(messages: Sequence[Mapping[str, Any]], trajectory: Sequence[Mapping[str, Any]]) -> tuple[Step, ...]:
    calls, steps, done, waiting = CallBook(), [], 0, False
    several = len({str(message.get("agent")) for message in messages if message.get("agent")}) > 1
    for position, message in enumerate(messages):
        agent = str(message.get("agent") or "") if several else ""
        action = message.get("action")
        if message.get("role") == "assistant":
            step = read_message(position, message, calls)
            made = _calls(step, action, calls)
            steps.append(Step("assistant", step.text, step.reasoning, made, agent=agent))
            waiting = bool(made)
            done += isinstance(action, str)
        elif waiting and message.get("role") in ("user", "tool"):
            text, _ = content_text(message.get("content"))
            steps.append(_answer(message, text, calls, _time(trajectory, done - 1), agent))
            waiting = bool(calls.waiting)
        else:
            step = read_message(position, message, calls)
            steps.append(Step(step.role, step.text, tool_results=step.tool_results, agent=agent))
    if waiting and 0 < done <= len(trajectory):
        # What the last action gave stands in `trajectory` only: no further message was made of it.
        last = trajectory[done - 1]
        if isinstance(last.get("observation"), str) and done == len(trajectory):
            steps.append(_answer({}, last["observation"], calls, _time(trajectory, done - 1), steps[-1].agent))
    return tuple(steps)


def _calls(step: Step, action: object, calls: CallBook) -> tuple[ToolCall, ...]:
    """Every tool of this agent is a command of its shell: `open` opens a file there, not a page."""
    if step.tool_calls:
        return tuple(ToolCall(call.id, call.name, "code", call.arguments) for call in step.tool_calls)
    if not isinstance(action, str) or not action.strip():
        return ()
    name = action.split()[0]
    return (ToolCall(calls.open([("", name)])[0], name, "code", {"command": action}),)


def _answer(message: Mapping[str, Any], text: str, calls: CallBook, time: float | None, agent: str) -> Step:
    ids = message.get("tool_call_ids")
    source = ids[0] if isinstance(ids, list) and ids and isinstance(ids[0], str) else ""
    result = ToolResult(calls.answer(source), text, looks_like_error(text))
    return Step("tool", tool_results=(result,), duration_s=time, agent=agent)


def _time(trajectory: Sequence[Mapping[str, Any]], index: int) -> float | None:
    value = trajectory[index].get("execution_time") if 0 <= index < len(trajectory) else None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _outcome(info: Mapping[str, Any], steps: Sequence[Step]) -> Outcome:
    status = info.get("exit_status")
    if isinstance(status, str) and status:
        return "completed" if status.lower() == "submitted" else "failed" if "error" in status.lower() else "truncated"
    submitted = info.get("submission") or any(call.name == "submit" for step in steps[-2:] for call in step.tool_calls)
    return "completed" if submitted else "unknown"


FORMAT = Format(
    name="swe-agent",
    looks_like='{"trajectory": [{"action", "observation"}], "history": [{"role", "agent", "message_type"}], "info"}',
    detect=detect,
    read=read,
)
