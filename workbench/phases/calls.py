"""Tool calls paired with what they gave back, and whether they failed."""

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from re import IGNORECASE
from typing import NamedTuple

from workbench.phases.lazy import Pattern
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Step, ToolCall, ToolResult, Trajectory

# How much of a result is read for signs of failure, and how long a page may be that says it could not be found.
HEAD_CHARS = 600
ERROR_PAGE_CHARS = 1500
# Deeper nesting than this is no argument that a tool would take.
MAX_DEPTH = 6

_FAILED_CALL = Pattern(
    r"\s*(?:\[[\w ]{0,30}\]\s*)?(?:(?:unexpected|internal|http|tool|execution|fatal) )?"
    r"(?:error\b\s*(?:[:\-]|\d{3}|$)|exception:|traceback \(most recent)"
    r"|\s*\{\s*\"error\"\s*:\s*(?!null|false|\"\")",
    IGNORECASE,
)
_FAILED_PAGE = Pattern(
    r"could not be (?:accessed|fetched|loaded|retrieved|opened)"
    r"|(?:failed|unable) to (?:read|fetch|load|open|retrieve|access|crawl|scrape)"
    r"|(?:page|url|file|resource|document|site) (?:was |is |could )?not (?:be )?found"
    r"|access (?:is |was )?denied|(?:request|connection|page|fetch) timed out|timeout (?:error|exceeded)"
    r"|\b(?:http|status|error|code)[ :=]{1,3}(?:40[0134]|410|429|451|5\d\d)\b"
    r"|\b(?:403 forbidden|404 not found|not found 404|error 404|50[234] (?:bad gateway|service|gateway))"
    r"|connection (?:refused|reset)|无法(?:访问|打开|获取|读取)|页面不存在|访问(?:被拒绝|失败)|抓取失败|请求超时",
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
    """Whether a call failed: the source says so, the result opens as an error, or a visit brought an error page."""
    if result.is_error or _FAILED_CALL().match(result.text[:HEAD_CHARS]):
        return True
    return call.kind == "visit" and looks_like_error_page(result.text)


def looks_like_error_page(text: str) -> bool:
    """Conservative: a page counts as failed only where it is empty, or short and says so near its beginning."""
    stripped = text.strip()
    if not stripped:
        return True
    return len(stripped) <= ERROR_PAGE_CHARS and _FAILED_PAGE().search(stripped[:HEAD_CHARS]) is not None


def strings_at(arguments: JsonValue, keys: tuple[str, ...], depth: int = 0) -> list[str]:
    """All strings under the first of `keys` that holds any, lists and nested objects opened; blank ones left out."""
    if depth > MAX_DEPTH or not isinstance(arguments, Mapping):
        return []
    lowered = {str(key).lower(): value for key, value in arguments.items()}
    for key in keys:
        if key in lowered and (found := _strings(lowered[key], keys, depth)):
            return found
    return []


def _strings(value: JsonValue, keys: tuple[str, ...], depth: int) -> list[str]:
    if isinstance(value, str):
        return [value] if value.strip() else []
    if depth > MAX_DEPTH:
        return []
    if isinstance(value, list | tuple):
        return [text for item in value for text in _strings(item, keys, depth + 1)]
    return strings_at(value, keys, depth + 1)


def argument_text(arguments: JsonValue) -> str:
    """All keys and values of a call's arguments as one text: what the agent wrote in the call."""
    out: list[str] = []
    stack: list[JsonValue] = [arguments]
    while stack:
        value = stack.pop()
        if isinstance(value, Mapping):
            for key, inner in value.items():
                stack.extend((inner, str(key)))
        elif isinstance(value, list | tuple):
            stack.extend(value)
        else:
            out.append(str(value))
    return " ".join(out)
