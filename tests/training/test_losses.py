"""Losses on the policy's own tokens: by hand, by property, and that observations never count."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from training import losses

B, T, V = 3, 7, 5


def batch(seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """Random logits, tokens, and a mask that marks at least one policy token."""
    rng = torch.Generator().manual_seed(seed)
    logits_BTV = torch.randn(B, T, V, generator=rng, dtype=torch.float64)
    ids_BT = torch.randint(0, V, (B, T), generator=rng)
    mask_BT = torch.randint(0, 2, (B, T), generator=rng)
    mask_BT[:, 0], mask_BT[0, 1] = 0, 1
    return logits_BTV, ids_BT, mask_BT


def whole_loss(logits_BTV: Tensor, ids_BT: Tensor, mask_BT: Tensor) -> Tensor:
    """Everything the trainers add up: clipped policy loss, KL, entropy and SFT."""
    logits_NV = losses.predictors(logits_BTV, mask_BT)
    chosen_N = losses.targets(ids_BT, mask_BT)
    logp_NV = losses.log_distribution(logits_NV)
    logp_N = logp_NV.gather(1, chosen_N[:, None]).squeeze(1)
    advantages_N = losses.spread_over_tokens(torch.tensor([1.5, -0.5, 0.25], dtype=torch.float64), mask_BT)
    old_N = logp_N.detach() - 0.1
    policy = losses.clipped_policy_loss(logp_N, old_N, advantages_N)
    return (
        policy.sum()
        + losses.k3_kl(logp_N, old_N).sum()
        - losses.entropy_of(logp_NV).sum()
        + losses.sft_loss(logits_NV, chosen_N)
    )


@settings(deadline=None)
@given(seed=st.integers(0, 10_000))
def test_logits_that_predict_observations_change_nothing(seed: int) -> None:
    logits_BTV, ids_BT, mask_BT = batch(seed)
    # Logits at t-1 predict token t; the last place predicts nothing.
    observed_BT = torch.cat([mask_BT[:, 1:] == 0, torch.ones(B, 1, dtype=torch.bool)], dim=1)
    noise_BTV = torch.randn(logits_BTV.shape, generator=torch.Generator().manual_seed(seed + 1), dtype=torch.float64)
    disturbed_BTV = torch.where(observed_BT[:, :, None], logits_BTV + 9 * noise_BTV, logits_BTV)
    assert torch.equal(whole_loss(logits_BTV, ids_BT, mask_BT), whole_loss(disturbed_BTV, ids_BT, mask_BT))


@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 10_000))
def test_gradient_is_zero_at_observations_and_right_at_policy_tokens(seed: int) -> None:
    logits_BTV, ids_BT, mask_BT = batch(seed)
    logits_BTV.requires_grad_()
    (gradient_BTV,) = torch.autograd.grad(whole_loss(logits_BTV, ids_BT, mask_BT), logits_BTV)
    counted_BT = torch.cat([mask_BT[:, 1:], torch.zeros(B, 1, dtype=torch.int64)], dim=1).bool()
    assert (gradient_BTV[~counted_BT] == 0).all()
    assert (gradient_BTV[counted_BT].abs().sum(dim=-1) > 0).all()


def test_gradients_agree_with_finite_differences() -> None:
    logits_BTV, ids_BT, mask_BT = batch(3)
    chosen_N = losses.targets(ids_BT, mask_BT)
    old_N = torch.full(chosen_N.shape, -1.3, dtype=torch.float64)
    advantages_N = torch.linspace(-1, 1, len(chosen_N), dtype=torch.float64)

    def loss(logits: Tensor) -> Tensor:
        logp_NV = losses.log_distribution(losses.predictors(logits, mask_BT))
        logp_N = logp_NV.gather(1, chosen_N[:, None]).squeeze(1)
        policy_N = losses.clipped_policy_loss(logp_N, old_N, advantages_N, clip_low=0.2, clip_high=0.28)
        return (policy_N + losses.k3_kl(logp_N, old_N) - losses.entropy_of(logp_NV)).sum()

    assert torch.autograd.gradcheck(loss, (logits_BTV.requires_grad_(),))


@pytest.mark.parametrize(
    ("ratio", "advantage", "expected"),
    [(1.1, 2.0, -2.2), (1.5, 2.0, -2.56), (1.5, -2.0, 3.0), (0.5, 2.0, -1.0), (0.5, -2.0, 1.6)],
)
def test_clipping_by_hand_with_separate_bounds(ratio: float, advantage: float, expected: float) -> None:
    loss_N = losses.clipped_policy_loss(
        torch.tensor([math.log(ratio)]), torch.zeros(1), torch.tensor([advantage]), clip_low=0.2, clip_high=0.28
    )
    assert loss_N.item() == pytest.approx(expected, rel=1e-5)


def test_k3_by_hand_is_never_negative_and_zero_for_equal_policies() -> None:
    d = math.log(2)
    kl_N = losses.k3_kl(torch.tensor([-1.0, -1.0, -1.0]), torch.tensor([-1.0, -1.0 + d, -1.0 - d]))
    assert kl_N.tolist() == pytest.approx([0.0, 2 - d - 1, 0.5 + d - 1], abs=1e-6)


def test_forbidden_tokens_have_no_probability_and_no_entropy() -> None:
    allowed_NV = torch.tensor([[True, True, False, False]])
    logp_NV = losses.log_distribution(torch.tensor([[0.0, 0.0, 5.0, 5.0]]), allowed_NV)
    assert logp_NV.exp().tolist() == [[0.5, 0.5, 0.0, 0.0]]
    assert losses.entropy_of(logp_NV).item() == pytest.approx(math.log(2))


def test_sft_loss_equals_cross_entropy_summed() -> None:
    logits_NV, chosen_N = torch.randn(6, V), torch.arange(6) % V
    expected = torch.nn.functional.cross_entropy(logits_NV, chosen_N, reduction="sum")
    assert losses.sft_loss(logits_NV, chosen_N).item() == pytest.approx(expected.item(), rel=1e-5)


def test_a_policy_token_that_nothing_predicts_is_refused() -> None:
    with pytest.raises(ValueError, match="first token"):
        losses.predictors(torch.zeros(1, 2, 3), torch.tensor([[1, 0]]))
