"""Units of measure: how quantities are written, converted and compared."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unit:
    """`factor` turns a number in this unit into the base unit of its dimension; `words` are its written forms,
    the first the short one, the second the long one."""

    key: str
    dimension: str
    factor: float
    words: tuple[str, ...]


def _units(*units: Unit) -> Mapping[str, Unit]:
    return {unit.key: unit for unit in units}


UNITS: Mapping[str, Unit] = _units(
    Unit("m", "length", 1.0, ("m", "metres", "meters", "metre", "meter")),
    Unit("km", "length", 1000.0, ("km", "kilometres", "kilometers", "kilometre", "kilometer")),
    Unit("ft", "length", 0.3048, ("ft", "feet", "foot")),
    Unit("mi", "length", 1609.344, ("mi", "miles", "mile")),
    Unit("m2", "area", 1.0, ("m²", "square metres", "square meters", "sq m", "m2")),
    Unit("km2", "area", 1e6, ("km²", "square kilometres", "square kilometers", "sq km", "km2")),
    Unit("sqmi", "area", 2_589_988.0, ("sq mi", "square miles")),
    Unit("sqft", "area", 0.09290304, ("sq ft", "square feet")),
    Unit(
        "m3/s",
        "flow",
        1.0,
        ("m³/s", "cubic metres per second", "cubic meters per second", "m3/s", "cubic metres a second"),
    ),
    Unit("l/s", "flow", 0.001, ("l/s", "litres per second", "liters per second", "litres a second")),
    Unit("MW", "power", 1.0, ("MW", "megawatts", "megawatt")),
    Unit("GW", "power", 1000.0, ("GW", "gigawatts", "gigawatt")),
    Unit("kW", "power", 0.001, ("kW", "kilowatts", "kilowatt")),
    Unit("ha", "area", 1e4, ("ha", "hectares", "hectare")),
    Unit("cm", "length", 0.01, ("cm", "centimetres", "centimeters")),
    Unit("t", "mass", 1000.0, ("t", "tonnes", "tonne", "metric tons")),
    Unit("kg", "mass", 1.0, ("kg", "kilograms", "kilogrammes")),
    Unit(
        "km/h", "speed", 1.0, ("km/h", "kilometres per hour", "kilometers per hour", "kph", "kmh", "kilometres an hour")
    ),
    Unit("mph", "speed", 1.609344, ("mph", "miles per hour", "miles an hour")),
    Unit("crowns", "money", 1.0, ("crowns", "crowns", "crown")),
    Unit("people", "people", 1.0, ("people", "inhabitants", "residents", "citizens", "souls")),
    Unit("employees", "staff", 1.0, ("employees", "people", "staff", "workers", "jobs")),
    Unit("students", "students", 1.0, ("students", "students", "enrolled students")),
    Unit("visitors", "visits", 1.0, ("visitors", "visitors", "visits", "guests")),
    Unit("objects", "objects", 1.0, ("objects", "objects", "items", "pieces", "exhibits")),
    Unit("seats", "seats", 1.0, ("seats", "seats", "passengers")),
    Unit("minutes", "minutes", 1.0, ("min", "minutes", "minute")),
    Unit("years", "years", 1.0, ("years", "years", "year")),
    Unit("percent", "percent", 1.0, ("%", "per cent", "percent")),
)

# What a site outside the metric world writes instead.
CONVERTED: Mapping[str, str] = {
    "m": "ft",
    "km": "mi",
    "km2": "sqmi",
    "m2": "sqft",
    "km/h": "mph",
    "MW": "GW",
    "t": "kg",
}

PLAIN_TOLERANCE = 0.01
LOOSE_TOLERANCE = 0.04


def to_base(number: float, unit: str) -> float:
    return number * UNITS[unit].factor


def grouped(number: float) -> str:
    """With thousands separators; whole where it is whole."""
    if number == int(number):
        return f"{int(number):,}"
    return f"{number:,.2f}".rstrip("0")


def close_enough(stated: float, true: float, *, last_place: float, approximate: bool) -> bool:
    """Whether a written number says a true one; all in one unit.

    Within 1%; or within 4% where that much is lost by rounding: the writer says "about", or the difference is at most
    half a unit of the last place written (`last_place`: 10 million for "1.24 billion"). Wrong values of the simulated
    web are at least 6% off, so that no honest rounding is taken for one of them.
    """
    if true == 0:
        return stated == 0
    off = abs(stated - true)
    if off <= PLAIN_TOLERANCE * abs(true):
        return True
    return off <= LOOSE_TOLERANCE * abs(true) and (approximate or off <= last_place / 2)
