"""Several states of one LangGraph thread, made one: its history of checkpoints, and the events of a streamed run."""

from collections.abc import Iterable, Mapping
from typing import Any

from workbench.ingest.loose import mapping as _map
from workbench.ingest.spans.langchain import is_message, role_of

Record = Mapping[str, Any]


def is_checkpoint(record: Record) -> bool:
    """One state of a thread's history; the first ones hold nothing that was said."""
    return (
        isinstance(record.get("values"), Mapping) and "next" in record and bool({"checkpoint", "config"} & set(record))
    )


def thread_of(record: Record) -> str:
    """The thread that a checkpoint belongs to, empty where it does not say."""
    for holder in (record.get("checkpoint"), _map(record.get("config")).get("configurable"), record.get("metadata")):
        found = _map(holder).get("thread_id")
        if isinstance(found, str) and found:
            return found
    return ""


def latest(states: Iterable[Record]) -> Record | None:
    """The state in which most was said; of several the one that has ended, then the first (histories begin with the
    newest). None where there is none."""
    found = [state for state in states if isinstance(state, Mapping)]
    return max(found, key=lambda state: (_said(state), not state.get("next")), default=None)


def _said(state: Record) -> int:
    messages = _map(state.get("values")).get("messages", state.get("messages"))
    return len(messages) if isinstance(messages, list) else 0


def of_stream(events: object) -> Record | None:
    """`{"messages": [...]}` out of a run's events: its last whole state, else its updates in order, else its messages
    put together from their pieces. None where no event is of such a run."""
    found = [event for event in events if isinstance(event, Mapping)] if isinstance(events, list) else []
    whole = [data for kind, data in map(_event, found) if kind == "values" and isinstance(data, Mapping)]
    states = [state for state in whole if isinstance(state.get("messages"), list)]
    if states:
        return states[-1]
    messages: dict[str, dict[str, Any]] = {}
    for kind, data in map(_event, found):
        if kind == "updates":
            for update in _map(data).values():
                given = _map(update).get("messages")
                for message in given if isinstance(given, list) else [given]:
                    _put(messages, message, whole=True)
        elif kind == "messages" and isinstance(data, list) and data:
            _put(messages, data[0], whole=False)
        elif kind in ("messages/partial", "messages/complete") and isinstance(data, list):
            for message in data:
                _put(messages, message, whole=True)
    return {"messages": list(messages.values())} if messages else None


def _event(event: Record) -> tuple[str, Any]:
    """Name without the namespace of a sub-graph, and data."""
    return str(event.get("event", "")).split("|", 1)[0], event.get("data")


def _put(messages: dict[str, dict[str, Any]], message: object, *, whole: bool) -> None:
    if not isinstance(message, Mapping) or not is_message(message):
        return
    key = str(message.get("id") or f"{len(messages)}")
    known = messages.get(key)
    if known is None or whole or role_of(message) != "assistant":
        messages[key] = dict(message)
    else:
        known["content"] = _joined(known.get("content"), message.get("content"))
    own = messages[key]
    chunks = message.get("tool_call_chunks")
    if not whole and isinstance(chunks, list) and chunks:
        own["tool_calls"] = _calls([*own.pop("_chunks", []), *chunks], own)


def _calls(chunks: list[Any], message: dict[str, Any]) -> list[dict[str, Any]]:
    """Calls whose arguments came in pieces, by the index of the call in its message."""
    message["_chunks"] = chunks
    calls: dict[object, dict[str, Any]] = {}
    for chunk in chunks:
        if isinstance(chunk, Mapping):
            index = chunk.get("index")
            call = calls.setdefault(index if isinstance(index, int | str) else None, {"name": "", "id": "", "args": ""})
            for name in call:
                call[name] += piece if isinstance(piece := chunk.get(name), str) else ""
    return [dict(call) for call in calls.values()]


def _joined(before: object, piece: object) -> object:
    if isinstance(before, list) or isinstance(piece, list):
        return [*_parts(before), *_parts(piece)]
    return f"{before or ''}{piece or ''}"


def _parts(content: object) -> list[Any]:
    return content if isinstance(content, list) else [{"type": "text", "text": content}] if content else []
