"""One message a record: a file that is a bare list of chat messages, and session logs that write a line a message.

Session logs wrap the message (`{"type", "sessionId", "message": {"role", "content"}}`, `{"type": "response_item",
"payload": {...}}`) and write other lines between, which belong to no step. One session is one trajectory; a bare list
is one, whatever stands in it.
"""

from collections.abc import Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Format
from workbench.ingest.formats import (
    anthropic_messages,
    langgraph_thread,
    openai_chat,
    openai_responses,
    tagged_chat,
    xml_chat,
)
from workbench.ingest.responses_items import OWN_TYPES
from workbench.ingest.spans.langchain import is_message
from workbench.schema.canonical import JsonValue

_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_READERS = (langgraph_thread, xml_chat, tagged_chat, anthropic_messages, openai_responses, openai_chat)
_ITEM = "response_item"
_BESIDE = frozenset({"session_meta", "turn_context", "event_msg", "compacted", _ITEM})
_WHOLE = "the file"


def detect(record: Mapping[str, Any]) -> bool:
    return _message_of(record) is not None or _is_line(record)


def _message_of(record: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The message that a record is or wraps, None for any other."""
    inner, payload = record.get("message"), record.get("payload")
    if record.get("type") == _ITEM and isinstance(payload, Mapping):
        return payload if payload.get("type") in OWN_TYPES or _is_said(payload) else None
    if isinstance(inner, Mapping) and "sessionId" in record and _is_said(inner):
        return inner
    return record if _is_said(record) or _is_langchain(record) or _is_item(record) else None


def _is_said(value: Mapping[str, Any]) -> bool:
    content = value.get("content")
    said = isinstance(content, str | list) or bool(value.get("tool_calls")) or "function_call" in value
    return str(value.get("role")) in _ROLES and said and "prompt" not in value and "messages" not in value


def _is_langchain(value: Mapping[str, Any]) -> bool:
    known = "id" in value or "additional_kwargs" in value or "data" in value or "response_metadata" in value
    return known and is_message(value) and "traceId" not in value


def _is_item(value: Mapping[str, Any]) -> bool:
    return value.get("type") in ("function_call", "function_call_output") and "call_id" in value


def _is_line(record: Mapping[str, Any]) -> bool:
    """A line of a session log that says nothing of what was done."""
    if isinstance(record.get("payload"), Mapping) and record.get("type") in _BESIDE:
        return True
    return isinstance(record.get("type"), str) and ("leafUuid" in record or {"sessionId", "uuid"} <= record.keys())


def gather(record: Mapping[str, Any]) -> str | None:
    if _message_of(record) is None:
        return None
    session = record.get("sessionId")
    return session if isinstance(session, str) and session else _WHOLE


def read(record: Mapping[str, Any]) -> Draft:
    """Messages that one reply was written down as (one block a line, one id) are one. A sub-agent's are left out."""
    records = record["records"] if isinstance(record.get("records"), list) else [record]
    messages: list[dict[str, Any]] = []
    meta: dict[str, JsonValue] = {}
    apart = 0
    for line in records:
        message = _message_of(line) if isinstance(line, Mapping) else None
        if message is None:
            continue
        if line.get("isSidechain") is True:
            apart += 1
            continue
        if isinstance(session := line.get("sessionId"), str):
            meta["session_id"] = session
        _append(messages, message)
    if apart:
        meta["sub_agent_messages_left_in_source"] = apart
    chat: dict[str, Any] = {"messages": messages}
    reader = next((found for found in _READERS if found.detect(chat)), None)
    if reader is None:
        raise BadInputError(f"there is no message of the agent among its {len(messages)} messages")
    draft = reader.read(chat)
    model = next((m for message in reversed(messages) if isinstance(m := message.get("model"), str) and m), None)
    return Draft(
        question=draft.question,
        steps=draft.steps,
        report=draft.report,
        outcome=draft.outcome,
        model=draft.model or model,
        meta={**draft.meta, **meta},
    )


def _append(messages: list[dict[str, Any]], message: Mapping[str, Any]) -> None:
    last = messages[-1] if messages else {}
    content, before = message.get("content"), last.get("content")
    one_reply = message.get("id") and message.get("id") == last.get("id") and message.get("role") == "assistant"
    if one_reply and isinstance(content, list) and isinstance(before, list):
        messages[-1] = {**last, "content": [*before, *content]}
    else:
        messages.append(dict(message))


FORMAT = Format(
    name="message-log",
    looks_like='a file that is one list of {"role", "content"}, or {"type", "sessionId", "message"} a line',
    detect=detect,
    read=read,
    gather=gather,
)
