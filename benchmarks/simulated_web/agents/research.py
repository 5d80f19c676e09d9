"""How a scripted agent searches and reads: calls with a reason, what to do when one fails, which result to open."""

import json
import re
from dataclasses import dataclass

from benchmarks.simulated_web.agents.notebook import Need, Notebook
from benchmarks.simulated_web.environment import Episode
from benchmarks.simulated_web.graph import Entity
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.tools import KINDS, OPEN_PAGE, SEARCH
from workbench.schema.trajectory import ToolCall

_RESULT = re.compile(r"^\d+\. (?P<title>.*) \| (?P<site>.*)\n   URL: (?P<url>\S+)\n   (?P<snippet>.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Result:
    """One entry of a list of search results, as the agent reads it."""

    title: str
    url: str
    snippet: str


class Researcher:
    """Drives an episode and keeps a notebook of the pages that it opened."""

    def __init__(self, episode: Episode, rng: Rng) -> None:
        self.episode, self.rng = episode, rng
        self.graph = episode.world.graph
        self.notebook = Notebook(self.graph)
        self.opened: set[str] = set()
        self._calls = 0

    @property
    def calls_left(self) -> int:
        return self.episode.tools.calls_left

    def search(self, query: str, *, why: str = "") -> list[Result]:
        """The results; none where the call failed (it is tried once more)."""
        for attempt in range(2):
            call = self._call(SEARCH, {"query": query})
            reason = why if attempt == 0 else "The search failed. Trying once more."
            result = self.episode.act(call, reasoning=reason)
            if not result.is_error:
                return _read_results(result.text)
            if self.calls_left == 0 or self.rng.chance(0.3):
                break
        return []

    def open(self, *urls: str, why: str = "") -> None:
        """Opens pages, several in one message where several are given, and notes what they say."""
        urls = tuple(url for url in dict.fromkeys(urls) if url not in self.opened)[: self.calls_left]
        if not urls:
            return
        calls = [self._call(OPEN_PAGE, {"url": url}) for url in urls]
        results = self.episode.act_together(calls, reasoning=why)
        for url, result in zip(urls, results, strict=True):
            self.opened.add(url)
            if not result.is_error:
                self._note(url)
            elif "timed out" in result.text and self.calls_left and self.rng.chance(0.6):
                again = self.episode.act(self._call(OPEN_PAGE, {"url": url}), reasoning="That timed out; once more.")
                if not again.is_error:
                    self._note(url)

    def _note(self, url: str) -> None:
        """What the page says, if its text came: a page may be empty without an error."""
        page = next((page for page in reversed(self.episode.tools.opened) if page.url == url), None)
        if page is not None:
            self.notebook.read(page)

    def open_again(self, *, why: str = "") -> None:
        """Opens the page that was read last once more, and learns nothing new."""
        if self.notebook.pages:
            self.episode.act(self._call(OPEN_PAGE, {"url": self.notebook.pages[-1].url}), reasoning=why)

    def queries(self, entity: Entity, need: Need) -> list[str]:
        """Ways to ask for it, in random order."""
        noun, name = need.relation.noun, entity.name
        if need.year is not None:
            noun = f"{noun} {need.year}"
        return self.rng.shuffled(
            [
                f"{name} {noun}",
                f"{noun} of {entity.phrase}",
                f"{name} facts {noun} 2025" if need.relation.dated else f"{name} facts {noun}",
                need.relation.ask.replace("{S}", entity.phrase),
            ]
        )

    def fitting(self, results: list[Result], entity: Entity) -> list[str]:
        """Addresses of results that name the entity and are not opened yet, those that name it in their title first."""
        root = entity.root.lower()
        named = [r for r in results if r.url not in self.opened and root in f"{r.title} {r.snippet}".lower()]
        return [r.url for r in sorted(named, key=lambda r: root not in r.title.lower())]

    def _call(self, name: str, arguments: dict[str, str]) -> ToolCall:
        self._calls += 1
        return ToolCall(f"call-{self._calls}", name, KINDS[name], arguments)


def _read_results(text: str) -> list[Result]:
    """Results as they are listed, or as the service that has changed its format sends them."""
    if not text.startswith("{"):
        return [Result(m["title"], m["url"], m["snippet"]) for m in _RESULT.finditer(text)]
    return [Result(item["headline"], item["link"], item["abstract"]) for item in json.loads(text)["items"]]
