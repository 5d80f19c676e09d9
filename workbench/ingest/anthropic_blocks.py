"""A list of Anthropic content blocks to steps. Standard library only, as `messages` is.

For any reader that meets such blocks: `read_blocks` for what an assistant wrote, `read_user_blocks` for a user's
message, `text_with_citations` for text blocks alone. One CallBook a transcript ties results to calls across messages.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.ingest.loose import text as _text
from workbench.ingest.messages import CallBook, looks_like_error, parse_arguments
from workbench.ingest.tool_kinds import tool_kind
from workbench.schema.trajectory import Step, ToolCall, ToolResult

CALL_TYPES = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
RESULT_ENDING = "tool_result"
ONLY_ANTHROPIC = frozenset({"thinking", "redacted_thinking"}) | CALL_TYPES


@dataclass(frozen=True, slots=True)
class SourceCitation:
    """What a provider recorded: `start..end` (characters, in the text it came with) is supported by a source."""

    start: int
    end: int
    url: str = ""
    title: str = ""
    cited_text: str = ""

    def to_meta(self) -> dict[str, Any]:
        """As `meta["source_citations"]` holds it."""
        named = {"url": self.url, "title": self.title, "cited_text": self.cited_text}
        return {"start": self.start, "end": self.end} | {name: value for name, value in named.items() if value}


def is_blocks(content: object) -> bool:
    """Whether a message's content is a list that holds a block that only this interface has."""
    return isinstance(content, list) and any(isinstance(block, Mapping) and _is_own(block) for block in content)


def read_blocks(
    content: object, book: CallBook, *, agent: str = ""
) -> tuple[tuple[Step, ...], tuple[SourceCitation, ...]]:
    """(steps, citations in the text of the last step) of an assistant's content: a text or a list of blocks.

    A result among the blocks (a server's own tool) ends one assistant step, becomes a tool step, and what follows is
    the next assistant step. Blocks of an unknown type are named in brackets. Never raises.
    """
    steps: list[Step] = []
    texts: list[Mapping[str, Any]] = []
    thoughts: list[str] = []
    calls: list[Mapping[str, Any]] = []
    citations: tuple[SourceCitation, ...] = ()

    def end() -> None:
        nonlocal citations
        if not (texts or thoughts or calls):
            return
        text, citations = text_with_citations(texts)
        ids = book.open([(_text(c.get("id")), _text(c.get("name"))) for c in calls]) if calls else []
        made = tuple(
            ToolCall(
                own, _text(call.get("name")), tool_kind(_text(call.get("name"))), parse_arguments(call.get("input"))
            )
            for own, call in zip(ids, calls, strict=True)
        )
        reasoning = "\n".join(thought for thought in thoughts if thought)
        steps.append(Step(role="assistant", text=text, reasoning=reasoning, tool_calls=made, agent=agent))
        texts.clear()
        thoughts.clear()
        calls.clear()

    for block in _blocks(content):
        kind = str(block.get("type", ""))
        if kind == "thinking":
            thoughts.append(_text(block.get("thinking")))
        elif kind == "redacted_thinking":
            thoughts.append("[redacted_thinking]")
        elif kind in CALL_TYPES:
            calls.append(block)
        elif kind.endswith(RESULT_ENDING):
            end()
            citations = ()
            _add_result(steps, read_result(block, book), agent)
        else:
            if calls:  # what is said after a call belongs to the next step only if the call was a server's
                end()
            texts.append(block)
    end()
    return tuple(steps), citations


def read_user_blocks(content: object, book: CallBook) -> tuple[Step, ...]:
    """A user's content as steps: its tool results as one tool step, then what the user said."""
    results: list[ToolResult] = []
    texts: list[Mapping[str, Any]] = []
    for block in _blocks(content):
        if str(block.get("type", "")).endswith(RESULT_ENDING):
            results.append(read_result(block, book))
        else:
            texts.append(block)
    steps = [Step(role="tool", tool_results=tuple(results))] if results else []
    text, _ = text_with_citations(texts)
    if text or not results:
        steps.append(Step(role="user", text=text))
    return tuple(steps)


def text_with_citations(blocks: Sequence[Mapping[str, Any]]) -> tuple[str, tuple[SourceCitation, ...]]:
    """Text blocks as one text without blanks around it, and what each block's `citations` say of its stretch.

    Joined without separators where a block has citations (the interface splits a text at each cited span), else by
    lines.
    """
    joint = "" if any(block.get("citations") for block in blocks) else "\n"
    pieces: list[str] = []
    found: list[tuple[int, int, Mapping[str, Any]]] = []
    position = 0
    for number, block in enumerate(blocks):
        text = block.get("text")
        piece = (joint if number else "") + (text if isinstance(text, str) else f"[{block.get('type', 'block')}]")
        given = block.get("citations")
        if isinstance(given, list):
            found += [(position, position + len(piece), c) for c in given if isinstance(c, Mapping)]
        pieces.append(piece)
        position += len(piece)
    whole = "".join(pieces)
    text = whole.strip()
    cut = len(whole) - len(whole.lstrip())
    citations = tuple(
        SourceCitation(
            max(start - cut, 0),
            min(end - cut, len(text)),
            _text(c.get("url")) or (_text(c.get("source")) if "://" in _text(c.get("source")) else ""),
            _text(c.get("title")) or _text(c.get("document_title")),
            _text(c.get("cited_text")),
        )
        for start, end, c in found
        if end > cut
    )
    return text, citations


def read_result(block: Mapping[str, Any], book: CallBook) -> ToolResult:
    """A block of any `..tool_result` type. What a server encrypts is left out; titles and addresses stand."""
    content = block.get("content")
    text = result_text(content)
    flag = block.get("is_error")
    failed = (
        flag
        if isinstance(flag, bool)
        else (isinstance(content, Mapping) and str(content.get("type")).endswith("error")) or looks_like_error(text)
    )
    return ToolResult(book.answer(_text(block.get("tool_use_id"))), text, failed)


def result_text(content: object) -> str:
    """What a result discloses, as text: a text, a list of blocks, or one object (a fetched page, an error)."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n\n".join(result_text(part) for part in content)
    if not isinstance(content, Mapping):
        return json.dumps(content, ensure_ascii=False, default=str)
    if isinstance(content.get("text"), str):
        return str(content["text"])
    kind = str(content.get("type", ""))
    if kind == "web_search_result":
        return "\n".join(part for key in ("title", "url", "page_age") if (part := _text(content.get(key))))
    if kind == "web_fetch_result":
        document = content.get("content")
        inner = document if isinstance(document, Mapping) else {}
        source = inner.get("source")
        body = source if isinstance(source, Mapping) else {}
        page = _text(body.get("data")) if body.get("type") == "text" else f"[{body.get('media_type', 'document')}]"
        return "\n".join(part for part in (_text(inner.get("title")), _text(content.get("url")), page) if part)
    if kind in ("image", "document"):
        return f"[{kind}]"
    if kind.endswith("error"):
        return f"Error: {content.get('error_code', kind)}"
    return json.dumps({k: v for k, v in content.items() if k != "encrypted_content"}, ensure_ascii=False, default=str)


def _add_result(steps: list[Step], result: ToolResult, agent: str) -> None:
    if steps and steps[-1].role == "tool":
        last = steps.pop()
        steps.append(Step(role="tool", tool_results=(*last.tool_results, result), agent=agent))
    else:
        steps.append(Step(role="tool", tool_results=(result,), agent=agent))


def _is_own(block: Mapping[str, Any]) -> bool:
    kind = str(block.get("type", ""))
    return kind in ONLY_ANTHROPIC or (kind.endswith(RESULT_ENDING) and "tool_use_id" in block)


def _blocks(content: object) -> list[Mapping[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    if isinstance(content, Mapping):
        return [content]
    if not isinstance(content, list):
        return []
    return [part if isinstance(part, Mapping) else {"type": "text", "text": str(part)} for part in content]
