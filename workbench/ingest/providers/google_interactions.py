"""Google's Interactions API: steps of thought, google_search_call, google_search_result and model_output.

The calls that an output's annotations cite may stand behind it in the record; they came before it and are put there.
Offsets of annotations are bytes of UTF-8.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from workbench.ingest.loose import mapping, mappings, text
from workbench.ingest.messages import CallBook, parse_arguments
from workbench.ingest.providers.reading import Dialect, Entry, Reading, Utf8Offsets, citation, whole
from workbench.ingest.retrieved import Document, documents_text
from workbench.ingest.tool_kinds import tool_kind
from workbench.schema.trajectory import Step, ToolCall, ToolKind, ToolResult

_KINDS: Mapping[str, ToolKind] = {"google_search": "search", "url_context": "visit", "file_search": "search"}


def is_reply(body: Mapping[str, Any]) -> bool:
    return body.get("object") == "interaction" or (
        text(body.get("id")).startswith("v1_") and bool(_outputs(body)) and "status" in body
    )


def messages(request: Mapping[str, Any]) -> list[Any]:
    given, system = request.get("input"), request.get("system_instruction")
    first = [{"role": "system", "text": system}] if isinstance(system, str) and system else []
    if isinstance(given, str):
        return [*first, {"role": "user", "text": given}]
    return [*first, *(given if isinstance(given, list) else [given] if isinstance(given, Mapping) else [])]


def is_answer(message: object) -> bool:
    found = mapping(message)
    return found.get("role") == "model" or found.get("type") in ("model_output", "thought")


def join(events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The whole interaction where its last event holds it, else its parts by index with their pieces joined."""
    found = [mapping(event.get("interaction")) for event in events if isinstance(event.get("interaction"), Mapping)]
    if not found:
        return None
    for body in reversed(found):
        if _outputs(body):
            return {**body, "object": "interaction"}
    parts: dict[int, dict[str, Any]] = {}
    for event in events:
        index = whole(event.get("index"))
        if index is None:
            continue
        part = parts.setdefault(index, {})
        part |= mapping(event.get("step") or event.get("content"))
        delta = mapping(event.get("delta"))
        for name, value in delta.items():
            if name == "text" and isinstance(value, str):
                part["text"] = text(part.get("text")) + value
            elif name == "annotations" and isinstance(value, list):
                part[name] = [*mappings(part.get(name)), *value]
            elif name == "type":
                part.setdefault(name, value)
            elif name not in ("text", "annotations"):
                part[name] = value
    return {**found[0], **found[-1], "object": "interaction", "outputs": [parts[index] for index in sorted(parts)]}


def read(entries: Sequence[Entry]) -> Reading:
    reading, book = Reading(), CallBook()
    for entry in entries:
        body = mapping(entry.body)
        if entry.reply:
            _reply(body, reading, book)
        else:
            role = text(body.get("role"))
            said = text(body.get("text")) or _joined(body.get("content"))
            reading.steps.append(
                Step(role="system" if role == "system" else "assistant" if is_answer(body) else "user", text=said)
            )
    return reading


def _reply(body: Mapping[str, Any], reading: Reading, book: CallBook) -> None:
    outputs = _outputs(body)
    answers = [each for each in outputs if _is_text(each)]
    thought = "\n".join(said for each in outputs if each.get("type") == "thought" and (said := _thought(each)))
    waiting: dict[str, str] = {}
    for each in outputs:
        kind = text(each.get("type"))
        if kind.endswith("_call"):
            name = text(each.get("name")) or kind.removesuffix("_call")
            (own,) = book.open([(text(each.get("id")), name)])
            call = ToolCall(own, name, _KINDS.get(name) or tool_kind(name), parse_arguments(each.get("arguments")))
            reading.steps.append(Step(role="assistant", reasoning=thought, tool_calls=(call,)))
            thought, waiting[own] = "", name
        elif kind.endswith("_result"):
            own = book.answer(text(each.get("call_id")))
            found = _result(each.get("result"))
            if found or each.get("is_error") is True:
                result = ToolResult(own, found or "failed", each.get("is_error") is True)
                reading.steps.append(Step(role="tool", tool_results=(result,)))
                waiting.pop(own, None)
    reading.undisclosed += len(waiting)
    said, reading.citations = "", []
    for each in answers:
        for part in mappings(each.get("content")) or [each]:
            stretch = text(part.get("text"))
            offsets, before = Utf8Offsets(stretch), len(said)
            for note in mappings(part.get("annotations")):
                start, end = whole(note.get("start_index", 0)), whole(note.get("end_index"))
                if start is not None and end is not None:
                    place = (before + offsets.characters(start), before + offsets.characters(end))
                    url, title = text(note.get("url")) or text(note.get("source")), text(note.get("title"))
                    reading.citations.append(citation(*place, url=url, title=title))
            said += stretch
    cut = len(said) - len(said.lstrip())
    for note_ in reading.citations:
        note_["start"], note_["end"] = max(note_["start"] - cut, 0), max(note_["end"] - cut, 0)
    if said.strip() or thought:
        reading.steps.append(Step(role="assistant", text=said.strip(), reasoning=thought))
    reading.report = said.strip()
    reading.finished = bool(reading.report) and body.get("status") in (None, "completed")


def _outputs(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return mappings(body.get("steps")) or mappings(body.get("outputs"))


def _is_text(output: Mapping[str, Any]) -> bool:
    return output.get("type") in ("model_output", "text") and ("content" in output or "text" in output)


def _thought(output: Mapping[str, Any]) -> str:
    return _joined(output.get("summary")) or text(output.get("text"))


def _result(value: object) -> str:
    """What a result discloses. The widget of search suggestions that a page has to show is no result."""
    if isinstance(value, str):
        return value
    found = []
    for hit in mappings(value):
        url = text(hit.get("url")) or text(hit.get("uri"))
        said = text(hit.get("text")) or text(hit.get("snippet"))
        if url or said:
            found.append(Document(text(hit.get("title")), url, said))
        elif rest := {key: inner for key, inner in hit.items() if key != "search_suggestions"}:
            found.append(Document(text=json.dumps(rest, ensure_ascii=False)))
    return documents_text(found)


def _joined(value: object) -> str:
    return value if isinstance(value, str) else "".join(text(part.get("text")) for part in mappings(value))


DIALECT = Dialect("google-interactions", is_reply, messages, is_answer, join, read)
