"""OpenAI chat messages with tools, one chat a record, with whatever fields a logger put beside them."""

from collections.abc import Mapping
from typing import Any

from workbench.ingest.chat_records import CHAT_FIELDS, chat_messages, model_and_end, with_messages
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
from workbench.ingest.messages import read_messages
from workbench.ingest.tagged import has_tags, read_tagged_messages

_CUT = ("length", "max_tokens")


class _Chat(Record):
    messages: list[dict[str, Any]]


def detect(record: Mapping[str, Any]) -> bool:
    return chat_messages(record) is not None


def read(record: Mapping[str, Any]) -> Draft:
    """Beside `messages`, these fields are taken where they have the right type, and kept as meta where not:
    question, report, run, model, group (texts); attempt, policy_step (whole numbers); reward (a number).

    The model that answered stands over the one that was asked."""
    record = with_messages(record)
    chat = chat_messages(record)
    messages = checked(_Chat, record if chat is None else {"messages": chat}).messages
    found = read_tagged_messages(messages) if has_tags(messages) else read_messages(messages)
    required_agent_step(found.steps)
    texts = {name: field_of(record, name, str) for name in ("question", "report", "run", "model", "group")}
    numbers = {name: field_of(record, name, int) for name in ("attempt", "policy_step")}
    taken = [name for name, value in (texts | numbers).items() if value is not None]
    model, end = model_and_end(record)
    report = texts["report"] or found.report
    return Draft(
        question=texts["question"] or first_user_text(found.steps),
        steps=found.steps,
        report=report,
        outcome="completed" if report and end not in _CUT else "truncated",
        run=texts["run"],
        model=model or texts["model"],
        attempt=numbers["attempt"],
        group=texts["group"],
        policy_step=numbers["policy_step"],
        meta=recorded_reward(record, "reward") | other_fields(record, *CHAT_FIELDS, "reward", *taken),
    )


FORMAT = Format(
    name="openai-chat",
    looks_like='{"messages": [{"role", "content", "tool_calls"?}, ...]}',
    detect=detect,
    read=read,
)
