"""From claims to verdicts on facts: right, wrong, or both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from benchmarks.simulated_web.graph import Fact, Graph
from benchmarks.simulated_web.ontology import NOW
from benchmarks.simulated_web.reading.claims import Claim
from benchmarks.simulated_web.units import close_enough, to_base

Saying: TypeAlias = Literal["right", "wrong", "silent"]


@dataclass(frozen=True, slots=True)
class FactClaims:
    """What a report says of one fact: the claims that say it rightly and those that say something false of it."""

    right: tuple[Claim, ...]
    wrong: tuple[Claim, ...]


def saying(fact: Fact, claim: Claim) -> Saying:
    """Whether a claim says the fact, says something false of it, or neither (a past year, a vague bound, a denial of
    something false)."""
    if claim.year is not None and claim.year != NOW:
        return "silent"
    holds = _holds(fact, claim)
    if claim.denied:
        return "wrong" if holds else "silent"
    if claim.bound and not isinstance(claim.value, str):
        true = to_base(fact.number, fact.relation.unit)
        if not holds:
            return "silent" if (true - claim.value) * claim.bound >= 0 else "wrong"
    return "right" if holds else "wrong"


def _holds(fact: Fact, claim: Claim) -> bool:
    if isinstance(claim.value, str) or isinstance(fact.value, str):
        return claim.value == fact.value
    if fact.relation.kind == "year":
        return claim.value == fact.value
    true = to_base(fact.value, fact.relation.unit)
    return close_enough(claim.value, true, last_place=claim.last_place, approximate=claim.approximate)


def by_fact(graph: Graph, claims: Sequence[Claim]) -> Mapping[str, FactClaims]:
    """Claims sorted out by fact id; facts of which nothing is asserted are left out.

    What a report only reports ("one forum gives 1,310 m") counts where it says nothing of its own about the fact.
    """
    of_fact: dict[str, list[Claim]] = {}
    for claim in claims:
        of_fact.setdefault(graph.of(claim.entity, claim.relation_key).id, []).append(claim)
    found: dict[str, FactClaims] = {}
    for fact_id, told in of_fact.items():
        fact = graph.fact[fact_id]
        own = [claim for claim in told if not claim.reported and not (claim.denied and saying(fact, claim) == "silent")]
        said = [(saying(fact, claim), claim) for claim in own or told]
        right = tuple(claim for verdict, claim in said if verdict == "right")
        wrong = tuple(claim for verdict, claim in said if verdict == "wrong")
        if right or wrong:
            found[fact_id] = FactClaims(right, wrong)
    return found
