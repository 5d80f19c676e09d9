"""Pairs of a claim and a document of the simulated web, each with its truth."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.simulated_web.graph import Graph
from benchmarks.simulated_web.ontology import NOW
from benchmarks.simulated_web.pages import Page, Statement
from benchmarks.simulated_web.reading.claims import Claim
from benchmarks.simulated_web.units import close_enough, to_base
from benchmarks.simulated_web.world import World
from workbench.schema.analysis import Support


@dataclass(frozen=True, slots=True)
class StudyPair:
    """`truth` is what the document says to the claim; `level` how hard the pair is made, `source` where it comes from.

    `cluster`: pairs of one cluster (a question, or an entity of one world) are not independent of each other.
    """

    claim: str
    document: str
    truth: Support
    level: str
    source: str
    cluster: str


def truth_of(world: World, claims: Sequence[Claim], told: Sequence[Statement]) -> Support:
    """The truth of what a sentence claims against what a document states: the worst that any of its facts meets."""
    found = [_of_one(world.graph, claim, told) for claim in claims]
    if all(state == "supported" for state in found):
        return "supported"
    if "contradicted" in found:
        return "contradicted"
    return "partly" if "supported" in found else "unrelated"


def _of_one(graph: Graph, claim: Claim, told: Sequence[Statement]) -> Support:
    fact = graph.of(claim.entity, claim.relation_key)
    year = claim.year if claim.year is not None else NOW
    said = [s for s in told if s.fact_id == fact.id and (s.year if s.year is not None else NOW) == year]
    agreeing = [s for s in said if _same(graph, claim, s)]
    if any(not s.denied for s in agreeing):
        return "contradicted" if claim.denied else "supported"
    if any(s.denied for s in agreeing) or any(not s.denied for s in said):
        return "supported" if claim.denied and agreeing else "contradicted"
    return "unrelated"


def _same(graph: Graph, claim: Claim, statement: Statement) -> bool:
    relation = graph.fact[statement.fact_id].relation
    if isinstance(claim.value, str) or isinstance(statement.value, str):
        return claim.value == statement.value
    if relation.kind == "year":
        return claim.value == statement.value
    return close_enough(
        claim.value,
        to_base(statement.value, relation.unit),
        last_place=claim.last_place,
        approximate=claim.approximate,
    )


def told_in(page: Page, document: str) -> list[Statement] | None:
    """The statements of a page that stand in what was retrieved of it; None where an excerpt leaves it open."""
    if page.text in document:
        return list(page.statements)
    if "|" in document and "| --- |" in page.text:
        return None
    flat = " ".join(document.split())
    whole, part = [], False
    for statement in page.statements:
        sentence = " ".join(statement.sentence.split())
        if sentence in flat:
            whole.append(statement)
        elif any(piece and piece in flat for piece in re.split(r"(?<=[.;])\s", sentence)):
            part = True
    return None if part else whole


def bare(text: str) -> str:
    """A sentence by its letters and digits, without markers: to find the same one in two readings of a report."""
    return " ".join(re.findall(r"[^\W_]+", re.sub(r"\[[\d, ]+\]", " ", text).lower()))


def claims_by_sentence(claims: Sequence[Claim]) -> dict[str, list[Claim]]:
    """What gold's matcher reads in a report, by sentence; sentences that only report what others say are kept."""
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        found.setdefault(bare(claim.sentence.text), []).append(claim)
    return found


def chain(*several: Iterator[StudyPair]) -> Iterator[StudyPair]:
    """One after the other, each pair of texts once."""
    seen: set[tuple[str, str]] = set()
    for pairs in several:
        for pair in pairs:
            if (pair.claim, pair.document) not in seen:
                seen.add((pair.claim, pair.document))
                yield pair
