"""OpenAI Responses, and xAI's which are alike: web_search_call actions, reasoning, url_citation.

What a search found is in a reply only where its request asked for it (`sources`, `results`); else it is undisclosed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.ingest.loose import mapping, mappings, text
from workbench.ingest.messages import parse_arguments
from workbench.ingest.providers.reading import Dialect, Entry, Reading
from workbench.ingest.responses_items import OWN_TYPES, has_items, read_items

_ENDS = ("response.completed", "response.incomplete", "response.failed", "response.done")


def is_reply(body: Mapping[str, Any]) -> bool:
    output = body.get("output")
    if not isinstance(output, list):
        return False
    return body.get("object") == "response" or has_items(output)


def messages(request: Mapping[str, Any]) -> list[Any]:
    given, said = request.get("input"), request.get("instructions")
    first = [{"role": "system", "content": said}] if isinstance(said, str) and said.strip() else []
    if isinstance(given, str) and given.strip():
        return [*first, {"role": "user", "content": given}]
    return [*first, *(given if isinstance(given, list) else [])]


def is_answer(item: object) -> bool:
    found = mapping(item)
    kind = text(found.get("type"))
    return found.get("role") == "assistant" or (kind in OWN_TYPES and not kind.endswith(("_output", "_output_item")))


def join(events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The reply of a stream: the last event holds it whole; where it was cut off, the items that were done.

    An item that was being written when the stream stopped is made of its pieces of text.
    """
    own = [event for event in events if text(event.get("type")).startswith("response.")]
    if not own:
        return None
    for event in reversed(own):
        if event["type"] in _ENDS and isinstance(event.get("response"), Mapping):
            return mapping(event["response"])
    begun = next((mapping(event["response"]) for event in own if isinstance(event.get("response"), Mapping)), {})
    done = [event for event in own if event["type"] == "response.output_item.done"]
    items = [mapping(event.get("item")) for event in done]
    ended = {text(item.get("id")) for item in items}
    rest = "".join(
        text(event.get("delta"))
        for event in own
        if event["type"] == "response.output_text.delta" and text(event.get("item_id")) not in ended
    )
    if rest:
        items.append({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": rest}]})
    return {**begun, "object": "response", "status": "incomplete", "output": items}


def read(entries: Sequence[Entry]) -> Reading:
    items: list[Any] = []
    unplaced: dict[str, dict[str, str]] = {}
    for entry in entries:
        if not entry.reply:
            items.append(entry.body)
            continue
        output = mapping(entry.body).get("output")
        items += [_with_action(item) for item in (output if isinstance(output, list) else [])]
        unplaced = _unplaced(mapping(entry.body))
    found = read_items(items)
    report = found.transcript.report
    status = mapping(entries[-1].body).get("status") if entries else None
    return Reading(
        list(found.transcript.steps),
        report,
        finished=bool(report) and status in (None, "completed"),
        citations=list(found.citations),
        unplaced=list(unplaced.values()),
        undisclosed=found.undisclosed,
    )


def _with_action(item: object) -> object:
    """xAI gives a search's arguments as JSON text, where OpenAI gives an action."""
    if not isinstance(item, Mapping) or "action" in item or not text(item.get("type")).endswith("_search_call"):
        return item
    return {**item, "action": parse_arguments(item["arguments"])} if "arguments" in item else item


def _unplaced(body: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Citations without offsets, by address, and a list of them beside the output."""
    found: dict[str, dict[str, str]] = {}
    for item in mappings(body.get("output")):
        for part in mappings(item.get("content")):
            for note in mappings(part.get("annotations")):
                url, placed = text(note.get("url")), isinstance(note.get("start_index"), int)
                if url and not placed:
                    title = text(note.get("title"))
                    found.setdefault(url, {"url": url} | ({"title": title} if title else {}))
    listed = body.get("citations")
    for url in listed if isinstance(listed, list) else []:
        if isinstance(url, str):
            found.setdefault(url, {"url": url})
    return found


DIALECT = Dialect("openai-responses", is_reply, messages, is_answer, join, read)
