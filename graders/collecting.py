"""The one loop of long grading: cases read ahead of the workers, results kept a few at a time, a stop that loses none.

What is graded, and where a grade is kept, says a `Work`: of single reports `graders.runner`, of pairs
`graders.pair_runner`.
"""

import asyncio
import contextlib
import gc
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from graders.reading_ahead import ReadAhead
from graders.redact import redact
from workbench.errors import WorkbenchError
from workbench.schema.grade import GradeOutcome, GraderKind, Usage
from workbench.store import Store
from workbench.store.jobs import JobHandle, JobStopped
from workbench.store.repositories.grades import FAILED

LISTED = 20
_FLUSH_N = 256
_FLUSH_S = 1.0


class Graded(Protocol):
    """What a grade of a report and one of a pair have in common."""

    @property
    def outcome(self) -> GradeOutcome: ...
    @property
    def reason(self) -> str: ...
    @property
    def usage(self) -> Usage: ...


class Named(Protocol):
    """A grader of any kind."""

    name: str
    version: str
    kind: GraderKind


Item = TypeVar("Item")
AskedItem = TypeVar("AskedItem", contravariant=True)
Case = TypeVar("Case")
Result = TypeVar("Result", bound=Graded)


class Work(Protocol[AskedItem, Case, Result]):
    """`load` and `keep` run on a thread. `keep` writes all or nothing, and may be given what is there already."""

    def load(self, items: Sequence[AskedItem]) -> Sequence[Case]: ...
    async def ask(self, item: AskedItem, case: Case) -> Result: ...
    def failed(self, item: AskedItem, case: Case, reason: str, /) -> Result: ...
    def keep(self, results: Sequence[tuple[AskedItem, Result]]) -> None: ...
    def named(self, item: AskedItem) -> dict[str, str]: ...


@dataclass(frozen=True, slots=True)
class Tally:
    """What a run came to. `left` were not reached because of `stopped`; `failures` lists up to 20 of `failed`.

    `cost_usd` is what this run paid, None where a price is unknown.
    """

    scored: int
    abstained: int
    failed: int
    left: int
    stopped: str
    cost_usd: float | None
    failures: tuple[dict[str, str], ...]


def collect(
    store: Store,
    grader: Named,
    work: Work[Item, Case, Result],
    todo: Sequence[Item],
    *,
    job: JobHandle,
    concurrency: int,
) -> Tally:
    """Asks for each of `todo`, `concurrency` at a time, and keeps every result.

    Raises JobStopped after what was under way has ended and is kept, and WorkbenchError where nothing at all was
    graded; one that ends a run half-way is told as `stopped`.
    """
    with job.between_items(), _rare_garbage_collection():
        return asyncio.run(Collector(store, grader, work, todo, job).go(concurrency))


@contextlib.contextmanager
def _rare_garbage_collection() -> Iterator[None]:
    """A run makes millions of short-lived objects, and to look for cycles among those of the libraries every 700 of
    them takes a quarter of the time of grading by kept replies."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


class Collector(Generic[Item, Case, Result]):
    """One run of `collect`."""

    def __init__(
        self, store: Store, grader: Named, work: Work[Item, Case, Result], todo: Sequence[Item], job: JobHandle
    ) -> None:
        self._store = store
        self._grader = grader
        self._work = work
        self._n = len(todo)
        self._job = job
        self._cases = ReadAhead(iter(todo), work.load)
        self._counts: Counter[str] = Counter()
        self._failures: list[dict[str, str]] = []
        self._paid: float | None = 0.0
        self._buffer: list[tuple[Item, Result]] = []
        self._full = asyncio.Event()
        self._over = False
        self._stop: BaseException | None = None

    async def go(self, concurrency: int) -> Tally:
        grader = self._grader
        self._store.grades.register(grader.name, grader.version, grader.kind, getattr(grader, "definition", {}))
        self._job.progress(0, self._n, failed=0)
        writer = asyncio.create_task(self._write())
        workers = [asyncio.create_task(self._serve(writer)) for _ in range(min(concurrency, self._n))]
        if workers:
            try:
                await asyncio.wait(workers)
            except asyncio.CancelledError as error:
                # What is under way may be paid for: let it end and keep it.
                self._stop = error
                await asyncio.wait(workers)
        self._over = True
        self._full.set()
        await writer
        for worker in workers:
            worker.result()
        if self._stop is not None and (not isinstance(self._stop, WorkbenchError) or not self._done):
            raise self._stop
        return Tally(
            scored=self._counts["scored"],
            abstained=self._counts["abstained"],
            failed=self._failed,
            left=self._n - self._done,
            stopped=str(self._stop or ""),
            cost_usd=self._cost(),
            failures=tuple(self._failures),
        )

    @property
    def _done(self) -> int:
        return self._counts.total()

    @property
    def _failed(self) -> int:
        return sum(self._counts[outcome] for outcome in FAILED)

    async def _serve(self, writer: "asyncio.Task[None]") -> None:
        while (found := await self._next(writer)) is not None:
            try:
                result = await self._ask(*found)
            except (JobStopped, WorkbenchError) as error:
                self._stop = self._stop or error
                return
            self._note(found[0], result)

    async def _next(self, writer: "asyncio.Task[None]") -> tuple[Item, Case] | None:
        """None where nothing is left, or no more is to be asked. A store that takes no more grades ends it too, since
        they would be paid for in vain."""
        try:
            found = await self._cases.next()
            if found is not None:
                await self._job.async_checkpoint()
        except (JobStopped, WorkbenchError) as error:
            self._stop = self._stop or error
        return None if self._stop is not None or writer.done() else found

    async def _ask(self, item: Item, case: Case) -> Result:
        try:
            return await self._work.ask(item, case)
        except WorkbenchError:
            raise
        except Exception as error:
            # A grader of the user's own may break the rule that grading does not raise.
            reason = f"the grader raised {type(error).__name__}: {redact(str(error))[:500]}"
            return self._work.failed(item, case, reason)

    def _note(self, item: Item, result: Result) -> None:
        self._counts[result.outcome] += 1
        if result.outcome in FAILED and len(self._failures) < LISTED:
            self._failures.append(self._work.named(item) | {"outcome": result.outcome, "reason": result.reason})
        if not result.usage.cached:
            cost = result.usage.cost_usd
            self._paid = None if cost is None or self._paid is None else self._paid + cost
        self._buffer.append((item, result))
        if len(self._buffer) >= _FLUSH_N:
            self._full.set()
        cost = self._cost()
        self._job.progress(self._done, failed=self._failed, cost_usd="unknown" if cost is None else cost)

    async def _write(self) -> None:
        """Keeps what is done every second, or when there is much of it. A kill in between costs no money: the replies
        are kept already."""
        while not self._over or self._buffer:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._full.wait(), _FLUSH_S)
            self._full.clear()
            batch, self._buffer = self._buffer, []
            if batch:
                await asyncio.to_thread(self._keep, batch)

    def _keep(self, batch: Sequence[tuple[Item, Result]]) -> None:
        self._work.keep(batch)
        for item, result in batch:
            if result.outcome in FAILED:
                name = " and ".join(self._work.named(item).values())
                self._job.log(f"{name}: {result.outcome}: {result.reason}", "warning")

    def _cost(self) -> float | None:
        """What was paid, by the gateway's purse where there is one, else by the grades; None if a price is unknown."""
        purse: Any = getattr(getattr(self._grader, "gateway", None), "purse", None)
        if purse is not None:
            return float(purse.spent_usd) if not purse.unpriced else None
        return self._paid
