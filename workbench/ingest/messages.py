"""OpenAI chat messages with tools to steps. Standard library only: an exported training job runs this same code."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from workbench.ingest.tool_kinds import tool_kind
from workbench.ingest.written_reports import final_report
from workbench.schema.canonical import JsonObject
from workbench.schema.trajectory import Role, Step, ToolCall, ToolResult

UNPARSED = "_unparsed"
ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
    "ipython": "tool",  # Llama 3's name for what a tool gave
}
_LEADING_THOUGHT = re.compile(r"\A\s*(?:<think>)?(.*?)</think>\s*", re.DOTALL)
_ERROR_TEXT = re.compile(
    r"""\s*(?:\[?error\]?\s*:|error\s+\d{3}\b|traceback\s\(most\srecent\scall\slast\)
    |\{\s*["']error["']\s*:(?!\s*(?:null|false|none|""|'')))""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Transcript:
    """What a chat or a tagged text says was done.

    `report` is the text the agent ended with, empty if its last message still calls a tool. `finished` is False where
    there is no report, or where it was cut off.
    """

    steps: tuple[Step, ...]
    report: str
    finished: bool


def read_messages(messages: Sequence[Mapping[str, Any]]) -> Transcript:
    """Chat messages (content as text, parts or null; calls with arguments as JSON text or object) as a transcript.

    Ids of calls are made unique, since some recorders use one again, and each result is tied to the call it answers.
    Raises ValueError for something that is no chat message, with its position.
    """
    calls = CallBook()
    steps = tuple(read_message(position, message, calls) for position, message in enumerate(messages))
    report = final_report(steps, last_word(steps))
    return Transcript(steps, report, finished=bool(report))


def steps_from_messages(messages: Sequence[Mapping[str, Any]]) -> tuple[Step, ...]:
    """The steps alone."""
    return read_messages(messages).steps


def last_word(steps: Sequence[Step]) -> str:
    """Text of the last assistant step, empty if that step calls a tool: then the agent had not ended."""
    for step in reversed(steps):
        if step.role == "assistant":
            return "" if step.tool_calls else step.text.strip()
    return ""


@dataclass(slots=True)
class CallBook:
    """Gives every call of a transcript its own id and finds the call that a result answers."""

    used: set[str] = field(default_factory=set)
    by_source_id: dict[str, list[str]] = field(default_factory=dict)  # id in the source -> ours, of its latest message
    waiting: list[tuple[str, str, str]] = field(default_factory=list)  # (our id, id in the source, tool name)

    def open(self, calls: Sequence[tuple[str, str]]) -> list[str]:
        """Our ids for the calls of one message, given as (id in the source or empty, tool name).

        An id is kept where it is new and numbered (`id#2`) where it was used before.
        """
        for source_id, _ in calls:
            self.by_source_id[source_id] = []
        # A result without an id answers the message right before it; what still waited gets none any more.
        self.waiting = []
        opened = []
        for source_id, name in calls:
            own = base = source_id or f"call-{len(self.used) + 1}"
            number = 1
            while own in self.used:
                number += 1
                own = f"{base}#{number}"
            self.used.add(own)
            self.by_source_id[source_id].append(own)
            self.waiting.append((own, source_id, name))
            opened.append(own)
        return opened

    def answer(self, source_id: str = "", name: str = "") -> str:
        """Our id of the call that a result answers, empty where the result is an orphan.

        By id where the result has one; else the first waiting call of that tool; else the first waiting call.
        """
        if source_id and self.by_source_id.get(source_id):
            queue = self.by_source_id[source_id]
            # The last one stays, so that a second result under the same id still finds its call.
            own = queue.pop(0) if len(queue) > 1 else queue[0]
        else:
            # A result that names an id answers a call without one, never a call that another id names.
            free = [entry for entry in self.waiting if not (source_id and entry[1])]
            free = [entry for entry in free if name and entry[2] == name] or free
            own = free[0][0] if free else ""
        self.waiting = [entry for entry in self.waiting if entry[0] != own]
        return own


def read_message(position: int, message: Mapping[str, Any], calls: CallBook) -> Step:
    """One message as a step. `position` is for the sentence of the ValueError that a bad one raises."""
    if not isinstance(message, Mapping):
        raise ValueError(f"message {position} is a {type(message).__name__}; expected an object with role and content")
    role = ROLES.get(str(message.get("role")))
    if role is None:
        raise ValueError(f"message {position} has role {message.get('role')!r}; expected one of {', '.join(ROLES)}")
    text, thought = content_text(message.get("content"))
    if role == "tool":
        named = message.get("name")
        call_id = calls.answer(_text(message.get("tool_call_id")), _text(named))
        return Step(role="tool", tool_results=(ToolResult(call_id, text, is_error_result(message, text)),))
    if role != "assistant":
        return Step(role=role, text=text)
    text = text or _text(message.get("refusal"))
    inline, text = split_thought(text)
    reasoning = "\n".join(part for part in (separate_reasoning(message), thought, inline) if part)
    return Step(role="assistant", text=text, reasoning=reasoning, tool_calls=_tool_calls(position, message, calls))


def separate_reasoning(message: Mapping[str, Any]) -> str:
    """Reasoning that a server returns beside the content; the field has had several names."""
    found = (_text(message.get(key)) for key in ("reasoning_content", "reasoning", "thinking"))
    return next((text for text in found if text), "")


def _tool_calls(position: int, message: Mapping[str, Any], calls: CallBook) -> tuple[ToolCall, ...]:
    raw = message.get("tool_calls") or ()
    if not raw and message.get("function_call"):
        raw = ({"function": message["function_call"]},)
    if isinstance(raw, str) or not isinstance(raw, Sequence):
        raise ValueError(f"tool_calls of message {position} is a {type(raw).__name__}; expected a list")
    named: list[tuple[str, str, JsonObject]] = []
    for call in raw:
        if not isinstance(call, Mapping):
            raise ValueError(f"a tool call of message {position} is a {type(call).__name__}; expected an object")
        custom = call.get("custom")
        if isinstance(custom, Mapping):  # a tool whose input is free text
            named.append((_text(call.get("id")), _text(custom.get("name")), {"input": _text(custom.get("input"))}))
            continue
        function = call.get("function")
        body = function if isinstance(function, Mapping) else call
        named.append((_text(call.get("id")), _text(body.get("name")), parse_arguments(body.get("arguments"))))
    own_ids = calls.open([(source_id, name) for source_id, name, _ in named]) if named else []
    return tuple(
        ToolCall(own, name, tool_kind(name), arguments)
        for own, (_, name, arguments) in zip(own_ids, named, strict=True)
    )


def parse_arguments(raw: object) -> JsonObject:
    """Arguments of a call as an object. What is no JSON object is kept as `{"_unparsed": text}`, never dropped."""
    if raw is None or raw == "":
        return {}
    if isinstance(raw, Mapping):
        return dict(raw)
    if not isinstance(raw, str):
        return {UNPARSED: json.dumps(raw, ensure_ascii=False, default=str)}
    try:
        # Not strict: models write line breaks into a text as they are, above all where it is code.
        value = json.loads(raw, parse_constant=_refuse_constant, strict=False)
    except (ValueError, RecursionError):
        return {UNPARSED: raw}
    return value if isinstance(value, dict) else {UNPARSED: raw}


def content_text(content: object) -> tuple[str, str]:
    """(text, reasoning) of a message's content: a text, null, an object, or a list of parts.

    A part that is no text is named in brackets, as `[image_url]`, so that nothing vanishes unseen.
    """
    if content is None:
        return "", ""
    if isinstance(content, str):
        return content, ""
    if not isinstance(content, Sequence):
        return json.dumps(content, ensure_ascii=False, default=str), ""
    texts, thoughts = [], []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif not isinstance(part, Mapping):
            texts.append(json.dumps(part, ensure_ascii=False, default=str))
        elif part.get("type") in ("reasoning", "thinking"):
            thoughts.append(next((t for key in ("reasoning", "thinking", "text") if (t := _text(part.get(key)))), ""))
        elif isinstance(part.get("text"), str):
            texts.append(part["text"])
        elif part.get("type") == "refusal" and isinstance(part.get("refusal"), str):
            texts.append(part["refusal"])
        else:
            texts.append(f"[{part.get('type', 'part')}]")
    return "\n".join(texts), "\n".join(thought for thought in thoughts if thought)


def split_thought(text: str) -> tuple[str, str]:
    """(reasoning, rest) of a text that begins with a thought in `<think>` tags.

    The opening tag may be missing, since some chat templates put it into the prompt.
    """
    found = _LEADING_THOUGHT.match(text)
    if found is None:
        return "", text
    return found[1].strip(), text[found.end() :]


def is_error_result(message: Mapping[str, Any], text: str) -> bool:
    """Whether a tool failed: by the message's own flag where it has one, else by how its text begins."""
    flag = message.get("is_error")
    if isinstance(flag, bool):
        return flag
    return message.get("status") == "error" or looks_like_error(text)


def looks_like_error(text: str) -> bool:
    """`Error: ...`, `Error 404 ...`, a traceback, or an object whose first key is a true `error`."""
    return _ERROR_TEXT.match(text) is not None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
