"""From the spans of one trace to what was said and done, in order of time."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.messages import CallBook, is_error_result, last_word, parse_arguments, read_message
from workbench.ingest.spans.chat import messages_of
from workbench.ingest.spans.span import Span
from workbench.ingest.spans.values import as_text, decoded
from workbench.schema.trajectory import Step, ToolCall, ToolResult

_MOST_WAITING = 512  # calls without a result that are remembered: one that waited longer gets none
_DEEPEST = 200  # levels that are looked up; deeper trees are cut rather than walked again for every span
# Frameworks that write a span for each event of an agent number them: `agent.react.update-13`.
_EVENT_END = re.compile(r"\.(?:start|update|partial_update|success|finish|error)-\d+$")


@dataclass(frozen=True, slots=True)
class Told:
    """What a trace tells. `model` is that of its last model call, `llm_calls` counts each once."""

    question: str
    steps: tuple[Step, ...]
    report: str
    model: str
    llm_calls: int


def told(spans: Iterable[Span], *, asked: Any = None, answered: Any = None) -> Told:
    """The trace as steps. `asked` and `answered` are its input and output where the export says them apart.

    Raises BadInputError where no span is a model's or a tool's.
    """
    ordered = sorted(spans, key=lambda span: (span.start, -span.end))
    by_id = {span.id: span for span in ordered}
    llms = _counted_once([span for span in ordered if span.kind == "llm"], by_id)
    if not llms and not any(span.kind == "tool" for span in ordered):
        raise BadInputError(f"none of the {len(ordered)} spans is a call of a model or a tool")
    agents = {_agent(span, by_id) for span in ordered if span.kind in ("llm", "tool")}
    roots = [span for span in ordered if span.parent not in by_id and span.kind == "other"]
    roots += [span for span in ordered if span.kind == "agent"]
    writer = _Writer()
    answered_elsewhere = _answered(ordered)
    kept = {span.id for span in llms}
    for span in ordered:
        writer.agent = _agent(span, by_id) if len(agents) > 1 else ""
        if span.kind == "llm":
            if span.id in kept:
                writer.llm(span)
        elif span.kind == "tool" or writer.waits_for(span):
            # A span that only says that a tool began or ended is none beside the one that holds what it found.
            silent = span.output is None and not span.failed
            if not (silent and (span.parent, span.tool, as_text(span.input)) in answered_elsewhere):
                writer.tool(span)
    steps = writer.steps
    question = _asked(asked) or next((text for span in roots if (text := _asked(span.input))), "")
    first = next((step.text.strip() for step in steps if step.role == "user" and step.text.strip()), "")
    question = question or first
    if not question:
        raise BadInputError("no span says what was asked")
    if not first:
        at = next((i for i, step in enumerate(steps) if step.role != "system"), len(steps))
        steps.insert(at, Step(role="user", text=question))
    outputs = [answered, *(span.output for span in roots)]
    report = _report(steps, [found for value in outputs if (found := decoded(value))])
    _end_with(steps, report)
    model = next((span.model for span in reversed(llms) if span.model), "")
    return Told(question, tuple(steps), report, model, len(llms))


def _counted_once(llms: list[Span], by_id: dict[str, Span]) -> list[Span]:
    """One call is often two spans, the framework's around the interface's: of such a chain the one that says most.

    Where several stand side by side in one, those are the calls. A tool's or an agent's span between two parts them.
    """
    groups: dict[str, list[Span]] = {}
    inside: set[str] = set()
    for span in llms:
        top = span
        for above in _above(span, by_id):
            if above.kind in ("tool", "agent"):
                break
            if above.kind == "llm":
                inside.add(above.id)
                top = above
        groups.setdefault(top.id, []).append(span)
    kept = []
    for chain in groups.values():
        innermost = [span for span in chain if span.id not in inside]
        if len(innermost) > 1:
            kept += innermost
        else:
            kept.append(
                max(chain, key=lambda s: (bool(messages_of(s.output, "assistant")), bool(s.input), s.id in groups))
            )
    return sorted(kept, key=lambda span: (span.start, -span.end))


def _above(span: Span, by_id: dict[str, Span]) -> Iterator[Span]:
    seen = {span.id}
    while (parent := by_id.get(span.parent)) is not None and parent.id not in seen and len(seen) < _DEEPEST:
        seen.add(parent.id)
        yield parent
        span = parent


def _agent(span: Span, by_id: dict[str, Span]) -> str:
    """Name of the agent that a span belongs to: its own words for it, or the name of the agent's span around it."""
    found = next((above.agent or above.name for above in _above(span, by_id) if above.kind == "agent"), "")
    return _EVENT_END.sub("", found)


def _answered(spans: list[Span]) -> set[tuple[str, str, str]]:
    """Where (parent), by which tool and to what input there is a span of a tool that holds what the tool found."""
    found = {(s.parent, s.tool, as_text(s.input)) for s in spans if s.kind == "tool" and s.output is not None}
    return found | {(parent, tool, "") for parent, tool, _ in found}


@dataclass(slots=True)
class _Writer:
    """Writes steps, and what later spans repeat only once."""

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
            self._add(_joined(output), span.end - span.start if span.end > span.start else None)

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
        if print_ in self._said and not repeats and took is None:
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
    return {} if given is None else parse_arguments(as_text(given))


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


def _plain(value: Any) -> str:
    """The text of a value that is nothing but a text, empty for all others."""
    found = decoded(value)
    if isinstance(found, list) and len(found) == 1:
        found = found[0]
    return found.strip() if isinstance(found, str) and found.strip() != "None" else ""


def _asked(value: Any) -> str:
    """What the user said in a value: a bare text, or the first user message of several."""
    found = decoded(value)
    if text := _plain(found):
        return text
    if isinstance(found, dict) and "args" in found:
        return ""  # the arguments of a function are no question
    users = [m for m in messages_of(found, "") if m["role"] == "user"]
    return next((step.text.strip() for m in users if (step := read_message(0, m, CallBook())).text.strip()), "")


def _report(steps: list[Step], outputs: list[Any]) -> str:
    """The text that the run gave back; the agent's last words; the last text in an output of messages.

    Where the run gave back an object, what the agent said last before it, or that object. A run that gave back nothing
    and ends with a call has no report.
    """
    report = next((text for value in outputs if (text := _plain(value))), "") or last_word(steps)
    report = report or next((text for value in outputs if (text := _said(value))), "")
    if report or not outputs:
        return report
    spoken = (step.text.strip() for step in reversed(steps) if step.role == "assistant")
    return next((text for text in spoken if text), "") or as_text(outputs[0])


def _said(value: Any) -> str:
    """The last words of an output that is made of messages."""
    messages = [m for m in messages_of(value, "assistant") if m["role"] == "assistant" and not m.get("tool_calls")]
    return last_word([read_message(0, messages[-1], CallBook())]) if messages else ""


def _end_with(steps: list[Step], report: str) -> None:
    """Where the spans hold only the last pieces of a streamed report, or none of it, the trace's own output is said."""
    said = [i for i, step in enumerate(steps) if step.role == "assistant"]
    if not report or any(report in steps[i].text for i in said):
        return
    last = said[-1] if said else -1
    if said and not steps[last].tool_calls and steps[last].text.strip() in report:
        steps[last] = replace(steps[last], text=report)
    elif not any(call.arguments and report in as_text(call.arguments) for i in said for call in steps[i].tool_calls):
        steps.append(Step(role="assistant", text=report))


def _contradicts(asked: Any, given: Any) -> bool:
    """Whether a tool got other arguments than the model gave: then it was another call, which the model's span left
    out (of parallel calls some exporters keep the first)."""
    if not isinstance(given, dict) or not isinstance(asked, dict):
        return False
    return any(asked[name] != given[name] for name in asked.keys() & given.keys())
