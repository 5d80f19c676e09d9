"""One step of group-relative policy optimisation on rollouts that are already rewarded."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from training import losses
from training.advantages import Advantages
from training.batches import by_length, collate
from training.config import RlConfig
from training.grammar import Grammar
from training.policy import score
from training.rollouts import TokenPath


@dataclass(frozen=True, slots=True)
class StepFigures:
    """Means over the policy tokens of kept rollouts; None where no rollout was kept and nothing was learned."""

    loss: float | None
    kl: float | None
    entropy: float | None
    clipped_share: float | None
    grad_norm: float | None
    policy_tokens: int


NOTHING_LEARNED = StepFigures(None, None, None, None, None, 0)


def update(
    model: Any,
    reference: Any,
    grammar: Grammar,
    optimiser: Any,
    paths: Sequence[TokenPath],
    advantages: Advantages,
    config: RlConfig,
) -> StepFigures:
    """One optimiser step; `paths` in the order of `advantages.values` flattened (question by question).

    The loss is averaged over the policy tokens of the whole batch (arXiv 2503.14476), so a long rollout weighs by its
    length. Dropped rollouts are left out before anything is computed. `reference` is the policy that KL holds on to.
    """
    import torch

    kept = np.flatnonzero(advantages.kept.ravel()).tolist()
    if not kept:
        return NOTHING_LEARNED
    chosen, values_B = [paths[i] for i in kept], advantages.values.ravel()[kept]
    total = sum(len(segment.ids) for path in chosen for segment in path.segments if segment.own)
    sums = np.zeros(4)
    model.train()
    for indices in by_length(chosen, config.micro_batch):
        sums += _accumulate(
            model, reference, grammar, [chosen[i] for i in indices], values_B[indices], config, total=total
        )
    model.eval()
    norm = float(torch.nn.utils.clip_grad_norm_(model.parameters(), config.max_grad_norm))
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
    loss, kl, entropy, clipped = (float(value) for value in sums / total)
    return StepFigures(loss, kl, entropy, clipped, norm, total)


def _accumulate(
    model: Any,
    reference: Any,
    grammar: Grammar,
    paths: Sequence[TokenPath],
    values_B: "np.ndarray[Any, np.dtype[np.float64]]",
    config: RlConfig,
    *,
    total: int,
) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Adds the gradient of one micro-batch; returns sums over its tokens: loss, KL, entropy, clipped."""
    import torch

    batch = collate(paths, pad=grammar.tokenizer.pad)
    scored = score(model, grammar, batch, temperature=config.temperature)
    advantages_N = losses.spread_over_tokens(torch.from_numpy(values_B).float(), batch.mask)
    policy_N = losses.clipped_policy_loss(
        scored.logp, batch.old, advantages_N, clip_low=config.clip_low, clip_high=config.clip_high
    )
    with torch.no_grad():
        reference_N = score(reference, grammar, batch, temperature=config.temperature).logp
    kl_N = losses.k3_kl(scored.logp, reference_N)
    entropy_N = losses.entropy_of(scored.distribution)
    loss_N = policy_N + config.kl_weight * kl_N - config.entropy_weight * entropy_N
    torch.autograd.backward(loss_N.sum() / total)
    rho_N = (scored.logp.detach() - batch.old).exp()
    outside_N = ((rho_N < 1 - config.clip_low) & (advantages_N < 0)) | (
        (rho_N > 1 + config.clip_high) & (advantages_N > 0)
    )
    return np.array([float(x.detach().sum()) for x in (loss_N, kl_N, entropy_N, outside_N.float())])
