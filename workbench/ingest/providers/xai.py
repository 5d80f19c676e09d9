"""xAI's own interface, as its SDK records it: results of the server's tools are encrypted, citations are a list."""

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.ingest.loose import mapping, mappings, text
from workbench.ingest.messages import CallBook, content_text, last_word, parse_arguments
from workbench.ingest.providers.reading import Dialect, Entry, Reading
from workbench.ingest.tool_kinds import tool_kind
from workbench.schema.trajectory import Role, Step, ToolCall, ToolResult

_ROLES: Mapping[str, Role] = {
    "ROLE_SYSTEM": "system",
    "ROLE_DEVELOPER": "system",
    "ROLE_USER": "user",
    "ROLE_ASSISTANT": "assistant",
}


def is_reply(body: Mapping[str, Any]) -> bool:
    outputs = mappings(body.get("outputs"))
    return any(text(mapping(output.get("message")).get("role")).startswith("ROLE_") for output in outputs)


def messages(request: Mapping[str, Any]) -> list[Any]:
    given = request.get("messages")
    return given if isinstance(given, list) else []


def is_answer(message: object) -> bool:
    return mapping(message).get("role") == "ROLE_ASSISTANT"


def join(events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    del events  # the SDK's records hold no stream
    return None


def read(entries: Sequence[Entry]) -> Reading:
    reading, book = Reading(), CallBook()
    for entry in entries:
        body = mapping(entry.body)
        if not entry.reply:
            _add(body, reading, book)
            continue
        for output in mappings(body.get("outputs")):
            _add(mapping(output.get("message")), reading, book)
            reason = text(output.get("finish_reason"))
            reading.finished = reason in ("", "REASON_STOP", "REASON_TOOL_CALLS")
        listed = body.get("citations")
        reading.unplaced = [
            {"url": url} for url in (listed if isinstance(listed, list) else []) if isinstance(url, str)
        ]
    reading.report = last_word(reading.steps)
    reading.finished = reading.finished and bool(reading.report)
    return reading


def _add(message: Mapping[str, Any], reading: Reading, book: CallBook) -> None:
    role = text(message.get("role"))
    said, _ = content_text(message.get("content"))
    given = mappings(message.get("tool_calls"))
    if role == "ROLE_TOOL":
        # It names the call again; what was found is encrypted unless the request asked for it.
        if said:
            own = [book.answer(text(call.get("id"))) for call in given] or [text(message.get("tool_call_id"))]
            results = tuple(ToolResult(each, said if number == 0 else "") for number, each in enumerate(own))
            reading.steps.append(Step(role="tool", tool_results=results))
        else:
            reading.undisclosed += len(given)
        return
    functions = [mapping(call.get("function")) for call in given]
    names = [(text(call.get("id")), text(f.get("name"))) for call, f in zip(given, functions, strict=True)]
    calls = tuple(
        ToolCall(own, name, tool_kind(name), parse_arguments(function.get("arguments")))
        for own, (_, name), function in zip(book.open(names) if names else [], names, functions, strict=True)
    )
    thought = text(message.get("reasoning_content"))
    reading.steps.append(Step(role=_ROLES.get(role, "user"), text=said, reasoning=thought, tool_calls=calls))


DIALECT = Dialect("xai", is_reply, messages, is_answer, join, read)
