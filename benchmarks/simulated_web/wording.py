"""Turning a value into words: numbers, units, conversions, names and sentences."""

from dataclasses import dataclass

from benchmarks.simulated_web.graph import Entity, Graph
from benchmarks.simulated_web.ontology import Relation
from benchmarks.simulated_web.rng import Rng
from benchmarks.simulated_web.units import CONVERTED, UNITS, grouped, to_base


@dataclass(frozen=True, slots=True)
class Written:
    """A value in words: `number` alone, `full` with its unit."""

    number: str
    full: str


def write_value(
    rng: Rng,
    graph: Graph,
    relation: Relation,
    value: int | str,
    *,
    imperial: bool = False,
    long_units: bool | None = None,
) -> Written:
    """The value as a text would put it; `imperial` converts the units that have a counterpart and rounds the result."""
    if isinstance(value, str):
        name = graph.entity[value].phrase if relation.kind == "entity" else value
        return Written(name, name)
    if relation.kind == "year":
        return Written(str(value), str(value))
    unit, number = relation.unit, float(value)
    if imperial and unit in CONVERTED and (unit != "MW" or number >= 1000):
        number = converted(to_base(number, unit), CONVERTED[unit])
        unit = CONVERTED[unit]
    long_form = rng.chance(0.4) if long_units is None else long_units
    word = UNITS[unit].words[1 if long_form else 0]
    if unit == "people" and long_units is None:
        word = rng.choice(UNITS[unit].words[:3])
    if unit == "crowns":
        text = money(number)
        return Written(text, f"{text} crowns")
    return Written(grouped(number), f"{grouped(number)}{' ' if word != '%' else ''}{word}")


def money(number: float) -> str:
    """The number of crowns in words: `7.63 billion`, `340 million`."""
    if number >= 1_000_000_000:
        return f"{grouped(number / 1_000_000_000)} billion"
    return f"{grouped(number / 1_000_000)} million"


def converted(base: float, unit: str) -> float:
    """A base value in `unit`, rounded as converters print it: hundreds above 10,000, whole above 100, else decimals."""
    number = base / UNITS[unit].factor
    if number >= 10_000:
        return float(round(number / 100) * 100)
    if number >= 100:
        return float(round(number))
    return round(number, 2 if number < 10 else 1)


def possessive(phrase: str) -> str:
    return f"{phrase}'" if phrase.endswith("s") else f"{phrase}'s"


def subject_forms(entity: Entity, form: str) -> tuple[str, str]:
    """Subject and possessive: `full` name, `short` noun ("the bridge") or `pronoun`."""
    if form == "pronoun":
        return "it", "its"
    phrase = entity.phrase if form == "full" else f"the {entity.type.short}"
    return phrase, possessive(phrase)


def fill(template: str, *, subject: str, owner: str, written: Written, year: int | None = None) -> str:
    """The template as a sentence with a capital at its start."""
    text = (
        template.replace("{S}", subject)
        .replace("{P}", owner)
        .replace("{V}", written.full)
        .replace("{N}", written.number)
        .replace("{Y}", str(year) if year is not None else "")
    )
    return text[:1].upper() + text[1:]
