"""LangChain messages, in each of the three ways in which they are written down, to chat messages.

`{"type": "ai", "content", ...}` (LangGraph state), `{"type": "ai", "data": {...}}` (`messages_to_dict`), and
`{"lc": 1, "type": "constructor", "id": [..., "AIMessage"], "kwargs": {...}}` (`langchain_core.load.dumps`).
"""

import re
from collections.abc import Mapping
from typing import Any

_ROLES = {
    "human": "user",
    "user": "user",
    "ai": "assistant",
    "assistant": "assistant",
    "aimessagechunk": "assistant",
    "tool": "tool",
    "function": "tool",
    "system": "system",
    "developer": "system",
}
_CLASS_END = re.compile(r"message(?:chunk)?$")
# What a framework puts before the user's words, or sends in the user's name between two turns.
_REMINDER = re.compile(
    r"\s*<(uploaded_files|system[-_]reminder|system[-_]context|memory|current_date)>.*?</\1>\s*", re.DOTALL
)


def is_message(value: object) -> bool:
    return isinstance(value, Mapping) and role_of(value) != "" and "role" not in value


def role_of(message: Mapping[str, Any]) -> str:
    """Role of the chat message that this would be, empty where it is no LangChain message."""
    kind = message.get("type")
    if kind == "constructor" and isinstance(message.get("id"), list) and message["id"]:
        kind = _CLASS_END.sub("", str(message["id"][-1]).lower())
        return _ROLES.get(kind, "")
    if not isinstance(kind, str) or not ("content" in message or isinstance(message.get("data"), Mapping)):
        return ""
    return _ROLES.get(kind, "") or _ROLES.get(_CLASS_END.sub("", kind.lower()), "")


def body_of(message: Mapping[str, Any]) -> Mapping[str, Any]:
    """The message's own fields, out of whatever it is wrapped in."""
    inner = message.get("kwargs") if message.get("type") == "constructor" else message.get("data")
    return inner if isinstance(inner, Mapping) else message


def chat_message(message: Mapping[str, Any]) -> dict[str, Any]:
    """As a chat message that `messages.read_message` reads. A message in the user's name that only reminds the agent of
    something becomes a system message."""
    role, body = role_of(message), body_of(message)
    extra = body.get("additional_kwargs")
    extra = extra if isinstance(extra, Mapping) else {}
    content = body.get("content")
    if isinstance(content, list):
        # The calls stand in `tool_calls` as well.
        content = [part for part in content if not _is_call(part)]
    out: dict[str, Any] = {"role": role or str(message.get("type")), "content": content}
    if role == "user" and (extra.get("hide_from_ui") is True or is_reminder(content)):
        out["role"] = "system"
    if isinstance(reasoning := extra.get("reasoning_content"), str):
        out["reasoning_content"] = reasoning
    for name in ("name", "tool_call_id", "status"):
        if isinstance(body.get(name), str):
            out[name] = body[name]
    calls = [*_list(body.get("tool_calls")), *_list(body.get("invalid_tool_calls"))]
    if role == "assistant":
        out["tool_calls"] = [_call(call) for call in calls] or _list(extra.get("tool_calls"))
        if not out["tool_calls"] and isinstance(extra.get("function_call"), Mapping):
            out["function_call"] = extra["function_call"]
    return out


def without_reminders(text: str) -> str:
    """The user's own words, without the blocks that the framework put before them."""
    while (found := _REMINDER.match(text)) is not None:
        text = text[found.end() :]
    return text.strip()


def is_reminder(content: object) -> bool:
    text = content
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], Mapping):
        text = content[0].get("text")
    return isinstance(text, str) and bool(text.strip()) and not without_reminders(text)


def model_of(message: Mapping[str, Any]) -> str:
    """The model that wrote an assistant message. Merged chunks repeat the name: `xx` is read as `x`."""
    found = body_of(message).get("response_metadata")
    found = found if isinstance(found, Mapping) else {}
    name = next((found[k] for k in ("model_name", "model") if isinstance(found.get(k), str)), "")
    for times in range(8, 1, -1):
        if name and len(name) % times == 0 and name == name[: len(name) // times] * times:
            return name[: len(name) // times]
    return name


def _call(call: object) -> object:
    if not isinstance(call, Mapping) or "function" in call:
        return call
    return {"id": call.get("id"), "function": {"name": call.get("name"), "arguments": call.get("args")}}


def _is_call(part: object) -> bool:
    return isinstance(part, Mapping) and part.get("type") in (
        "tool_use",
        "tool_call",
        "input_json_delta",
        "function_call",
    )


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
