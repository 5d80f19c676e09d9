"""Which year a value of a sentence is given for, and how far two places of a sentence lie apart."""

import re
from collections.abc import Mapping, Sequence

from benchmarks.simulated_web.ontology import NOW
from benchmarks.simulated_web.reading.lexicon import Number, Value

BOUNDARY = 40.0  # a boundary of clauses counts as so many characters
_BOUNDARY = re.compile(r"[;:]|,\s+(?:and|but|while|whereas|although|though)\b|\b(?:while|whereas)\b")
_TODAY_AFTER = re.compile(r"[^.;,\d]{0,24}?\b(today|now|nowadays|at present|currently)\b", re.IGNORECASE)
_TODAY_BEFORE = re.compile(r"\b(today|now|nowadays|present|current|currently)\b[^.;,\d]{0,24}$", re.IGNORECASE)


def gap(text: str, one: tuple[int, int], other: tuple[int, int]) -> float:
    """Characters between two spans of `text`, boundaries of clauses counted as many."""
    low, high = min(one[1], other[1]), max(one[0], other[0])
    return max(0, high - low) + BOUNDARY * len(_BOUNDARY.findall(text[low:high]))


def past_years(text: str, numbers: Sequence[Number], values: Sequence[Value]) -> Mapping[int, int]:
    """Value (by identity) -> the past year that it is given for, 0 for some time before; today's are left out.

    `numbers`: those of the text that are no value themselves; `values`: those that hold for a year. Nearest pairs
    first, a year after its value before one in front of it; a year serves a second value only where no other is left.
    """
    years = [n for n in numbers if n.is_year and 1950 <= n.value <= NOW]
    pairs = sorted(
        (_year_gap(text, year, value), v, y)
        for v, value in enumerate(values)
        for y, year in enumerate(years)
        if not (isinstance(value, Number) and value.former) or _year_gap(text, year, value) <= 8
    )
    given: dict[int, int] = {}
    for _, v, y in pairs:
        if _is_of_today(text, values[v], [values[other] for other, year in given.items() if year == y]):
            continue
        if v not in given and (y not in given.values() or len(set(given.values())) == len(years)):
            given[v] = y
    past = {id(values[v]): int(years[y].value) for v, y in given.items() if years[y].value != NOW}
    former = {id(value): 0 for value in values if isinstance(value, Number) and value.former}
    return past | former


def _is_of_today(text: str, value: Value, of_year: Sequence[Value]) -> bool:
    """Whether a year that is said of other values is not said of this one: "up from 362,510 in 2016", "today"."""
    if not of_year or not isinstance(value, Number) or value.former:
        return False
    if any(isinstance(other, Number) and other.former for other in of_year):
        return True
    return _TODAY_AFTER.match(text, value.end) is not None or _TODAY_BEFORE.search(text[: value.start]) is not None


def _year_gap(text: str, year: Number, value: Value) -> float:
    if re.fullmatch(r"\)?\s*:\s*", text[year.end : value.start]):
        return 0.0
    return gap(text, (year.start, year.end), (value.start, value.end)) + (6 if year.start < value.start else 0)
