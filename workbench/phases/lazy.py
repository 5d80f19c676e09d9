"""Patterns that are compiled when first used: importing this package must stay within a few milliseconds."""

import re


class Pattern:
    """A regular expression compiled on first use. Call it to get the compiled pattern.

    Every pattern of this package runs in time linear in its input: none nests a repetition in another over the same
    characters.
    """

    __slots__ = ("_compiled", "_flags", "_source")

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    def __call__(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self._source, self._flags)
        return self._compiled
