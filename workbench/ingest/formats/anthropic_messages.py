"""Anthropic messages: content blocks with tool_use and tool_result, the system prompt beside the messages."""

from collections.abc import Mapping
from typing import Any

from workbench.ingest.anthropic_blocks import SourceCitation, is_blocks, read_blocks, read_user_blocks, result_text
from workbench.ingest.chat_records import model_and_end, reply_of, with_messages
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
from workbench.ingest.messages import CallBook, last_word, read_message
from workbench.schema.trajectory import Step


class _Chat(Record):
    messages: list[dict[str, Any]]


def detect(record: Mapping[str, Any]) -> bool:
    record = with_messages(record)
    messages = record.get("messages")
    if not isinstance(messages, list):
        return False
    if is_blocks(reply_of(record).get("content")):
        return True
    found = [message for message in messages if isinstance(message, Mapping)]
    return any(message.get("role") == "assistant" for message in found) and any(
        is_blocks(message.get("content")) and not message.get("tool_calls") for message in found
    )


def read(record: Mapping[str, Any]) -> Draft:
    """A report or question beside the messages stands over them; a `content` and `stop_reason` there is the reply."""
    record = with_messages(record)
    messages = checked(_Chat, record).messages
    reply = reply_of(record) or record
    if isinstance(reply.get("content"), list) and reply.get("role") == "assistant":
        messages = [*messages, {"role": "assistant", "content": reply["content"]}]
    model, end = model_and_end(record)
    book, steps, citations = CallBook(), list[Step](), tuple[SourceCitation, ...]()
    if system := result_text(record.get("system")):
        steps.append(Step(role="system", text=system))
    for position, message in enumerate(messages):
        role, content = message.get("role"), message.get("content")
        if role == "assistant" and (isinstance(content, list) and not message.get("tool_calls")):
            made, citations = read_blocks(content, book)
            steps += made
        elif role == "user":
            steps += read_user_blocks(content, book)
        else:
            steps.append(read_message(position, message, book))
            citations = ()
    required_agent_step(steps)
    texts = {name: field_of(record, name, str) for name in ("question", "report", "run", "model", "group")}
    taken = [name for name, value in texts.items() if value is not None]
    report = texts["report"] or last_word(steps)
    meta = recorded_reward(record, "reward") | other_fields(
        record, "messages", "system", "reward", "content", "response", *taken
    )
    if citations and not texts["report"] and report:
        meta["source_citations"] = [citation.to_meta() for citation in citations]
    return Draft(
        question=texts["question"] or first_user_text(steps),
        steps=tuple(steps),
        report=report,
        outcome="truncated" if not report or end in ("length", "max_tokens") else "completed",
        run=texts["run"],
        model=model or texts["model"],
        attempt=field_of(record, "attempt", int),
        group=texts["group"],
        meta=meta,
    )


FORMAT = Format(
    name="anthropic-messages",
    looks_like='{"messages": [{"role", "content": [{"type": "text" | "thinking" | "tool_use" | "tool_result"}]}]}',
    detect=detect,
    read=read,
)
