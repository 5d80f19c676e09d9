"""AutoGen's messages and events (`source`, `type`) to steps (see `whoandwhen`).

Source: autogen-agentchat 0.4, `autogen_agentchat.messages`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.ingest.loose import text as _text
from workbench.ingest.messages import CallBook, content_text, looks_like_error, parse_arguments
from workbench.ingest.tool_kinds import tool_kind
from workbench.schema.trajectory import Step, ToolCall, ToolResult

_END_WORD = "TERMINATE"


def read_events(messages: Sequence[Mapping[str, Any]]) -> tuple[list[Step], str, bool]:
    """(steps, last statement, whether an agent spoke last) of messages that name their source and type."""
    steps: list[Step] = []
    book = CallBook()
    for message in messages:
        source, kind, content = str(message.get("source", "")), str(message.get("type", "")), message.get("content")
        parts = [part for part in content if isinstance(part, Mapping)] if isinstance(content, list) else []
        if kind == "ToolCallRequestEvent":
            named = [(_text(part.get("id")), _text(part.get("name"))) for part in parts]
            own = book.open(named) if named else []
            calls = tuple(
                ToolCall(each, name, tool_kind(name), parse_arguments(part.get("arguments")))
                for each, (_, name), part in zip(own, named, parts, strict=True)
            )
            steps.append(Step(role="assistant", tool_calls=calls, agent=source))
        elif kind == "ToolCallExecutionEvent":
            results = tuple(
                ToolResult(
                    book.answer(_text(part.get("call_id")), _text(part.get("name"))),
                    text := content_text(part.get("content"))[0],
                    part.get("is_error") is True or looks_like_error(text),
                )
                for part in parts
            )
            steps.append(Step(role="tool", tool_results=results, agent=source))
        elif source == "user":
            steps.append(Step(role="user", text=content_text(content)[0].strip()))
        elif kind == "ThoughtEvent":
            steps.append(Step(role="assistant", reasoning=content_text(content)[0], agent=source))
        elif kind != "ToolCallSummaryMessage":  # it repeats the results
            steps.append(Step(role="assistant", text=content_text(content)[0].strip(), agent=source))
    last = next((step for step in reversed(steps) if step.text), None)
    said = last.text.replace(_END_WORD, "").strip() if last is not None and last.role == "assistant" else ""
    return steps, said, bool(said)
