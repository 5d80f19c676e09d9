"""The countable terms: what a rollout did against what the references needed, each credit in [0, 1]."""

from collections.abc import Mapping
from typing import Literal

from workbench.schema.reward import QuestionTarget, RewardSpec, RolloutFacts, ShapingTerm


def count_of(term: ShapingTerm, facts: RolloutFacts) -> int:
    """The count that a term credits.

    Sites count as `opened` (a page was fetched), `cited` (the report cites it) or `seen_or_opened` (it stood in a
    search result or was opened: the two sets are disjoint, so they add up).
    """
    if term.name == "distinct_queries":
        return facts.distinct_queries
    if term.counts == "cited":
        return facts.sites_cited
    if term.counts == "seen_or_opened":
        return facts.sites_opened + facts.sites_seen
    return facts.sites_opened


def target_of(term: ShapingTerm, target: QuestionTarget | None) -> float | None:
    """The count that earns full credit: the term's own number, else the question's; None if the question has none."""
    if term.target != "per_question":
        return float(term.target)
    if target is None:
        return None
    return float(target.queries if term.name == "distinct_queries" else target.sites)


def credit(count: float, target: float, zero_target: Literal["full_credit", "no_credit"]) -> float:
    """min(count / target, 1), in [0, 1].

    A target of zero means that no reference used any on this question: full credit (the seed's rule, so that an agent
    is not pushed to search where it is not warranted) or none.
    Source: Baseten and Genspark, 2026-11-10, "Shaping a good reward".
    """
    if target == 0:
        return 1.0 if zero_target == "full_credit" else 0.0
    return min(count / target, 1.0)


def credits_of(spec: RewardSpec, facts: RolloutFacts, target: QuestionTarget | None) -> Mapping[str, float] | None:
    """The credit of each term by name, or None where a term needs the question's target and there is none."""
    out: dict[str, float] = {}
    for term in spec.terms:
        goal = target_of(term, target)
        if goal is None:
            return None
        out[term.name] = credit(count_of(term, facts), goal, spec.zero_target)
    return out


def shaping_of(spec: RewardSpec, credits: Mapping[str, float]) -> float:
    """S = sum of weight * credit over the terms, in [0, 1]; 0 for a specification without terms."""
    total = 0.0
    for term in spec.terms:
        total += term.weight * credits[term.name]
    # Weights that sum to 1 in decimals may sum to 1 + 2e-16 in binary; S stays in [0, 1].
    return min(total, 1.0)
