"""Tool calls as `<use_mcp_tool>` XML in the assistant's text, results as the next user message (MiroFlow, Cline).

Standard library only, as `messages` is.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from workbench.ingest.messages import (
    ROLES,
    UNPARSED,
    CallBook,
    Transcript,
    content_text,
    last_word,
    looks_like_error,
    parse_arguments,
    read_message,
    separate_reasoning,
    split_thought,
)
from workbench.ingest.tool_kinds import tool_kind
from workbench.schema.canonical import JsonObject
from workbench.schema.trajectory import Step, ToolCall, ToolResult

OPENING = "<use_mcp_tool>"
_CLOSING = "</use_mcp_tool>"
_MOST_RESULTS = 64
# How results begin when several stand in one message; each at the start of a line.
_NUMBERED = re.compile(r"^(?:Valid tool call|Tool call|Result of tool call) \d+(?: result)?:[ \t]*\n?", re.MULTILINE)
_BEGINNING = re.compile(
    r"^(?:=== RAG [^\n=]*===|Sandbox created with|(?:Command|Execution)(?:Result)?\(|\[ERROR\]|Error executing|Error: "
    r"|\{(?=\s*\n?\s*\"))",
    re.MULTILINE,
)


def has_xml_calls(messages: Sequence[object]) -> bool:
    """Whether an assistant message calls a tool this way. Prompts show examples, so that other roles do not count."""
    return any(
        isinstance(message, Mapping)
        and message.get("role") == "assistant"
        and not message.get("tool_calls")
        and OPENING in content_text(message.get("content"))[0]
        for message in messages
    )


def read_xml_messages(
    messages: Sequence[Mapping[str, Any]], *, agent: str = "", book: CallBook | None = None
) -> Transcript:
    """The user message right after a message with calls is their results, split as `split_results` says.

    Where it cannot be split, the whole text belongs to the first call, and the others stay without result. Raises
    ValueError as `read_messages`.
    """
    calls = book or CallBook()
    steps: list[Step] = []
    open_ids: list[str] = []
    runnable: list[str] = []
    for position, message in enumerate(messages):
        role = ROLES.get(str(message.get("role"))) if isinstance(message, Mapping) else None
        text, thought = content_text(message.get("content")) if role else ("", "")
        if role == "assistant" and not message.get("tool_calls"):
            inline, text = split_thought(text)
            said, made = parse_calls(text)
            open_ids = calls.open([("", name) for _, name, _ in made]) if made else []
            runnable = [own for own, (*_, given) in zip(open_ids, made, strict=True) if UNPARSED not in given]
            reasoning = "\n".join(part for part in (separate_reasoning(message), thought, inline) if part)
            steps.append(
                Step(
                    role="assistant",
                    text=said,
                    reasoning=reasoning,
                    tool_calls=tuple(
                        # A sub-agent is asked as a tool; what it does are steps of its own.
                        ToolCall(own, name, "other" if server.startswith("agent-") else tool_kind(name), arguments)
                        for own, (server, name, arguments) in zip(open_ids, made, strict=True)
                    ),
                    agent=agent,
                )
            )
        elif role == "user" and open_ids:
            results = split_results(message.get("content"), len(open_ids))
            if len(results) == 1 and 1 < len(runnable) < len(open_ids):
                # The framework ran no call whose arguments it could not read, and says nothing of it.
                results = split_results(message.get("content"), len(runnable))
                open_ids = runnable if len(results) == len(runnable) else open_ids
            steps.append(
                Step(
                    role="tool",
                    tool_results=tuple(
                        ToolResult(own, text, looks_like_error(text) or text.startswith("Network Error"))
                        for own, text in zip(open_ids, results, strict=False)
                    ),
                    agent=agent,
                )
            )
            open_ids = []
        else:
            steps.append(read_message(position, message, calls))
            open_ids = []
    report = last_word(steps)
    return Transcript(tuple(steps), report, finished=bool(report))


def parse_calls(text: str) -> tuple[str, list[tuple[str, str, JsonObject]]]:
    """(text without the calls, [(server, tool, arguments)]). A call that is cut off counts, up to the end."""
    said: list[str] = []
    calls: list[tuple[str, str, JsonObject]] = []
    position = 0
    while (start := text.find(OPENING, position)) >= 0:
        said.append(text[position:start])
        again = text.find(OPENING, start + 1)
        end = text.find(_CLOSING, start, again if again >= 0 else len(text))
        if end < 0:  # not closed: ends where the next begins
            body, position = (text[start:again], again) if again >= 0 else (text[start:], len(text))
        else:
            body, position = text[start:end], end + len(_CLOSING)
        calls.append((_tag(body, "server_name"), _tag(body, "tool_name"), parse_arguments(_tag(body, "arguments"))))
    said.append(text[position:])
    return "\n\n".join(part for raw in said if (part := raw.strip())), calls


def split_results(content: object, calls: int) -> list[str]:
    """The results of several calls in one message: at most `calls` texts, in the order of the calls.

    By the parts of the content where there are as many as calls; by numbered headings; by how results begin (a JSON
    object, a heading of the tool). Only a split into exactly as many texts as calls is believed; else one text, whole.
    """
    whole, _ = content_text(content)
    if calls <= 1:
        return [whole.strip()]
    if isinstance(content, list) and len(content) == calls:
        return [content_text([part])[0].strip() for part in content]
    numbered = list(_NUMBERED.finditer(whole))
    if len(numbered) == calls:
        stops = [*(found.start() for found in numbered[1:]), len(whole)]
        return [whole[found.end() : stop].strip() for found, stop in zip(numbered, stops, strict=True)]
    pieces = _pieces(whole)
    return pieces if len(pieces) == calls else [whole.strip()]


def _pieces(text: str) -> list[str]:
    """The text cut where a result begins; braces inside a JSON object are no beginning."""
    pieces: list[str] = []
    start = position = 0
    decoder = json.JSONDecoder()
    while len(pieces) < _MOST_RESULTS and (found := _BEGINNING.search(text, position)):
        if text[start : found.start()].strip():
            pieces.append(text[start : found.start()].strip())
        start, position = found.start(), found.end()
        if text[start] == "{":
            try:
                _, position = decoder.raw_decode(text, start)
            except (ValueError, RecursionError):
                continue
            pieces.append(text[start:position].strip())
            start = position
    if text[start:].strip():
        pieces.append(text[start:].strip())
    return pieces


def _tag(body: str, name: str) -> str:
    opening = f"<{name}>"
    start = body.find(opening)
    if start < 0:
        return ""
    start += len(opening)
    end = body.rfind(f"</{name}>")  # the last, since arguments can hold the closing tag in a text
    return body[start : end if end >= start else len(body)].strip()
