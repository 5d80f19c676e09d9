"""What can go wrong between a grader and its model, by what should happen next."""

from workbench.errors import WorkbenchError
from workbench.schema.protocols import TransportError


class RetryableError(TransportError):
    """The wire failed and the same request may succeed later. `wait_s` is what the server asked for, None if nothing.

    `maybe_billed`: the request was sent and no answer came, so that it may have been paid for.
    """

    def __init__(self, sentence: str, *, wait_s: float | None = None, maybe_billed: bool = False) -> None:
        super().__init__(sentence)
        self.wait_s = wait_s
        self.maybe_billed = maybe_billed


class RequestRefusedError(TransportError):
    """The server refused this request and would refuse it again."""


class UnusableReplyError(TransportError):
    """What came back can never be a reply and another like it would come: not tried again, and perhaps billed."""

    maybe_billed = True


class ContextOverflowError(RequestRefusedError):
    """The prompt is longer than the model's context: pack it tighter."""


class GradingStoppedError(WorkbenchError):
    """Nothing more can be graded until a person does something: no case is at fault, so none is marked failed."""


class SpendLimitError(GradingStoppedError):
    """The next request could pass the spend limit."""


class NoPriceError(GradingStoppedError):
    """A spend limit was asked for and the model's price is unknown, so that it cannot be held."""


class KeyRefusedError(GradingStoppedError):
    """The provider refused the key, or there is none."""


class NoSuchModelError(GradingStoppedError):
    """No provider or server knows the model by this name."""
