"""What a piece of long work holds while it runs: it says how far it is, and is told when to wait or stop."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Literal, Self, TypeAlias

from workbench.schema.canonical import JsonValue

LogLevel: TypeAlias = Literal["info", "warning", "error"]
# US dollars; unknown is an answer of its own, and None is what was said before.
Cost: TypeAlias = float | Literal["unknown"] | None


class JobStopped(BaseException):
    """Someone asked the job to stop. Not an Exception, so that no handler of one item's errors swallows it."""


class JobHandle(ABC):
    """A context manager: left by JobStopped, Ctrl-C or SIGTERM the job is stopped, by another exception failed.

    `on_progress` is called with (done, total) at every progress, for a bar.
    """

    on_progress: Callable[[int, int | None], object] | None = None

    @abstractmethod
    def progress(
        self, done: int, total: int | None = None, *, failed: int | None = None, cost_usd: Cost = None
    ) -> None:
        """How many items are done, of how many (None: as said before), how many of them failed, what it cost so far:
        `unknown` where the price of something is."""

    @abstractmethod
    def log(self, text: str, level: LogLevel = "info") -> None:
        """A line for whoever watches."""

    @abstractmethod
    def checkpoint(self) -> None:
        """Call it between items: it waits while the job is paused and raises JobStopped once it is to stop."""

    @abstractmethod
    async def async_checkpoint(self) -> None:
        """As `checkpoint`, without holding up the event loop while it waits."""

    @contextmanager
    def between_items(self) -> Iterator[None]:
        """In it, a first SIGTERM or Ctrl-C stops the job at its next checkpoint, so that no item under way is cut off;
        a second one at once."""
        yield

    @abstractmethod
    def finish(self, result: Mapping[str, JsonValue]) -> None:
        """The job is done; `result` is its JSON answer."""

    @abstractmethod
    def fail(self, error: str) -> None:
        """The job as a whole could not be done, and why."""

    def __enter__(self) -> Self:
        return self

    @abstractmethod
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def known_cost(said: Cost, before: float | None) -> float | None:
    """What the cost is after something was said of it; None while, or once, it is unknown."""
    if isinstance(said, str):
        return None
    return before if said is None else said


class NullJob(JobHandle):
    """A job that no row stands for: for use as a library and in tests. It remembers what it was told."""

    def __init__(self) -> None:
        self.done = 0
        self.total: int | None = None
        self.failed = 0
        self.cost_usd: float | None = None
        self.lines: list[tuple[LogLevel, str]] = []
        self.result: Mapping[str, JsonValue] | None = None
        self.error = ""

    def progress(
        self, done: int, total: int | None = None, *, failed: int | None = None, cost_usd: Cost = None
    ) -> None:
        self.done = done
        self.total = self.total if total is None else total
        self.failed = self.failed if failed is None else failed
        self.cost_usd = known_cost(cost_usd, self.cost_usd)
        if self.on_progress is not None:
            self.on_progress(self.done, self.total)

    def log(self, text: str, level: LogLevel = "info") -> None:
        self.lines.append((level, text))

    def checkpoint(self) -> None:
        pass

    async def async_checkpoint(self) -> None:
        pass

    def finish(self, result: Mapping[str, JsonValue]) -> None:
        self.result = result

    def fail(self, error: str) -> None:
        self.error = error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass
