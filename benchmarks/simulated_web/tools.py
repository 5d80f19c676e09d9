"""The tools that an agent has in the simulated web: `search` and `open_page`, within a budget, with their failures."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmarks.simulated_web.pages import Page
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.world import World
from workbench.schema.canonical import JsonObject
from workbench.schema.trajectory import ToolCall, ToolKind, ToolResult

SEARCH = "search"
OPEN_PAGE = "open_page"
KINDS: Mapping[str, ToolKind] = {SEARCH: "search", OPEN_PAGE: "visit"}

# The two tools as OpenAI-style function definitions.
TOOL_SPECS: tuple[JsonObject, ...] = (
    {
        "type": "function",
        "function": {
            "name": SEARCH,
            "description": "Search the web. Gives titles, addresses and short extracts of the best matching pages.",
            "parameters": {
                "type": "object",
                "properties": {"query": {"type": "string", "description": "words to search for"}},
                "required": ["query"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": OPEN_PAGE,
            "description": "Open a page by its address and read its text.",
            "parameters": {
                "type": "object",
                "properties": {"url": {"type": "string", "description": "full address of the page"}},
                "required": ["url"],
            },
        },
    },
)


@dataclass(frozen=True, slots=True)
class Budget:
    """How many tool calls an episode has (failed ones count), and how many results a search gives."""

    calls: int = 40
    top_k: int = 5


@dataclass(frozen=True, slots=True)
class Faults:
    """Percent of calls that fail although they are right, decided by `seed` and the number of the call."""

    percent: int = 0
    seed: str = ""


@dataclass
class Tools:
    """One agent's use of a world. Errors are results with `is_error`, never exceptions.

    `opened` are the pages read so far, in order; `seen` the addresses that search results showed.
    """

    world: World
    budget: Budget = field(default_factory=Budget)
    faults: Faults = field(default_factory=Faults)
    opened: list[Page] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    used: int = 0

    @property
    def calls_left(self) -> int:
        return max(0, self.budget.calls - self.used)

    def call(self, call: ToolCall) -> ToolResult:
        """Runs one call by name. An unknown tool or a missing argument costs a call too."""
        if self.calls_left == 0:
            return _error(call, f"the budget of {self.budget.calls} tool calls is used up; write the report now")
        self.used += 1
        wanted = {SEARCH: "query", OPEN_PAGE: "url"}.get(call.name)
        if wanted is None:
            return _error(call, f"there is no tool {call.name!r}; the tools are {SEARCH} and {OPEN_PAGE}")
        argument = call.arguments.get(wanted)
        if not isinstance(argument, str) or not argument.strip():
            return _error(call, f"{call.name} needs a non-empty text {wanted!r}; found {argument!r:.80}")
        if self.faults.percent and Rng("fault", self.faults.seed, self.used).below(100) < self.faults.percent:
            return _error(call, "the connection timed out; try again or go elsewhere")
        return self._search(call, argument) if call.name == SEARCH else self._open(call, argument.strip())

    def search(self, query: str) -> ToolResult:
        return self.call(ToolCall(f"call-{self.used + 1}", SEARCH, "search", {"query": query}))

    def open(self, url: str) -> ToolResult:
        return self.call(ToolCall(f"call-{self.used + 1}", OPEN_PAGE, "visit", {"url": url}))

    def _search(self, call: ToolCall, query: str) -> ToolResult:
        hits, total = self.world.index.search(query, top_k=self.budget.top_k)
        if not hits:
            return ToolResult(call.id, f'No page matches "{query}".')
        lines = [f'Results for "{query}" ({len(hits)} of {total}):']
        for number, hit in enumerate(hits, 1):
            page = self.world.pages[hit.place]
            self.seen.append(page.url)
            name = self.world.site[page.site].name
            extract = self.world.snippets.extract(hit.place, query)
            lines.append(f"\n{number}. {page.title} | {name}\n   URL: {page.url}\n   {extract}")
        return ToolResult(call.id, "\n".join(lines))

    def _open(self, call: ToolCall, url: str) -> ToolResult:
        page = self.world.page.get(url)
        if page is None:
            return _error(call, f"404, there is no page at {url}")
        self.opened.append(page)
        return ToolResult(call.id, page_text(self.world, page))


def page_text(world: World, page: Page) -> str:
    """A page as `open_page` shows it."""
    return f"# {page.title}\nURL: {page.url}\n{world.site[page.site].name}, published {page.published}\n\n{page.text}"


def _error(call: ToolCall, reason: str) -> ToolResult:
    return ToolResult(call.id, f"Error: {reason}", is_error=True)
