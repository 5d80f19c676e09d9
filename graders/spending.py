"""Holds a spend limit: money is set aside before a request is sent and settled after the reply."""

from dataclasses import dataclass, field

from graders.faults import NoPriceError, SpendLimitError
from workbench.schema.protocols import ModelRequest


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars a million tokens. Zero is a price (a model of one's own); an unknown price is None, not this."""

    input_usd_per_m: float
    output_usd_per_m: float

    def of(self, input_tokens: int, output_tokens: int) -> float:
        return (input_tokens * self.input_usd_per_m + output_tokens * self.output_usd_per_m) / 1e6


@dataclass(slots=True)
class Purse:
    """What one run has spent. `limit_usd` None: no limit.

    `reserved` is set aside for requests under way. `unsure_usd` was set aside for requests that may have been billed
    although no reply came: it counts against the limit, and is not reported as cost.
    """

    limit_usd: float | None = None
    spent_usd: float = 0.0
    unsure_usd: float = 0.0
    unpriced: int = 0
    calls: int = 0
    _reserved: float = field(default=0.0)

    def reserve(self, request: ModelRequest, price: Price | None) -> float:
        """Sets aside the most that `request` can cost. Raises SpendLimitError if the limit could be passed by it,
        NoPriceError if there is a limit and no price to hold it by."""
        if self.limit_usd is None:
            return 0.0
        if price is None:
            raise NoPriceError(
                f"the price of {request.model} is unknown, so a spend limit of ${self.limit_usd:g} cannot be held; "
                "give --price-in and --price-out (US dollars a million tokens), or no limit"
            )
        most = price.of(most_input_tokens(request), request.max_tokens or 0)
        committed = self.spent_usd + self.unsure_usd + self._reserved
        if committed + most > self.limit_usd:
            raise SpendLimitError(
                f"spend limit: ${committed:.4f} of ${self.limit_usd:g} is spent or set aside, and the next request may "
                f"cost up to ${most:.4f}. What is graded is kept; raise --spend-limit to go on"
            )
        self._reserved += most
        return most

    def settle(self, reserved: float, cost_usd: float | None) -> None:
        """A reply came: the money set aside is freed and its cost booked; where that is unknown, all of it."""
        self._reserved -= reserved
        self.calls += 1
        if cost_usd is None:
            self.unpriced += 1
            self.unsure_usd += reserved
        else:
            self.spent_usd += cost_usd

    def give_back(self, reserved: float, *, maybe_billed: bool) -> None:
        """No reply came."""
        self._reserved -= reserved
        if maybe_billed:
            self.unsure_usd += reserved


def most_input_tokens(request: ModelRequest) -> int:
    """A bound from above: no tokenizer of byte pairs makes more tokens than a text has bytes, plus the frame."""
    bytes_ = sum(len(message["content"].encode("utf-8", errors="replace")) for message in request.messages)
    return bytes_ + 64 + 16 * len(request.messages)
