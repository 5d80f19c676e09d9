"""Where a record keeps its chat: messages, a prompt with its completion, a request with its response, or a stream.

Standard library only, as `messages` is.
"""

from collections.abc import Mapping, Sequence
from typing import Any

CHUNK = "chat.completion.chunk"
_LISTS: tuple[str, ...] = (
    "conversation",
    "conversations",
    "chat",
    "dialogue",
    "dialog",
    "history",
    "chat_history",
    "transcript",
)
_LISTS += ("trajectory", "messages_history", "message_history")
_REQUESTS = ("request", "body", "kwargs", "params")
CHAT_FIELDS = ("messages", "prompt", "completion", "response", "choices", "chunks", *_REQUESTS)


def with_messages(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A record whose chat stands under another name, or in a request, as one with `messages`; any other as it is.

    A list under another name counts only if all of it are messages with a role, and one is the agent's.
    """
    if "messages" in record:
        return record
    for name in _REQUESTS:
        inner = record.get(name)
        if isinstance(inner, Mapping) and isinstance(inner.get("messages"), list):
            beside = {key: inner[key] for key in ("model", "system") if key in inner and key not in record}
            return {
                **{key: value for key, value in record.items() if key != name},
                **beside,
                "messages": inner["messages"],
            }
    for name in _LISTS:
        found = record.get(name)
        if isinstance(found, list) and _answered(found) and all(_has_role(message) for message in found):
            return {**{key: value for key, value in record.items() if key != name}, "messages": found}
    return record


def reply_of(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """The provider's reply beside the messages: out of a batch's envelope, empty where there is none."""
    reply = record.get("response")
    if isinstance(reply, Mapping) and isinstance(reply.get("body"), Mapping):
        reply = reply["body"]
    return reply if isinstance(reply, Mapping) else record if isinstance(record.get("choices"), list) else {}


def model_and_end(record: Mapping[str, Any]) -> tuple[str, str]:
    """(model, why it stopped) as the reply, the chunks of a stream, or the record itself say, empty where none does."""
    chunks = record.get("response") if isinstance(record.get("response"), list) else record.get("chunks")
    pieces = [piece for piece in chunks if isinstance(piece, Mapping)] if isinstance(chunks, list) else []
    model = end = ""
    for holder in (record, *pieces, reply_of(record)):
        model = named if isinstance(named := holder.get("model"), str) and named else model
        choices = holder.get("choices")
        first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], Mapping) else {}
        reason = first.get("finish_reason") or holder.get("stop_reason") or holder.get("finish_reason")
        end = reason if isinstance(reason, str) else end
    return model, end


def _has_role(message: object) -> bool:
    return isinstance(message, Mapping) and isinstance(message.get("role"), str) and not message.keys() & _NOT_CHAT


_NOT_CHAT = {"action", "message_type"}  # a history that another reader knows


def chat_messages(record: Mapping[str, Any]) -> list[Any] | None:
    """The messages of a record with pieces of a stream put together, None where it holds no chat with an answer."""
    record = with_messages(record)
    response = record.get("response")
    asked = record.get("messages")
    if isinstance(asked, list):
        messages = join_chunks(asked)
        if not _answered(messages[-1:]):
            messages = [*messages, *(_answer(record) or _answer(reply_of(record)) or _answer(response))]
        return messages if _answered(messages) else None
    prompt, completion = record.get("prompt"), record.get("completion")
    if prompt is None or completion is None:
        return None
    before = _as_messages(prompt, "user")
    after = _as_messages(completion, "assistant")
    if (
        before is None
        or after is None
        or (isinstance(prompt, str) and isinstance(completion, str) and "article" in record)
    ):
        return None
    messages = [*before, *join_chunks(after)]
    return messages if _answered(messages) else None


def join_chunks(messages: Sequence[Any]) -> list[Any]:
    """Messages, where those that are chunks of a stream (one id, `choices[0].delta`) become one message each."""
    joined: list[Any] = []
    current: str | None = None
    for message in messages:
        delta = _delta(message)
        if delta is None:
            joined.append(message)
            current = None
            continue
        key = str(message.get("id", ""))
        if key != current:
            joined.append({"role": "assistant", "content": "", "tool_calls": []})
            current = key
        _add(joined[-1], delta)
    return joined


def _add(message: dict[str, Any], delta: Mapping[str, Any]) -> None:
    for name in ("content", "reasoning_content", "reasoning"):
        if isinstance(delta.get(name), str):
            message[name] = str(message.get(name) or "") + delta[name]
    calls: list[dict[str, Any]] = message["tool_calls"]
    pieces = delta.get("tool_calls")
    for piece in pieces if isinstance(pieces, list) else []:
        if not isinstance(piece, Mapping):
            continue
        body = piece.get("function")
        function = body if isinstance(body, Mapping) else {}
        index = piece.get("index")
        source, name = piece.get("id") or "", function.get("name") or ""
        # Without an index a piece with a name begins a call, and one without goes on with the last.
        known = next((c for c in calls if c["index"] == index), None) if index is not None else None
        if known is None and (index is not None or name or not calls):
            known = {"index": index, "id": "", "function": {"name": "", "arguments": ""}}
            calls.append(known)
        known = known or calls[-1]
        known["id"] = known["id"] or source
        known["function"]["name"] = known["function"]["name"] or name
        given = function.get("arguments")
        known["function"]["arguments"] += given if isinstance(given, str) else ""


def _delta(message: object) -> Mapping[str, Any] | None:
    if not isinstance(message, Mapping) or "role" in message:
        return None
    choices = message.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    delta = first.get("delta") if isinstance(first, Mapping) else message.get("delta")
    if isinstance(delta, Mapping):
        return delta
    return {} if message.get("object") == CHUNK else None


def _answer(holder: object) -> list[Any]:
    """The answer beside the messages: `choices`, a list of chunks, or one message."""
    if isinstance(holder, list):
        return join_chunks([piece for piece in holder if _delta(piece) is not None])
    if not isinstance(holder, Mapping):
        return []
    choices = holder.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    if isinstance(first, Mapping) and isinstance(first.get("message"), Mapping):
        return [first["message"]]
    if holder.get("role") == "assistant":
        return [holder]
    return _answer(holder["chunks"]) if isinstance(holder.get("chunks"), list) else []


def _as_messages(value: object, role: str) -> list[Any] | None:
    if isinstance(value, str):
        return [{"role": role, "content": value}] if value.strip() else None
    return value if isinstance(value, list) and all(isinstance(m, Mapping) for m in value) else None


def _answered(messages: Sequence[Any]) -> bool:
    return any(isinstance(message, Mapping) and message.get("role") == "assistant" for message in messages)
