"""Harbor ATIF (v1.4 to v1.7), with sub-agents and continuations (found by `atif_files`)."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Format, first_user_text, other_fields, required_agent_step
from workbench.ingest.formats.atif_files import expand, is_document, resolves, step_references
from workbench.ingest.loose import mappings as _mappings
from workbench.ingest.messages import CallBook, content_text, looks_like_error, parse_arguments
from workbench.ingest.tool_kinds import tool_kind
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Role, Step, TokenTrace, ToolCall, ToolResult

_ROLES: Mapping[str, Role] = {"user": "user", "agent": "assistant", "system": "system"}
_ENDING = frozenset({"finish", "mark_task_complete", "submit", "complete_task"})
_DEEPEST = 20


def detect(record: Mapping[str, Any]) -> bool:
    return is_document(record) or is_document(record.get("parent"))


def read(record: Mapping[str, Any]) -> Draft:
    """Steps copied from an earlier context are not counted twice. The report is the main agent's last word."""
    if not isinstance(record.get("steps"), list):
        raise BadInputError("it has no list of steps")
    children = _mappings(record.get("subagent_trajectories"))
    reader = _Reader(children)
    later = _mappings(record.get("continuations"))
    steps = [step for part in (record, *later) for step in reader.steps(part, reader.main, "")]
    for child in reader.unused():
        steps += reader.child(child, 1)
    own = [step for step in steps if not step.agent]
    required_agent_step(own)
    report = _report(own)
    given = record.get("agent")
    agent: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    read_fields = ("steps", "agent", "continuations", "subagent_trajectories", "final_metrics")
    meta: dict[str, JsonValue] = dict(other_fields(record, *read_fields))
    meta |= {f"agent_{name}": agent[name] for name in ("name", "version") if isinstance(agent.get(name), str)}
    # Totals of a continuation go on from those before it.
    metrics = (later[-1] if later else record).get("final_metrics")
    if isinstance(metrics, Mapping):
        meta["final_metrics"] = dict(metrics)
    if later:
        meta["continuations"] = len(later)
    model = agent.get("model_name")
    return Draft(
        question=first_user_text(own),
        steps=tuple(steps),
        report=report,
        outcome="completed" if report else "truncated",
        model=model if isinstance(model, str) and model else None,
        meta=meta,
    )


class _Reader:
    def __init__(self, children: Sequence[Mapping[str, Any]]) -> None:
        self.main = CallBook()
        self._children = list(children)
        self._used: set[int] = set()

    def unused(self) -> Iterator[Mapping[str, Any]]:
        for child in list(self._children):
            if id(child) not in self._used:
                yield child

    def child(self, document: Mapping[str, Any], depth: int) -> list[Step]:
        self._used.add(id(document))
        if depth > _DEEPEST:
            raise BadInputError(f"sub-agents call sub-agents over {_DEEPEST} deep")
        nested = _mappings(document.get("subagent_trajectories"))
        self._children += nested
        agent = document.get("agent")
        named = agent.get("name") if isinstance(agent, Mapping) else None
        own = document.get("trajectory_id") or document.get("session_id")
        name = next((text for text in (named, own) if isinstance(text, str) and text), "sub-agent")
        # Ids stay unique in the whole trajectory; a sub-agent's results never answer another agent's calls.
        made = list(self.steps(document, CallBook(used=self.main.used), name, depth))
        for inner in nested:
            if id(inner) not in self._used:
                made += self.child(inner, depth + 1)
        return made

    def steps(self, document: Mapping[str, Any], calls: CallBook, agent: str, depth: int = 0) -> Iterator[Step]:
        before: datetime | None = None
        found = document.get("steps")
        for position, step in enumerate(found if isinstance(found, list) else (), 1):
            if not isinstance(step, Mapping):
                raise BadInputError(f"step {position} is a {type(step).__name__}; expected an object")
            now = _time(step.get("timestamp"))
            duration = _between(before, now)
            before = now or before
            if step.get("is_copied_context") is True:
                continue
            yield self._said(position, step, calls, agent, duration)
            for reference in step_references(step):
                for child in self._children:
                    if id(child) not in self._used and resolves(reference, child):
                        yield from self.child(child, depth + 1)
            results = tuple(_results(step, calls))
            if results:
                yield Step("tool", tool_results=results, agent=agent)

    def _said(
        self, position: int, step: Mapping[str, Any], calls: CallBook, agent: str, duration: float | None
    ) -> Step:
        role = _ROLES.get(str(step.get("source")))
        if role is None:
            raise BadInputError(f"step {position} has source {str(step.get('source'))[:40]!r}; expected user or agent")
        text, thought = content_text(step.get("message"))
        if role != "assistant":
            return Step(role, text, agent=agent)
        given = step.get("reasoning_content")
        thought = given if isinstance(given, str) and given else thought
        made = _mappings(step.get("tool_calls"))
        named = [(str(call.get("tool_call_id") or ""), str(call.get("function_name") or "")) for call in made]
        ids = calls.open(named)
        opened = tuple(
            ToolCall(own, name, tool_kind(name), parse_arguments(call.get("arguments")))
            for own, (_, name), call in zip(ids, named, made, strict=True)
        )
        return Step(role, text, thought, opened, duration_s=duration, agent=agent, tokens=_tokens(step.get("metrics")))


def _tokens(metrics: object) -> TokenTrace | None:
    """What the model sampled at this step, with log-probabilities where there is one a token."""
    ids = metrics.get("completion_token_ids") if isinstance(metrics, Mapping) else None
    if not isinstance(metrics, Mapping) or not isinstance(ids, list) or not ids:
        return None
    if not all(type(item) is int for item in ids):
        return None
    given = metrics.get("logprobs")
    logprobs = None
    if isinstance(given, list) and len(given) == len(ids) and all(type(item) in (int, float) for item in given):
        logprobs = tuple(float(item) for item in given)
    return TokenTrace(tuple(ids), (1,) * len(ids), logprobs)


def _results(step: Mapping[str, Any], calls: CallBook) -> Iterator[ToolResult]:
    """Results mostly name no call: then they answer the step's calls in order. A step without calls has orphans."""
    observation = step.get("observation")
    found = observation.get("results") if isinstance(observation, Mapping) else None
    for result in found if isinstance(found, list) else ():
        if not isinstance(result, Mapping):
            continue
        source = result.get("source_call_id")
        text, _ = content_text(result.get("content"))
        extra = result.get("extra")
        failed = isinstance(extra, Mapping) and extra.get("is_error") is True
        own = calls.answer(source if isinstance(source, str) else "")
        yield ToolResult(own, text, failed or looks_like_error(text))


def _report(steps: Sequence[Step]) -> str:
    last = next(step for step in reversed(steps) if step.role == "assistant")
    if any(call.name not in _ENDING for call in last.tool_calls):
        return ""
    said = (call.arguments.get("message") for call in last.tool_calls)
    return last.text.strip() or next((text for text in said if isinstance(text, str)), "")


def _time(value: object) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _between(before: datetime | None, now: datetime | None) -> float | None:
    """Seconds since the step before: what an agent's step took."""
    if before is None or now is None or (before.tzinfo is None) != (now.tzinfo is None):
        return None
    seconds = (now - before).total_seconds()
    return seconds if seconds >= 0 else None


FORMAT = Format(
    name="atif",
    looks_like='{"schema_version": "ATIF-v1.x", "agent", "steps": [{"source", "message", "observation"}]}',
    detect=detect,
    read=read,
    expand=expand,
)
