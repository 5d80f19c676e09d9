"""Streamed replies of providers kept as one JSON event a line (the data of an event stream without its marks).

Events that name their reply are gathered by that name; the others of a file follow one another, and each reply begins
with the event that says so. What was asked is not in them (see `provider_response`).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from workbench.ingest.format import Folder, Format
from workbench.ingest.formats import provider_response
from workbench.ingest.loose import mapping, mappings, text
from workbench.ingest.providers import chat, google
from workbench.ingest.providers.exchanges import joined

_BEGINNINGS = ("message_start", "message-start", "response.created", "interaction.start", "interaction.created")
_ANTHROPIC = ("content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop")
_COHERE = ("content-start", "content-delta", "content-end", "citation-start", "citation-end", "message-end")
_RESPONSES_FIELDS = ("sequence_number", "item_id", "output_index", "response")
_PARTS = ("message", "content_block", "delta", "index", "usage")


def detect(record: Mapping[str, Any]) -> bool:
    return _key(record) is not None


def _key(record: Mapping[str, Any]) -> str | None:
    """Which reply an event belongs to: its own name, or the interface where events carry none."""
    if "messages" in record or "request" in record:
        return None
    kind = text(record.get("type"))
    if record.get("object") == chat.CHUNK:
        return f"chat {text(record.get('id'))}"
    if kind.startswith("response.") and any(name in record for name in _RESPONSES_FIELDS):
        return "responses"
    if kind == "message_start" and isinstance(record.get("message"), Mapping):
        return "anthropic"
    if (kind in _ANTHROPIC and any(name in record for name in _PARTS)) or record == {"type": "message_stop"}:
        return "anthropic"
    if kind == "message-start" or (kind in _COHERE and ("index" in record or "delta" in record)):
        return "cohere"
    event = text(record.get("event_type"))
    if event.startswith(("interaction.", "step.", "content.")) and ("index" in record or "interaction" in record):
        return "interactions"
    if google.is_reply(record) and (own := text(record.get("responseId"))):
        return f"google {own}"
    return None


def expand(record: Mapping[str, Any], folder: Folder) -> Iterable[Mapping[str, Any]]:
    """One mapping `{"exchanges": [...]}` a reply."""
    del folder
    replies: list[list[Mapping[str, Any]]] = []
    for event in mappings(record.get("records")):
        begins = text(event.get("type") or event.get("event_type")) in _BEGINNINGS
        if begins or not replies:
            replies.append([])
        replies[-1].append(event)
    bodies = [body for events in replies if (body := joined(events)) is not None]
    return [{"exchanges": [{"response": mapping(body)}]} for body in bodies]


FORMAT = Format(
    name="provider-stream",
    looks_like='{"type": "response.output_text.delta" | "content_block_delta" | ...}: events of a streamed reply',
    detect=detect,
    read=provider_response.read,
    gather=_key,
    expand=expand,
)
