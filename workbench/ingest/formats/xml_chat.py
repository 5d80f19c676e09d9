"""Chat messages whose assistant turns call tools by `<use_mcp_tool>` XML in the text."""

from collections.abc import Mapping
from typing import Any

from workbench.ingest.chat_records import with_messages
from workbench.ingest.format import (
    Draft,
    Format,
    Record,
    checked,
    field_of,
    first_user_text,
    other_fields,
    recorded_reward,
    required_agent_step,
)
from workbench.ingest.formats.miroflow import task_of
from workbench.ingest.xml_calls import has_xml_calls, read_xml_messages


class _Chat(Record):
    messages: list[dict[str, Any]]


def detect(record: Mapping[str, Any]) -> bool:
    messages = with_messages(record).get("messages")
    return isinstance(messages, list) and has_xml_calls(messages)


def read(record: Mapping[str, Any]) -> Draft:
    record = with_messages(record)
    found = read_xml_messages(checked(_Chat, record).messages)
    required_agent_step(found.steps)
    texts = {name: field_of(record, name, str) for name in ("question", "report", "run", "model", "group")}
    taken = [name for name, value in texts.items() if value is not None]
    report = texts["report"] or found.report
    return Draft(
        question=texts["question"] or task_of(first_user_text(found.steps)),
        steps=found.steps,
        report=report,
        outcome="completed" if report else "truncated",
        run=texts["run"],
        model=texts["model"],
        attempt=field_of(record, "attempt", int),
        group=texts["group"],
        meta=recorded_reward(record, "reward") | other_fields(record, "messages", "reward", *taken),
    )


FORMAT = Format(
    name="xml-chat",
    looks_like='{"messages": [...]} with <use_mcp_tool> in the assistant turns',
    detect=detect,
    read=read,
)
