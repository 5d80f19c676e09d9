"""Pages and what they state. How pages of each kind are written is in `rendering`."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from benchmarks.simulated_web.graph import Fact
from benchmarks.simulated_web.ontology import NOW
from workbench.schema.canonical import JsonValue

Truth: TypeAlias = Literal["current", "past", "stale", "wrong"]


@dataclass(frozen=True, slots=True)
class Statement:
    """What one sentence of a page says of one fact: a value, of `year` if it names one. `denied`: it says that this is
    not the value."""

    fact_id: str
    value: int | str
    sentence: str
    year: int | None = None
    denied: bool = False

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
        """Whether the sentence says the fact as it is now."""
        return not self.denied and self.value == fact.value and self.year in (None, NOW)


@dataclass(frozen=True, slots=True)
class Page:
    """`site` is the host that serves it; `about` the entities that it tells facts of, empty for pages about other
    things; `published` an ISO date."""

    url: str
    site: str
    title: str
    published: str
    text: str
    about: tuple[str, ...]
    statements: tuple[Statement, ...]

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "url": self.url,
            "title": self.title,
            "published": self.published,
            "text": self.text,
            "about": list(self.about),
            "statements": [[s.fact_id, s.value, s.sentence, s.year, s.denied] for s in self.statements],
        }
