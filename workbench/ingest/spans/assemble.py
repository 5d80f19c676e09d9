"""From the spans of one trace to what was said and done, in order of time."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.messages import CallBook, last_word, read_message
from workbench.ingest.spans.chat import messages_of
from workbench.ingest.spans.span import Span
from workbench.ingest.spans.values import as_text, decoded
from workbench.ingest.spans.writer import Writer
from workbench.schema.trajectory import Step

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
    writer = Writer()
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
