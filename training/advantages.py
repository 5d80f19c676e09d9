"""From the rewards of groups of rollouts to their advantages: GRPO, batch-scaled, Dr.GRPO and RLOO. Numpy only.

Arrays are questions x group members (QG). NaN marks a dropped rollout: it takes no part in the statistics of its group
and none in the loss. A group without spread teaches nothing, so its advantages are zero rather than noise over eps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
BoolArray: TypeAlias = NDArray[np.bool_]
Scaling: TypeAlias = Literal["group", "batch", "none", "rloo"]

# Sums of equal rewards differ in the last bits; spread below this is none.
NO_SPREAD = 1e-9
EPS = 1e-4


@dataclass(frozen=True, slots=True)
class Advantages:
    """`values` (QG) is 0 where `kept` (QG) is False: dropped, or alone in its group.

    `spread` (Q) says which groups had two or more kept rollouts whose rewards differ; `scaling` says what made it.
    """

    values: FloatArray
    kept: BoolArray
    spread: BoolArray
    scaling: Scaling

    @property
    def dropped_share(self) -> float:
        """Share of all rollouts that the loss does not see, in [0, 1]."""
        return float(1.0 - self.kept.mean())

    @property
    def zero_spread_share(self) -> float:
        """Share of groups that give no signal, in [0, 1]."""
        return float(1.0 - self.spread.mean())


def reward_matrix(rewards: Sequence[Sequence[float | None]]) -> FloatArray:
    """Rewards as rewards_QG with NaN for None. Raises ValueError for ragged groups and values that are not finite."""
    sizes = {len(group) for group in rewards}
    if len(sizes) != 1 or 0 in sizes:
        raise ValueError(f"groups must have one size of at least 1; found sizes {sorted(sizes)}")
    rewards_QG = np.array([[np.nan if r is None else float(r) for r in group] for group in rewards], dtype=np.float64)
    given = np.array([[r is not None for r in group] for group in rewards])
    if not np.isfinite(rewards_QG[given]).all():
        raise ValueError("a reward that is given must be finite; a missing one is None")
    return rewards_QG


def advantages(rewards_QG: FloatArray, *, scaling: Scaling, eps: float = EPS) -> Advantages:
    """Advantages of every kept rollout against its own group.

    group: A = (R - mean) / (std + eps), std with n-1 (GRPO, arXiv 2402.03300, as TRL computes it).
    batch: A = (R - group mean) / (std of all kept rewards + eps) (TRL's scale_rewards="batch").
    none:  A = R - mean (Dr.GRPO, arXiv 2503.20783).
    rloo:  A = n/(n-1) (R - mean), the leave-one-out baseline (arXiv 2402.14740); n counts kept rollouts.
    """
    rewarded_QG = ~np.isnan(rewards_QG)
    kept_Q = rewarded_QG.sum(axis=1)
    # One rollout has no baseline: comparing it with itself says nothing, and R alone would be an unbaselined push.
    kept_QG = rewarded_QG & (kept_Q[:, None] >= 2)
    filled_QG = np.where(kept_QG, rewards_QG, 0.0)
    n_Q1 = np.maximum(kept_QG.sum(axis=1, keepdims=True), 1)
    centred_QG = np.where(kept_QG, filled_QG - filled_QG.sum(axis=1, keepdims=True) / n_Q1, 0.0)
    high_Q = np.where(kept_QG, rewards_QG, -np.inf).max(axis=1)
    low_Q = np.where(kept_QG, rewards_QG, np.inf).min(axis=1)
    spread_Q = (high_Q - low_Q) > NO_SPREAD
    values_QG = centred_QG * _scale(centred_QG, filled_QG, kept_QG, n_Q1, scaling=scaling, eps=eps)
    return Advantages(np.where(kept_QG & spread_Q[:, None], values_QG, 0.0), kept_QG, spread_Q, scaling)


def _scale(
    centred_QG: FloatArray,
    filled_QG: FloatArray,
    kept_QG: BoolArray,
    n_Q1: NDArray[np.int_],
    *,
    scaling: Scaling,
    eps: float,
) -> FloatArray:
    """The factor on the centred rewards: one a group, or one for the whole batch."""
    if scaling == "none":
        return np.ones_like(n_Q1, dtype=np.float64)
    if scaling == "rloo":
        return n_Q1 / np.maximum(n_Q1 - 1, 1)
    if scaling == "batch":
        kept_N = filled_QG[kept_QG]
        std = float(kept_N.std(ddof=1)) if kept_N.size > 1 else 0.0
        return np.full(n_Q1.shape, 1.0 / (std + eps))
    std_Q1 = np.sqrt((centred_QG**2).sum(axis=1, keepdims=True) / np.maximum(n_Q1 - 1, 1))
    return np.asarray(1.0 / np.maximum(std_Q1 + eps, np.finfo(float).tiny), dtype=np.float64)
