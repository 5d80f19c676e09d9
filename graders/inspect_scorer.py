"""A grader of ours as a scorer of an Inspect evaluation (inspect-ai 0.3).

Inspect has three outcomes (its "Scoring Policy" page): a Score counts, `Score.unscored` is kept and left out of every
metric, and an exception is the machinery's failure, which its retry and fail settings handle. So a scored grade is a
Score, an abstention or a judge that failed is unscored, and a lost connection raises. Nothing becomes a zero.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from workbench.errors import BadInputError, MissingExtraError
from workbench.ingest.formats.inspect_log import read
from workbench.schema.canonical import question_key
from workbench.schema.grade import Grade, GradingCase
from workbench.schema.protocols import Grader, TransportError
from workbench.schema.trajectory import Trajectory

RUN = "inspect"


def inspect_scorer(grader: Grader) -> Any:
    """An Inspect scorer (for `Task(scorer=...)`) that grades each sample by `grader`; metrics are mean and stderr.

    A sample's target, where it is not empty, is the reference of the case. Raises MissingExtraError without inspect-ai.
    """
    inspect = inspect_module("inspect_ai.scorer")

    # Inspect records a scorer by the arguments of its factory: name and version say which grader it was.
    @inspect.scorer(metrics=[inspect.mean(), inspect.stderr()], name="reward_workbench")  # type: ignore[untyped-decorator]
    def reward_workbench(name: str, version: str) -> Any:  # noqa: ARG001
        async def score(state: Any, target: Any) -> Any:
            return to_score(inspect, await grader.grade(case_of(state, target)))

        return score

    return reward_workbench(grader.name, grader.version)


def inspect_module(name: str) -> Any:
    """A module of inspect-ai, imported when asked for. Raises MissingExtraError where it is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "inspect_ai":
            raise
        raise MissingExtraError(
            "Inspect's scorers need inspect-ai, which does not install beside the app's packages: make an environment "
            "of its own with `pip install inspect-ai` and put this checkout on its PYTHONPATH"
        ) from None


def case_of(state: Any, target: Any) -> GradingCase:
    """The sample that a TaskState holds as a case: its messages are read as those of an Inspect log are.

    The report is the text the agent ended with, else the model's completion; a state in which no agent speaks has no
    trajectory.
    """
    completion = str(getattr(state.output, "completion", "") or "")
    question = str(state.input_text)
    record = {
        "eval": {"model": str(state.model)},
        "sample": {
            "id": state.sample_id,
            "epoch": state.epoch,
            "input": question,
            "messages": [_dumped(message) for message in state.messages],
            "metadata": dict(state.metadata or {}),
        },
    }
    try:
        draft = read(record)
    except (BadInputError, ValueError):
        return GradingCase(question, completion, reference=_text_of(target))
    trajectory = Trajectory(
        question=question,
        question_id=question_key(question),
        run=RUN,
        model=draft.model or "unknown",
        steps=draft.steps,
        report=draft.report or completion,
        attempt=draft.attempt or 0,
        group=draft.group,
        outcome=draft.outcome,
    )
    return GradingCase(question, trajectory.report, trajectory, reference=_text_of(target))


def to_score(inspect: Any, grade: Grade) -> Any:
    """The grade as an Inspect Score. Raises TransportError where the wire failed and Inspect may try again."""
    metadata: dict[str, Any] = {
        "grader": grade.grader,
        "version": grade.grader_version,
        "outcome": grade.outcome,
        "scheme": grade.scheme,
        "raw": grade.raw,
        "cost_usd": grade.usage.cost_usd,
        "verdicts": [
            {"criterion_id": v.criterion_id, "label": v.label, "value": v.value, "reason": v.reason, "quote": v.quote}
            for v in grade.verdicts
        ],
    }
    if grade.outcome == "infra_failed":
        raise TransportError(f"{grade.grader}: {grade.reason}")
    if grade.score is None:
        return inspect.Score.unscored(reason=grade.outcome, explanation=grade.reason, metadata=metadata)
    told = "; ".join(f"{v.criterion_id}: {v.label or 'missing'}" for v in grade.verdicts)
    return inspect.Score(value=grade.score, explanation=told or grade.scheme, metadata=metadata)


def _dumped(message: Any) -> Mapping[str, Any]:
    found: Mapping[str, Any] = message.model_dump(mode="json", exclude_none=True)
    return found


def _text_of(target: Any) -> str | None:
    text = str(getattr(target, "text", "") or "")
    return text if text.strip() else None
