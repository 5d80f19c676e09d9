"""Column types that keep hostile text whole on both backends.

PostgreSQL refuses NUL characters, and neither backend takes lone surrogates, both of which arrive in traces. Every text
column therefore writes them as escapes built of private-use characters and reads them back: lossless, equal on both
backends, and a search for ordinary text never matches inside an escape.
"""

import json
import re
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import BigInteger, DateTime, Dialect, Integer, Text
from sqlalchemy.types import TypeDecorator

from workbench.schema.canonical import JsonValue

_ESCAPE = "\uf8f0"
_NUL, _SELF = _ESCAPE + "\uf8f1", _ESCAPE + "\uf8f2"
_SURROGATES_AT = 0xF0000 - 0xD800
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_HOSTILE = re.compile("[\x00\ud800-\udfff\uf8f0]")
_ESCAPED = re.compile("\uf8f0(.)", re.DOTALL)


def escape_text(text: str) -> str:
    """The text in a form that both backends store: no NUL, no lone surrogate. `unescape_text` is its inverse."""
    if text.isascii() and "\x00" not in text:
        return text
    return _HOSTILE.sub(_escape_one, text)


def _escape_one(match: re.Match[str]) -> str:
    character = match.group()
    if character == "\x00":
        return _NUL
    return _SELF if character == _ESCAPE else _ESCAPE + chr(ord(character) + _SURROGATES_AT)


def unescape_text(text: str) -> str:
    return _ESCAPED.sub(_unescape_one, text) if _ESCAPE in text else text


def _unescape_one(match: re.Match[str]) -> str:
    character = match.group(1)
    if character == "\uf8f1":
        return "\x00"
    return _ESCAPE if character == "\uf8f2" else chr(ord(character) - _SURROGATES_AT)


# Collation C orders and compares by code point, as SQLite does: a list sorts alike on both backends.
PORTABLE_TEXT = Text().with_variant(Text(collation="C"), "postgresql")
BIGINT = BigInteger().with_variant(Integer(), "sqlite")


class HostileText(TypeDecorator[str]):
    """Any Python string, byte for byte."""

    impl = PORTABLE_TEXT
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else escape_text(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002
        return None if value is None else unescape_text(value)


class JsonText(TypeDecorator[Any]):
    """A JSON value as text, lone surrogates and NUL characters included. Tuples come back as lists."""

    impl = PORTABLE_TEXT
    cache_ok = True

    def process_bind_param(self, value: JsonValue, dialect: Dialect) -> str:  # noqa: ARG002
        return escape_text(dump_json(value))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:  # noqa: ARG002
        return None if value is None else json.loads(unescape_text(value))


class UtcTime(TypeDecorator[datetime]):
    """An aware moment, kept and given back in UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"the time {value.isoformat()} has no time zone; the store takes aware times only")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def dump_json(value: JsonValue) -> str:
    """Compact JSON that keeps the order of keys and leaves other characters as they are."""
    return _encode(value)
