"""LangGraph thread states, their histories and streams, and dumps of LangChain messages.

The report is the text file that the thread lists among its artifacts, where there is one: taken from the call that
wrote it, or from the file beside the record (`<thread>.<name>` or `<name>`). Else the last words of the agent.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from workbench.ingest.format import (
    Draft,
    Folder,
    Format,
    PartOfError,
    first_user_text,
    other_fields,
    required_agent_step,
)
from workbench.ingest.formats.langgraph_states import is_checkpoint, latest, of_stream, thread_of
from workbench.ingest.json_values import to_json
from workbench.ingest.loose import mapping as _map
from workbench.ingest.loose import text as _text
from workbench.ingest.messages import last_word, read_messages
from workbench.ingest.spans.langchain import body_of, chat_message, is_message, model_of, role_of, without_reminders
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Step

# Most wanted first: a page made from a report is not the report.
_TEXT_ENDS = (".md", ".markdown", ".txt", ".tex", ".rst", ".html", ".htm")
_FILES = "artifact_files"


def detect(record: Mapping[str, Any]) -> bool:
    if isinstance(record.get("events"), list):
        record = of_stream(record["events"]) or {}
    messages = _messages(record)
    if any(is_message(m) and role_of(m) == "assistant" for m in messages):
        return True
    said = any(isinstance(m, Mapping) and m.get("role") == "assistant" for m in messages)
    return is_checkpoint(record) or (said and isinstance(record.get("values"), Mapping))


def gather(record: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Checkpoints of one thread are one trajectory; any other record is one by itself."""
    if is_checkpoint(record):
        return [(f"thread {thread_of(record)}", record)]
    return [(hashlib.sha256(to_json(record)).hexdigest(), record)]


def expand(record: Mapping[str, Any], folder: Folder) -> Iterable[Mapping[str, Any]]:
    """The thread's fullest state, with the text of an artifact that lies beside it, where no call in it wrote that."""
    if isinstance(record.get("records"), list):
        record = latest(record["records"]) or {}
    if isinstance(record.get("events"), list):
        record = of_stream(record["events"]) or {}
    if not any(role_of(m) == "assistant" or m.get("role") == "assistant" for m in _messages(record)):
        raise PartOfError("a LangGraph thread in which no agent has spoken")
    steps = read_messages([_chat(m) for m in _messages(record)]).steps
    own = PurePosixPath(folder.file).name.split(".", 1)[0]
    names = set(folder.names())
    for path in _artifacts(record):
        base = PurePosixPath(path).name
        beside = next((name for name in (f"{own}.{base}", base) if name in names), None)
        text = folder.text(beside) if beside else None
        if text and text.strip() != (_written(steps, base) or "").strip():
            return [{**record, _FILES: {path: text}}]
    return [record]


def read(record: Mapping[str, Any]) -> Draft:
    """`meta` says where the report was found (`report_from`), and keeps the thread's title and artifacts."""
    messages = _messages(record)
    found = read_messages([_chat(m) for m in messages])
    required_agent_step(found.steps)
    report, place = _report(record, found.steps)
    values = _map(record.get("values"))
    metadata = _map(record.get("metadata"))
    models = Counter(name for m in messages if role_of(m) == "assistant" and (name := model_of(m)))
    meta: dict[str, JsonValue] = {"report_from": place} if place else {}
    meta |= other_fields(record, "values", "messages", "metadata", "checkpoint", "parent_checkpoint", _FILES)
    meta |= {key: values[key] for key in ("title", "artifacts") if values.get(key)}
    if isinstance(thread := metadata.get("thread_id"), str):
        meta["thread_id"] = thread
    return Draft(
        question=without_reminders(first_user_text(found.steps)),
        steps=found.steps,
        report=report,
        outcome="truncated" if record.get("next") or not report else "completed",
        model=models.most_common(1)[0][0] if models else _text(metadata.get("model_name")) or None,
        meta=meta,
    )


def _report(record: Mapping[str, Any], steps: tuple[Step, ...]) -> tuple[str, str]:
    files = _map(record.get(_FILES))
    for path in _artifacts(record):
        if isinstance(text := files.get(path), str) and text.strip():
            return text.strip(), path
        if text := _written(steps, PurePosixPath(path).name):
            return text.strip(), path
    if said := last_word(steps):
        return said, ""
    paths = [path for step in steps for call in step.tool_calls if _end(path := _path(call.arguments)) in _TEXT_ENDS]
    for path in reversed(paths):
        if text := _written(steps, PurePosixPath(path).name):
            return text.strip(), path
    return "", ""


def _artifacts(record: Mapping[str, Any]) -> list[str]:
    """Paths of the thread's text artifacts, the likeliest report first: by kind of file, then the latest."""
    listed = _map(record.get("values")).get("artifacts", record.get("artifacts"))
    paths = [path for path in listed if isinstance(path, str)] if isinstance(listed, list) else []
    ranked = [(_TEXT_ENDS.index(end), -i, path) for i, path in enumerate(paths) if (end := _end(path)) in _TEXT_ENDS]
    return [path for _, _, path in sorted(ranked)]


def _end(path: str) -> str:
    return PurePosixPath(path).suffix.lower()


def _written(steps: tuple[Step, ...], base: str) -> str | None:
    """What the calls of the file tools made of the file of this name, None where none wrote it.

    By its name, not its path: files are written in a workspace and copied to where the user gets them.
    """
    text: str | None = None
    for step in steps:
        for call in step.tool_calls:
            given = call.arguments
            if PurePosixPath(_path(given)).name != base:
                continue
            content, old, new = (given.get(k) for k in ("content", "old_str", "new_str"))
            if isinstance(content, str):
                text = (text or "") + content if given.get("append") is True else content
            elif isinstance(old, str) and isinstance(new, str) and text is not None and old:
                text = text.replace(old, new, -1 if given.get("replace_all") is True else 1)
    return text


def _path(arguments: Mapping[str, Any]) -> str:
    return next((v for k in ("path", "file_path", "filename") if isinstance(v := arguments.get(k), str)), "")


def _messages(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    found = _map(record.get("values")).get("messages", record.get("messages"))
    if not isinstance(found, list):
        return []
    # `remove` messages are an operation of the graph on its state, not something that was said.
    return [m for m in found if isinstance(m, Mapping) and body_of(m).get("type", m.get("type")) != "remove"]


def _chat(message: Mapping[str, Any]) -> Mapping[str, Any]:
    return message if isinstance(message.get("role"), str) and not role_of(message) else chat_message(message)


FORMAT = Format(
    name="langgraph-thread",
    looks_like='{"values": {"messages": [{"type": "human" | "ai" | "tool", "content"}]}} or {"messages": [...]}',
    detect=detect,
    read=read,
    gather=gather,
    expand=expand,
)
