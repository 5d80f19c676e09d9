"""An agent runner's own log: {task, steps: [{thought, action, action_input, observation}], final_answer}."""

import re
from collections.abc import Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import (
    Draft,
    Format,
    field_of,
    fields_of,
    first_user_text,
    other_fields,
    recorded_reward,
    required_agent_step,
)
from workbench.ingest.messages import last_word
from workbench.ingest.runner_steps import is_runner_step, read_runner_steps, unpacked
from workbench.schema.trajectory import Step

_STEPS = ("steps", "intermediate_steps", "trajectory", "memory", "trace", "log", "history")
_QUESTIONS = ("task", "question", "query", "input", "prompt", "instruction")
_ANSWERS = ("final_report", "report", "final_answer", "final_output", "answer", "output", "result", "response")
_LOOKED_AT = 5
_NUMBERED = re.compile(r"([a-z_]{1,40})_(\d{1,6})")


def detect(record: Mapping[str, Any]) -> bool:
    return record.get("kind") != "trajectory" and "schema_version" not in record and _steps_field(record) is not None


def read(record: Mapping[str, Any]) -> Draft:
    """The report is the record's own answer, else what an answering action gave, else what the agent said last."""
    name = _steps_field(record)
    if name is None:
        raise BadInputError(f"found {fields_of(record)}; expected a list of steps in one of {', '.join(_STEPS)}")
    made, answered = read_runner_steps(_listed(record[name]))
    question = _text(record, _QUESTIONS)
    steps = made
    if question and not any(step.role == "user" for step in made):
        system = sum(1 for step in made[:1] if step.role == "system")
        steps = (*made[:system], Step(role="user", text=question), *made[system:])
    required_agent_step(steps)
    stated = _text(record, _ANSWERS)
    report = stated or answered or last_word(steps)
    texts = {key: field_of(record, key, str) for key in ("run", "model", "group")}
    taken = [key for key, value in texts.items() if value is not None]
    read_fields = [key for key in (*_QUESTIONS, *_ANSWERS) if record.get(key) in (question, report)]
    status = str(record.get("status", record.get("state", ""))).lower()
    failed = status in ("failed", "error", "failure")
    return Draft(
        question=question or first_user_text(steps),
        steps=steps,
        report=report,
        outcome="failed" if failed else "completed" if report and "max_steps" not in status else "truncated",
        run=texts["run"],
        model=texts["model"],
        attempt=field_of(record, "attempt", int),
        group=texts["group"],
        meta=recorded_reward(record, "reward") | other_fields(record, name, "reward", *read_fields, *taken),
    )


def _steps_field(record: Mapping[str, Any]) -> str | None:
    for name in _STEPS:
        value = record.get(name)
        listed = _listed(value)
        if any(is_runner_step(step) for step in listed[:_LOOKED_AT]):
            return name
    return None


def _listed(value: object) -> list[Any]:
    """The steps of a list, of an object that holds it, or of one with numbered keys (`thought_0`, `tool_name_0`)."""
    if not isinstance(value, Mapping):
        return value if isinstance(value, list) else []
    if isinstance(listed := value.get("steps"), list):
        return listed
    steps: dict[int, dict[str, Any]] = {}
    for key, item in value.items():
        if found := _NUMBERED.fullmatch(str(key)):
            steps.setdefault(int(found[2]), {})[found[1]] = item
    return [steps[number] for number in sorted(steps)]


def _text(record: Mapping[str, Any], names: tuple[str, ...]) -> str:
    for name in names:
        value = unpacked(record.get(name))
        if isinstance(value, Mapping):
            value = next(
                (value[key] for key in ("output", "answer", "text", "question", "input") if key in value), None
            )
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


FORMAT = Format(
    name="step-runner",
    looks_like='{"task", "steps": [{"thought", "action", "action_input", "observation"}], "final_answer"}',
    detect=detect,
    read=read,
)
