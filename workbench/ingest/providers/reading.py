"""What every provider's reader is given and gives: messages and replies in, steps with citations out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from workbench.ingest.loose import mapping
from workbench.ingest.messages import CallBook, last_word, read_message
from workbench.schema.canonical import JsonValue
from workbench.schema.trajectory import Step


@dataclass(frozen=True, slots=True)
class Entry:
    """One part of a conversation: a message that a request gave, or the body of a reply."""

    body: Any
    reply: bool = False


@dataclass(slots=True)
class Reading:
    """`citations`: as `meta["source_citations"]`, offsets in characters of `report`. `sources`: number or id to source.

    `unplaced`: sources that the provider cites without saying where. `undisclosed`: calls without any result;
    `encrypted`: results of which only titles and addresses are disclosed.
    """

    steps: list[Step] = field(default_factory=list)
    report: str = ""
    finished: bool = True
    citations: list[dict[str, Any]] = field(default_factory=list)
    sources: dict[str, dict[str, str]] = field(default_factory=dict)
    unplaced: list[dict[str, str]] = field(default_factory=list)
    undisclosed: int = 0
    encrypted: int = 0

    def meta(self) -> dict[str, JsonValue]:
        """Only what there is."""
        found: dict[str, Any] = {
            "source_citations": self.citations,
            "sources": self.sources,
            "cited_without_place": self.unplaced,
            "undisclosed_results": self.undisclosed,
            "results_with_titles_only": self.encrypted,
        }
        return {name: value for name, value in found.items() if value}


Read: TypeAlias = Callable[[Sequence[Entry]], Reading]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One provider's interface.

    `is_reply` looks at a reply's body and must not raise. `messages` gives a request's messages, instructions first;
    `is_answer` says which of them the model wrote. `join` makes one body of the events of a stream, None where it is
    not this provider's. `read` takes the parts of a conversation in order.
    """

    name: str
    is_reply: Callable[[Mapping[str, Any]], bool]
    messages: Callable[[Mapping[str, Any]], list[Any]]
    is_answer: Callable[[Any], bool]
    join: Callable[[Sequence[Mapping[str, Any]]], Mapping[str, Any] | None]
    read: Read


def whole(value: object) -> int | None:
    """A count or an offset: a whole number that is not below zero."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def citation(start: int, end: int, *, url: str = "", title: str = "", cited_text: str = "") -> dict[str, Any]:
    """As `meta["source_citations"]` holds it."""
    named = {"url": url, "title": title, "cited_text": cited_text}
    return {"start": start, "end": end} | {name: value for name, value in named.items() if value}


class Utf8Offsets:
    """From offsets in bytes of a text's UTF-8 to offsets in characters."""

    def __init__(self, content: str) -> None:
        self._content = content
        self._data = None if content.isascii() else content.encode("utf-8", "surrogatepass")

    def characters(self, offset: int) -> int:
        """An offset beyond the end is the end; one within a character is where it begins."""
        if self._data is None:
            return min(offset, len(self._content))
        return len(self._data[:offset].decode("utf-8", "ignore"))


def read_chat(
    entries: Sequence[Entry], read_reply: Callable[[int, Mapping[str, Any], Reading, CallBook], None]
) -> Reading:
    """A conversation whose requests hold chat messages; `read_reply` adds a reply's body to what was read before it."""
    reading, book = Reading(), CallBook()
    for position, entry in enumerate(entries):
        if entry.reply:
            read_reply(position, mapping(entry.body), reading, book)
        else:
            reading.steps.append(read_message(position, entry.body, book))
    reading.report = last_word(reading.steps)
    reading.finished = reading.finished and bool(reading.report)
    return reading
