"""Losses on the policy's own tokens. Observations (what tools answered) never contribute.

Shapes: B rollouts x T tokens; N policy tokens, in row order, picked out of B x T by the mask; V the vocabulary.
torch is imported inside functions: nothing else of the workbench pays for it.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def predictors(values_BTx: "Tensor", mask_BT: "Tensor") -> "Tensor":
    """The rows of `values_BTx` (hidden states or logits) that predict a policy token: position t-1 for a mask at t.

    Returns N x (rest). The first token of a rollout is given, so a mask on it is refused with ValueError.
    """
    if bool(mask_BT[:, 0].any()):
        raise ValueError("the first token of a rollout cannot be the policy's: nothing predicts it")
    return values_BTx[:, :-1][mask_BT[:, 1:].bool()]


def targets(ids_BT: "Tensor", mask_BT: "Tensor") -> "Tensor":
    """The N policy tokens themselves, in the order of `predictors`."""
    return ids_BT[:, 1:][mask_BT[:, 1:].bool()]


def spread_over_tokens(values_B: "Tensor", mask_BT: "Tensor") -> "Tensor":
    """One value a rollout, repeated for each of its policy tokens: N."""
    return values_B[:, None].expand(mask_BT.shape)[:, 1:][mask_BT[:, 1:].bool()]


def log_distribution(logits_NV: "Tensor", allowed_NV: "Tensor | None" = None) -> "Tensor":
    """Log-probabilities over the tokens that the grammar allows at each place.

    The sampler draws from this same renormalised distribution, so old and new log-probabilities are of one policy.
    """
    import torch

    if allowed_NV is not None:
        logits_NV = logits_NV.masked_fill(~allowed_NV, -1e9)
    return torch.log_softmax(logits_NV, dim=-1)


def entropy_of(logp_NV: "Tensor") -> "Tensor":
    """Entropy in nats at each policy token: N. Forbidden tokens (log-probability about -1e9) add exactly zero."""
    return -(logp_NV.exp() * logp_NV).sum(dim=-1)


def k3_kl(logp_N: "Tensor", reference_N: "Tensor") -> "Tensor":
    """Schulman's k3 estimate of KL(policy || reference) per token, >= 0: e^d - d - 1, d = reference - policy."""
    difference_N = reference_N - logp_N
    return difference_N.exp() - difference_N - 1


def clipped_policy_loss(
    logp_N: "Tensor",
    old_N: "Tensor",
    advantages_N: "Tensor",
    *,
    clip_low: float = 0.2,
    clip_high: float = 0.2,
) -> "Tensor":
    """Per-token loss -min(rho A, clip(rho, 1 - clip_low, 1 + clip_high) A), rho = exp(logp - old): N.

    Source: PPO (arXiv 1707.06347); separate bounds as DAPO (arXiv 2503.14476).
    """
    import torch

    rho_N = (logp_N - old_N).exp()
    return -torch.minimum(rho_N * advantages_N, rho_N.clamp(1 - clip_low, 1 + clip_high) * advantages_N)


def sft_loss(logits_NV: "Tensor", targets_N: "Tensor", allowed_NV: "Tensor | None" = None) -> "Tensor":
    """Summed cross-entropy over policy tokens; divide by the number of tokens of the whole batch."""
    logp_NV = log_distribution(logits_NV, allowed_NV)
    return -logp_NV.gather(1, targets_N[:, None]).squeeze(1).sum()
