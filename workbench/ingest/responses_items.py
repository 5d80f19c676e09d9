"""OpenAI Responses items (message, reasoning, function_call, web_search_call, ...) to steps.

Standard library only, as `messages` is.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.ingest.messages import (
    ROLES,
    CallBook,
    Transcript,
    content_text,
    is_error_result,
    last_word,
    parse_arguments,
    read_message,
)
from workbench.ingest.tool_kinds import tool_kind
from workbench.schema.canonical import JsonObject
from workbench.schema.trajectory import Step, ToolCall, ToolKind, ToolResult

_CALLS = frozenset({"function_call", "custom_tool_call", "mcp_call", "local_shell_call", "computer_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output", "local_shell_call_output"}) | frozenset(
    {"computer_call_output", "tool_call_output_item"}
)
_HOSTED: Mapping[str, ToolKind] = {
    "web_search_call": "search",
    "file_search_call": "search",
    "code_interpreter_call": "code",
    "image_generation_call": "other",
}
OWN_TYPES = _CALLS | _OUTPUTS | _HOSTED.keys() | {"reasoning"}


@dataclass(frozen=True, slots=True)
class Items:
    """`citations`: url_citation offsets in the report, as `meta["source_citations"]` holds them. `undisclosed`: hosted
    calls whose result the provider did not give."""

    transcript: Transcript
    citations: tuple[dict[str, Any], ...]
    undisclosed: int


def has_items(value: object) -> bool:
    """Whether a list holds an item that only this interface has."""
    return isinstance(value, list) and any(
        isinstance(item, Mapping)
        and isinstance(item.get("type"), str)
        and item["type"] in OWN_TYPES
        and "role" not in item
        for item in value
    )


def read_items(items: Sequence[object]) -> Items:
    """Items in order; reasoning, text and calls that follow one another are one assistant step.

    A result is tied by `call_id`, else by order. Raises ValueError for an item that is no object.
    """
    reader = _Reader()
    for position, item in enumerate(items):
        if not isinstance(item, Mapping):
            raise ValueError(f"item {position} is a {type(item).__name__}; expected an object with a type")
        reader.take(position, item)
    reader.end()
    report = last_word(reader.steps)
    citations = tuple(reader.citations) if report else ()
    return Items(Transcript(tuple(reader.steps), report, bool(report)), citations, reader.undisclosed)


@dataclass(slots=True)
class _Reader:
    book: CallBook = field(default_factory=CallBook)
    steps: list[Step] = field(default_factory=list)
    citations: list[dict[str, Any]] = field(default_factory=list)
    undisclosed: int = 0
    _thoughts: list[str] = field(default_factory=list)
    _text: str = ""
    _calls: list[tuple[str, str, ToolKind, JsonObject]] = field(default_factory=list)
    _results: list[tuple[str, str, bool]] = field(default_factory=list)  # of hosted calls: (id in the source, text, ..)

    def take(self, position: int, item: Mapping[str, Any]) -> None:
        kind = _str(item.get("type"))
        if kind == "reasoning":
            if self._calls and self._results:
                self.end()
            self._thoughts += [_parts(item.get("summary")), _parts(item.get("content"))]
        elif kind in _CALLS:
            name, arguments = _function(item)
            self._calls.append((_str(item.get("call_id")) or _str(item.get("id")), name, tool_kind(name), arguments))
            if kind == "mcp_call" and (item.get("output") is not None or item.get("error")):
                self._results.append(
                    (_str(item.get("id")), _parts(item.get("output") or item.get("error")), bool(item.get("error")))
                )
        elif kind in _OUTPUTS:
            self.end()
            text, _ = content_text(item.get("output"))
            result = ToolResult(self.book.answer(_str(item.get("call_id"))), text, is_error_result(item, text))
            self._result_step([result])
        elif kind in _HOSTED:
            self._hosted(kind, item)
        elif item.get("role") == "assistant" and not item.get("tool_calls"):
            if self._calls:
                self.end()
            self._say(item)
        elif _str(item.get("role")) in ROLES:
            self.end()
            self.steps.append(read_message(position, item, self.book))
        elif kind == "output_text" or isinstance(item.get("text"), str):
            self._say({"content": [item]})
        else:
            # Not what the user read: a list of an MCP server's tools, a request for approval, a compaction.
            if self._calls:
                self.end()
            self._thoughts.append(f"[{kind or 'item'}]")

    def end(self) -> None:
        """The step that is being collected, and the results that its hosted calls disclosed."""
        thought = "\n".join(part for part in self._thoughts if part)
        if self._text.strip() or thought or self._calls:
            own = self.book.open([(source, name) for source, name, _, _ in self._calls]) if self._calls else []
            calls = tuple(ToolCall(i, n, k, a) for i, (_, n, k, a) in zip(own, self._calls, strict=True))
            cut = len(self._text) - len(self._text.lstrip())
            for citation in self.citations:
                citation["start"], citation["end"] = max(citation["start"] - cut, 0), max(citation["end"] - cut, 0)
            self.steps.append(Step(role="assistant", text=self._text.strip(), reasoning=thought, tool_calls=calls))
            if self._results:
                self._result_step([ToolResult(self.book.answer(s), text, bad) for s, text, bad in self._results])
        self._thoughts, self._text, self._calls, self._results = [], "", [], []

    def _say(self, item: Mapping[str, Any]) -> None:
        if not self._text:
            self.citations = []
        content = item.get("content")
        for part in content if isinstance(content, list) else [content]:
            if self._text:
                self._text += "\n"
            start = len(self._text)
            refusal = part.get("refusal") if isinstance(part, Mapping) else None
            self._text += refusal if isinstance(refusal, str) else content_text([part] if part is not None else None)[0]
            given = part.get("annotations") if isinstance(part, Mapping) else None
            for note in given if isinstance(given, list) else []:
                if isinstance(note, Mapping) and isinstance(note.get("url"), str):
                    first, last = note.get("start_index"), note.get("end_index")
                    if isinstance(first, int) and isinstance(last, int):
                        named = {"url": note["url"]} | ({"title": t} if (t := _str(note.get("title"))) else {})
                        self.citations.append({"start": start + first, "end": start + last} | named)

    def _hosted(self, kind: str, item: Mapping[str, Any]) -> None:
        source = _str(item.get("id"))
        action = item.get("action")
        details = dict(action) if isinstance(action, Mapping) else {}
        found = details.pop("sources", None) or item.get("results") or item.get("outputs") or item.get("logs")
        arguments: JsonObject = details | {key: item[key] for key in ("queries", "query", "code") if item.get(key)}
        opened = details.get("type") in ("open_page", "find_in_page")
        name = str(details.get("type")) if opened else kind.removesuffix("_call")
        self._calls.append((source, name, "visit" if opened else _HOSTED[kind], arguments))
        failed = item.get("status") == "failed"
        if found or failed:
            self._results.append((source, _parts(found) if found else "failed", failed))
        else:
            self.undisclosed += 1

    def _result_step(self, results: list[ToolResult]) -> None:
        before = self.steps[-1].tool_results if self.steps and self.steps[-1].role == "tool" else ()
        if before:
            self.steps.pop()
        self.steps.append(Step(role="tool", tool_results=(*before, *results)))


def _function(item: Mapping[str, Any]) -> tuple[str, JsonObject]:
    raw = item.get("arguments", item.get("input", item.get("action")))
    if item.get("type") == "custom_tool_call" and isinstance(raw, str):
        return _str(item.get("name")), {"input": raw}
    return _str(item.get("name")) or str(item.get("type", "")).removesuffix("_call"), parse_arguments(raw)


def _parts(value: object) -> str:
    """The text of a list of parts, of sources (title and address) or of results; other things as JSON."""
    if isinstance(value, list):
        return "\n\n".join(text for part in value if (text := _parts(part)))
    if isinstance(value, Mapping):
        text = next((t for key in ("text", "logs", "content") if (t := _str(value.get(key)))), "")
        named = [t for key in ("title", "filename", "url") if (t := _str(value.get(key)))]
        return "\n".join([*named, text] if text else named) or json.dumps(value, ensure_ascii=False, default=str)
    return _str(value) if isinstance(value, str) else "" if value is None else str(value)


def _str(value: object) -> str:
    return value if isinstance(value, str) else ""
