"""How a simulated web is written: shares of the levels of prose, of Chinese pages and of near-duplicates."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from benchmarks.simulated_web.rng import Rng
from workbench.errors import BadInputError

# `plain`: a sentence names its fact as questions do. `reworded`: other words, rounded or spelled numbers, other units.
# `distracting`: reworded, and among sentences that say the like of other things or deny what is not so.
Level: TypeAlias = Literal["plain", "reworded", "distracting"]
Language: TypeAlias = Literal["en", "zh"]
LEVELS: tuple[Level, ...] = ("plain", "reworded", "distracting")


@dataclass(frozen=True, slots=True)
class Manner:
    """Whole percents. `reworded` and `distracting` of the pages that tell facts, the rest being plain; `chinese` of all
    pages; `copies` of the pages that would tell nothing repeat a page of another site with one value changed."""

    reworded: int = 0
    distracting: int = 0
    chinese: int = 0
    copies: int = 0

    def style(self, rng: Rng) -> tuple[Level, Language]:
        """Level and language of one page."""
        drawn = rng.below(100)
        level: Level = (
            "distracting"
            if drawn < self.distracting
            else "reworded"
            if drawn < self.distracting + self.reworded
            else "plain"
        )
        return level, "zh" if rng.below(100) < self.chinese else "en"


PLAIN = Manner()
MANNERS: Mapping[str, Manner] = {
    "plain": PLAIN,
    "mixed": Manner(reworded=34, distracting=33, chinese=20, copies=25),
    "hard": Manner(reworded=15, distracting=85, chinese=25, copies=60),
}


def manner_named(name: str) -> Manner:
    """Raises BadInputError for a name that is none of MANNERS."""
    if name not in MANNERS:
        raise BadInputError(f"there is no manner {name!r}; the manners of a simulated web are {', '.join(MANNERS)}")
    return MANNERS[name]
