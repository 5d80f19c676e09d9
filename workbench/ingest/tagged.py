"""Tagged text (`<think> <tool_call> <tool_response> <answer>`) to steps. Standard library only, as `messages` is."""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.ingest.messages import (
    UNPARSED,
    CallBook,
    Transcript,
    content_text,
    last_word,
    looks_like_error,
    parse_arguments,
    read_message,
    read_messages,
    separate_reasoning,
)
from workbench.ingest.tag_dialects import (
    boxed,
    canonical_calls,
    canonical_results,
    has_dialect_call,
    without_template,
)
from workbench.ingest.tool_kinds import tool_kind
from workbench.ingest.written_reports import final_report
from workbench.schema.canonical import JsonObject
from workbench.schema.trajectory import Step, ToolCall, ToolResult

_TAG = re.compile(r"<(think|tool_call|tool_response|answer)>|</think>")
_RESPONSE_GAP = re.compile(r"</tool_response>\s*<tool_response>")
_FUNCTION = re.compile(r"<function=([^>\n]{1,200})>")
_PARAMETER = re.compile(r"<parameter=([^>\n]{1,200})>(.*?)(?:</parameter>|(?=<parameter=)|\Z)", re.DOTALL)
_ARGUMENT = re.compile(
    r"<arg_key>([^<]{1,200})</arg_key>\s*<arg_value>(.*?)(?:</arg_value>|(?=<arg_key>)|\Z)", re.DOTALL
)
_CODE = re.compile(r"<code>(.*?)(?:</code>|\Z)", re.DOTALL)
_LONGEST_REPR_CHARS = 20_000
_NAME = re.compile(r'"name"\s*:\s*"([^"]*)"')


def read_completion(completion: str | Sequence[Mapping[str, Any]], *, observations_in_text: bool = True) -> Transcript:
    """What a trainer hands to a reward: a text, or chat messages whose calls are tags or `tool_calls`.

    `observations_in_text` as in `read_tagged`; it does not matter for messages, whose roles tell who wrote what.
    Raises ValueError for something that is no chat message.
    """
    if isinstance(completion, str):
        return read_tagged(completion, observations_in_text=observations_in_text)
    return read_tagged_messages(completion) if has_tags(completion) else read_messages(completion)


def has_tags(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Whether assistant messages call tools or answer by tags. Other roles do not count: prompts hold examples."""
    for message in messages:
        if isinstance(message, Mapping) and message.get("role") == "assistant" and not message.get("tool_calls"):
            text, _ = content_text(message.get("content"))
            if "<tool_call>" in text or "<answer>" in text or has_dialect_call(text):
                return True
    return False


def read_tagged(text: str, *, observations_in_text: bool = True) -> Transcript:
    """One text that holds the whole rollout after the prompt.

    `observations_in_text`: False where the environment put no tool result into the text, so that every
    `<tool_response>` in it was made up by the policy and stays plain text. Inside `<think>` no tag counts.
    A fetched page can hold tags too, and a text cannot tell: where that matters, hand over messages.
    """
    reader = _TaggedReader(observations=observations_in_text)
    reader.speak(text)
    return reader.transcript()


def read_tagged_messages(messages: Sequence[Mapping[str, Any]]) -> Transcript:
    """Chat messages whose assistant turns are tagged text and whose tool results come as user (or tool) messages.

    Tags in what the user asked are text, since prompts show examples of calls. A tool result is a message after an
    assistant turn that begins with `<tool_response>`; a `<tool_response>` written by the assistant is made up, and
    stays text. Raises ValueError as `read_messages`.
    """
    reader = _TaggedReader(observations=False)
    agent_spoke = False
    for position, message in enumerate(messages):
        role = message.get("role") if isinstance(message, Mapping) else None
        text, thought = content_text(message.get("content")) if role in ("user", "assistant", "tool") else ("", "")
        if role == "assistant" and not message.get("tool_calls"):
            reader.speak(text, thought or separate_reasoning(message))
            agent_spoke = True
        elif agent_spoke and (found := canonical_results(text)).lstrip().startswith("<tool_response>"):
            reader.observe(found)
        else:
            reader.steps.append(read_message(position, message, reader.book))
    return reader.transcript()


@dataclass(slots=True)
class _TaggedReader:
    """Collects steps from stretches of what the agent wrote and from tool results."""

    observations: bool
    book: CallBook = field(default_factory=CallBook)
    steps: list[Step] = field(default_factory=list)
    answer: str | None = None
    answer_closed: bool = True

    def speak(self, text: str, reasoning: str = "") -> None:
        """Reads a stretch of the agent's text. With `observations`, a tool result in it ends one turn."""
        text = without_template(canonical_results(text) if self.observations else text)
        text = canonical_calls(text)
        turn = _Turn(thoughts=[reasoning] if reasoning else [])
        position = 0
        while tag := _TAG.search(text, position):
            before, name = text[position : tag.start()], tag[1]
            if name is None:  # </think> alone: the chat template wrote the opening tag into the prompt
                turn.thoughts.append(before)
                position = tag.end()
                continue
            turn.said.append(before)
            if name == "tool_response" and not self.observations:
                turn.said.append(tag[0])
                position = tag.end()
                continue
            body, position, closed = _body(text, tag.end(), name)
            if name == "think":
                turn.thoughts.append(body)
            elif name == "tool_call":
                turn.calls.append(_read_call(body))
            elif name == "answer":
                turn.said.append(body)
                self.answer, self.answer_closed = body.strip(), closed
            else:
                self._end(turn)
                self.observe(body)
                turn = _Turn()
        turn.said.append(text[position:])
        self._end(turn)

    def observe(self, raw: str) -> None:
        """One step for a message of tool results: as many results as calls wait, since a page may forge the tags."""
        inner = raw.strip().removeprefix("<tool_response>").removesuffix("</tool_response>")
        texts = _RESPONSE_GAP.split(inner) if len(self.book.waiting) > 1 else [inner]
        results = [ToolResult(self.book.answer(), text.strip(), looks_like_error(text)) for text in texts]
        self.steps.append(Step(role="tool", tool_results=tuple(results)))

    def transcript(self) -> Transcript:
        """The report is the last `<answer>` if there was one, else what the last turn says outside all tags."""
        report = final_report(self.steps, last_word(self.steps) if self.answer is None else self.answer)
        last = self.steps[-1] if self.steps else None
        if self.answer is None and not report and last and last.role == "assistant" and not last.tool_calls:
            report = boxed(last.reasoning)  # nothing stands outside the thought but it ends in an answer
        return Transcript(tuple(self.steps), report, finished=bool(report) and self.answer_closed)

    def _end(self, turn: "_Turn") -> None:
        text = "\n".join(part for raw in turn.said if (part := raw.strip()))
        thought = "\n".join(part for raw in turn.thoughts if (part := raw.strip()))
        if not (text or thought or turn.calls):
            return
        own_ids = self.book.open([("", name) for name, _ in turn.calls]) if turn.calls else []
        calls = tuple(
            ToolCall(own, name, tool_kind(name), arguments)
            for own, (name, arguments) in zip(own_ids, turn.calls, strict=True)
        )
        self.steps.append(Step(role="assistant", text=text, reasoning=thought, tool_calls=calls))


@dataclass(slots=True)
class _Turn:
    thoughts: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    calls: list[tuple[str, JsonObject]] = field(default_factory=list)


def _body(text: str, start: int, name: str) -> tuple[str, int, bool]:
    """(what the tag holds, where reading goes on, whether the tag was closed).

    A tag that is never closed ends before the next opening tag, so that a forgotten `</think>` does not swallow the
    call after it; an answer that is cut off runs to the end.
    """
    closing = f"</{name}>"
    again = text.find(f"<{name}>", start) if name in ("think", "tool_call") else -1
    # Looked for up to the next opening tag only, so that many tags that are never closed cost no more than the text.
    end = text.find(closing, start, again if again >= 0 else len(text))
    if end >= 0:
        return text[start:end], end + len(closing), True
    following = (
        None if name == "answer" else re.compile(r"<(?:think|tool_call|tool_response|answer)>").search(text, start)
    )
    stop = following.start() if following else len(text)
    return text[start:stop], stop, False


def _read_call(body: str) -> tuple[str, JsonObject]:
    """(tool name, arguments) of a call: JSON, or XML as Qwen3-Coder writes it. Else the text is kept as `_unparsed`."""
    name, pairs = body.split("<arg_key>", 1)[0].strip(), _ARGUMENT.findall(body)
    if pairs and name and len(name) < 200:  # GLM: the name, then keys and values
        return name, {key.strip(): value.strip("\n") for key, value in pairs}
    code = _CODE.search(body)
    if code:  # the code beside the call's JSON, since a JSON text holds code badly
        named = _NAME.search(body[: code.start()])
        return named[1] if named else "python", {"code": code[1].strip("\n")}
    written = _FUNCTION.search(body)
    if written and not body.lstrip().startswith("{"):
        return written[1].strip(), {found[1].strip(): found[2].strip("\n") for found in _PARAMETER.finditer(body)}
    try:
        value = json.loads(body, strict=False)
    except (ValueError, RecursionError):
        value = _literal(body.strip())
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        named = _NAME.search(body)
        return named[1] if named else "", {UNPARSED: body.strip()}
    return value["name"], parse_arguments(value.get("arguments", value.get("parameters")))


def _literal(text: str) -> object:
    """A call that a model wrote as Python's repr of an object, None where it is none. Runs no code."""
    if not text.startswith("{'") or len(text) > _LONGEST_REPR_CHARS or text.count("{") + text.count("[") > 200:
        return None
    try:
        value: object = ast.literal_eval(text)
        json.dumps(value)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value
