"""Supervised fine-tuning on scripted rollouts: cross-entropy on the policy's tokens under the action grammar."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from training import losses
from training.batches import by_length, collate
from training.config import SftConfig
from training.grammar import Grammar
from training.policy import policy_logits
from training.rollouts import TokenPath


@dataclass(frozen=True, slots=True)
class SftResult:
    """Mean cross-entropy in nats a policy token, by step; `seconds` of wall clock."""

    losses: tuple[float, ...]
    seconds: float


def learning_rate(step: int, config: SftConfig) -> float:
    """Linear warm-up, then a cosine down to a tenth."""
    if step < config.warmup:
        return config.learning_rate * (step + 1) / config.warmup
    done = (step - config.warmup) / max(config.steps - config.warmup, 1)
    return config.learning_rate * (0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * done)))


def fine_tune(
    model: Any,
    grammar: Grammar,
    paths: Sequence[TokenPath],
    config: SftConfig,
    *,
    seed: int,
    on_step: Callable[[int, float], None] | None = None,
) -> SftResult:
    """Trains `model` in place. Batches are drawn without replacement, epoch after epoch, from `seed`.

    `on_step(step, loss)` is called after each step and may raise to stop. Raises ValueError without rollouts.
    """
    import time

    import torch

    if not paths:
        raise ValueError("no scripted rollouts to learn from")
    rng = np.random.default_rng([seed, 1])
    optimiser = torch.optim.AdamW(model.parameters(), lr=config.learning_rate, weight_decay=0.01, betas=(0.9, 0.98))
    started, seen, order = time.perf_counter(), [], list[int]()
    model.train()
    for step in range(config.steps):
        if len(order) < config.batch:
            order += rng.permutation(len(paths)).tolist()
        chosen, order = [paths[i] for i in order[: config.batch]], order[config.batch :]
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step, config)
        seen.append(_step(model, grammar, chosen, optimiser))
        if on_step is not None:
            on_step(step + 1, seen[-1])
    model.eval()
    return SftResult(tuple(seen), time.perf_counter() - started)


def _step(model: Any, grammar: Grammar, paths: Sequence[TokenPath], optimiser: Any, micro_batch: int = 12) -> float:
    """One optimiser step over the batch; returns its mean loss."""
    import torch

    total = sum(len(segment.ids) for path in paths for segment in path.segments if segment.own)
    loss_sum = 0.0
    for indices in by_length(paths, micro_batch):
        batch = collate([paths[i] for i in indices], pad=grammar.tokenizer.pad)
        chosen_N = losses.targets(batch.ids, batch.mask)
        loss = losses.sft_loss(policy_logits(model, batch), chosen_N, grammar.table()[batch.rows]) / total
        torch.autograd.backward(loss)
        loss_sum += float(loss.detach())
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
    return loss_sum
