"""What the writers of harder pages share: frames that do not repeat on a page, and another thing to speak of beside."""

from collections.abc import Sequence

from benchmarks.simulated_web.graph import Graph
from benchmarks.simulated_web.ontology import NOW
from benchmarks.simulated_web.rendering import Claim
from benchmarks.simulated_web.rng import Rng

APART = 0.1
_TRIED = 8


class Variety:
    """Draws from lists of words, on one page none twice while others are left."""

    def __init__(self, rng: Rng) -> None:
        self._rng, self._used = rng, set[str]()

    def pick(self, options: Sequence[str]) -> str:
        chosen = self._rng.choice([option for option in options if option not in self._used] or options)
        self._used.add(chosen)
        return chosen


def counterpart(rng: Rng, graph: Graph, claim: Claim) -> Claim:
    """The same relation of another thing of the type, told rightly; one whose value differs by APART or more, where
    there is one, since a contrast of equals is none."""
    same = graph.of_type[claim.fact.relation.type_key]
    first = same.index(claim.fact.entity) + 1 + rng.below(len(same) - 1)
    order = [same[(first + k) % len(same)] for k in range(min(_TRIED, len(same)))]
    held = [graph.of(entity, claim.fact.relation_key) for entity in order if entity != claim.fact.entity]
    if not claim.fact.relation.dated:
        chosen = next((fact for fact in held if _apart(fact.value, claim.value)), held[0])
        return Claim(chosen, chosen.value)
    # Of the same year: an old edition knows nothing of today.
    year = NOW if claim.year is None else claim.year
    values = [(fact, fact.number if year == NOW else dict(fact.older)[year]) for fact in held]
    fact, value = next(((f, v) for f, v in values if _apart(v, claim.value)), values[0])
    return Claim(fact, value, year)


def _apart(one: int | str, other: int | str) -> bool:
    if isinstance(one, int) and isinstance(other, int) and one > NOW:
        return abs(one - other) > APART * other
    return one != other
