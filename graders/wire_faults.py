"""What an error of the client library means for the next step, and what a server asks for in its headers."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Any

from graders.endpoint import ENDPOINT_KEY_NAME
from graders.faults import (
    ContextOverflowError,
    KeyRefusedError,
    NoSuchModelError,
    RequestRefusedError,
    RetryableError,
)
from graders.redact import redact

_OVERFLOW_WORDS = ("context size", "context length", "context window", "maximum context", "too many tokens", "too long")
_KEY_WORDS = ("missing credentials", "api_key client option must be set")
_KEY_ERRORS = ("AuthenticationError", "PermissionDeniedError")
_NOT_BILLED = (429, 503, 529)
_KEY_HELP = f"the provider's own variable, or {ENDPOINT_KEY_NAME} for an address given by --base-url"


def typed_fault(error: Exception, model: str, *, answered: int | None = None) -> Exception:
    """What a client error means for the next step: try again, pack tighter, give up on this one, or stop.

    `answered`: the status that really came, where that is known; some relays send an error with status 200, and the
    client library then makes up a 422.
    """
    status = getattr(error, "status_code", None)
    status = status if isinstance(status, int) else None
    name = type(error).__name__
    said = redact(" ".join(str(error).split()))[:300]
    sentence = f"{model}: {name}{f' (HTTP {status})' if status else ''}: {said}"
    lowered = said.lower()
    if status in (401, 403) or name in _KEY_ERRORS or any(words in lowered for words in _KEY_WORDS):
        return KeyRefusedError(f"{sentence}. Set the key in the environment ({_KEY_HELP})")
    if status == 404 or "llm provider not provided" in lowered:
        return NoSuchModelError(f"{sentence}. Give --model provider/name as litellm knows it, or --base-url")
    if name == "ContextWindowExceededError" or (status == 400 and any(words in lowered for words in _OVERFLOW_WORDS)):
        return ContextOverflowError(sentence)
    if status in (400, 402, 405, 413, 422) and not (answered is not None and answered < 300):
        return RequestRefusedError(sentence)
    # A broken connection is reported as a 500 of the client's own making: the reply may have been on its way.
    return RetryableError(sentence, wait_s=asked_wait_s(error), maybe_billed=status not in _NOT_BILLED)


def asked_wait_s(error: Exception) -> float | None:
    """Seconds the server asks for, by `retry-after-ms` or `retry-after`; None if it asks for nothing readable."""
    for holder in (getattr(error, "response", None), error):
        headers: Any = getattr(holder, "headers", None) or getattr(holder, "litellm_response_headers", None)
        if not hasattr(headers, "get"):
            continue
        exact = _number(headers.get("retry-after-ms"))
        if exact is not None:
            return exact / 1000.0
        value = headers.get("retry-after")
        if value is not None:
            return read_retry_after(str(value), datetime.now(UTC))
    return None


def read_retry_after(value: str, now: datetime) -> float | None:
    """Seconds from now by a Retry-After value, a number or a date (RFC 9110, 10.2.3); None if it is neither."""
    seconds = _number(value)
    if seconds is not None:
        return seconds
    try:
        moment = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _number(value: object) -> float | None:
    try:
        number = float(str(value).strip())
    except ValueError:
        return None
    return max(0.0, number) if isfinite(number) else None
