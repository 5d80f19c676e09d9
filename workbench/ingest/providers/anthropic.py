"""Anthropic messages with tools that run on the server (web_search, web_fetch, code_execution).

A reply that ends in `pause_turn` goes on in the next one: both are one message, and a result at the head of the second
answers a call at the end of the first. What was searched is `encrypted_content`: titles and addresses stand.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.ingest.anthropic_blocks import SourceCitation, read_blocks, read_user_blocks, result_text
from workbench.ingest.loose import mapping, mappings, text
from workbench.ingest.messages import CallBook, last_word, parse_arguments
from workbench.ingest.providers.reading import Dialect, Entry, Reading, whole
from workbench.schema.trajectory import Step

_EVENTS = frozenset({"message_start", "content_block_start", "content_block_delta", "content_block_stop"})


def is_reply(body: Mapping[str, Any]) -> bool:
    return body.get("type") == "message" and body.get("role") == "assistant" and isinstance(body.get("content"), list)


def messages(request: Mapping[str, Any]) -> list[Any]:
    given = request.get("messages")
    system = request.get("system")
    first = [{"role": "system", "content": system}] if system else []
    return [*first, *(given if isinstance(given, list) else [])]


def is_answer(message: object) -> bool:
    return mapping(message).get("role") == "assistant"


def join(events: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The message of a stream: blocks by index, each with its pieces of text, thought, arguments and citations."""
    if not any(text(event.get("type")) in _EVENTS for event in events):
        return None
    body: dict[str, Any] = {"type": "message", "role": "assistant"}
    blocks: dict[int, dict[str, Any]] = {}
    pieces: dict[int, list[str]] = {}
    for event in events:
        kind, index = event.get("type"), whole(event.get("index")) or 0
        if kind == "message_start":
            body |= mapping(event.get("message"))
        elif kind == "content_block_start":
            blocks[index] = dict(mapping(event.get("content_block")))
            pieces[index] = []
        elif kind == "content_block_delta":
            _add(blocks.setdefault(index, {"type": "text", "text": ""}), pieces, index, mapping(event.get("delta")))
        elif kind == "message_delta":
            body |= mapping(event.get("delta"))
    for index, parts in pieces.items():
        if parts:
            blocks[index]["input"] = parse_arguments("".join(parts))
    return body | {"content": [blocks[index] for index in sorted(blocks)]}


def _add(block: dict[str, Any], pieces: dict[int, list[str]], index: int, delta: Mapping[str, Any]) -> None:
    for name in ("text", "thinking"):
        if isinstance(delta.get(name), str):
            block[name] = text(block.get(name)) + delta[name]
    if isinstance(delta.get("partial_json"), str):
        pieces.setdefault(index, []).append(delta["partial_json"])
    if isinstance(given := delta.get("citation"), Mapping):
        known = block.get("citations")
        block["citations"] = [*(known if isinstance(known, list) else []), given]


def read(entries: Sequence[Entry]) -> Reading:
    book, steps, found = CallBook(), list[Step](), tuple[SourceCitation, ...]()
    encrypted = 0
    for role, content in _turns(entries):
        if role == "assistant":
            made, found = read_blocks(content, book)
            steps += made
            encrypted += sum(_is_encrypted(block) for block in mappings(content))
        elif role == "system":
            steps.append(Step(role="system", text=result_text(content)))
        else:
            steps += read_user_blocks(content, book)
            found = ()
    report = last_word(steps)
    stop = mapping(entries[-1].body).get("stop_reason") if entries else None
    return Reading(
        steps,
        report,
        finished=bool(report) and stop not in ("max_tokens", "pause_turn"),
        citations=[each.to_meta() for each in found] if report else [],
        undisclosed=_unanswered(steps),
        encrypted=encrypted,
    )


def _turns(entries: Sequence[Entry]) -> list[tuple[str, Any]]:
    """(role, content) of each turn; assistant messages that follow one another are one."""
    turns: list[tuple[str, Any]] = []
    for entry in entries:
        body = mapping(entry.body)
        role, content = text(body.get("role")) or "user", body.get("content")
        if role == "assistant" and turns and turns[-1][0] == "assistant":
            turns[-1] = (role, [*_as_blocks(turns[-1][1]), *_as_blocks(content)])
        else:
            turns.append((role, content))
    return turns


def _as_blocks(content: object) -> list[Any]:
    return content if isinstance(content, list) else [{"type": "text", "text": result_text(content)}] if content else []


def _is_encrypted(block: Mapping[str, Any]) -> bool:
    return text(block.get("type")).endswith("tool_result") and any(
        "encrypted_content" in hit for hit in mappings(block.get("content"))
    )


def _unanswered(steps: Sequence[Step]) -> int:
    answered = {result.call_id for step in steps for result in step.tool_results}
    return sum(call.id not in answered for step in steps[:-1] for call in step.tool_calls)


DIALECT = Dialect("anthropic", is_reply, messages, is_answer, join, read)
