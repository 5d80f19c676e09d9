"""Draws that are the same on every machine and Python version."""

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Rng:
    """A generator named by its seed and a path of labels.

    Only `random.random()` is used: it is the one method whose sequence the standard library promises to keep. Labels
    are hashed with SHA-256, never with `hash()`, so the interpreter's hash seed does not matter.
    """

    def __init__(self, *path: str | int) -> None:
        digest = hashlib.sha256("\x1f".join(str(part) for part in path).encode()).digest()
        self._source = random.Random(int.from_bytes(digest[:8], "big"))

    def below(self, n: int) -> int:
        """A whole number in [0, n)."""
        return int(self._source.random() * n)

    def between(self, low: int, high: int) -> int:
        """A whole number in [low, high]."""
        return low + self.below(high - low + 1)

    def chance(self, probability: float) -> bool:
        return self._source.random() < probability

    def choice(self, items: Sequence[T]) -> T:
        """Raises IndexError on an empty sequence."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        """`k` different items, fewer where there are fewer."""
        return self.shuffled(items)[:k]
