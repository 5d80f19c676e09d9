"""A scorer of Inspect's, or one written for it, as a grader here: `inspect:module:scorer`, `inspect:file.py:scorer`."""

import hashlib
import inspect as python_inspect
import math
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from graders.callable import load_object
from graders.inspect_scorer import inspect_module
from graders.redact import redact
from workbench.errors import BadInputError
from workbench.schema.canonical import JsonValue, content_hash
from workbench.schema.grade import Grade, GradeOutcome, GraderKind, GradingCase
from workbench.schema.trajectory import Step

PREFIX = "inspect:"
# Inspect's own words for a scalar verdict (`value_to_float`); its conversion gives 0 for every other one, ours none.
_WORDS = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


class NoTargetError(Exception):
    """The scorer read the target of a case that has none."""


class InspectGrader:
    """A Grader around an Inspect scorer `async (state, target) -> Score | None`.

    A numeric value in [0, 1] or one of Inspect's words is the score. An unscored (NaN) value, another type or range,
    and an exception are judge failures, a lost connection an infrastructure failure, no Score an abstention. A scorer
    that reads a target which the case does not have abstains: an empty target would match everything.
    """

    kind: GraderKind = "callable"

    def __init__(self, scorer: Any, *, name: str, definition: dict[str, JsonValue]) -> None:
        self._scorer = scorer
        self.name = name
        self.definition = definition
        self.version = content_hash(definition)

    async def grade(self, case: GradingCase) -> Grade:
        try:
            found = await self._scorer(task_state(case), target_of(case))
        except NoTargetError:
            return self._unscored(case, "abstained", "the scorer reads a target, and the case has no reference")
        except (ConnectionError, TimeoutError) as error:
            return self._unscored(case, "infra_failed", f"{type(error).__name__}: {redact(str(error))[:500]}")
        except Exception as error:
            return self._unscored(case, "judge_failed", f"{type(error).__name__}: {redact(str(error))[:500]}")
        if found is None:
            return self._unscored(case, "abstained", "the scorer gave no score")
        explanation = redact(str(getattr(found, "explanation", None) or ""))[:2000]
        value = as_share(found.value)
        if value is None:
            why = f"{getattr(found, 'reason', None) or ''} {explanation}".strip()
            said = f"the scorer gave {found.value!r:.80}; expected a number in [0, 1] or C, P, I, N"
            return self._unscored(case, "judge_failed", f"{said}{f' ({why[:300]})' if why else ''}")
        detail: dict[str, JsonValue] = {
            "explanation": explanation,
            "answer": str(getattr(found, "answer", "") or "")[:500],
        }
        return Grade(
            self.name, self.version, case.case_hash, "scored", value, value, "inspect", detail=detail
        )  # fmt: skip

    def _unscored(self, case: GradingCase, outcome: GradeOutcome, reason: str) -> Grade:
        return Grade(self.name, self.version, case.case_hash, outcome, reason=reason)


def as_share(value: object) -> float | None:
    """A scalar value of Inspect's as a number in [0, 1], None where it is none. NaN is its mark of no verdict."""
    if isinstance(value, str):
        word = _WORDS.get(value, _WORDS.get(value.lower()))
        if word is not None:
            return word
        try:
            value = float(value)
        except ValueError:
            return None
    if not isinstance(value, bool | int | float) or not math.isfinite(value) or not 0.0 <= value <= 1.0:
        return None
    return float(value)


def task_state(case: GradingCase) -> Any:
    """The case as an Inspect TaskState: the trajectory's messages, and the report as the model's output."""
    solver, model = inspect_module("inspect_ai.solver"), inspect_module("inspect_ai.model")
    trajectory = case.trajectory
    steps = trajectory.steps if trajectory is not None else ()
    messages = [message for step in steps for message in _messages(model, step)] or [
        model.ChatMessageUser(content=case.question)
    ]
    named = f"workbench/{trajectory.model if trajectory is not None else 'unknown'}"
    return solver.TaskState(
        model=model.ModelName(named),
        sample_id=trajectory.id if trajectory is not None else case.case_hash[:20],
        epoch=1 + (trajectory.attempt if trajectory is not None else 0),
        input=case.question,
        messages=messages,
        target=target_of(case),
        output=model.ModelOutput.from_content(named, case.report),
        completed=True,
        metadata=dict(trajectory.meta) if trajectory is not None else {},
    )


def _messages(model: Any, step: Step) -> list[Any]:
    if step.role == "system":
        return [model.ChatMessageSystem(content=step.text)]
    if step.role == "user":
        return [model.ChatMessageUser(content=step.text)]
    if step.role == "assistant":
        call = inspect_module("inspect_ai.tool").ToolCall
        calls = [call(id=c.id, function=c.name, arguments=dict(c.arguments)) for c in step.tool_calls]
        return [model.ChatMessageAssistant(content=step.text, tool_calls=calls or None)]
    return [model.ChatMessageTool(content=r.text, tool_call_id=r.call_id or None) for r in step.tool_results]


def target_of(case: GradingCase) -> Any:
    """The reference, else the target that an imported Inspect log kept, else one that may not be read."""
    target = inspect_module("inspect_ai.scorer").Target
    kept = case.trajectory.meta.get("target") if case.trajectory is not None else None
    for found in (case.reference, kept):
        texts = [found] if isinstance(found, str) else found
        if isinstance(texts, list) and texts and all(isinstance(text, str) and text.strip() for text in texts):
            return target(texts)

    class NoTarget(target):  # type: ignore[misc, valid-type]
        @property
        def text(self) -> str:
            raise NoTargetError

        def __getitem__(self, index: Any) -> Any:
            raise NoTargetError

        def __len__(self) -> int:
            raise NoTargetError

        def __iter__(self) -> Any:
            raise NoTargetError

    return NoTarget("")


def load_inspect(spec: str) -> InspectGrader:
    """The grader that `inspect:module:scorer` or `inspect:path/file.py:scorer` names. Runs the module.

    The name is a scorer's factory that needs no argument, or a scorer. Raises BadInputError and MissingExtraError.
    """
    inspect_module("inspect_ai.scorer")
    place, _, name = spec.removeprefix(PREFIX).rpartition(":")
    if not place or not name:
        raise BadInputError(f"grader {spec!r}: expected inspect:module:scorer or inspect:path/file.py:scorer")
    definition: dict[str, JsonValue] = {"inspect": name, "inspect_ai": _version("inspect-ai")}
    if place.endswith(".py"):
        found, file = load_object(f"{place}:{name}", "Inspect scorer")
        definition |= file
    else:
        module = _imported(spec, place)
        source = Path(str(getattr(module, "__file__", "") or ""))
        digest = hashlib.sha256(source.read_bytes()).hexdigest() if source.is_file() else ""
        definition |= {"module": place, "sha256": digest}
        found = getattr(module, name, None)
    if not callable(found):
        raise BadInputError(f"grader {spec!r}: {place} has no scorer {name!r}")
    return InspectGrader(_made(spec, found), name=name, definition=definition)


def _imported(spec: str, module: str) -> Any:
    try:
        return import_module(module)
    except Exception as error:
        raise BadInputError(f"grader {spec!r}: {module} cannot be imported: {type(error).__name__}: {error}") from error


def _made(spec: str, found: Any) -> Any:
    """The scorer itself: an async callable of (state, target), made by its factory where `found` is one."""
    if _is_scorer(found):
        return found
    try:
        made = found()
    except Exception as error:
        raise BadInputError(
            f"grader {spec!r}: its factory needs no argument here, and gave {type(error).__name__}: {error}; wrap it "
            "in a file with a factory of your own"
        ) from error
    if not _is_scorer(made):
        raise BadInputError(
            f"grader {spec!r}: it made a {type(made).__name__}; expected an async (state, target) scorer"
        )
    return made


def _is_scorer(found: Any) -> bool:
    return python_inspect.iscoroutinefunction(found) or python_inspect.iscoroutinefunction(
        getattr(type(found), "__call__", None)  # noqa: B004
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
