"""Pages and what they state. How pages of each kind are written is in `rendering`."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from benchmarks.simulated_web.graph import Fact
from benchmarks.simulated_web.manner import Language, Level
from benchmarks.simulated_web.ontology import NOW
from workbench.schema.canonical import JsonValue

Truth: TypeAlias = Literal["current", "past", "stale", "wrong"]


@dataclass(frozen=True, slots=True)
class Rounding:
    """What a rounded number leaves open: from `low` to `high`, both counted in, in the relation's unit."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        """A billionth of slack: the bounds of "just under two miles" come out of a division."""
        slack = 1e-9 * abs(value)
        return self.low - slack <= value <= self.high + slack


@dataclass(frozen=True, slots=True)
class Statement:
    """What one sentence of a page says of one fact: a value, of `year` if it names one. `denied`: it says that this is
    not the value. `rounding`: the words leave the value open so far; `value` is what their writer had in mind, and what
    a scripted agent reads. `level` and `language` are the sentence's own: plain ones stand on harder pages too."""

    fact_id: str
    value: int | str
    sentence: str
    year: int | None = None
    denied: bool = False
    rounding: Rounding | None = None
    level: Level = "plain"
    language: Language = "en"

    def truth(self, fact: Fact) -> Truth:
        """`current`: right now. `past`: right for the year it names. `stale`: an old value given as today's.
        A denied statement is `current` where it denies a value that is wrong indeed."""
        if self.denied:
            return "wrong" if self.value == fact.value else "current"
        if self.value == fact.value and self.year in (None, NOW):
            return "current"
        if (self.year, self.value) in fact.older:
            return "past"
        return "stale" if self.value in [value for _, value in fact.older] and self.year is None else "wrong"

    def supports(self, fact: Fact) -> bool:
        """Whether the sentence says the fact as it is now; a rounded one where the fact lies within its rounding."""
        if self.denied or self.year not in (None, NOW):
            return False
        return self.value == fact.value and (self.rounding is None or self.rounding.holds(fact.number))

    def to_json(self) -> list[JsonValue]:
        plain: list[JsonValue] = [self.fact_id, self.value, self.sentence, self.year, self.denied]
        if (self.rounding, self.level, self.language) == (None, "plain", "en"):
            return plain
        # Twelve digits: the last ones of a division may differ by machine.
        bounds = [f"{bound:.12g}" for bound in (self.rounding.low, self.rounding.high)] if self.rounding else None
        return [*plain, bounds, self.level, self.language]


@dataclass(frozen=True, slots=True)
class Page:
    """`site` is the host that serves it; `about` the entities that it tells facts of, empty for pages about other
    things; `published` an ISO date. `level` and `language` are how it is written as a whole."""

    url: str
    site: str
    title: str
    published: str
    text: str
    about: tuple[str, ...]
    statements: tuple[Statement, ...]
    level: Level = "plain"
    language: Language = "en"

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "url": self.url,
            "title": self.title,
            "published": self.published,
            "text": self.text,
            "about": list(self.about),
            "statements": [statement.to_json() for statement in self.statements],
        }
