"""MiroFlow's logs: XML calls in `message_history`, the report in `summary` or `final_boxed_answer`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from workbench.errors import BadInputError
from workbench.ingest.format import Draft, Format, field_of, first_user_text, other_fields, required_agent_step
from workbench.ingest.messages import CallBook
from workbench.ingest.xml_calls import read_xml_messages
from workbench.schema.trajectory import Step

_MAIN = "main"
# The task, then what the framework appends: the files' texts (the corpus), or how to go about it.
_APPENDED = re.compile(
    r"\n+(?=## Folder Contents Summary|## Document Contents|<file path="
    r"|Your task is to comprehensively address the question)"
)
_HEADING = re.compile(r"\A\s*# Task\s*\n+")
_SHORT_ANSWER_CHARS = 400


def detect(record: Mapping[str, Any]) -> bool:
    own = record.get("main_agent_message_history")
    if isinstance(own, Mapping) and isinstance(own.get("message_history"), list):
        return True
    return isinstance(record.get("message_history"), list) and bool({"summary", "final_boxed_answer"} & record.keys())


def read(record: Mapping[str, Any]) -> Draft:
    """`step_logs` repeat the messages and are not read. The embedded corpus stays in the first message: the question
    is the task without it, so that one task with corpora of several sizes is one question."""
    book = CallBook()
    main = read_xml_messages(_messages(record.get("main_agent_message_history") or record), book=book)
    required_agent_step(main.steps)
    steps = _with_sub_agents(main.steps, _sessions(record, book))
    described = record.get("input")
    task = field_of(described, "task_description", str) if isinstance(described, Mapping) else None
    full = task or first_user_text(main.steps)
    question = task_of(full)
    summary, boxed = field_of(record, "summary", str), field_of(record, "final_boxed_answer", str)
    report = summary or boxed or main.report
    env = record.get("env_info")
    meta = other_fields(
        record,
        *("main_agent_message_history", "message_history", "sub_agent_message_history_sessions", "step_logs"),
        *("input", "summary", "env_info", "log_dir", "trace_data", "final_boxed_answer"),
    )
    meta = {name: value for name, value in meta.items() if value not in (None, "")}
    if boxed and boxed != report and len(boxed) <= _SHORT_ANSWER_CHARS:
        meta["answer"] = boxed
    if len(question) < len(full):
        meta["question_chars_in_source"] = len(full)
    status = str(record.get("status") or ("success" if report else ""))
    return Draft(
        question=question,
        steps=steps,
        report=report,
        outcome="completed" if report and status in ("success", "completed") else "truncated" if report else "failed",
        model=field_of(env, "llm_model_name", str) if isinstance(env, Mapping) else None,
        meta=meta,
    )


def task_of(text: str) -> str:
    """The task without its heading and what the framework appended to it; the whole text where nothing else is left."""
    cut = _APPENDED.split(text, maxsplit=1)[0]
    return _HEADING.sub("", cut).strip() or text.strip()


def _messages(history: object) -> list[Mapping[str, Any]]:
    messages = history.get("message_history") if isinstance(history, Mapping) else history
    if not isinstance(messages, list) or not all(isinstance(message, Mapping) for message in messages):
        raise BadInputError("message_history is no list of messages; expected [{role, content}, ...]")
    return messages


def _sessions(record: Mapping[str, Any], book: CallBook) -> list[tuple[Step, ...]]:
    """The steps of each sub-agent's session without its system prompt, named after the session, in recorded order."""
    sessions = record.get("sub_agent_message_history_sessions")
    if not isinstance(sessions, Mapping):
        return []
    return [
        tuple(s for s in read_xml_messages(_messages(history), agent=str(name), book=book).steps if s.role != "system")
        for name, history in sessions.items()
    ]


def _with_sub_agents(main: Sequence[Step], sessions: Sequence[tuple[Step, ...]]) -> tuple[Step, ...]:
    """A session stands after the call that started it; one that no call started, before the main agent's last word."""
    if not sessions:
        return tuple(main)
    waiting = list(sessions)
    steps: list[Step] = []
    last = max(index for index, step in enumerate(main) if step.role == "assistant")
    for index, step in enumerate(main):
        named = replace(step, agent=_MAIN) if step.role in ("assistant", "tool") else step
        asks = [call for call in step.tool_calls if _asks_agent(call.name, call.kind)]
        if index == last and not asks:
            for session in waiting:
                steps += _named(session)
            waiting = []
        steps.append(named)
        for _ in asks:
            if waiting:
                steps += _named(waiting.pop(0))
    for session in waiting:
        steps += _named(session)
    return tuple(steps)


def _asks_agent(name: str, kind: str) -> bool:
    return kind == "other" and ("agent" in name or "search_and_browse" in name or "subtask" in name)


def _named(session: tuple[Step, ...]) -> list[Step]:
    agent = next((step.agent for step in session if step.agent), "")
    return [replace(step, agent=agent) for step in session]


FORMAT = Format(
    name="miroflow",
    looks_like='{"main_agent_message_history" or "message_history", "summary" or "final_boxed_answer"}',
    detect=detect,
    read=read,
)
