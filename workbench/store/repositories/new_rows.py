"""From a trajectory and its analysis to the rows of the tables: pure, and done before the transaction begins."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from typing import Any

from workbench.errors import BadInputError
from workbench.schema.analysis import RETRIEVALS, SUPPORTS, Activity, Analysis, Citation, StepPhase
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Step, ToolCall, Trajectory
from workbench.store.codec import pack_bytes, pack_text, split_step
from workbench.store.rows import NewTrajectory
from workbench.store.text.index import searched
from workbench.store.types import dump_json

PREVIEW_CHARS = 200
ARGUMENT_CHARS = 500
_LARGEST = 2**63 - 1
ACTIVITY = tuple(one.name for one in fields(Activity))  # the columns bear their names

Row = dict[str, Any]


@dataclass(slots=True)
class RowsOfOne:
    """All rows of one trajectory; `trajectory` in the others is filled in once its number is known."""

    id: str
    run: str
    trajectory: Row
    body: Row
    steps: list[Row] = field(default_factory=list)
    citations: list[Row] = field(default_factory=list)
    documents: dict[str, str] = field(default_factory=dict)
    texts: dict[str, list[str]] = field(default_factory=dict)


def rows_of(item: NewTrajectory, now: datetime) -> RowsOfOne:
    """Raises BadInputError where an analysis speaks of a step that is not there, or a number has no room."""
    trajectory, analysis = item.trajectory, item.analysis
    _check_numbers(trajectory)
    rows = RowsOfOne(
        id=trajectory.id,
        run=trajectory.run,
        trajectory=_light_row(trajectory, now) | analysis_columns(analysis),
        body={
            "source_name": item.source_name,
            "meta": trajectory.meta,
            "report": pack_text(trajectory.report),
            "source": pack_bytes(item.source),
        },
        citations=[citation_row(citation) for citation in analysis.citations],
        texts={
            "question": [trajectory.question],
            "report": [trajectory.report],
            "query": searched(trajectory.steps),
        },
    )
    phases = phases_by_position(analysis, len(trajectory.steps), trajectory.id)
    for position, step in enumerate(trajectory.steps):
        payload, documents = split_step(step)
        rows.documents.update(documents)
        rows.steps.append(
            {"position": position, "payload": payload} | _outline_columns(step) | phase_columns(phases.get(position))
        )
    rows.texts["result"] = list(rows.documents.values())
    return rows


def _check_numbers(trajectory: Trajectory) -> None:
    for name in ("attempt", "policy_step"):
        value = getattr(trajectory, name)
        if value is not None and not -_LARGEST <= value <= _LARGEST:
            raise BadInputError(
                f"{name} of a trajectory of run {trajectory.run!r} is {value}; expected at most {_LARGEST}"
            )


def _light_row(trajectory: Trajectory, now: datetime) -> Row:
    return {
        "id": trajectory.id,
        "content_hash": trajectory.content_hash,
        "question": trajectory.question,
        "question_id": trajectory.question_id,
        "run": trajectory.run,
        "model": trajectory.model,
        "attempt": trajectory.attempt,
        "group": trajectory.group,
        "policy_step": trajectory.policy_step,
        "outcome": trajectory.outcome,
        "steps": len(trajectory.steps),
        "report_chars": len(trajectory.report),
        "tool_errors": sum(result.is_error for step in trajectory.steps for result in step.tool_results),
        "imported_at": now,
    }


def analysis_columns(analysis: Analysis) -> Row:
    """The columns of the light row that an analysis decides."""
    return (
        asdict(analysis.activity)
        | citation_counts(analysis.citations)
        | {
            "analysis_version": analysis.version,
            "totals": {phase: asdict(totals) for phase, totals in analysis.totals.items()},
        }
    )


def citation_counts(citations: tuple[Citation, ...]) -> Row:
    by_retrieval = Counter(citation.retrieval for citation in citations)
    by_support = Counter(citation.support for citation in citations)
    return {f"retrieval_{name}": by_retrieval[name] for name in RETRIEVALS} | {
        f"support_{name}": by_support[name] for name in SUPPORTS
    }


def citation_row(citation: Citation) -> Row:
    body = asdict(citation)
    return {
        "ordinal": body.pop("ordinal"),
        "retrieval": body.pop("retrieval"),
        "support": body.pop("support"),
        "body": body,
    }


def phases_by_position(analysis: Analysis, n_steps: int, trajectory_id: str) -> Mapping[int, StepPhase]:
    for phase in analysis.phases:
        if not 0 <= phase.position < n_steps:
            raise BadInputError(
                f"the analysis of {trajectory_id} gives a phase to step {phase.position}; it has {n_steps} steps"
            )
    return {phase.position: phase for phase in analysis.phases}


def phase_columns(phase: StepPhase | None) -> Row:
    if phase is None:
        return {"phase": None, "confidence": None, "phase_source": None}
    return {"phase": phase.phase, "confidence": phase.confidence, "phase_source": phase.source}


def _outline_columns(step: Step) -> Row:
    return {
        "role": step.role,
        "preview": (step.text or step.reasoning)[:PREVIEW_CHARS],
        "chars": len(step.text),
        "reasoning_chars": len(step.reasoning),
        "result_chars": sum(len(result.text) for result in step.tool_results),
        "n_errors": sum(result.is_error for result in step.tool_results),
        "outline": [_call_outline(call) for call in step.tool_calls],
    }


def _call_outline(call: ToolCall) -> JsonValue:
    return {
        "id": call.id,
        "name": call.name,
        "kind": call.kind,
        "arguments": {name: _cut(value) for name, value in call.arguments.items()},
    }


def _cut(value: JsonValue) -> JsonValue:
    """An argument for an outline: a string over 500 characters is cut; so is the JSON text of a long structure."""
    if isinstance(value, str):
        return value if len(value) <= ARGUMENT_CHARS else value[:ARGUMENT_CHARS] + "…"
    if isinstance(value, (int, float, bool)) or value is None:
        return value
    text = dump_json(value)
    return value if len(text) <= ARGUMENT_CHARS else text[:ARGUMENT_CHARS] + "…"


def activity_from(row: Any) -> Activity:
    return Activity(**{name: getattr(row, name) for name in ACTIVITY})
