"""Tool calls paired with what they gave back, and whether they failed."""

from collections import defaultdict, deque
from collections.abc import Iterator
from re import IGNORECASE
from typing import NamedTuple

from workbench.phases.lazy import Pattern
from workbench.phases.pages import HEAD_CHARS, addresses_of, looks_like_error_page, parts_by_address
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory

_FAILED_CALL = Pattern(
    r"\s*(?:\[[\w ]{0,30}\]\s*)?(?:(?:unexpected|internal|http|tool|execution|fatal) )?"
    r"(?:error\b\s*(?:[:\-]|\d{3}|$)|exception:|traceback \(most recent)"
    r"|\s*\{\s*\"error\"\s*:\s*(?!null|false|\"\")",
    IGNORECASE,
)


class Place(NamedTuple):
    """Where a tool result stands: step position and index within that step's results."""

    step: int
    result: int


class CallRecord(NamedTuple):
    """A call, the step that made it, and its result if one came. `failed` judges the call as a whole."""

    step: int
    call: ToolCall
    result: ToolResult | None
    place: Place | None
    failed: bool


def call_records(trajectory: Trajectory) -> tuple[CallRecord, ...]:
    """All calls in order, each with its result: by id, a repeated id in order of appearance; an id is never guessed."""
    waiting: dict[str, deque[tuple[Place, ToolResult]]] = defaultdict(deque)
    for place, result in results(trajectory.steps):
        if result.call_id:
            waiting[result.call_id].append((place, result))
    records = []
    for position, step in enumerate(trajectory.steps):
        for call in step.tool_calls:
            answers = waiting.get(call.id)
            if answers:
                place, found = answers.popleft()
                records.append(CallRecord(position, call, found, place, is_failure(call, found)))
            else:
                records.append(CallRecord(position, call, None, None, failed=False))
    return tuple(records)


def results(steps: tuple[Step, ...]) -> Iterator[tuple[Place, ToolResult]]:
    """Every tool result with its place, in order."""
    for position, step in enumerate(steps):
        for index, result in enumerate(step.tool_results):
            yield Place(position, index), result


def is_failure(call: ToolCall, result: ToolResult) -> bool:
    """Whether a call failed: the source says so, the result opens as an error, or a visit brought an error page.

    A batch of pages failed only if every page of it did.
    """
    if result.is_error or _FAILED_CALL().match(result.text[:HEAD_CHARS]):
        return True
    if call.kind != "visit" or not looks_like_error_page(result.text):
        return False
    parts = parts_by_address(result.text, addresses_of(call, result.text))
    return len(parts) < 2 or all(looks_like_error_page(result.text[start:end]) for start, end in parts.values())
