"""The workbench's own JSONL: exactly what `schema.trajectory_to_json` writes."""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from workbench.ingest.format import Draft, Format, Record, checked
from workbench.schema.trajectory import Outcome, Role, ToolKind, trajectory_from_json


class _Call(Record):
    id: str
    name: str
    kind: ToolKind
    arguments: dict[str, Any]


class _Result(Record):
    call_id: str
    text: str
    is_error: bool = False


class _Tokens(Record):
    ids: list[int]
    mask: list[Literal[0, 1]]
    logprobs: list[float] | None = None

    @model_validator(mode="after")
    def _one_length(self) -> Self:
        lengths = {len(self.ids), len(self.mask)} | ({len(self.logprobs)} if self.logprobs is not None else set())
        if len(lengths) > 1:
            raise ValueError(f"ids, mask and logprobs have lengths {sorted(lengths)}; expected one length")
        return self


class _Step(Record):
    role: Role
    text: str = ""
    reasoning: str = ""
    tool_calls: list[_Call] = Field(default=[])
    tool_results: list[_Result] = Field(default=[])
    tokens: _Tokens | None = None
    duration_s: float | None = None
    agent: str = ""


class _Trajectory(Record):
    question: str
    question_id: str
    run: str
    model: str
    steps: list[_Step]
    report: str
    attempt: int = 0
    group: str | None = None
    policy_step: int | None = None
    outcome: Outcome = "unknown"
    meta: dict[str, Any] = Field(default={})


def detect(record: Mapping[str, Any]) -> bool:
    return record.get("kind") == "trajectory" and "steps" in record


def read(record: Mapping[str, Any]) -> Draft:
    checked(_Trajectory, record)
    found = trajectory_from_json(record)
    return Draft(
        question=found.question,
        steps=found.steps,
        report=found.report,
        outcome=found.outcome,
        question_id=found.question_id,
        run=found.run,
        model=found.model,
        attempt=found.attempt,
        group=found.group,
        policy_step=found.policy_step,
        meta=found.meta,
    )


FORMAT = Format(
    name="native",
    looks_like='{"kind": "trajectory", "question", "steps", "report", ...}',
    detect=detect,
    read=read,
)
