"""Messages named after agents to steps, one step a message (see `whoandwhen`)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workbench.ingest.formats import surfer_actions
from workbench.ingest.loose import text as _text
from workbench.ingest.messages import CallBook, looks_like_error
from workbench.ingest.tool_kinds import tool_kind
from workbench.schema.canonical import JsonObject
from workbench.schema.trajectory import Step, ToolCall, ToolResult

DIRECTION = re.compile(
    r"(?P<agent>[^()]{1,80}?) \((?:(?P<thought>thought)|-> ?(?P<to>[^()]{1,80})|(?P<end>termination condition))\)"
)
# The runner's own lines follow the answer in the last message, whoever sent it.
_ANSWER = re.compile(r"^FINAL ANSWER:[ \t]*(.*?)[ \t]*(?=\n(?:SCENARIO\.PY|RUN\.SH)\b|\Z)", re.MULTILINE | re.DOTALL)
_SATISFIED = re.compile(r"\s*Request satisfied\b")
_CODE = re.compile(r"```[a-zA-Z+]{0,12}[ \t]*\n(.*?)```", re.DOTALL)
_TERMINAL = re.compile(r"(?i)(?:computer|code|command)?[_ ]?(?:terminal|executor|interpreter)$")
_END_WORD = re.compile(r"\bTERMINATE\b[.!]?")
_TASK = re.compile(r"You are given: \(1\) a task")
_PEOPLE = frozenset({"human", "user", "user_proxy"})


@dataclass(slots=True)
class _Open:
    """An instruction that its agent has not answered yet: the step that it is, and what it says."""

    step: int
    call: ToolCall
    agent: str
    text: str


@dataclass(slots=True)
class _Run:
    steps: list[Step] = field(default_factory=list)
    book: CallBook = field(default_factory=CallBook)
    waiting: dict[str, _Open] = field(default_factory=dict)

    def instruct(self, agent: str, to: str, text: str) -> None:
        (own,) = self.book.open([("", to)])
        call = ToolCall(own, to, tool_kind(to), {"instruction": text})
        self.waiting[to] = _Open(len(self.steps), call, agent, text)
        self.steps.append(Step(role="assistant", tool_calls=(call,), agent=agent))

    def answer(self, agent: str, text: str) -> None:
        """The result of the instruction that waits for this agent; without one it speaks for itself."""
        opened = self.waiting.pop(agent, None)
        if opened is None:
            self.steps.append(Step(role="assistant", text=text, agent=agent))
            return
        action = surfer_actions.read_action(text)
        if action is not None:
            call = opened.call
            arguments: JsonObject = dict(call.arguments) | dict(action.arguments)
            exact = ToolCall(call.id, call.name, action.kind, arguments)
            self.steps[opened.step] = Step(role="assistant", tool_calls=(exact,), agent=opened.agent)
        failed = looks_like_error(text) or surfer_actions.failed(text)
        self.steps.append(Step(role="tool", tool_results=(ToolResult(opened.call.id, text, failed),), agent=agent))


def read_directions(messages: Sequence[Mapping[str, Any]]) -> tuple[list[Step], str, bool]:
    """(steps, final answer, whether the agents held the request to be satisfied) of messages with directions."""
    run = _Run()
    for message in messages:
        role, text = str(message.get("role", "")), _text(message.get("content"))
        found = DIRECTION.fullmatch(role)
        if role.lower() in _PEOPLE:
            run.steps.append(Step(role="user", text=text.strip()))
        elif found is None:
            run.answer(role, text)
        elif found["to"]:
            run.instruct(found["agent"], found["to"], text)
        elif found["thought"]:
            run.steps.append(Step(role="assistant", reasoning=text, agent=found["agent"]))
        else:
            run.steps.append(Step(role="assistant", text=text, agent=found["agent"]))
    last = _text(messages[-1].get("content")) if messages else ""
    answers = _ANSWER.findall(last)
    report = answers[-1].strip() if answers else ""
    finished = any(_SATISFIED.match(_text(message.get("content"))) for message in messages[-3:])
    return run.steps, report, finished


def read_names(messages: Sequence[Mapping[str, Any]]) -> tuple[list[Step], str, bool]:
    """(steps, last statement, whether the agents ended it) of messages whose `name` is the agent."""
    steps: list[Step] = []
    book = CallBook()
    for position, message in enumerate(messages):
        name, text = _text(message.get("name")) or str(message.get("role", "")), _text(message.get("content"))
        behind = messages[position + 1] if position + 1 < len(messages) else {}
        if position == 0 and (_TASK.match(text) or name.lower() in _PEOPLE):
            steps.append(Step(role="user", text=text.strip(), agent=name))
        elif _is_terminal(name):
            results = (ToolResult(book.answer("", name), text, _failed(text)),)
            steps.append(Step(role="tool", tool_results=results, agent=name))
        elif (code := "\n".join(_CODE.findall(text))) and _is_terminal(_text(behind.get("name"))):
            terminal = _text(behind.get("name"))
            (own,) = book.open([("", terminal)])
            call = ToolCall(own, terminal, "code", {"code": code})
            steps.append(Step(role="assistant", text=text, tool_calls=(call,), agent=name))
        else:
            steps.append(Step(role="assistant", text=text, agent=name))
    ended = bool(steps) and any(_END_WORD.search(_said(step)) for step in steps[-2:])
    return steps, _last_statement(steps) if ended else "", ended


def _last_statement(steps: Sequence[Step]) -> str:
    """What the agents said last besides the word that ends the run; where they ended on a result, there is none."""
    for step in reversed(steps):
        text = _END_WORD.sub("", _said(step)).strip()
        if text:
            return text if step.role == "assistant" and not step.tool_calls else ""
    return ""


def _said(step: Step) -> str:
    return step.text if step.role == "assistant" else step.tool_results[0].text if step.tool_results else ""


def _is_terminal(name: str) -> bool:
    return _TERMINAL.fullmatch(name) is not None


def _failed(text: str) -> bool:
    return re.match(r"\s*exitcode: (?!0\b)-?\d+", text) is not None or looks_like_error(text)
