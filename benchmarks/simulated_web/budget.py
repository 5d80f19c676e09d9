"""What an episode may use up: calls, tokens of what the tools answer, and time."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

# How long things take in the simulated web, in seconds: measured on nothing, of the order that agents see elsewhere.
SEARCH_S = 0.8
PAGE_S = 0.6
PAGE_S_PER_CHAR = 0.00005
FIND_S = 0.1
TIMEOUT_S = 10.0
CHARS_PER_TOKEN = 4
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class Budget:
    """How many tool calls an episode has (failed ones count), and how many results a search gives.

    `tokens` bounds what the tools answer in all, `seconds` the time: both None for no bound. Time is that of the
    simulated web, the same on every machine, and with a clock also what the agent itself takes.
    """

    calls: int = 40
    top_k: int = 5
    tokens: int | None = None
    seconds: float | None = None


def tokens_of(text: str) -> int:
    """About how many tokens a model reads: four characters each, one for each character of Chinese and its like."""
    wide = 0 if text.isascii() else len(_WIDE.findall(text))
    return wide + math.ceil((len(text) - wide) / CHARS_PER_TOKEN)


class Meter:
    """What an episode has used of its budget. `clock` gives seconds, None where the agent's own time does not count."""

    def __init__(self, budget: Budget, clock: Callable[[], float] | None = None) -> None:
        self.budget = budget
        self.calls = 0
        self.tokens = 0
        self._web_s = 0.0
        self._clock = clock
        self._began = clock() if clock else 0.0

    @property
    def seconds(self) -> float:
        return self._web_s + (self._clock() - self._began if self._clock else 0.0)

    @property
    def tokens_left(self) -> int | None:
        return None if self.budget.tokens is None else max(0, self.budget.tokens - self.tokens)

    @property
    def spent(self) -> str:
        """What is used up, in words; empty while nothing is."""
        budget = self.budget
        if self.calls >= budget.calls:
            return f"the budget of {budget.calls} tool calls"
        if budget.tokens is not None and self.tokens >= budget.tokens:
            return f"the budget of {budget.tokens:,} tokens"
        if budget.seconds is not None and self.seconds >= budget.seconds:
            return f"the time of {budget.seconds:g} seconds"
        return ""

    def took(self, seconds: float) -> None:
        """That much time went by in the simulated web."""
        self._web_s += seconds
