"""Chat logs kept as OpenAI Responses items, in `items`, `input` and `output`, or `messages`."""

from collections.abc import Mapping
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import (
    Draft,
    Format,
    field_of,
    first_user_text,
    other_fields,
    recorded_reward,
    required_agent_step,
)
from workbench.ingest.responses_items import has_items, read_items

_FIELDS = ("items", "messages", "input", "output")


def detect(record: Mapping[str, Any]) -> bool:
    if record.get("object") == "response" and "input" not in record:
        return False  # one raw response: the question is not in it
    if record.get("object") == "response" and isinstance(record.get("output"), list):
        return True  # whatever it answered with, be it nothing but a message
    return any(has_items(record.get(name)) for name in _FIELDS)


def read(record: Mapping[str, Any]) -> Draft:
    """`input` (a text or items) comes before `output`; `items` or `messages` alone hold the whole log."""
    given = record.get("input", record.get("question"))
    whole = next((record[name] for name in ("items", "messages") if isinstance(record.get(name), list)), None)
    output = record.get("output")
    before: list[Any] = given if isinstance(given, list) else []
    if isinstance(given, str) and given.strip():
        before = [{"role": "user", "content": given}]
    items = whole if whole is not None else [*before, *(output if isinstance(output, list) else [])]
    if isinstance(instructions := record.get("instructions"), str) and instructions.strip():
        items = [{"role": "system", "content": instructions}, *items]
    if not items:
        raise BadInputError(f"no items; expected a list of them in one of {', '.join(_FIELDS)}")
    found = read_items(items)
    steps = found.transcript.steps
    required_agent_step(steps)
    texts = {name: field_of(record, name, str) for name in ("question", "report", "run", "model", "group")}
    taken = [name for name, value in texts.items() if value is not None]
    report = texts["report"] or found.transcript.report
    meta = recorded_reward(record, "reward") | other_fields(record, *_FIELDS, "instructions", "reward", *taken)
    if found.citations and not texts["report"]:
        meta["source_citations"] = list(found.citations)
    if found.undisclosed:
        meta["undisclosed_results"] = found.undisclosed
    return Draft(
        question=texts["question"] or first_user_text(steps),
        steps=steps,
        report=report,
        outcome="truncated" if not report or record.get("status") == "incomplete" else "completed",
        run=texts["run"],
        model=texts["model"],
        attempt=field_of(record, "attempt", int),
        group=texts["group"],
        meta=meta,
    )


FORMAT = Format(
    name="openai-responses",
    looks_like='{"items" or "input" and "output": [{"type": "message" | "function_call" | "web_search_call" | ...}]}',
    detect=detect,
    read=read,
)
