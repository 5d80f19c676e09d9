"""How quality, shaping and guards become one number.

Order, the same for every specification whatever the order in which it lists its guards:

1. `floor`: if quality is below any floor's `at`, shaping does not count.
2. blend: R = (G + lambda S) / (1 + lambda).
3. `gate`: R is multiplied by 0 where the term is below `at`.
4. `length_penalty`: R is multiplied by a factor that falls from 1 at `at` to 0 at `until` characters of report.
5. `veto`: where the term is above `at`, R is `to`; of several that fire, the lowest `to` holds. Last, so that nothing
   can lift or lower a vetoed reward.
"""

from collections.abc import Mapping

from workbench.reward.core.names import guard_names
from workbench.schema.reward import Guard, RewardSpec, RolloutFacts


def blend(quality: float, shaping: float, weight: float) -> float:
    """R = (G + lambda S) / (1 + lambda), in [0, 1] for G and S in [0, 1] and lambda >= 0.

    Source: Baseten and Genspark, 2026-11-10, "Shaping a good reward".
    """
    return (quality + weight * shaping) / (1.0 + weight)


def guard_reads(guard: Guard, facts: RolloutFacts, *, quality: float, shaping: float) -> float:
    """The number that a guard looks at: quality, shaping, or a count of the rollout."""
    if guard.kind == "floor":
        return quality
    if guard.kind == "length_penalty":
        return float(facts.report_chars)
    if guard.term == "quality":
        return quality
    if guard.term == "shaping":
        return shaping
    return float(getattr(facts, guard.term))


def guard_factor(guard: Guard, value: float) -> float:
    """The factor of one guard in [0, 1]: 1 where it leaves the reward alone, 0 where it acts in full.

    `gate` and `floor` are 1 at or above `at`; `veto` is 1 at or below `at`; a length penalty falls linearly.
    """
    if guard.kind in ("gate", "floor"):
        return 1.0 if value >= guard.at else 0.0
    if guard.kind == "veto":
        return 0.0 if value > guard.at else 1.0
    return min(max((guard.until - value) / (guard.until - guard.at), 0.0), 1.0)


def guard_factors(spec: RewardSpec, facts: RolloutFacts, *, quality: float, shaping: float) -> dict[str, float]:
    """The factor of every guard by name."""
    return {
        name: guard_factor(guard, guard_reads(guard, facts, quality=quality, shaping=shaping))
        for name, guard in zip(guard_names(spec), spec.guards, strict=True)
    }


def combine(spec: RewardSpec, quality: float, shaping: float, factors: Mapping[str, float]) -> float:
    """The reward from its parts, in the order that this module's text gives."""
    named = list(zip(guard_names(spec), spec.guards, strict=True))
    counted = shaping
    for name, guard in named:
        if guard.kind == "floor":
            counted *= factors[name]
    reward = blend(quality, counted, spec.shaping_weight)
    for name, guard in named:
        if guard.kind == "gate":
            reward *= factors[name]
    for name, guard in named:
        if guard.kind == "length_penalty":
            reward *= factors[name]
    fired = [guard.to for name, guard in named if guard.kind == "veto" and factors[name] == 0.0]
    return min(fired) if fired else reward
