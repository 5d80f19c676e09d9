"""Writes the steps of a trace: calls tied to their results, and what later spans repeat said only once."""

import json
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.ingest.messages import UNPARSED, CallBook, is_error_result, parse_arguments, read_message
from workbench.ingest.spans.chat import messages_of
from workbench.ingest.spans.span import Span
from workbench.ingest.spans.values import as_text, decoded
from workbench.schema.trajectory import Step, ToolCall, ToolResult

_MOST_WAITING = 512  # calls without a result that are remembered: one that waited longer gets none


@dataclass(slots=True)
class Writer:
    """Fed with spans in order of time; `agent` names whose they are, `steps` is what came of them."""

    steps: list[Step] = field(default_factory=list)
    agent: str = ""
    _book: CallBook = field(default_factory=CallBook)
    _said: set[tuple[str, str]] = field(default_factory=set)
    _open: list[tuple[str, str, ToolCall]] = field(default_factory=list)  # (our id, id in the source, call)
    _own_words: bool = False  # a model's output was seen: what the agent said need not be taken from later inputs

    def llm(self, span: Span) -> None:
        """What was new in the input, then the output as one message."""
        for message in messages_of(span.input, "user"):
            if message["role"] == "tool":
                self._told_result(message)
            elif message["role"] != "assistant" or not self._own_words:
                self._add(message)
        output = [m for m in messages_of(span.output, "assistant") if m["role"] == "assistant"]
        if output:
            self._own_words = True
            # A call of its own is a turn of its own, be it in the words of another, or without a recorded time.
            self._add(_joined(output), span.end - span.start if span.end > span.start else None, repeats=True)

    def tool(self, span: Span) -> None:
        own = self._find(span.call_id, span.tool, decoded(span.input))
        if own is None:
            given = decoded(span.input)
            function = {"name": span.tool, "arguments": given if isinstance(given, dict) else _wrapped(given)}
            call = {"role": "assistant", "content": "", "tool_calls": [{"id": span.call_id, "function": function}]}
            self._add(call, repeats=True)
            own = self._open[-1][0]
        self._open = [entry for entry in self._open if entry[0] != own]
        text = _result_text(span.output)
        failed = span.failed or is_error_result({}, text)
        took = span.end - span.start if span.end > span.start else None
        result = ToolResult(own, text, failed)
        self.steps.append(Step(role="tool", tool_results=(result,), duration_s=took, agent=self.agent))

    def waits_for(self, span: Span) -> bool:
        """Whether a span of no stated kind bears the name of a tool that was called and has not answered."""
        return span.output is not None and any(_same(entry[2].name, span.tool or span.name) for entry in self._open)

    def _told_result(self, message: dict[str, Any]) -> None:
        """A result that stands in a later input: taken where no span of the tool gave it."""
        source_id, name = message.get("tool_call_id") or "", message.get("name") or ""
        found = next((e[0] for e in self._open if e[1] and e[1] == source_id), None)
        if found is None and not source_id:
            found = next((e[0] for e in self._open if not name or _same(e[2].name, name)), None)
        if found is None:
            return
        self._open = [entry for entry in self._open if entry[0] != found]
        text = as_text(message.get("content"))
        result = ToolResult(found, text, is_error_result(message, text))
        self.steps.append(Step(role="tool", tool_results=(result,), agent=self.agent))

    def _find(self, source_id: str, name: str, given: Any) -> str | None:
        by_id = [entry for entry in self._open if source_id and entry[1] == source_id]
        named = [entry for entry in self._open if _same(entry[2].name, name)]
        alike = [entry for entry in named if entry[2].arguments == given]
        # Defaults are filled in before the tool runs: what the model gave is part of what the tool got.
        part = (
            [e for e in named if isinstance(given, dict) and e[2].arguments.items() <= given.items()] if named else []
        )
        free = [entry for entry in named if not _contradicts(entry[2].arguments, given)]
        return next((entry[0] for entry in (*by_id, *alike, *part, *free)), None)

    def _add(self, message: dict[str, Any], took: float | None = None, *, repeats: bool = False) -> None:
        step = read_message(len(self.steps), message, self._book)
        calls = [(call.name, call.arguments) for call in step.tool_calls]
        print_ = (step.role, json.dumps([step.text.strip(), calls], sort_keys=True, default=str))
        if not (step.text or step.tool_calls or step.reasoning):
            return
        if print_ in self._said and not repeats:
            return
        self._said.add(print_)
        source_ids = [str(call.get("id") or "") for call in message.get("tool_calls") or ()]
        self._open += [(c.id, source, c) for c, source in zip(step.tool_calls, source_ids, strict=True)]
        self._open = self._open[-_MOST_WAITING:] if len(self._open) > _MOST_WAITING else self._open
        self.steps.append(replace(step, duration_s=took, agent=self.agent if step.role == "assistant" else ""))


def _joined(output: list[dict[str, Any]]) -> dict[str, Any]:
    """The messages of one output as one: calls apart, or a text that was streamed in pieces."""
    if len(output) == 1:
        return output[0]
    reasoning = [m["reasoning_content"] for m in output if isinstance(m.get("reasoning_content"), str)]
    return {
        "role": "assistant",
        "content": "".join(m["content"] for m in output if isinstance(m.get("content"), str))
        if not any(isinstance(m.get("content"), list) for m in output)
        else [part for m in output for part in (m["content"] if isinstance(m.get("content"), list) else [])],
        "tool_calls": [call for m in output for call in m.get("tool_calls") or ()],
        **({"reasoning_content": "\n".join(reasoning)} if reasoning else {}),
    }


def _wrapped(given: Any) -> Any:
    if given is None:
        return {}
    found = parse_arguments(as_text(given))
    return {"input": given} if UNPARSED in found and isinstance(given, str) else found


def _same(one: str, other: str) -> bool:
    return one.replace("-", "_").lower() == other.replace("-", "_").lower()


def _result_text(value: Any) -> str:
    """A tool's output as text. A message around it is taken off."""
    found = decoded(value)
    if (
        isinstance(found, dict)
        and isinstance(found.get("content"), str)
        and ("tool_call_id" in found or "type" in found)
    ):
        return str(found["content"])
    return value if isinstance(value, str) and not isinstance(found, str) else as_text(found)


def _contradicts(asked: Any, given: Any) -> bool:
    """Whether a tool got other arguments than the model gave: then it was another call, which the model's span left
    out (of parallel calls some exporters keep the first)."""
    if not isinstance(given, dict) or not isinstance(asked, dict):
        return False
    return any(asked[name] != given[name] for name in asked.keys() & given.keys())
