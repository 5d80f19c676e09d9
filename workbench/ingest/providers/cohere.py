"""Cohere's chat (v2, and v1 with `text`): citations with offsets and the documents that they rest on."""

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.ingest.loose import mapping, mappings, text
from workbench.ingest.messages import CallBook, read_message
from workbench.ingest.providers.reading import Dialect, Entry, Reading, citation, read_chat, whole
from workbench.ingest.retrieved import Document, documents_step
from workbench.schema.trajectory import Step


def is_reply(body: Mapping[str, Any]) -> bool:
    if isinstance(body.get("text"), str):
        return isinstance(body.get("citations"), list) and ("finish_reason" in body or "generation_id" in body)
    message = mapping(body.get("message"))
    return isinstance(message.get("content"), list) and "finish_reason" in body and "choices" not in body


def messages(request: Mapping[str, Any]) -> list[Any]:
    given = request.get("messages")
    if isinstance(given, list):
        return given
    history = request.get("chat_history")
    past = [{"role": _role(each), "content": text(each.get("message"))} for each in mappings(history)]
    asked = text(request.get("message"))
    return [*past, {"role": "user", "content": asked}] if asked else past


def _role(message: Mapping[str, Any]) -> str:
    return {"chatbot": "assistant", "system": "system"}.get(text(message.get("role")).lower(), "user")


def is_answer(message: object) -> bool:
    return mapping(message).get("role") == "assistant"


def join(events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The v2 stream: pieces of text by index, citations one by one."""
    if not any(event.get("type") == "message-start" for event in events):
        return None
    texts: dict[int, str] = {}
    citations: list[Mapping[str, Any]] = []
    body: dict[str, Any] = {}
    for event in events:
        message = mapping(mapping(event.get("delta")).get("message"))
        kind, index = event.get("type"), whole(event.get("index")) or 0
        if kind == "message-start":
            body["id"] = event.get("id")
        elif kind in ("content-start", "content-delta"):
            texts[index] = texts.get(index, "") + text(mapping(message.get("content")).get("text"))
        elif kind == "citation-start":
            citations += mappings([message.get("citations")]) or mappings(message.get("citations"))
        elif kind == "message-end":
            body["finish_reason"] = mapping(event.get("delta")).get("finish_reason")
    content = [{"type": "text", "text": texts[index]} for index in sorted(texts)]
    message = {"role": "assistant", "content": content, "citations": citations}
    return {"finish_reason": None, **body, "message": message}


def read(entries: Sequence[Entry]) -> Reading:
    return read_chat(entries, _reply)


def _reply(position: int, body: Mapping[str, Any], reading: Reading, book: CallBook) -> None:
    message = mapping(body.get("message")) or {"content": text(body.get("text")), "citations": body.get("citations")}
    content = message.get("content")
    # Offsets count the text parts run together.
    said = "".join(text(part.get("text")) for part in mappings(content)) if isinstance(content, list) else text(content)
    cut = len(said) - len(said.lstrip())
    documents: dict[str, Document] = {}
    listed = {text(each.get("id")): each for each in mappings(body.get("documents"))}
    reading.citations = []
    for note in mappings(message.get("citations")):
        start, end = whole(note.get("start")), whole(note.get("end"))
        named = note.get("document_ids")
        sources = mappings(note.get("sources")) or [
            {"id": key, "document": listed.get(key, {})} for key in (named if isinstance(named, list) else [])
        ]
        for source in sources:
            body_of = mapping(source.get("document") or source.get("tool_output"))
            key = text(source.get("id")) or text(body_of.get("id")) or text(body_of.get("url"))
            title = text(body_of.get("title"))
            url = text(body_of.get("url"))
            passage = next((t for name in ("text", "snippet", "content") if (t := text(body_of.get(name)))), "")
            documents.setdefault(key, Document(title, url, passage))
            if start is not None and end is not None:
                reading.citations.append(citation(max(start - cut, 0), max(end - cut, 0), url=url, title=title or key))
    for key, document in documents.items():
        named_ = {name: value for name, value in (("url", document.url), ("title", document.title)) if value}
        if key and named_:
            reading.sources[key] = named_
    reading.steps += documents_step(documents.values())
    calls = {name: message[name] for name in ("tool_calls",) if message.get(name)}
    step = read_message(position, {"role": "assistant", "content": said.strip(), **calls}, book)
    plan = text(message.get("tool_plan"))
    reading.steps.append(
        Step(role="assistant", text=step.text, reasoning=step.reasoning or plan, tool_calls=step.tool_calls)
    )
    reading.finished = text(body.get("finish_reason")).upper() in ("", "COMPLETE", "STOP_SEQUENCE", "TOOL_CALL")


DIALECT = Dialect("cohere", is_reply, messages, is_answer, join, read)
