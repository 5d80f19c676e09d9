"""Run logs of Onyx's deep research: the question, the tasks given to sub-agents, and the report.

Each task is a call of a sub-agent. What the sub-agents found is not in the log: `meta["undisclosed_results"]` counts
them, so that a citation of the report is not held to be unretrieved.
"""

from collections.abc import Mapping
from typing import Any

from workbench.ingest.format import Draft, Format, Record, checked, field_of
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Step, ToolCall

_TASK = "research_task"


class _Log(Record):
    question: str
    research_tasks: list[str]
    answer: str | None


def detect(record: Mapping[str, Any]) -> bool:
    return all(name in record for name in ("query_id", "question", "research_tasks", "answer"))


def read(record: Mapping[str, Any]) -> Draft:
    log = checked(_Log, record)
    report = (log.answer or "").strip()
    calls = tuple(
        ToolCall(f"task-{number}", _TASK, "other", {"task": task}) for number, task in enumerate(log.research_tasks, 1)
    )
    steps = [Step(role="user", text=log.question)]
    if calls:
        steps.append(Step(role="assistant", tool_calls=calls, agent="orchestrator"))
    if report:
        steps.append(Step(role="assistant", text=report))
    meta: dict[str, JsonValue] = {"undisclosed_results": len(calls)} if calls else {"trace": False}
    if query_id := field_of(record, "query_id", str):
        meta["query_id"] = query_id
    total = record.get("tasks_total")
    if isinstance(total, int) and total != len(calls):
        meta["tasks_total"] = total
    return Draft(
        question=log.question,
        steps=tuple(steps),
        report=report,
        outcome="completed" if report else "truncated",
        run=field_of(record, "run", str) or "onyx",
        model=field_of(record, "model", str) or "onyx",
        meta=meta,
    )


FORMAT = Format(
    name="onyx-log",
    looks_like='a text log: "Query ID: N", a rule, QUESTION:, RESEARCH TASKS (n total):, ANSWER:',
    detect=detect,
    read=read,
)
