"""What a judge reads of a case, as plain text: question, report, research trace, evidence."""

from collections import defaultdict, deque
from dataclasses import dataclass

from rubrics.judging.evidence import Evidence
from workbench.schema.canonical import canonical_json
from workbench.schema.trajectory import ToolResult, Trajectory

ARGUMENT_CHARS = 300
RESULT_CHARS = 240


@dataclass(frozen=True, slots=True)
class Material:
    """Untrusted text to judge. An empty `trace` means that there is none: a report imported alone.

    `evidence` is what the run retrieved, None where nobody looked (`workbench.evidence.judged` does). `reference` is
    the report to compare with, read only by a rubric whose score is a share of it.
    """

    question: str
    report: str
    trace: str = ""
    evidence: Evidence | None = None
    reference: str = ""


def material_of(
    question: str,
    report: str,
    trajectory: Trajectory | None,
    *,
    evidence: Evidence | None = None,
    reference: str | None = None,
) -> Material:
    """The material of a case, with the outline of its trajectory."""
    trace = "" if trajectory is None else trace_outline(trajectory)
    return Material(question, report, trace, evidence, reference or "")


def trace_outline(trajectory: Trajectory) -> str:
    """Every tool call in order, a line each: tool, arguments, what came back; empty if no tool was called.

    Long arguments and results are cut with the number of characters that follow, so that a trace of hundreds of
    calls still shows every query and address.
    """
    # Some agents begin their ids anew in each turn: answers to one id belong to its calls in their order.
    results: dict[str, deque[ToolResult]] = defaultdict(deque)
    for step in trajectory.steps:
        for result in step.tool_results:
            if result.call_id:
                results[result.call_id].append(result)
    lines: list[str] = []
    for step in trajectory.steps:
        for call in step.tool_calls:
            arguments = canonical_json(call.arguments).decode("utf-8", errors="replace")
            answers = results.get(call.id)
            answer = _answer(answers.popleft() if answers else None)
            lines.append(f"{len(lines) + 1}. {call.kind} {call.name} {_cut(arguments, ARGUMENT_CHARS)} -> {answer}")
    return "\n".join(lines)


def _answer(result: ToolResult | None) -> str:
    if result is None:
        return "no result recorded"
    head = "error: " if result.is_error else ""
    return head + (_cut(" ".join(result.text.split()), RESULT_CHARS) or "empty result")


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text) - limit} more characters)"
