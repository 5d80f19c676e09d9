"""Cases that long grading reads from the store while its workers are busy with those before."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar

# Read at once. Two chunks may wait in memory; a query costs as much as reading a dozen short trajectories, so a chunk
# that was read in no time is followed by a larger one.
_CHUNK, _LARGEST_CHUNK = 32, 256
_QUICK_S, _SLOW_S = 0.1, 1.0

Item = TypeVar("Item")
Case = TypeVar("Case")


class ReadAhead(Generic[Item, Case]):
    """Cases, read a chunk at a time on a thread: the next chunk while the workers are busy with this one."""

    def __init__(self, items: Iterator[Item], load: Callable[[Sequence[Item]], Sequence[Case]]) -> None:
        self._items = items
        self._load = load
        self._ready: deque[tuple[Item, Case]] = deque()
        self._chunk: list[Item] = []
        self._size = _CHUNK
        self._loading: asyncio.Future[Sequence[Case]] | None = None

    async def next(self) -> tuple[Item, Case] | None:
        """None after the last. What reading raises, every worker gets."""
        while not self._ready:
            if self._loading is None and not self._start():
                return None
            loading = self._loading
            assert loading is not None
            cases = await asyncio.shield(loading)
            if self._loading is loading:  # else another worker was here first
                self._ready.extend(zip(self._chunk, cases, strict=True))
                self._start()
        return self._ready.popleft()

    def _start(self) -> bool:
        self._chunk = list(islice(self._items, self._size))
        self._loading = asyncio.ensure_future(asyncio.to_thread(self._read, self._chunk)) if self._chunk else None
        return self._loading is not None

    def _read(self, chunk: Sequence[Item]) -> Sequence[Case]:
        began = time.perf_counter()
        cases = self._load(chunk)
        took_s = time.perf_counter() - began
        if took_s < _QUICK_S:
            self._size = min(2 * self._size, _LARGEST_CHUNK)
        elif took_s > _SLOW_S:
            self._size = max(self._size // 2, 1)
        return cases
