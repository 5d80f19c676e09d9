"""A trajectory: what one agent did for one question, step by step, and the report it wrote."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from workbench.schema.canonical import JsonObject, JsonValue, content_hash

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]
ToolKind: TypeAlias = Literal["search", "visit", "code", "other"]
Outcome: TypeAlias = Literal["completed", "truncated", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool. `id` is unique within its trajectory (readers invent one where the source has none)."""

    id: str
    name: str
    kind: ToolKind
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave back. `call_id` names the call, or is empty where the source has an orphan result."""

    call_id: str
    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class TokenTrace:
    """What a trainer recorded of a step: token ids, 1 where the policy wrote the token, log-probabilities if kept.

    The three have one length.
    """

    ids: tuple[int, ...]
    mask: tuple[int, ...]
    logprobs: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One chat message: what was said, thought, called and (for a tool message) answered.

    `agent` names who acted in a run of several agents, empty in a run of one.
    """

    role: Role
    text: str = ""
    reasoning: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_results: tuple[ToolResult, ...] = ()
    tokens: TokenTrace | None = None
    duration_s: float | None = None
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One attempt of one agent at one question.

    `report` is the final text the user would read, empty if there is none (`steps` hold it as well where the agent
    wrote it in a message). `group` joins rollouts of one question drawn from one policy; `policy_step` is the
    optimiser step of that policy. `meta` holds what the source said besides (JSON).
    """

    question: str
    question_id: str
    run: str
    model: str
    steps: tuple[Step, ...]
    report: str
    attempt: int = 0
    group: str | None = None
    policy_step: int | None = None
    outcome: Outcome = "unknown"
    meta: Mapping[str, JsonValue] = field(default_factory=dict)
    # Kept once computed: an import asks for it four times, and it costs as much as reading the record.
    _content_hash: str = field(default="", init=False, repr=False, compare=False)

    @property
    def content_hash(self) -> str:
        """Hash of what was said and done: question, steps, report and outcome, not where it came from."""
        if not self._content_hash:
            found = content_hash(
                {
                    "question": self.question,
                    "steps": [step_to_json(step) for step in self.steps],
                    "report": self.report,
                    "outcome": self.outcome,
                }
            )
            object.__setattr__(self, "_content_hash", found)
        return self._content_hash

    def hashed(self, content_hash: str) -> "Trajectory":
        """Itself, with its hash known from elsewhere: a store has it, and it costs as much as reading the record."""
        object.__setattr__(self, "_content_hash", content_hash)
        return self

    def numbered(self, attempt: int) -> "Trajectory":
        """The same content as another attempt."""
        return replace(self, attempt=attempt).hashed(self.content_hash)

    @property
    def id(self) -> str:
        """`t-` and 20 hexadecimal digits over content, run, question, attempt and policy step.

        A file imported twice gives the same ids; two identical rollouts of one group differ by their attempt.
        """
        key: list[JsonValue] = [self.content_hash, self.run, self.question_id, self.attempt, self.policy_step]
        return "t-" + content_hash(key)[:20]


def step_to_json(step: Step) -> dict[str, JsonValue]:
    """The step as JSON, empty parts left out. `step_from_json` is its inverse."""
    out: dict[str, JsonValue] = {"role": step.role}
    if step.text:
        out["text"] = step.text
    if step.reasoning:
        out["reasoning"] = step.reasoning
    if step.tool_calls:
        out["tool_calls"] = [
            {"id": c.id, "name": c.name, "kind": c.kind, "arguments": c.arguments} for c in step.tool_calls
        ]
    if step.tool_results:
        out["tool_results"] = [
            {"call_id": r.call_id, "text": r.text, "is_error": r.is_error} for r in step.tool_results
        ]
    if step.tokens is not None:
        trace: dict[str, JsonValue] = {"ids": list(step.tokens.ids), "mask": list(step.tokens.mask)}
        if step.tokens.logprobs is not None:
            trace["logprobs"] = list(step.tokens.logprobs)
        out["tokens"] = trace
    if step.duration_s is not None:
        out["duration_s"] = step.duration_s
    if step.agent:
        out["agent"] = step.agent
    return out


def step_from_json(value: JsonObject) -> Step:
    """Inverse of `step_to_json`. Trusts its input: readers validate at the edge first."""
    raw: Any = value
    trace = raw.get("tokens")
    return Step(
        role=raw["role"],
        text=raw.get("text", ""),
        reasoning=raw.get("reasoning", ""),
        tool_calls=tuple(ToolCall(c["id"], c["name"], c["kind"], c["arguments"]) for c in raw.get("tool_calls", ())),
        tool_results=tuple(
            ToolResult(r["call_id"], r["text"], r.get("is_error", False)) for r in raw.get("tool_results", ())
        ),
        tokens=None
        if trace is None
        else TokenTrace(
            tuple(trace["ids"]),
            tuple(trace["mask"]),
            None if trace.get("logprobs") is None else tuple(trace["logprobs"]),
        ),
        duration_s=raw.get("duration_s"),
        agent=raw.get("agent", ""),
    )


def trajectory_to_json(trajectory: Trajectory) -> dict[str, JsonValue]:
    """The native JSONL record, one line a trajectory. `trajectory_from_json` is its inverse."""
    return {
        "kind": "trajectory",
        "question": trajectory.question,
        "question_id": trajectory.question_id,
        "run": trajectory.run,
        "model": trajectory.model,
        "attempt": trajectory.attempt,
        "group": trajectory.group,
        "policy_step": trajectory.policy_step,
        "outcome": trajectory.outcome,
        "report": trajectory.report,
        "meta": trajectory.meta,
        "steps": [step_to_json(step) for step in trajectory.steps],
    }


def trajectory_from_json(value: JsonObject) -> Trajectory:
    """Inverse of `trajectory_to_json`. Trusts its input."""
    raw: Any = value
    return Trajectory(
        question=raw["question"],
        question_id=raw["question_id"],
        run=raw["run"],
        model=raw["model"],
        steps=tuple(step_from_json(step) for step in raw["steps"]),
        report=raw["report"],
        attempt=raw.get("attempt", 0),
        group=raw.get("group"),
        policy_step=raw.get("policy_step"),
        outcome=raw.get("outcome", "unknown"),
        meta=raw.get("meta", {}),
    )
