"""Between the policy's tokens and the simulated web's tools: what it writes is called, what comes back is shown short.

The trajectory that is stored and rewarded holds the real tool calls and the real texts of the tools. The policy sees a
compact view of them (`notes`); both are kept, the view as the token trace of the tool's step.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from benchmarks.simulated_web.environment import Episode
from benchmarks.simulated_web.questions import Question
from benchmarks.simulated_web.tools import KINDS, OPEN_PAGE, SEARCH, Budget
from benchmarks.simulated_web.world import World
from training.grammar import MAX_QUERY_WORDS, Action, ActionReader, Open, Search
from training.notes import Asked, Note, Reader
from training.report import Found, ReadPage, choose_claims, write_report
from training.rollouts import Segment, TokenPath
from training.tokenizer import (
    N_NAMES,
    N_NOTES,
    N_PAGES,
    N_RESULTS,
    NAME,
    NOTE,
    PAGE,
    RESULT,
    SITE,
    Tokenizer,
    content_words_of,
)
from workbench.schema.trajectory import TokenTrace, ToolCall, ToolResult, Trajectory

TITLE_WORDS = 5
_RESULT = re.compile(r"^\d+\. (?P<title>.*) \| (?P<site>[^|\n]*)\n   URL: (?P<url>\S+)$", re.MULTILINE)
_PAGE = re.compile(r"# (?P<title>.*)\nURL: (?P<url>\S+)\n(?P<site>.*), published ")


@dataclass(frozen=True)
class Surroundings:
    """What all episodes of a run share."""

    world: World
    tokenizer: Tokenizer
    reader: Reader
    own_report: bool
    max_turns: int


@dataclass
class WebEpisode:
    """One rollout in the simulated web. Implements `rollouts.PlayedEpisode`."""

    around: Surroundings
    question: Question
    report: str = ""
    invalid_calls: int = 0
    _addresses: list[str] = field(default_factory=list)
    _pages: list[ReadPage] = field(default_factory=list)
    _notes: list[tuple[Note, int]] = field(default_factory=list)
    _names: list[str] = field(default_factory=list)
    prompt: list[int] = field(init=False)

    def __post_init__(self) -> None:
        # The report takes the last turn.
        self._web = Episode(self.around.world, self.question, Budget(calls=self.around.max_turns - 1))
        self._asked: Asked = self.around.reader.asked(self.question.text)
        self.prompt = [self.around.tokenizer.mark("question"), *self._shown(content_words_of(self.question.text))]

    @property
    def done(self) -> bool:
        return self._web.finished

    @property
    def found(self) -> Found:
        return Found(self._asked, tuple(self._pages), tuple(self._notes))

    @property
    def pages_opened(self) -> int:
        return len(self._pages)

    @property
    def empty_pages(self) -> int:
        """Opened pages on which nothing that was asked for was read."""
        return len(self._pages) - len({page for _, page in self._notes})

    @property
    def calls(self) -> int:
        return self._web.tools.used

    def address_number(self, url: str) -> int | None:
        """The pointer to an address that a search of this episode showed, None if none did or it came too late."""
        return self._addresses.index(url) + 1 if url in self._addresses[:N_RESULTS] else None

    def reader(self) -> ActionReader:
        return ActionReader(
            self.around.tokenizer,
            self.around.own_report,
            names=len(self._names),
            addresses=min(len(self._addresses), N_RESULTS),
            notes=min(len(self._notes), N_NOTES),
            pages=min(len(self._pages), N_PAGES),
            more=self._web.tools.calls_left > 0,
        )

    def act(self, action: Action) -> list[int]:
        """Runs an action; returns what the policy sees of the answer, nothing after a report."""
        if isinstance(action, Search):
            return self._search(action)
        if isinstance(action, Open):
            return self._open(self._addresses[action.result - 1])
        claims = action.claims if self.around.own_report else choose_claims(self.found)
        self.report = write_report(self.around.world.graph, self.question.text, self.found, claims)
        self._web.finish(self.report)
        return []

    def _search(self, action: Search) -> list[int]:
        t = self.around.tokenizer
        result = self._call(SEARCH, "query", " ".join(self._spelled(word) for word in action.words))
        if result.is_error:
            return [t.mark("error")]
        opened = {page.url for page in self._pages}
        shown = [t.mark("results")]
        for match in _RESULT.finditer(result.text):
            url = match["url"]
            if url not in self._addresses:
                self._addresses.append(url)
            number = self.address_number(url)
            if number is None:
                continue
            mark = t.mark("opened") if url in opened else t.pointer(RESULT, number)
            shown += [mark, *t.encode([site_word(url)]), *self._shown(content_words_of(match["title"])[:TITLE_WORDS])]
        return shown if len(shown) > 1 else [t.mark("nothing")]

    def _open(self, url: str) -> list[int]:
        t, around = self.around.tokenizer, self.around
        result = self._call(OPEN_PAGE, "url", url)
        head = _PAGE.match(result.text)
        if result.is_error or head is None:
            return [t.mark("error")]
        again = [page.url for page in self._pages]
        if url in again:
            return [t.mark("page"), t.mark("opened")]
        self._pages.append(ReadPage(url, head["title"], head["site"]))
        number = len(self._pages)
        if number > N_PAGES:
            return [t.mark("page"), t.mark("nothing")]
        shown = [t.mark("page"), t.pointer(PAGE, number), *t.encode([site_word(url)])]
        notes = around.reader.notes(result.text, self._asked)
        for note in notes[: N_NOTES - len(self._notes)]:
            self._notes.append((note, number))
            shown += [t.pointer(NOTE, len(self._notes)), *self._shown(around.reader.view(note))]
        return shown if notes else [*shown, t.mark("nothing")]

    def query_tokens(self, query: str) -> tuple[str, ...]:
        """A written query in the policy's words: names that the episode has met as pointers, unknown words left out."""
        shown = [self._pointer(word) or word for word in content_words_of(query)]
        known = self.around.tokenizer.query_words
        return tuple(word for word in shown if word in known or word.startswith("<"))[:MAX_QUERY_WORDS]

    def _shown(self, words: Sequence[str]) -> list[int]:
        """Ids of words as the policy sees them; names that are met for the first time get the next pointer."""
        for word in words:
            if word in self.around.reader.roots and word not in self._names and len(self._names) < N_NAMES:
                self._names.append(word)
        return self.around.tokenizer.encode([self._pointer(word) or word for word in words])

    def _pointer(self, word: str) -> str:
        """`<eK>` for a name that was met, else empty."""
        return f"<{NAME}{self._names.index(word) + 1}>" if word in self._names else ""

    def _spelled(self, word: str) -> str:
        """What a word of a query says: a pointer stands for its name."""
        return self._names[int(word[2:-1]) - 1] if word.startswith(f"<{NAME}") else word

    def _call(self, name: str, argument: str, value: str) -> ToolResult:
        call = ToolCall(f"call-{self.calls + 1}", name, KINDS[name], {argument: value})
        result = self._web.act(call)
        self.invalid_calls += result.is_error
        return result

    def trajectory(
        self, path: TokenPath, *, run: str, model: str, group: str, attempt: int, policy_step: int
    ) -> Trajectory:
        """The finished episode as it is stored and rewarded, each step with the tokens that the policy saw or wrote.

        Raises ValueError where messages and token segments do not correspond: then something was lost on the way.
        """
        bare = self._web.trajectory(run=run, model=model, attempt=attempt, group=group, policy_step=policy_step)
        system, *spoken = bare.steps
        traced = [replace(step, tokens=trace_of(s)) for step, s in zip(spoken, path.segments, strict=True)]
        return replace(bare, steps=(system, *traced))


def site_word(url: str) -> str:
    """The vocabulary's word for the site that serves an address."""
    return SITE + url.split("/")[2]


def trace_of(segment: Segment) -> TokenTrace:
    """Mask 1 and log-probabilities on the policy's tokens; observed tokens have mask 0 and log-probability 0."""
    n = len(segment.ids)
    if segment.own:
        return TokenTrace(segment.ids, (1,) * n, segment.logprobs or None)
    return TokenTrace(segment.ids, (0,) * n, (0.0,) * n)
