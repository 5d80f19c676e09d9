"""Joins what many tasks ask of the store into few calls: while one is under way, the next gathers."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_AT_ONCE = 256


class Batcher(Generic[Item, Result]):
    """`work` takes a list and gives as many results, in order, on a thread. What it raises, each asker gets.

    An item that was handed in is worked on even if its asker is cancelled, or the loop ends: a reply may be paid for.
    """

    def __init__(self, work: Callable[[Sequence[Item]], Sequence[Result]]) -> None:
        self._work = work
        self._waiting: list[tuple[Item, asyncio.Future[Result]]] = []
        self._runner: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def __call__(self, item: Item) -> "asyncio.Future[Result]":
        """Handed in when called, not when awaited."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._loop, self._runner, self._waiting = loop, None, []
        future: asyncio.Future[Result] = loop.create_future()
        self._waiting.append((item, future))
        if self._runner is None or self._runner.done():
            self._runner = loop.create_task(self._run())
        return future

    async def _run(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
            items = [item for item, _ in batch]
            under_way = asyncio.ensure_future(asyncio.to_thread(self._work, items))
            try:
                results = await asyncio.shield(under_way)
            except asyncio.CancelledError:
                # The loop ends. The thread finishes what it has; what still waits is done here and now.
                rest, self._waiting = [item for item, _ in self._waiting], []
                if rest:
                    self._work(rest)
                raise
            except BaseException as error:
                # Even a stop that a signal raised here: nobody must wait for an answer that will not come.
                for _, future in batch:
                    if not future.done():
                        future.set_exception(error)
                        future.exception()  # an asker that was cancelled reads nothing: no warning for it
                if not isinstance(error, Exception):
                    raise
                continue
            for (_, future), result in zip(batch, results, strict=True):
                if not future.done():
                    future.set_result(result)
