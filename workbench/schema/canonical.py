"""One way to turn a value into bytes, so that equal values have equal hashes on every machine."""

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from typing import TypeAlias, Union

JsonValue: TypeAlias = Union[str, int, float, bool, "Sequence[JsonValue]", "Mapping[str, JsonValue]", None]
JsonObject: TypeAlias = Mapping[str, JsonValue]


def canonical_json(value: JsonValue) -> bytes:
    """UTF-8 JSON with sorted keys and no spaces. Raises ValueError for NaN and infinities.

    Lone surrogates, which Python's JSON reader accepts from hostile input, are escaped rather than refused.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", errors="backslashreplace")


def content_hash(value: JsonValue) -> str:
    """SHA-256 of the canonical form, 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def text_hash(text: str) -> str:
    """SHA-256 of a text, 64 hexadecimal digits: the key of a stored document."""
    return hashlib.sha256(text.encode("utf-8", errors="backslashreplace")).hexdigest()


def question_key(question: str) -> str:
    """The identity of a question across files and runs: its text, folded for case, width and spacing.

    Numbers that benchmarks give their questions clash between benchmarks (all have a question 1), the text does not.
    """
    folded = " ".join(unicodedata.normalize("NFKC", question).casefold().split())
    return "q-" + text_hash(folded)[:16]
