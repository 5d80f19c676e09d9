"""Which way to ask, by measured agreement and cost."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from graders.batching.records import Figures
from workbench.stats.estimate import Estimate

Take: TypeAlias = Literal["batched", "atomic"]


@dataclass(frozen=True, slots=True)
class Choice:
    """`shown`: the intervals settle it. Where they do not, batched is taken because it costs less, and `why` says so.
    `named`: criteria that moved."""

    take: Take
    shown: bool
    why: str
    named: tuple[str, ...] = ()


def choose(figures: Figures, *, tolerance: float) -> Choice:
    """Batched, unless verdicts move between the arms by more than `tolerance` of their scale beyond what asking
    atomically again moves them: the lower bound of any excess says so, and these hold for all criteria together. Or
    unless a verdict depends by more than that on its place in the call, which is a quarrel of batched with itself."""
    sizes = {found.id: found.excess for found in figures.criteria if isinstance(found.excess, Estimate)}
    moved = {name: excess.value for name, excess in sizes.items() if excess.above(tolerance)}
    if moved or (isinstance(figures.excess, Estimate) and figures.excess.above(tolerance)):
        what = f"verdicts on {', '.join(moved)} move" if moved else "verdicts as a whole move"
        worst = f" (by up to {max(moved.values()):.2f})" if moved else ""
        beyond = f"by more than {tolerance:g} of their scale beyond atomic's own rerun noise"
        return Choice("atomic", True, f"asked in one call, {what} {beyond}{worst}", tuple(moved))
    order = figures.order
    if isinstance(order, Estimate) and (order.above(tolerance) or order.below(-tolerance)):
        way = "falls" if order.value > 0 else "rises"
        return Choice(
            "atomic",
            True,
            f"asked in one call, a verdict {way} by {abs(order.value):.2f} from the first place to the last",
        )
    bounds = [found.most for found in figures.criteria] + [figures.most]
    known = [bound for bound in bounds if bound is not None]
    if len(known) == len(bounds) and max(known) <= tolerance:
        return Choice(
            "batched", True, f"no verdict moves by more than {tolerance:g} of its scale beyond atomic's own rerun noise"
        )
    bound = f"a move of up to {max(known):.2f} cannot be excluded" if known else "the size of a move cannot be bounded"
    return Choice(
        "batched", False, f"no move beyond atomic's own rerun noise is shown, but {bound}: grade more reports"
    )
