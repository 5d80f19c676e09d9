"""The phase of a tool call: by its kind, by the file it writes, else by the words of its name."""

from functools import lru_cache
from typing import NamedTuple

from workbench.phases.file_writes import file_write
from workbench.phases.lazy import Pattern
from workbench.schema.analysis import Phase
from workbench.schema.trajectory import ToolCall

_WORD = Pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
PLAN_WORDS = frozenset(
    {"todo", "todos", "plan", "planning", "planner", "outline", "think", "thinking", "thought", "reason", "reasoning"}
    | {"reflect", "reflection", "roadmap", "decompose", "clarify", "clarification", "ask", "strategy"}
)
READ_WORDS = frozenset(
    {"get", "list", "find", "look", "lookup", "read", "fetch", "calculate", "query", "retrieve", "retrieval", "search"}
    | {"browse", "open", "download", "extract", "check", "view", "load", "ls", "cat", "grep", "understanding"}
    | {"convert"}
)
WRITE_WORDS = frozenset(
    {"final", "answer", "report", "submit", "finish", "write", "draft", "compose", "edit", "replace", "present"}
    | {"publish", "complete", "done", "save", "append", "patch", "insert", "rewrite", "overwrite", "revise"}
)
# A tool that acts on the outcome (books, sends) belongs to none of the three; it is nearest to delivering.
ACT_WORDS = frozenset(
    {"book", "cancel", "update", "modify", "transfer", "send", "exchange", "return", "pay", "delete", "order", "apply"}
)
# Tools of a shell that change or hand in the work; the rest of what a shell does is finding out.
CODE_WRITE_WORDS = frozenset({"submit", "finish", "edit", "replace", "patch", "insert"})


class Guess(NamedTuple):
    """A phase and how sure the rule is of it."""

    phase: Phase
    confidence: float


WRITES = Guess("synthesis", 0.85)
_EDITS_CODE = Guess("synthesis", 0.8)
_BY_FILE = {
    "prose": WRITES,
    "plan": Guess("plan", 0.7),
    "notes": Guess("research", 0.6),
    "viewed": Guess("research", 0.7),
}


def of_call(call: ToolCall) -> Guess:
    """The phase that a call is, taken alone."""
    if call.kind in ("search", "visit"):
        return Guess("research", 0.95)
    words = words_of(call.name)
    only_reads = bool(words & READ_WORDS) and not words & (WRITE_WORDS | ACT_WORDS)
    if not only_reads and (of_file := _BY_FILE.get(file_write(call))):
        return of_file
    if call.kind == "code":
        return _EDITS_CODE if words & CODE_WRITE_WORDS else Guess("research", 0.9)
    return _of_tool(call.name)


def writes(call: ToolCall) -> bool:
    """Whether a call that is no search, page or code writes or hands over a text."""
    return call.kind == "other" and of_call(call) == WRITES


@lru_cache(maxsize=1024)
def words_of(name: str) -> frozenset[str]:
    """The words of a name, in small letters: `webSearch` and `web_search` are web and search."""
    return frozenset(word.lower() for word in _WORD().findall(name))


@lru_cache(maxsize=1024)
def _of_tool(name: str) -> Guess:
    """The phase of a tool of no known kind, by the words of its name."""
    words = words_of(name)
    for kinds, guess in (
        (PLAN_WORDS, Guess("plan", 0.9)),
        (READ_WORDS, Guess("research", 0.9)),
        (WRITE_WORDS, WRITES),
        (ACT_WORDS, Guess("synthesis", 0.6)),
    ):
        if words & kinds:
            return guess
    return Guess("research", 0.7)
