"""The tools that an agent has in the simulated web: search, open a page, find in it; within a budget, with faults."""

from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks.simulated_web.answers import (
    Listed,
    page_changed,
    page_text,
    passages,
    results_changed,
    results_text,
)
from benchmarks.simulated_web.authority import authority_of
from benchmarks.simulated_web.budget import (
    FIND_S,
    PAGE_S,
    PAGE_S_PER_CHAR,
    SEARCH_S,
    TIMEOUT_S,
    Budget,
    Meter,
    tokens_of,
)
from benchmarks.simulated_web.faults import FaultKind, Faults
from benchmarks.simulated_web.pages import Page
from benchmarks.simulated_web.search_index import words_of
from benchmarks.simulated_web.tool_specs import FIND, KINDS, OPEN_PAGE, SEARCH, TOOL_SPECS, Options, tool_names
from benchmarks.simulated_web.world import World
from workbench.schema.trajectory import ToolCall, ToolResult

__all__ = ["FIND", "KINDS", "OPEN_PAGE", "SEARCH", "TOOL_SPECS", "Budget", "Faults", "Options", "Tools", "page_text"]

_NEEDED = {SEARCH: ("query",), OPEN_PAGE: ("url",), FIND: ("url", "text")}


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a call gives, the page or the addresses that it shows, and how long it took in the simulated web."""

    text: str
    is_error: bool = False
    page: Page | None = None
    urls: tuple[str, ...] = ()
    seconds: float = 0.0
    fault: FaultKind | None = None


@dataclass
class Tools:
    """One agent's use of a world. Errors are results with `is_error`, never exceptions.

    `opened` are the pages whose text was shown so far, in order; `seen` the addresses that search results showed.
    `clock` gives seconds and makes the agent's own time count against the budget; without it only the web's does.
    """

    world: World
    budget: Budget = field(default_factory=Budget)
    faults: Faults = field(default_factory=Faults)
    options: Options = field(default_factory=Options)
    clock: Callable[[], float] | None = None
    opened: list[Page] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.meter = Meter(self.budget, self.clock)
        self._kept: dict[tuple[object, ...], _Answer] = {}

    @property
    def used(self) -> int:
        return self.meter.calls

    @property
    def calls_left(self) -> int:
        """None is left either where tokens or time are used up."""
        return 0 if self.meter.spent else self.budget.calls - self.meter.calls

    def call(self, call: ToolCall) -> ToolResult:
        """Runs one call by name. An unknown tool or a missing argument costs a call too."""
        if spent := self.meter.spent:
            return _result(call, _wrong(f"{spent} is used up; write the report now"))
        self.meter.calls += 1
        answer = self._answer(call)
        self.meter.took(answer.seconds)
        tokens, left = tokens_of(answer.text), self.meter.tokens_left
        if left is not None and tokens > left:
            # No part of it: what was read of an opened page must not depend on where a budget cut it off.
            return _result(call, _wrong(f"the answer has about {tokens:,} tokens, the budget has {left:,} left"))
        self.meter.tokens += tokens
        self.seen += answer.urls
        if answer.page is not None:
            self.opened.append(answer.page)
        return _result(call, answer)

    def search(self, query: str, *, page: int = 1) -> ToolResult:
        more = {"page": page} if page != 1 else {}
        return self.call(ToolCall(f"call-{self.used + 1}", SEARCH, KINDS[SEARCH], {"query": query, **more}))

    def open(self, url: str) -> ToolResult:
        return self.call(ToolCall(f"call-{self.used + 1}", OPEN_PAGE, KINDS[OPEN_PAGE], {"url": url}))

    def find(self, url: str, text: str) -> ToolResult:
        return self.call(ToolCall(f"call-{self.used + 1}", FIND, KINDS[FIND], {"url": url, "text": text}))

    def _answer(self, call: ToolCall) -> _Answer:
        names = tool_names(self.options)
        if call.name not in names:
            known = f"{', '.join(names[:-1])} and {names[-1]}"
            return _wrong(f"there is no tool {call.name!r:.80}; the tools are {known}")
        for wanted in _NEEDED[call.name]:
            argument = call.arguments.get(wanted)
            if not isinstance(argument, str) or not argument.strip():
                return _wrong(f"{call.name} needs a non-empty text {wanted!r}; found {argument!r:.80}")
        number = call.arguments.get("page", 1) if self.options.paging else 1
        if call.name == SEARCH and (not isinstance(number, int) or isinstance(number, bool) or number < 1):
            return _wrong(f"{SEARCH} needs a whole number from 1 as 'page'; found {number!r:.80}")
        first = str(call.arguments[_NEEDED[call.name][0]])
        second = str(call.arguments["text"]) if call.name == FIND else ""
        key = (call.name, first, second, number)
        if key in self._kept:
            return self._kept[key]
        if call.name == FIND:
            return self._find(first.strip(), second)
        answer = self._search(first, int(str(number))) if call.name == SEARCH else self._open(first.strip())
        if self.options.cache and not answer.is_error and answer.fault is None:
            # As an episode keeps it: asked again it takes no time, and what was right once cannot fail.
            self._kept[key] = _Answer(answer.text, page=answer.page, urls=answer.urls)
        return answer

    def _search(self, query: str, number: int) -> _Answer:
        fault = self.faults.strikes(self.used)
        if fault == "timeout":
            return _TIMED_OUT
        top_k, skip = self.budget.top_k, (number - 1) * self.budget.top_k
        asked, respelled = self._put_right(query)
        raised = 1 + self.options.authority / 100 * authority_of(self.world) if self.options.authority else None
        hits, total = self.world.index.search(asked, top_k=top_k, skip=skip, raised=raised)
        if not hits or fault == "empty":
            found = f'No page matches "{query}".' if not total or fault or number == 1 else _past_the_end(query, total)
            return _Answer(found, seconds=SEARCH_S, fault=fault if hits else None)
        listed = [self._listed(hit.place, asked) for hit in hits]
        shown = f"{len(hits)}" if number == 1 else f"{skip + 1} to {skip + len(hits)}"
        head = f'Results for "{query}" ({shown} of {total}){respelled}:'
        text = results_changed(listed) if fault == "changed" else results_text(head, listed, first=skip + 1)
        return _Answer(text, urls=tuple(one.url for one in listed), seconds=SEARCH_S, fault=fault)

    def _listed(self, place: int, query: str) -> Listed:
        page = self.world.pages[place]
        extract = self.world.snippets.extract(place, query)
        return Listed(page.title, self.world.site[page.site].name, page.url, extract)

    def _put_right(self, query: str) -> tuple[str, str]:
        """The query with its unknown words put right, and what is said of that."""
        if not self.options.typos:
            return query, ""
        words = words_of(query)
        right = [self.world.index.speller.put_right(word) for word in words]
        said = "".join(f', "{a}" read as "{b}"' for a, b in zip(words, right, strict=True) if a != b)
        return (" ".join(right), said) if said else (query, "")

    def _open(self, url: str) -> _Answer:
        fault = self.faults.strikes(self.used, url)
        if fault == "timeout":
            return _TIMED_OUT
        if fault == "forbidden":
            return _Answer(f"Error: 403, {url} refuses to be read by a program", is_error=True, seconds=PAGE_S)
        page = self.world.page.get(url)
        if page is None:
            return _Answer(f"Error: 404, there is no page at {url}", is_error=True, seconds=PAGE_S)
        if fault == "empty":
            return _Answer("", seconds=PAGE_S, fault=fault)
        text = page_changed(self.world, page) if fault == "changed" else page_text(self.world, page)
        return _Answer(text, page=page, seconds=PAGE_S + PAGE_S_PER_CHAR * len(page.text), fault=fault)

    def _find(self, url: str, wanted: str) -> _Answer:
        page = next((page for page in self.opened if page.url == url), None)
        if page is None:
            return _wrong(f"{url:.200} is not open; open it with {OPEN_PAGE} first")
        found = passages(page, wanted)
        if not found:
            return _Answer(f'"{wanted}" is not on {url}.', seconds=FIND_S)
        head = f'"{wanted}" on {url}:'
        return _Answer("\n\n".join([head, *found]), seconds=FIND_S)


_TIMED_OUT = _Answer(
    "Error: the connection timed out; try again or go elsewhere", is_error=True, seconds=TIMEOUT_S, fault="timeout"
)


def _past_the_end(query: str, total: int) -> str:
    return f'No further results for "{query}"; there are {total}.'


def _wrong(reason: str) -> _Answer:
    return _Answer(f"Error: {reason}", is_error=True)


def _result(call: ToolCall, answer: _Answer) -> ToolResult:
    return ToolResult(call.id, answer.text, is_error=answer.is_error)
