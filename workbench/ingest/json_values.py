"""Bytes of one record to a JSON value, with a sentence where that fails."""

import json
import math
import re
from typing import Any

import orjson

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class BrokenJsonError(ValueError):
    """The bytes are no JSON value that can be taken in; the message says why."""


def parse_json(raw: bytes) -> Any:
    """The value of one JSON text. Raises BrokenJsonError.

    What Python's own writer produces beyond the standard is taken in: NaN, infinities and numbers too large for a
    double become null, whole numbers beyond 64 bits become doubles, and half of a surrogate pair becomes U+FFFD, since
    no UTF-8 can carry it. The record's bytes are kept beside, so nothing is lost.
    """
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        return _parse_loosely(raw)


def to_json(value: object) -> bytes:
    """The bytes of a value that `parse_json` gave. Raises BrokenJsonError where it is nested too deeply."""
    try:
        return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)
    except TypeError:
        # Beyond 254 levels, where Python's own writer goes on.
        try:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        except RecursionError:
            raise BrokenJsonError("nested too deeply; expected fewer than about 1,000 levels") from None


def _parse_loosely(raw: bytes) -> Any:
    try:
        value = json.loads(raw.decode("utf-8"), parse_constant=lambda _: None, parse_float=_finite, parse_int=_whole)
        return without_surrogates(value)
    except UnicodeDecodeError as error:
        raise BrokenJsonError(f"not UTF-8: byte 0x{raw[error.start]:02x} at {error.start} of the record") from None
    except json.JSONDecodeError as error:
        raise BrokenJsonError(f"not JSON: {error.msg[0].lower()}{error.msg[1:]} at character {error.pos}") from None
    except RecursionError:
        raise BrokenJsonError("nested too deeply to be read; expected fewer than about 1,000 levels") from None
    except ValueError as error:  # an integer of thousands of digits
        raise BrokenJsonError(f"not JSON that can be read: {error}") from None


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _whole(digits: str) -> int | float | None:
    """As orjson reads it, which has read most records."""
    fits = len(digits) <= 20 and -(2**63) <= int(digits) < 2**64
    return int(digits) if fits else _finite(digits)


def without_surrogates(value: Any) -> Any:
    """The value with half of a surrogate pair, which no UTF-8 can carry, as U+FFFD in every text."""
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {without_surrogates(key): without_surrogates(item) for key, item in value.items()}
    return value
