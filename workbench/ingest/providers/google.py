"""Google's generateContent with grounding, and the Interactions API.

Addresses of grounding lead through a redirect, the domain is only in the title; offsets are bytes of UTF-8. Grounding
tells the queries and what the answer rests on, so the search stands before the answer, whatever the order of fields.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.ingest.loose import mapping, mappings
from workbench.ingest.loose import text as text_of
from workbench.ingest.messages import CallBook, parse_arguments
from workbench.ingest.providers.reading import Dialect, Entry, Reading, Utf8Offsets, citation, whole
from workbench.ingest.retrieved import Document, documents_text
from workbench.ingest.tool_kinds import tool_kind
from workbench.schema.trajectory import Step, ToolCall, ToolResult


def is_reply(body: Mapping[str, Any]) -> bool:
    return any("content" in each or "groundingMetadata" in each for each in mappings(body.get("candidates")))


def messages(request: Mapping[str, Any]) -> list[Any]:
    system = mapping(request.get("systemInstruction", request.get("system_instruction")))
    first = [{**system, "role": "system"}] if system else []
    contents = request.get("contents")
    if isinstance(contents, str):
        contents = [{"role": "user", "parts": [{"text": contents}]}]
    return [*first, *(contents if isinstance(contents, list) else [contents] if contents else [])]


def is_answer(message: object) -> bool:
    return mapping(message).get("role") == "model"


def join(events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """One reply of the pieces that `streamGenerateContent` sends; grounding comes with the last of them."""
    pieces = [event for event in events if is_reply(event)]
    if not pieces:
        return None
    parts: list[Any] = []
    candidate: dict[str, Any] = {}
    grounding: dict[str, Any] = {}
    for piece in pieces:
        first = mappings(piece["candidates"])[0]
        more = mapping(first.get("content")).get("parts")
        parts += more if isinstance(more, list) else []
        candidate |= first
        grounding |= mapping(first.get("groundingMetadata"))
    candidate["content"] = {"role": "model", "parts": parts}
    if grounding:
        candidate["groundingMetadata"] = grounding
    return {**pieces[-1], "candidates": [candidate]}


def read(entries: Sequence[Entry]) -> Reading:
    reading, book = Reading(), CallBook()
    for entry in entries:
        if entry.reply:
            _reply(mapping(entry.body), reading, book)
            continue
        message = mapping(entry.body)
        said, thought, steps = _parts(message.get("parts"), book)
        if steps:
            reading.steps += steps
        elif is_answer(message):
            reading.steps.append(Step(role="assistant", text=said.strip(), reasoning=thought))
        else:
            reading.steps.append(Step(role="system" if message.get("role") == "system" else "user", text=said.strip()))
    return reading


def _reply(body: Mapping[str, Any], reading: Reading, book: CallBook) -> None:
    candidate = next((each for each in mappings(body.get("candidates"))), {})
    grounding = mapping(candidate.get("groundingMetadata"))
    chunks = [mapping(chunk.get("web") or chunk.get("retrievedContext")) for chunk in _chunks(grounding)]
    queries = grounding.get("webSearchQueries") or grounding.get("retrievalQueries")
    if isinstance(queries, list) and queries:
        (own,) = book.open([("", "google_search")])
        call = ToolCall(own, "google_search", "search", {"queries": queries})
        reading.steps.append(Step(role="assistant", tool_calls=(call,)))
        listed = documents_text(Document(text_of(c.get("title")), _address(c), text_of(c.get("text"))) for c in chunks)
        if listed:
            reading.steps.append(Step(role="tool", tool_results=(ToolResult(book.answer(own), listed),)))
            reading.encrypted += not any(c.get("text") for c in chunks)
        else:
            reading.undisclosed += 1
    said, thought, steps = _parts(mapping(candidate.get("content")).get("parts"), book)
    if steps:
        reading.steps += steps
    else:
        reading.steps.append(Step(role="assistant", text=said.strip(), reasoning=thought))
    reading.report = "" if steps else said.strip()
    reading.finished = bool(reading.report) and candidate.get("finishReason") in (None, "STOP")
    reading.citations = list(_supports(grounding, chunks, said))


def _supports(grounding: Mapping[str, Any], chunks: Sequence[Mapping[str, Any]], said: str) -> list[dict[str, Any]]:
    """One citation for every source of every segment. A segment without a start begins where the text does."""
    offsets, cut = Utf8Offsets(said), len(said) - len(said.lstrip())
    found = []
    for support in mappings(grounding.get("groundingSupports")):
        segment = mapping(support.get("segment"))
        start, end = whole(segment.get("startIndex", 0)), whole(segment.get("endIndex"))
        if start is None or end is None:
            continue
        first, last = max(offsets.characters(start) - cut, 0), max(offsets.characters(end) - cut, 0)
        indices = support.get("groundingChunkIndices")
        for index in indices if isinstance(indices, list) else []:
            if (at := whole(index)) is not None and at < len(chunks):
                title = text_of(chunks[at].get("title"))
                found.append(citation(first, last, url=_address(chunks[at]), title=title))
    return found


def _parts(parts: object, book: CallBook) -> tuple[str, str, list[Step]]:
    """(text, thought, steps) of a message's parts; steps only where it calls a function or answers one."""
    said, thought, calls, results = "", "", list[ToolCall](), list[ToolResult]()
    for part in mappings(parts):
        if (call := mapping(part.get("functionCall") or part.get("function_call"))) or "executableCode" in part:
            name = text_of(call.get("name")) or "executable_code"
            (own,) = book.open([(text_of(call.get("id")), name)])
            arguments = parse_arguments(call.get("args") if call else part["executableCode"])
            calls.append(ToolCall(own, name, tool_kind(name) if call else "code", arguments))
        elif answer := mapping(part.get("functionResponse") or part.get("codeExecutionResult")):
            given = book.answer(text_of(answer.get("id")), text_of(answer.get("name")))
            results.append(ToolResult(given, str(answer.get("response", answer.get("output", "")))))
        elif part.get("thought") is True:
            thought += text_of(part.get("text"))
        else:
            said += text_of(part.get("text")) or ("" if "text" in part or not part else f"[{next(iter(part))}]")
    steps = []
    if calls or (results and (said.strip() or thought)):
        steps.append(Step(role="assistant", text=said.strip(), reasoning=thought, tool_calls=tuple(calls)))
    if results:
        steps.append(Step(role="tool", tool_results=tuple(results)))
    return said, thought, steps


def _chunks(grounding: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """All of them in place, since supports count them; one that is no object is an empty one."""
    chunks = grounding.get("groundingChunks")
    return [mapping(chunk) for chunk in chunks] if isinstance(chunks, list) else []


def _address(chunk: Mapping[str, Any]) -> str:
    return text_of(chunk.get("uri")) or text_of(chunk.get("url"))


DIALECT = Dialect("google", is_reply, messages, is_answer, join, read)
