"""What a model was given or gave back, in any framework's spelling, as chat messages of one spelling.

`{"role", "content", "tool_calls"?, "tool_call_id"?, "name"?, "reasoning_content"?}`, as `messages.read_message` reads.
"""

import re
from collections.abc import Mapping
from typing import Any

from workbench.ingest.loose import mapping as _map
from workbench.ingest.spans import langchain
from workbench.ingest.spans.values import as_text, decoded

_ROLES = {"model": "assistant", "ai": "assistant", "human": "user", "developer": "system", "function": "tool"}
_KNOWN = ("system", "user", "assistant", "tool")
_EVENT = re.compile(r"gen_ai\.(system|user|assistant|tool)\.message$")
_ROLE_LINE = re.compile(r"^(system|developer|user|assistant|tool): ", re.MULTILINE)
_MOST_LAYERS = 6
_WRAPS = (
    "messages",
    "generations",
    "contents",
    "choices",
    "candidates",
    "message",
    "output",
    "kwargs",
    "data",
    "input",
    "prompt",
)


def messages_of(value: object, default: str, depth: int = 0) -> list[dict[str, Any]]:
    """All messages in a value; a bare text is one of the role `default`. Nothing that is no message becomes one."""
    value = decoded(value)
    if depth > _MOST_LAYERS or value is None:
        return []
    if isinstance(value, str):
        return _from_text(value, default)
    if isinstance(value, list):
        if value and all(isinstance(item, Mapping) and item.get("type") in ("text", "output_text") for item in value):
            return [{"role": default, "content": list(value)}]
        if value and all(_is_call(item) for item in value):
            return [{"role": "assistant", "content": "", "tool_calls": [_call(item) for item in value]}]
        return [message for item in value for message in messages_of(item, default, depth + 1)]
    if not isinstance(value, Mapping):
        return []
    return _from_object(value, default, depth)


def _from_object(value: Mapping[str, Any], default: str, depth: int) -> list[dict[str, Any]]:
    if langchain.is_message(value) and "parts" not in value and value.get("type") != "message":
        return [langchain.chat_message(value)]
    if value.get("type") == "function_call" or (_is_call(value) and "role" not in value):
        return [{"role": "assistant", "content": "", "tool_calls": [_call(value)]}]
    if value.get("type") == "function_call_output":
        return [{"role": "tool", "tool_call_id": value.get("call_id"), "content": as_text(value.get("output"))}]
    if value.get("type") == "reasoning" and "role" not in value:
        return [{"role": "assistant", "content": [value]}]
    if (event := value.get("event.name")) and (found := _EVENT.search(str(event))) and "role" not in value:
        value = {**value, "role": found[1]}
    if isinstance(value.get("role"), str):
        return _from_message(value)
    if len(value) == 1 and (role := _ROLES.get(name := next(iter(value)), name)) in _KNOWN:
        return _single(role, value[name])
    instruction = _map(value.get("config")).get("system_instruction")
    before = messages_of(instruction, "system", depth + 1) if instruction else []
    for name in _WRAPS:
        if isinstance(value.get(name), list | Mapping) or (name in ("input", "prompt", "contents") and value.get(name)):
            return before + messages_of(value[name], default, depth + 1)
    content = value.get("content")
    if isinstance(content, Mapping) and ("parts" in content or "role" in content):
        return messages_of(content, default, depth + 1)
    if isinstance(content, str | list) and content:
        return [{"role": default, "content": content}]
    arguments = value.get("args")
    if isinstance(arguments, list) and all(isinstance(item, str) for item in arguments):
        return [{"role": default, "content": "\n".join(arguments)}]
    return before


def _from_message(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    role = _ROLES.get(value["role"].lower(), value["role"].lower())
    if role not in _KNOWN:
        # An agent's own name as the role: whatever speaks and is not the user is an agent.
        role = "assistant"
    parts = value.get("parts")
    if isinstance(parts, list):
        return _from_parts(role, parts)
    content = value.get("content", value.get("text"))
    if role == "tool" and _map(content).get("type") == "function" and "function" in _map(content):
        return []  # the description of a tool, which some tracers list among the messages
    out: dict[str, Any] = {"role": role, "content": content}
    if isinstance(contents := value.get("contents"), list):
        out["content"] = [_map(part).get("message_content", part) for part in contents]
    if isinstance(content, list) and any(_map(part).get("type") in ("tool_use", "tool_result") for part in content):
        return _from_parts(role, content)
    calls = decoded(value.get("tool_calls"))
    extra = _map(value.get("additional_kwargs"))
    if not isinstance(calls, list) or not calls:
        calls = extra.get("tool_calls")
    if isinstance(calls, list) and calls and role == "assistant":
        out["tool_calls"] = [_call(_map(call).get("tool_call", call)) for call in calls]
    for name in ("name", "tool_call_id", "reasoning_content"):
        if isinstance(found := value.get(name, extra.get(name)), str):
            out[name] = found
    if role == "tool" and "tool_call_id" not in out and isinstance(value.get("id"), str):
        out["tool_call_id"] = value["id"]
    if role in ("assistant", "tool") and "tool_calls" not in out and isinstance(content, str):
        inner = decoded(content)
        if isinstance(inner, list) and inner and all(_is_call(item) for item in inner):
            # Calls that a framework wrote down as the text of a message, sometimes even in the tool's name.
            return [{"role": "assistant", "content": "", "tool_calls": [_call(item) for item in inner]}]
    return [out]


def _from_parts(role: str, parts: list[Any]) -> list[dict[str, Any]]:
    """Parts of one message (OpenTelemetry, Gemini, Anthropic): results of tools become messages of their own."""
    out: list[dict[str, Any]] = []
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[dict[str, Any]] = []
    for part in parts:
        if not isinstance(part, Mapping):
            texts.append(as_text(part))
            continue
        kind = part.get("type")
        answer = _map(part.get("function_response") or part.get("functionResponse"))
        made = _map(part.get("function_call") or part.get("functionCall"))
        if answer or kind in ("tool_call_response", "tool_result"):
            given: Any = next((part[k] for k in ("response", "result", "content") if part.get(k) is not None), None)
            given = answer.get("response") if answer else given
            call_id = part.get("id") or part.get("tool_use_id") or answer.get("id")
            out.append({"role": "tool", "content": as_text(given), "tool_call_id": call_id or ""})
            if isinstance(name := part.get("name", answer.get("name")), str):
                out[-1]["name"] = name
        elif made or kind in ("tool_call", "tool_use"):
            calls.append(_call(made or part))
        elif "reasoning" in str(kind).lower() or kind == "thinking" or part.get("thought") is True:
            thoughts.append(next((as_text(part[k]) for k in ("content", "thinking", "text") if part.get(k)), ""))
        else:
            texts.append(next((part[k] for k in ("content", "text") if isinstance(part.get(k), str)), f"[{kind}]"))
    if texts or calls or thoughts:
        message: dict[str, Any] = {"role": role, "content": "\n".join(texts)}
        if thoughts:
            message["reasoning_content"] = "\n".join(thoughts)
        if calls:
            message["tool_calls"] = calls
        out.append(message)
    return out


def _single(role: str, value: object) -> list[dict[str, Any]]:
    """`{"ai": text or call or list of calls}`."""
    inner = decoded(value)
    items = inner if isinstance(inner, list) else [inner]
    if role == "assistant" and items and all(_is_call(item) for item in items):
        return [{"role": role, "content": "", "tool_calls": [_call(item) for item in items]}]
    return [{"role": role, "content": as_text(value)}]


def _is_call(value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    body = value["function"] if isinstance(value.get("function"), Mapping) else value
    return isinstance(body.get("name"), str) and any(k in body for k in ("args", "arguments")) and "role" not in value


def _call(value: object) -> dict[str, Any]:
    item = _map(value)
    body = item["function"] if isinstance(item.get("function"), Mapping) else item
    given: Any = next((body[k] for k in ("arguments", "args", "input") if body.get(k) is not None), {})
    own = item.get("call_id") or item.get("id")
    return {"id": own if isinstance(own, str) else "", "function": {"name": body.get("name"), "arguments": given}}


def _from_text(text: str, default: str) -> list[dict[str, Any]]:
    """`system: ...` and `user: ...` on lines of their own are messages; else the whole text is one."""
    if not text.strip() or text.strip() == "None":
        return []
    marks = list(_ROLE_LINE.finditer(text))
    if default != "user" or not marks or marks[0].start() != 0:
        return [{"role": default, "content": text}]
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return [
        {"role": _ROLES.get(mark[1], mark[1]), "content": text[mark.end() : end].strip()}
        for mark, end in zip(marks, ends, strict=True)
    ]
