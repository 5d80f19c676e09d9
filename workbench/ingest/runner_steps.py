"""Steps of an agent runner's own log ({thought, action, action_input, observation} by any of their names) to steps.

Standard library only, as `messages` is.
"""

import ast
import json
from collections.abc import Mapping, Sequence
from typing import Any

from workbench.ingest.messages import CallBook, content_text, looks_like_error, parse_arguments
from workbench.ingest.tool_kinds import tool_kind
from workbench.schema.canonical import JsonObject
from workbench.schema.trajectory import Step, ToolCall, ToolResult

THOUGHTS = ("thought", "thinking", "thoughts", "reasoning")
SAID = ("model_output", "response", "message", "content", "text")
ACTIONS = ("action", "tool", "tool_name", "function")
INPUTS = ("action_input", "args", "tool_input", "tool_args", "arguments", "parameters", "input", "params")
RESULTS = ("observation", "observations", "result", "output", "tool_output", "tool_result", "action_output")
ANSWER_ACTIONS = frozenset({"done", "finish", "final_answer", "final answer", "answer", "submit", "none"})
_LONGEST_REPR_CHARS = 2_000_000
_DEEPEST_REPR = 60


def is_runner_step(value: object) -> bool:
    """Whether a value is one step of such a log: an object (or the Python repr of one) with an action or a result."""
    step = unpacked(value)
    if isinstance(step, Sequence) and not isinstance(step, str):
        return len(step) == 2 and isinstance(step[0], Mapping) and "tool" in step[0]
    if not isinstance(step, Mapping) or "role" in step:
        return False
    keys = step.keys()
    return any(name in keys for name in (*ACTIONS, "tool_calls", "model_output", "code_action")) and any(
        name in keys for name in (*THOUGHTS, *INPUTS, *RESULTS, "model_output")
    )


def read_runner_steps(raw: Sequence[object]) -> tuple[tuple[Step, ...], str]:
    """(steps, the answer that an answering action gave, empty if none). What is no step stays as its text.

    A step without action is what the agent said; an action named final_answer or finish is its answer, no call.
    """
    book = CallBook()
    steps: list[Step] = []
    answer = ""
    for value in raw:
        item = unpacked(value)
        if isinstance(item, Sequence) and not isinstance(item, str) and len(item) == 2:
            item = _pair(item)
        if isinstance(item, Mapping):
            item = _of_browser(item)
        if not isinstance(item, Mapping):
            steps.append(Step(role="assistant", text=item if isinstance(item, str) else _as_text(item)))
            continue
        if isinstance(item.get("system_prompt"), str | Mapping):
            steps.append(Step(role="system", text=_as_text(item["system_prompt"])))
            continue
        if isinstance(item.get("task"), str) and not is_runner_step(item):
            steps.append(Step(role="user", text=item["task"]))
            continue
        calls = _calls(item)
        given = [arguments for _, name, arguments in calls if name.strip().lower() in ANSWER_ACTIONS]
        calls = [call for call in calls if call[1].strip().lower() not in ANSWER_ACTIONS]
        said = _first(item, SAID)
        if given:
            answer = _answer_of(given[-1])
            if not said and not calls:
                said = answer
        thought = "\n".join(part for name in THOUGHTS if (part := _first(item, (name,))))
        ids = book.open([(source, name) for source, name, _ in calls]) if calls else []
        made = tuple(ToolCall(i, n, tool_kind(n), a) for i, (_, n, a) in zip(ids, calls, strict=True))
        duration = _seconds(item)
        if said or thought or made:
            steps.append(
                Step(
                    role="assistant",
                    text=said,
                    reasoning=thought,
                    tool_calls=made,
                    duration_s=duration,
                    agent=_agent(item),
                )
            )
        results = _results(item, len(made)) if made else []
        if results:
            failed = bool(item.get("error"))
            steps.append(
                Step(
                    role="tool",
                    tool_results=tuple(
                        ToolResult(own, text, failed or looks_like_error(text))
                        for own, text in zip(ids, results, strict=False)
                    ),
                    agent=_agent(item),
                )
            )
        if item.get("is_final_answer") is True:
            answer = _first(item, ("action_output",)) or answer
    return tuple(steps), answer


def _of_browser(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """A browser agent's step (`{"model_output": {"next_goal", "action": [{name: arguments}]}, "result": [...]}`) with
    its actions as calls; any other step as it is."""
    output, results = item.get("model_output"), item.get("result")
    actions = output.get("action") if isinstance(output, Mapping) else None
    if not isinstance(output, Mapping) or not isinstance(actions, list):
        return item
    named = [next(iter(action.items())) for action in actions if isinstance(action, Mapping) and action]
    found = [result for result in results if isinstance(result, Mapping)] if isinstance(results, list) else []
    texts = [
        _as_text(result.get("extracted_content"))
        or (f"Error: {_as_text(error)}" if (error := result.get("error")) else "")
        for result in found
    ]
    state = output.get("current_state")
    told = {**state, **output} if isinstance(state, Mapping) else output
    thoughts = (_as_text(told.get(name)) for name in ("thinking", "evaluation_previous_goal", "memory", "next_goal"))
    metadata = item.get("metadata")
    times = metadata if isinstance(metadata, Mapping) else {}
    began, ended = times.get("step_start_time"), times.get("step_end_time")
    took = ended - began if isinstance(began, int | float) and isinstance(ended, int | float) else None
    return {
        "thought": "\n".join(thought for thought in thoughts if thought),
        "tool_calls": [{"name": str(name), "arguments": arguments} for name, arguments in named],
        "observations": texts[0] if len(texts) == 1 else texts,
        **({} if took is None else {"duration": took}),
    }


def unpacked(value: object) -> object:
    """A step that stands as JSON or as a Python repr in a text, as what it stands for; else the value itself."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "(", "["):
        return value
    try:
        return json.loads(value, strict=False)
    except (ValueError, RecursionError):
        pass
    return literal(value)


def literal(text: str) -> object:
    """A Python literal's value, the text itself where it is none, too long, or nested too deep. Runs no code."""
    if len(text) > _LONGEST_REPR_CHARS or _depth(text) > _DEEPEST_REPR:
        return text
    try:
        value = ast.literal_eval(text.strip())
        json.dumps(value, allow_nan=False)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text
    return value if isinstance(value, dict | list | tuple) else text


def _depth(text: str) -> int:
    """An upper bound of the nesting: brackets inside texts count too."""
    deepest = depth = 0
    for char in text:
        if char in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in ")]}":
            depth -= 1
    return deepest


def _pair(pair: Sequence[object]) -> object:
    """LangChain's intermediate step: (action, observation)."""
    action, observation = pair
    if not isinstance(action, Mapping):
        return {"thought": _as_text(action), "observation": observation}
    return {
        "thought": _before_action(action.get("log")),
        **{k: v for k, v in action.items() if k != "log"},
        "observation": observation,
    }


def _before_action(log: object) -> str:
    text = log if isinstance(log, str) else ""
    return text.split("\nAction:")[0].removeprefix("Thought:").strip()


def _calls(item: Mapping[str, Any]) -> list[tuple[str, str, JsonObject]]:
    listed = item.get("tool_calls")
    if isinstance(listed, list) and listed:
        found = []
        for call in listed:
            if isinstance(call, Mapping):
                body = call.get("function")
                inner = body if isinstance(body, Mapping) else call
                given = next((inner[name] for name in INPUTS if inner.get(name) is not None), None)
                source = call.get("id")
                found.append(
                    (source if isinstance(source, str) else "", _first(inner, ("name", "tool")), _arguments(given))
                )
        return found
    for name in ACTIONS:
        action = item.get(name)
        if isinstance(action, Mapping):
            tool = _first(action, ("name", "tool", "tool_name", "type", "action"))
            given = next((action[key] for key in INPUTS if action.get(key) is not None), None)
            rest = {key: value for key, value in action.items() if key not in ("name", "tool", "tool_name", "type")}
            return [("", tool, _arguments(given if given is not None else rest))] if tool else []
        if isinstance(action, str) and action.strip():
            given = next((item[key] for key in INPUTS if item.get(key) is not None), None)
            if given is None and (call := _written_call(action)):
                return [call]
            return [("", action.strip(), _arguments(given))]
    code = item.get("code_action")
    return [("", "python_interpreter", {"code": code})] if isinstance(code, str) and code.strip() else []


def _written_call(action: str) -> tuple[str, str, JsonObject] | None:
    """`Search[query]` and `search(query)`, as ReAct prompts have them."""
    text = action.strip()
    for opening, closing in (("[", "]"), ("(", ")")):
        name, bracket, rest = text.partition(opening)
        if bracket and rest.endswith(closing) and name.strip().replace("_", "").replace(".", "").isalnum():
            return "", name.strip(), {"input": rest[:-1].strip().strip("\"'")}
    return None


def _arguments(raw: object) -> JsonObject:
    value = unpacked(raw)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, str):
        return {"input": value} if value.strip() else {}
    return parse_arguments(value)


def _results(item: Mapping[str, Any], calls: int) -> list[str]:
    """The texts of the results, one where they are not a list of as many as calls."""
    for name in RESULTS:
        value = item.get(name)
        if value is None or value == "":
            continue
        if isinstance(value, list) and calls > 1 and len(value) == calls:
            return [_as_text(part) for part in value]
        return [_as_text(value)]
    error = item.get("error")
    return [_as_text(error)] if error else []


def _answer_of(arguments: JsonObject) -> str:
    for name in ("answer", "final_answer", "report", "input", "output", "text"):
        if isinstance(value := arguments.get(name), str):
            return value.strip()
    return _as_text(arguments) if arguments else ""


def _first(item: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((text for name in names if (text := _as_text(item.get(name)).strip())), "")


def _as_text(value: object) -> str:
    if isinstance(value, Mapping) and isinstance(value.get("content"), str):
        return str(value["content"])
    if isinstance(value, Mapping) and isinstance(value.get("message"), str):
        return str(value["message"])
    if isinstance(value, tuple):
        value = list(value)
    text, _ = content_text(value) if isinstance(value, str | list | Mapping) or value is None else (str(value), "")
    return text


def _seconds(item: Mapping[str, Any]) -> float | None:
    value = next((item[name] for name in ("duration_s", "duration", "step_duration") if name in item), None)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else None


def _agent(item: Mapping[str, Any]) -> str:
    value = item.get("agent", item.get("agent_name"))
    return value if isinstance(value, str) else ""
