"""Chat messages whose assistant turns are tagged text, as WebDancer and its relatives write them."""

import re
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
from workbench.ingest.tagged import has_tags, read_tagged_messages

# The prompt explains the tags by an example of a whole answer; the question follows it.
_QUESTION_MARK = re.compile(r"</answer>\s*\n\s*(?:User|Question):\s*")


class _TaggedChat(Record):
    messages: list[dict[str, Any]]


def detect(record: Mapping[str, Any]) -> bool:
    messages = with_messages(record).get("messages")
    return isinstance(messages, list) and has_tags([m for m in messages if isinstance(m, Mapping)])


def read(record: Mapping[str, Any]) -> Draft:
    """Takes the fields beside the messages that `openai_chat` takes."""
    record = with_messages(record)
    found = read_tagged_messages(checked(_TaggedChat, record).messages)
    required_agent_step(found.steps)
    texts = {name: field_of(record, name, str) for name in ("question", "report", "run", "model", "group")}
    numbers = {name: field_of(record, name, int) for name in ("attempt", "policy_step")}
    taken = [name for name, value in (texts | numbers).items() if value is not None]
    return Draft(
        question=texts["question"] or question_in_prompt(first_user_text(found.steps)),
        steps=found.steps,
        report=texts["report"] or found.report,
        outcome="completed" if found.finished else "truncated",
        run=texts["run"],
        model=texts["model"],
        attempt=numbers["attempt"],
        group=texts["group"],
        policy_step=numbers["policy_step"],
        meta=recorded_reward(record, "reward") | other_fields(record, "messages", "reward", *taken),
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
