"""Reads fields of a plain mapping and notes a sentence for each that is not as expected."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class Fields:
    """One mapping of a specification and its place in it. Readers give a harmless value after noting a problem."""

    def __init__(self, raw: Mapping[str, Any], place: str, problems: list[str]) -> None:
        self.raw = raw
        self.place = place
        self.problems = problems

    def problem(self, text: str) -> None:
        """Notes a sentence, led by the place it is about."""
        self.problems.append(f"{self.place}: {text}" if self.place else text)

    def only(self, allowed: Sequence[str]) -> None:
        """Notes every key that is not allowed, with the likeliest meant."""
        for key in self.raw:
            if key not in allowed:
                self.problem(f"unknown key {key!r}; expected one of {', '.join(allowed)}{_likely(str(key), allowed)}")

    def mapping(self, key: str, allowed: Sequence[str], *, required: bool) -> "Fields | None":
        """The mapping under `key` with its unknown keys noted; None where it is absent or of another type."""
        value = self.raw.get(key)
        if value is None and not required:
            return None
        if not isinstance(value, Mapping):
            found = "nothing" if key not in self.raw else f"{value!r}"
            self.problem(f"{key} is {found}; expected a mapping with the keys {', '.join(allowed)}")
            return None
        inner = Fields(value, f"{self.place}.{key}" if self.place else key, self.problems)
        inner.only(allowed)
        return inner

    def items(self, key: str, allowed: Sequence[str]) -> "Iterator[Fields]":
        """The mappings of a list under `key`; an absent list is empty."""
        value = self.raw.get(key)
        if value is None:
            return
        base = f"{self.place}.{key}" if self.place else key
        if isinstance(value, str) or not isinstance(value, Sequence):
            self.problem(f"{key} is {value!r}; expected a list")
            return
        for place, item in enumerate(value, start=1):
            if not isinstance(item, Mapping):
                self.problem(f"{key}[{place}] is {item!r}; expected a mapping with the keys {', '.join(allowed)}")
                continue
            inner = Fields(item, f"{base}[{place}]", self.problems)
            inner.only(allowed)
            yield inner

    def text(self, key: str) -> str:
        """A text that is not blank."""
        value = self.raw.get(key)
        if not isinstance(value, str) or not value.strip():
            self.problem(f"{key} is {value!r}; expected a text")
            return ""
        return value

    def name(self, key: str) -> str:
        """A name that is safe in a file name."""
        value = self.raw.get(key)
        if not isinstance(value, str) or not _NAME.fullmatch(value):
            self.problem(
                f"{key} is {value!r}; expected 1 to 80 letters, digits, '.', '_', '-', first a letter or digit"
            )
            return ""
        return value

    def choice(self, key: str, allowed: Sequence[str], *, default: str | None = None) -> str:
        """One of `allowed`; `default` where the key is absent, required if there is none."""
        value = self.raw.get(key, default)
        if not isinstance(value, str) or value not in allowed:
            found = "missing" if value is None else f"{value!r}"
            self.problem(f"{key} is {found}; expected one of {', '.join(allowed)}{_likely(str(value), allowed)}")
            return allowed[0]
        return value

    def number(
        self,
        key: str,
        *,
        low: float | None = None,
        high: float | None = None,
        above: float | None = None,
        hint: str = "",
        default: float | None = None,
    ) -> float:
        """A finite number in [low, high] and greater than `above`."""
        value = self.raw.get(key, default)
        bounds = [f">= {low:g}" if low is not None else "", f"<= {high:g}" if high is not None else ""]
        bounds.append(f"> {above:g}" if above is not None else "")
        expected = " ".join(part for part in ("a number", " and ".join(b for b in bounds if b), hint) if part)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            self.problem(f"{key} is {'missing' if value is None else repr(value)}; expected {expected}")
            return 1.0
        number = float(value)
        outside = (low is not None and number < low) or (high is not None and number > high)
        if outside or (above is not None and number <= above):
            self.problem(f"{key} is {value!r}; expected {expected}")
            return 1.0
        return number


def _likely(found: str, allowed: Sequence[str]) -> str:
    import difflib  # only a mistake pays for it

    close = difflib.get_close_matches(found, allowed, n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""
