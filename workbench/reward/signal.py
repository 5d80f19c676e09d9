"""What a reward gives a trainer to learn from: spread within groups, which part moves it, which part is used up.

A trainer compares the rollouts of a group. Groups of one scored rollout say nothing and are left out of every figure.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from workbench.reward.columns import FloatArray, IntArray, Rollouts
from workbench.reward.vector import BoolArray, Rewards
from workbench.schema.reward import RewardSpec

SAME = 1e-9  # rewards closer than this are one reward: far below any step of a judge, far above rounding
MAX_PAIRS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class Signal:
    """Spread and leverage of one specification over groups of rollouts.

    `zero_spread_share`: share of groups whose rewards are all equal, None without a group.
    `sigma`: pooled within-group standard deviation of each component and of `reward`.
    `leverage`: lambda * sigma_S / sigma_G, how far shaping outweighs quality under group normalisation (1: equal);
    None where quality has no spread. `shares`: each part's sigma times its weight in R, scaled to sum to 1.
    `saturation`: share of scored rollouts that have full credit for a term.
    """

    n_groups: int
    n_rollouts: int
    n_dropped: int
    zero_spread_share: float | None
    sigma: Mapping[str, float]
    leverage: float | None
    shares: Mapping[str, float]
    saturation: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FirstChanged:
    """A group whose best rollout is another one now. Ids of trajectories; of equals the first counts."""

    group: str
    was_first: str
    now_first: str


@dataclass(frozen=True, slots=True)
class Flips:
    """How the order within groups differs between two rewards.

    Over `n_pairs` pairs of rollouts of one group that both rewards score: `reversed` pairs change sides, `tied` had an
    order and lost it, `untied` had none and got one. `first_changed` lists groups with another best rollout:
    none that was first still is, so the new first stood strictly below before. `first_untied` counts groups where some
    of several that shared the first place lost it and some kept it: a tie broken, and no change of order.
    """

    n_groups: int
    n_pairs: int
    reversed: int
    tied: int
    untied: int
    first_changed: tuple[FirstChanged, ...]
    first_untied: int


def signal_of(spec: RewardSpec, rollouts: Rollouts, rewards: Rewards) -> Signal:
    """Spread, leverage and saturation of `rewards`, which `spec` gave to `rollouts`."""
    scored_N = rewards.scored
    kept = scored_N & (_group_sizes(rollouts.groups, scored_N)[rollouts.groups] >= 2)
    groups = rollouts.groups[kept]
    sigma = {name: pooled_sigma(values_N[kept], groups) for name, values_N in rewards.components.items()}
    sigma["reward"] = pooled_sigma(rewards.value[kept], groups)
    spreads = _spreads(rewards.value[kept], groups)
    weighted = {"quality": sigma["quality"]}
    weighted |= {term.name: spec.shaping_weight * term.weight * sigma[term.name] for term in spec.terms}
    total = sum(weighted.values())
    quality, shaping = sigma["quality"], spec.shaping_weight * sigma["shaping"]
    n_scored = int(scored_N.sum())
    return Signal(
        n_groups=len(spreads),
        n_rollouts=n_scored,
        n_dropped=len(rollouts) - n_scored,
        zero_spread_share=float(np.mean(spreads <= SAME)) if len(spreads) else None,
        sigma=sigma,
        leverage=shaping / quality if quality > SAME else None,
        shares={name: value / total for name, value in weighted.items()} if total > SAME else {},
        saturation={
            term.name: float(np.mean(rewards.components[term.name][scored_N] >= 1.0)) for term in spec.terms if n_scored
        },
    )


def pooled_sigma(values: FloatArray, groups: IntArray) -> float:
    """sqrt(sum over groups of squared deviations from the group's mean / sum of (n_g - 1)); 0 without a pair."""
    sizes = np.bincount(groups)
    freedom = int(np.sum(np.maximum(sizes - 1, 0)))
    if freedom == 0:
        return 0.0
    means = np.bincount(groups, weights=values) / np.maximum(sizes, 1)
    return math.sqrt(float(np.sum((values - means[groups]) ** 2)) / freedom)


def rank_flips(rollouts: Rollouts, baseline_N: FloatArray, value_N: FloatArray) -> Flips:
    """Compares the order within groups under two rewards of the same rollouts (NaN: dropped, not compared)."""
    both_N = ~np.isnan(baseline_N) & ~np.isnan(value_N)
    n_groups = n_pairs = reversed_ = tied = untied = first_untied = 0
    changed: list[FirstChanged] = []
    for members_KM in _groups_by_size(rollouts.groups, both_N):
        before_KM, after_KM = baseline_N[members_KM], value_N[members_KM]
        left, right = np.triu_indices(members_KM.shape[1], k=1)
        before, after = _sign(before_KM[:, left] - before_KM[:, right]), _sign(after_KM[:, left] - after_KM[:, right])
        n_groups += len(members_KM)
        n_pairs += before.size
        reversed_ += int(np.sum(before * after < 0))
        tied += int(np.sum((before != 0) & (after == 0)))
        untied += int(np.sum((before == 0) & (after != 0)))
        was_KM, is_KM = _at_first(before_KM), _at_first(after_KM)
        changed.extend(_first_changed(rollouts, members_KM, was_KM, is_KM))
        first_untied += _first_untied(was_KM, is_KM)
    changed.sort(key=lambda item: item.group)
    return Flips(n_groups, n_pairs, reversed_, tied, untied, tuple(changed), first_untied)


def _first_changed(
    rollouts: Rollouts, members_KM: IntArray, was_KM: BoolArray, is_KM: BoolArray
) -> Iterator[FirstChanged]:
    was, now = was_KM.argmax(axis=1), is_KM.argmax(axis=1)
    # The old best must all have lost their place, not only share it.
    for row in np.flatnonzero(~np.any(was_KM & is_KM, axis=1)):
        old, new = members_KM[row, was[row]], members_KM[row, now[row]]
        yield FirstChanged(rollouts.group_names[rollouts.groups[old]], rollouts.ids[old], rollouts.ids[new])


def _first_untied(was_KM: BoolArray, is_KM: BoolArray) -> int:
    stayed = np.sum(was_KM & is_KM, axis=1)
    return int(np.sum((stayed > 0) & (stayed < np.sum(was_KM, axis=1))))


def _at_first(value_KM: FloatArray) -> BoolArray:
    best: BoolArray = value_KM.max(axis=1, keepdims=True) - value_KM <= SAME
    return best


def _sign(difference: FloatArray) -> FloatArray:
    return np.where(np.abs(difference) <= SAME, 0.0, np.sign(difference))


def _group_sizes(groups_N: IntArray, kept_N: BoolArray) -> IntArray:
    return np.bincount(groups_N[kept_N], minlength=int(groups_N.max(initial=-1)) + 1)


def _spreads(values: FloatArray, groups: IntArray) -> FloatArray:
    """Largest minus smallest value of each group that is present."""
    size = int(groups.max(initial=-1)) + 1
    high, low = np.full(size, -math.inf), np.full(size, math.inf)
    np.maximum.at(high, groups, values)
    np.minimum.at(low, groups, values)
    spreads: FloatArray = (high - low)[np.isfinite(high)]
    return spreads


def _groups_by_size(groups_N: IntArray, kept_N: BoolArray) -> Iterator[IntArray]:
    """Rows of rollout indices, the groups of one size together, so that pairs are array operations."""
    indices = np.flatnonzero(kept_N)
    indices = indices[np.argsort(groups_N[indices], kind="stable")]
    _, starts, sizes = np.unique(groups_N[indices], return_index=True, return_counts=True)
    for size in np.unique(sizes):
        if size < 2:
            continue
        members_KM = indices[starts[sizes == size][:, None] + np.arange(size)[None, :]]
        at_once = max(1, MAX_PAIRS_AT_ONCE // int(size * (size - 1) // 2))
        for start in range(0, len(members_KM), at_once):
            yield members_KM[start : start + at_once]
