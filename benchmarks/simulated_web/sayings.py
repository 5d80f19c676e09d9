"""Saying a value loosely: rounded, spelled in words, in other units; and what such words leave open.

A rounding is an interval. Its step is the largest of 1, 2.5 and 5 times a power of ten that is at most 4% of the value:
"about X" is the value rounded to whole steps, half a step to either side; "just under X" and "a little over X" are the
step below and the step above X. Wrong values of the simulated web are at least 6% off and older ones 10%, so that no
rounding of a value holds a false one.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.simulated_web.ontology import Relation
from benchmarks.simulated_web.pages import Rounding
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.units import UNITS, grouped, to_base
from benchmarks.simulated_web.wording import converted

ROUNDED_SHARE = 0.55
# Nobody rounds what can be counted at a glance.
COUNTED_OUT = frozenset({"seats"})
STEP_SHARE = 0.04
_STEPS = tuple(factor * 10**power // 10 for power in range(10) for factor in (10, 25, 50) if power or factor != 25)


@dataclass(frozen=True, slots=True)
class Said:
    """A quantity in words: `number` alone, `full` with its unit, and how far it leaves the value open."""

    number: str
    full: str
    rounding: Rounding | None = None


# How reworded prose names the unit, by the relation's unit: (unit of the number, word).
_UNITS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "m": (("m", "metres"), ("ft", "feet")),
    "km": (("km", "kilometres"), ("mi", "miles")),
    "km2": (("km2", "square kilometres"), ("ha", "hectares"), ("sqmi", "square miles")),
    "m2": (("m2", "square metres"), ("sqft", "square feet")),
    "m3/s": (("m3/s", "cubic metres a second"), ("l/s", "litres a second")),
    "MW": (("MW", "megawatts"), ("kW", "kilowatts")),
    "t": (("t", "tonnes"), ("kg", "kilograms")),
    "km/h": (("km/h", "kilometres an hour"), ("mph", "miles an hour")),
    "crowns": (("crowns", "crowns"),),
    "people": (("people", "people"), ("people", "souls")),
    "employees": (("employees", "people"),),
    "students": (("students", "young people"),),
    "visitors": (("visitors", "people"),),
    "objects": (("objects", "pieces"),),
    "seats": (("seats", "seats"),),
}
MILLION = 1_000_000
_WHOLE = 1e-6
_SCALED = {"metres": ("kilometres", 1000.0), "megawatts": ("gigawatts", 1000.0)}


def say_quantity(rng: Rng, relation: Relation, value: int) -> Said:
    """A quantity as reworded prose puts it. The draws do not depend on the value."""
    unit, word = rng.choice(_UNITS[relation.unit])
    loose, hedge, spelled, scaled = rng.chance(ROUNDED_SHARE), rng.below(3), rng.chance(0.6), rng.chance(0.6)
    loose = loose and relation.unit not in COUNTED_OUT
    number = _in(value, relation.unit, unit)
    if unit != relation.unit and not loose:
        return _said("", number, word, spelled=False, scaled=False)
    if not loose:
        return _said("", number, word, spelled=spelled, scaled=scaled)
    step = step_of(number)
    if number % step == 0 or step > STEP_SHARE * number:
        return _said("", number, word, spelled=spelled, scaled=scaled)
    below, nearest = number // step * step, (number / step + 0.5) // 1 * step
    shown, low, high, phrase = (
        (nearest, nearest - step / 2, nearest + step / 2, rng.choice(("about ", "some ", "roughly "))),
        (below + step, below, below + step, rng.choice(("just under ", "nearly "))),
        (below, below, below + step, rng.choice(("a little over ", "just over "))),
    )[hedge]
    open_ = Rounding(_out(low, relation.unit, unit), _out(high, relation.unit, unit))
    return _said(phrase, shown, word, spelled=spelled, scaled=scaled, rounding=open_)


def step_of(number: float) -> float:
    """The step to which a number is rounded; 1 where 4% of it are less than that."""
    return float(max((step for step in _STEPS if step and step <= STEP_SHARE * number), default=1))


def _in(value: int, unit: str, wanted: str) -> float:
    if unit == wanted:
        return float(value)
    # A round factor loses nothing; others are rounded as converters print them.
    times = UNITS[unit].factor / UNITS[wanted].factor
    return (
        float(value * round(times)) if abs(times - round(times)) < _WHOLE else converted(to_base(value, unit), wanted)
    )


def _out(number: float, unit: str, used: str) -> float:
    """Back in the relation's unit."""
    return number if unit == used else to_base(number, used) / UNITS[unit].factor


def _said(
    phrase: str, number: float, word: str, *, spelled: bool, scaled: bool, rounding: Rounding | None = None
) -> Said:
    if word in _SCALED and scaled and number >= 1000 and number % 5 == 0:
        word, factor = _SCALED[word]
        number, spelled = number / factor, False
    text = ""
    if word == "crowns":
        text = _money(number)
    elif number >= MILLION and number % 1000 == 0:
        text = f"{number / MILLION:.3f}".rstrip("0").rstrip(".") + " million"
    elif spelled and number == int(number):
        text = in_words(int(number))
    if not text or len(text.split()) > 5:
        text = text if word == "crowns" else grouped(number)
    return Said(f"{phrase}{text}", f"{phrase}{text} {word}", rounding)


def _money(number: float) -> str:
    big, name = (number / 1e9, "billion") if number >= 1e9 else (number / 1e6, "million")
    return f"{in_words(int(big)) if big == int(big) and big <= 20 else grouped(big)} {name}"


_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def in_words(number: int) -> str:
    """A whole number from 0 to 999,999,999 as English spells it: `two hundred and five thousand`."""
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    if number < 1000:
        hundreds, rest = divmod(number, 100)
        return f"{_ONES[hundreds]} hundred" + (f" and {in_words(rest)}" if rest else "")
    for size, name in ((1_000_000, "million"), (1000, "thousand")):
        if number >= size:
            head, rest = divmod(number, size)
            tail = "" if not rest else f" and {in_words(rest)}" if rest < 100 else f" {in_words(rest)}"
            return f"{in_words(head)} {name}{tail}"
    raise ValueError(number)


ANNIVERSARIES: tuple[tuple[int, str], ...] = (
    (800, "eight hundredth"), (700, "seven hundredth"), (600, "six hundredth"), (500, "five hundredth"),
    (400, "four hundredth"), (300, "three hundredth"), (200, "two hundredth"), (150, "hundred and fiftieth"),
    (100, "hundredth"), (75, "seventy-fifth"), (50, "fiftieth"), (25, "twenty-fifth"), (10, "tenth"),
)  # fmt: skip


def anniversary(year: int, *, now: int) -> tuple[str, int] | None:
    """The last of the great anniversaries of a year that is past, with the year in which it was kept."""
    return next(((name, year + n) for n, name in ANNIVERSARIES if year + n < now), None)


def year_in_words(year: int) -> str:
    """`nineteen sixty-two`; digits where that would be read oddly."""
    head, tail = divmod(year, 100)
    return f"{in_words(head)} {in_words(tail)}" if tail >= 10 and head < 20 and head != tail else str(year)
