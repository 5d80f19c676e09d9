"""Chat messages whose assistant turns are tagged text, as WebDancer and its relatives write them."""

import re
from collections.abc import Mapping
from typing import Any

from workbench.ingest.format import (
    Draft,
    Format,
    Record,
    checked,
    field_of,
    first_user_text,
    other_fields,
    required_agent_step,
)
from workbench.ingest.tagged import has_tags, read_tagged_messages

# The prompt explains the tags by an example of a whole answer; the question follows it.
_QUESTION_MARK = re.compile(r"</answer>\s*\n\s*(?:User|Question):\s*")


class _TaggedChat(Record):
    messages: list[dict[str, Any]]


def detect(record: Mapping[str, Any]) -> bool:
    messages = record.get("messages")
    return isinstance(messages, list) and has_tags([m for m in messages if isinstance(m, Mapping)])


def read(record: Mapping[str, Any]) -> Draft:
    found = read_tagged_messages(checked(_TaggedChat, record).messages)
    required_agent_step(found.steps)
    question, model = field_of(record, "question", str), field_of(record, "model", str)
    taken = [name for name, value in (("question", question), ("model", model)) if value]
    return Draft(
        question=question or question_in_prompt(first_user_text(found.steps)),
        steps=found.steps,
        report=found.report,
        outcome="completed" if found.finished else "truncated",
        model=model,
        meta=other_fields(record, "messages", *taken),
    )


def question_in_prompt(prompt: str) -> str:
    """The question at the end of a prompt that first explains tools and tags; without such a part the whole text."""
    mark = _QUESTION_MARK.search(prompt)
    return prompt[mark.end() :].strip() if mark and prompt[mark.end() :].strip() else prompt


FORMAT = Format(
    name="tagged-chat",
    looks_like='{"messages": [...]} with <think>, <tool_call> and <answer> in the assistant turns',
    detect=detect,
    read=read,
)
