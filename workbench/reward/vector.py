"""The reward over many rollouts at once: what a slider moves. Equal to `core` row by row, bit for bit.

The operations stand in the order of `core.terms` and `core.combine`, so that both round alike.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.reward.columns import FloatArray, Rollouts
from workbench.reward.core.names import component_names, guard_names
from workbench.schema.reward import Guard, RewardSpec, ShapingTerm

BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Rewards:
    """Rewards and components of N rollouts, arrays of length N; NaN in all of them where a rollout is dropped."""

    value: FloatArray
    components: Mapping[str, FloatArray]

    @property
    def scored(self) -> BoolArray:
        """True where a rollout has a reward."""
        return ~np.isnan(self.value)


def reweighted(
    spec: RewardSpec, *, shaping_weight: float | None = None, term_weights: Mapping[str, float] | None = None
) -> RewardSpec:
    """The specification with another lambda or other term weights, the latter scaled to sum to 1.

    Raises ValueError for a negative weight, for all weights zero, and for a term that the specification does not have.
    """
    weights: dict[str, float] = {term.name: term.weight for term in spec.terms}
    if term_weights is not None:
        weights.update(term_weights)
    unknown = sorted(set(weights) - {term.name for term in spec.terms})
    if unknown:
        raise ValueError(f"no term {', '.join(unknown)}; the terms are {', '.join(t.name for t in spec.terms)}")
    total = sum(weights.values())
    if min(weights.values(), default=0.0) < 0 or (spec.terms and total <= 0):
        raise ValueError(f"term weights are {weights}; expected numbers >= 0, not all of them 0")
    weight = spec.shaping_weight if shaping_weight is None else shaping_weight
    if not math.isfinite(weight) or weight < 0:
        raise ValueError(f"lambda is {weight}; expected a number >= 0")
    if term_weights is None:
        return replace(spec, shaping_weight=weight)
    terms = tuple(replace(term, weight=weights[term.name] / total) for term in spec.terms)
    return replace(spec, shaping_weight=weight, terms=terms)


def evaluate(spec: RewardSpec, rollouts: Rollouts) -> Rewards:
    """Reward and components of every rollout."""
    credits: dict[str, FloatArray] = {term.name: _credit(spec, term, rollouts) for term in spec.terms}
    shaping_N = np.zeros(len(rollouts))
    for term in spec.terms:
        shaping_N = shaping_N + term.weight * credits[term.name]
    shaping_N = np.minimum(shaping_N, 1.0)
    factors = {
        name: _factor(guard, _reads(guard, rollouts, shaping_N))
        for name, guard in zip(guard_names(spec), spec.guards, strict=True)
    }
    value_N = _combine(spec, rollouts.quality, shaping_N, factors)
    dropped_N = np.isnan(rollouts.quality) | np.isnan(shaping_N)
    parts: dict[str, FloatArray] = {"quality": rollouts.quality, "shaping": shaping_N, **credits, **factors}
    return Rewards(
        value=np.where(dropped_N, math.nan, value_N),
        components={name: np.where(dropped_N, math.nan, parts[name]) for name in component_names(spec)},
    )


def sweep_lambda(spec: RewardSpec, rollouts: Rollouts, weights: Sequence[float]) -> FloatArray:
    """Rewards for each lambda of `weights`: an array lambdas x rollouts."""
    rows = [evaluate(reweighted(spec, shaping_weight=weight), rollouts).value for weight in weights]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(rollouts))


def _credit(spec: RewardSpec, term: ShapingTerm, rollouts: Rollouts) -> FloatArray:
    counts = rollouts.counts
    if term.name == "distinct_queries":
        done_N, goal_N = counts["distinct_queries"], rollouts.target_queries
    else:
        goal_N = rollouts.target_sites
        if term.counts == "cited":
            done_N = counts["sites_cited"]
        elif term.counts == "seen_or_opened":
            done_N = counts["sites_opened"] + counts["sites_seen"]
        else:
            done_N = counts["sites_opened"]
    if term.target != "per_question":
        goal_N = np.full(len(rollouts), float(term.target))
    with np.errstate(divide="ignore", invalid="ignore"):
        credit_N = np.minimum(done_N / goal_N, 1.0)
    return np.where(goal_N == 0, 1.0 if spec.zero_target == "full_credit" else 0.0, credit_N)


def _reads(guard: Guard, rollouts: Rollouts, shaping_N: FloatArray) -> FloatArray:
    if guard.kind == "floor" or guard.term == "quality":
        return rollouts.quality
    if guard.kind == "length_penalty":
        return rollouts.counts["report_chars"]
    if guard.term == "shaping":
        return shaping_N
    return rollouts.counts[guard.term]


def _factor(guard: Guard, value_N: FloatArray) -> FloatArray:
    if guard.kind in ("gate", "floor"):
        return np.where(value_N >= guard.at, 1.0, 0.0)
    if guard.kind == "veto":
        return np.where(value_N > guard.at, 0.0, 1.0)
    return np.clip((guard.until - value_N) / (guard.until - guard.at), 0.0, 1.0)


def _combine(
    spec: RewardSpec, quality_N: FloatArray, shaping_N: FloatArray, factors: Mapping[str, FloatArray]
) -> FloatArray:
    named = list(zip(guard_names(spec), spec.guards, strict=True))
    counted_N = shaping_N
    for name, guard in named:
        if guard.kind == "floor":
            counted_N = counted_N * factors[name]
    reward_N: FloatArray = (quality_N + spec.shaping_weight * counted_N) / (1.0 + spec.shaping_weight)
    for kind in ("gate", "length_penalty"):
        for name, guard in named:
            if guard.kind == kind:
                reward_N = reward_N * factors[name]
    vetoed_N = np.full(len(reward_N), math.inf)
    for name, guard in named:
        if guard.kind == "veto":
            vetoed_N = np.where(factors[name] == 0.0, np.minimum(vetoed_N, guard.to), vetoed_N)
    return np.where(np.isinf(vetoed_N), reward_N, vetoed_N)
