"""What people were found to prefer, as a change of a reward: a term for breadth, a penalty for length."""

from dataclasses import replace
from typing import Final

from workbench.errors import BadInputError
from workbench.schema.reward import Guard, RewardSpec, ShapingTerm, SiteCount

_TERMS: Final[dict[str, tuple[str, SiteCount]]] = {
    "distinct_queries": ("distinct_queries", "opened"),
    "sites_opened": ("distinct_sites", "opened"),
    "sites_cited": ("distinct_sites", "cited"),
}
# Where people prefer shorter reports: from here on a report earns less, and at twice the length nothing.
LENGTH_AT: Final = 12_000.0


def can_be_term(name: str, *, more: bool) -> bool:
    """Whether a reward has a term for this figure: breadth that is preferred, or length that is not."""
    return name in _TERMS if more else name == "length"


def with_candidate(spec: RewardSpec, name: str, *, more: bool) -> RewardSpec:
    """`spec` with a term for the figure, worth what its others are on average (weights sum to 1 again), or with a
    penalty on length. Raises BadInputError where a reward has no term for it, or this one has it already."""
    if not can_be_term(name, more=more):
        raise BadInputError(
            f"a reward has no term for {'more' if more else 'less'} {name}; take it over as a criterion"
        )
    if name == "length":
        if any(guard.kind == "length_penalty" for guard in spec.guards):
            raise BadInputError(f"reward {spec.name} has a length penalty already; move its bounds")
        guard = Guard("length_penalty", at=LENGTH_AT, until=2 * LENGTH_AT)
        return replace(spec, name=f"{spec.name}-shorter", guards=(*spec.guards, guard))
    term, counts = _TERMS[name]
    if any(one.name == term and (term == "distinct_queries" or one.counts == counts) for one in spec.terms):
        raise BadInputError(f"reward {spec.name} has a term for {term} already; move its weight")
    share = 1 / (len(spec.terms) + 1)
    kept = tuple(replace(one, weight=one.weight * (1 - share)) for one in spec.terms)
    added = ShapingTerm(term, share, counts=counts)  # type: ignore[arg-type]  # one of the two names above
    return replace(spec, name=f"{spec.name}-with-{name.replace('_', '-')}", terms=(*kept, added))
