"""What a question is: what it requires, by which links and clues it is asked, and the least research that suffices."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from benchmarks.simulated_web.least import LeastResearch
from workbench.schema.canonical import JsonValue, question_key

QuestionKind: TypeAlias = Literal["profile", "linked", "comparison", "survey", "walk", "no_search"]
# `plain`: the five kinds of the sample store. `graph`: walks through a neighbourhood of the graph, harder throughout.
Recipe: TypeAlias = Literal["plain", "graph"]


@dataclass(frozen=True, slots=True)
class Clue:
    """What is said of a thing instead of its name: that under `relation_key` it has `value` (an entity id or a
    category), or a year or quantity from `low` up to `high`. `text` says so ("was opened in the 1930s")."""

    relation_key: str
    text: str
    value: str = ""
    low: int = 0
    high: int = 0

    def fits(self, value: int | str) -> bool:
        return value == self.value if isinstance(value, str) else self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class RequiredFact:
    """One thing that a full answer states. `part` says it in words.

    A `value` names a fact of the graph by `fact_id`, as of `year` where it is not today's; a `comparison` says that
    `winner` exceeds `loser` under `relation_key`; a `computed` one is `number` in `unit`, to be worked out from the
    question alone: `answer` states it ({V} for the number), `cues` are the words (regular expressions) by which an
    answer speaks of it. `via` is the id of the required fact whose value is the entity that this one is about, where
    the question does not name it; `described` where it gives clues instead of a name.
    """

    id: str
    kind: Literal["value", "comparison", "computed"]
    part: str
    fact_id: str = ""
    winner: str = ""
    loser: str = ""
    relation_key: str = ""
    number: float = 0.0
    unit: str = ""
    answer: str = ""
    cues: tuple[str, ...] = ()
    year: int | None = None
    via: str = ""
    described: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """`least` is None exactly for questions that need no search. `index` is its place among those of its seed, `draw`
    how many draws for that place were refused: with the recipe they make it again. `clues` describe the one thing that
    it does not name and that nothing links to."""

    text: str
    kind: QuestionKind
    required: tuple[RequiredFact, ...]
    least: LeastResearch | None
    seed: int
    index: int
    draw: int
    recipe: Recipe = "plain"
    clues: tuple[Clue, ...] = ()

    @property
    def id(self) -> str:
        return question_key(self.text)

    def meta(self) -> dict[str, JsonValue]:
        """What a trajectory records so that `remake_question` can make this question again."""
        made: dict[str, JsonValue] = {"seed": self.seed, "index": self.index, "draw": self.draw, "kind": self.kind}
        return made if self.recipe == "plain" else made | {"recipe": self.recipe}

    @property
    def entities(self) -> tuple[str, ...]:
        """Ids of the entities that a full answer speaks of."""
        found: list[str] = []
        for fact in self.required:
            found += [fact.fact_id.rsplit(".", 1)[0]] if fact.fact_id else [fact.winner, fact.loser]
        return tuple(dict.fromkeys(entity for entity in found if entity))

    @property
    def least_calls(self) -> int:
        """Searches and pages of the least research: the T_min of the question, 0 where none is needed."""
        return len(self.least.queries) + len(self.least.urls) if self.least else 0
