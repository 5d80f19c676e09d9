"""Chat completions with the provider's own search: Groq, OpenRouter, Perplexity, xAI, OpenAI's search models.

Groq gives the tools it ran (`executed_tools`) with their results. Perplexity lists sources (`citations`,
`search_results`) that the text names by number. OpenRouter annotates, with the stretch of each page that it read.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.ingest.loose import mapping, mappings, text
from workbench.ingest.messages import CallBook, parse_arguments, read_message
from workbench.ingest.providers.reading import Dialect, Entry, Reading, citation, read_chat, whole
from workbench.ingest.retrieved import Document, documents_step, documents_text
from workbench.ingest.tool_kinds import tool_kind
from workbench.schema.trajectory import Step, ToolCall, ToolResult

CHUNK = "chat.completion.chunk"
_OF_MESSAGE = ("annotations", "executed_tools", "citations", "search_results", "tool_calls")


def is_reply(body: Mapping[str, Any]) -> bool:
    """A completion that shows research of the provider's own; one without is a chat like any other."""
    message = _message(body)
    return bool(message) and any(
        isinstance(holder.get(name), list) and holder[name]
        for holder in (body, message)
        for name in ("annotations", "executed_tools", "citations", "search_results")
    )


def is_completion(body: Mapping[str, Any]) -> bool:
    return bool(_message(body))


def messages(request: Mapping[str, Any]) -> list[Any]:
    given = request.get("messages")
    return given if isinstance(given, list) else []


def is_answer(message: object) -> bool:
    return mapping(message).get("role") == "assistant"


def join(events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The completion of a stream: texts are joined, lists extended, equal entries that are sent again left out."""
    own = [event for event in events if event.get("object") == CHUNK or _delta(event)]
    if not own:
        return None
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    body: dict[str, Any] = {}
    finish: object = None
    for event in own:
        delta = _delta(event)
        body |= {name: value for name, value in event.items() if name != "choices" and value is not None}
        for name, value in delta.items():
            if name in ("content", "reasoning", "reasoning_content") and isinstance(value, str):
                message[name] = text(message.get(name)) + value
            elif name in _OF_MESSAGE and isinstance(value, list):
                known = message.setdefault(name, [])
                known += [item for item in value if item not in known]
        first = next(iter(mappings(event.get("choices"))), {})
        finish = first.get("finish_reason") or finish
    return {**body, "object": "chat.completion", "choices": [{"message": message, "finish_reason": finish}]}


def read(entries: Sequence[Entry]) -> Reading:
    return read_chat(entries, _reply)


def _reply(position: int, body: Mapping[str, Any], reading: Reading, book: CallBook) -> None:
    message = _message(body)
    _executed(message, reading, book)
    listed = mappings(body.get("search_results")) or mappings(message.get("search_results"))
    notes = [mapping(note.get("url_citation") or note) for note in mappings(message.get("annotations"))]
    found = {text(hit.get("url")): _document(hit) for hit in listed}
    for note in notes:
        if text(note.get("content")):
            found.setdefault(text(note.get("url")), _document(note))
    reading.steps += documents_step(found.values())
    kept = {key: value for key, value in message.items() if key != "tool_calls" or value}
    step = read_message(position, {**kept, "role": "assistant"}, book)
    cut = len(step.text) - len(step.text.lstrip())
    reading.steps.append(step)
    addresses = body.get("citations") or message.get("citations")
    numbered = addresses if isinstance(addresses, list) else []
    # The text names them by their place in the list, from 1.
    for number, source in enumerate(numbered or listed, 1):
        named = {"url": source} if isinstance(source, str) else _named(mapping(source))
        if named:
            reading.sources[str(number)] = named
    reading.citations, reading.unplaced = [], []
    for note in notes:
        named, start, end = _named(note), whole(note.get("start_index")), whole(note.get("end_index"))
        if start is not None and end:
            reading.citations.append(citation(max(start - cut, 0), max(end - cut, 0), **named))
        elif named and named not in reading.unplaced:
            reading.unplaced.append(named)
    finish = next(iter(mappings(body.get("choices"))), {}).get("finish_reason")
    reading.finished = finish in (None, "stop", "tool_calls")


def _executed(message: Mapping[str, Any], reading: Reading, book: CallBook) -> None:
    """The tools that the server ran, each a call and its result. What was found is listed, or given as text."""
    for tool in mappings(message.get("executed_tools")):
        kind = text(tool.get("type"))
        (own,) = book.open([(text(tool.get("id")), kind)])
        call = ToolCall(own, kind, tool_kind(kind), parse_arguments(tool.get("arguments")))
        reading.steps.append(Step(role="assistant", tool_calls=(call,)))
        hits = mappings(mapping(tool.get("search_results")).get("results"))
        # The output is cut where the list of hits is not.
        found = documents_text(_document(hit) for hit in hits) or text(tool.get("output"))
        if found:
            reading.steps.append(Step(role="tool", tool_results=(ToolResult(book.answer(own), found),)))
        else:
            reading.undisclosed += 1


def _document(hit: Mapping[str, Any]) -> Document:
    said = next((found for name in ("content", "snippet", "text") if (found := text(hit.get(name)))), "")
    return Document(text(hit.get("title")), text(hit.get("url")), said)


def _named(source: Mapping[str, Any]) -> dict[str, str]:
    return {name: value for name in ("url", "title") if (value := text(source.get(name)))}


def _message(body: Mapping[str, Any]) -> Mapping[str, Any]:
    return mapping(next(iter(mappings(body.get("choices"))), {}).get("message"))


def _delta(event: Mapping[str, Any]) -> Mapping[str, Any]:
    return mapping(next(iter(mappings(event.get("choices"))), {}).get("delta"))


DIALECT = Dialect("chat-completions", is_reply, messages, is_answer, join, read)
